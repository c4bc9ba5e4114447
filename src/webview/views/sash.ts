import { element, setAttribute } from '../dom';

const least = 20;
const most = 80;
const step = 4;

/**
 * The sash between the grid and the record, side by side or stacked in a narrow page. It is moved with the
 * pointer or the arrow keys. The share is the part of the space for the record, in percent.
 */
export class Sash {
  readonly bar: HTMLElement;

  constructor(
    private readonly container: HTMLElement,
    private readonly panel: HTMLElement,
    label: string,
    private percent: number,
    private readonly onChange: () => void,
  ) {
    this.bar = element('div', {
      class: 'sash',
      role: 'separator',
      tabindex: 0,
      'aria-label': label,
      'aria-valuemin': least,
      'aria-valuemax': most,
    });
    this.bar.addEventListener('pointerdown', (event) => {
      event.preventDefault();
      this.bar.setPointerCapture(event.pointerId);
      this.bar.addEventListener('pointermove', this.onMove);
    });
    for (const end of ['pointerup', 'pointercancel']) {
      this.bar.addEventListener(end, () => {
        this.bar.removeEventListener('pointermove', this.onMove);
      });
    }
    this.bar.addEventListener('keydown', (event) => {
      const larger = event.key === 'ArrowLeft' || event.key === 'ArrowUp';
      if (larger || event.key === 'ArrowRight' || event.key === 'ArrowDown') {
        event.preventDefault();
        event.stopPropagation();
        this.share += larger ? step : -step;
        this.onChange();
      }
    });
    new ResizeObserver(() => {
      setAttribute(this.bar, 'aria-orientation', this.stacked ? 'horizontal' : 'vertical');
    }).observe(container);
    this.share = percent;
  }

  get share(): number {
    return this.percent;
  }

  set share(percent: number) {
    this.percent = Math.round(Math.min(most, Math.max(least, percent)));
    this.panel.style.flexBasis = `${this.percent}%`;
    setAttribute(this.bar, 'aria-valuenow', this.percent);
  }

  private get stacked(): boolean {
    return getComputedStyle(this.container).flexDirection === 'column';
  }

  private readonly onMove = (event: PointerEvent): void => {
    const box = this.container.getBoundingClientRect();
    this.share = this.stacked
      ? ((box.bottom - event.clientY) / box.height) * 100
      : ((box.right - event.clientX) / box.width) * 100;
    this.onChange();
  };
}
