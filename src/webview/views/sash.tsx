import type { TargetedPointerEvent } from 'preact';
import type { Store } from '../state/store';

/** The least and the most space for the record, and the step of a key, in percent. */
const least = 20;
const most = 80;
const step = 4;

/** Matches a page that is so narrow that the record is below the grid; the same width as in `table.css`. */
export const narrowPage = matchMedia('(width < 640px)');

/**
 * The sash between the grid and the record, side by side or stacked in a narrow page. It is moved with the
 * pointer or the arrow keys.
 */
export function Sash({ store }: { readonly store: Store }) {
  const share = (percent: number) =>
    store.set({ recordShare: Math.round(Math.min(most, Math.max(least, percent))) });
  const drag = ({
    currentTarget: bar,
    pointerId,
    clientX,
    clientY,
  }: TargetedPointerEvent<HTMLElement>) => {
    const box = bar.parentElement?.getBoundingClientRect();
    if (box && bar.hasPointerCapture(pointerId)) {
      share(
        100 *
          (narrowPage.matches
            ? (box.bottom - clientY) / box.height
            : (box.right - clientX) / box.width),
      );
    }
  };
  const press = (event: KeyboardEvent) => {
    const larger = event.key === 'ArrowLeft' || event.key === 'ArrowUp';
    if (larger || event.key === 'ArrowRight' || event.key === 'ArrowDown') {
      event.preventDefault();
      event.stopPropagation();
      share(store.recordShare + (larger ? step : -step));
    }
  };
  return (
    <div
      class="sash"
      role="separator"
      tabIndex={0}
      hidden={!store.recordShown}
      aria-label={store.texts.get('resizeRecord')}
      aria-orientation={narrowPage.matches ? 'horizontal' : 'vertical'}
      aria-valuemin={least}
      aria-valuemax={most}
      aria-valuenow={store.recordShare}
      onPointerDown={(event) => {
        event.preventDefault();
        event.currentTarget.setPointerCapture(event.pointerId);
      }}
      onPointerMove={drag}
      onKeyDown={press}
    />
  );
}
