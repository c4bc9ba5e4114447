/** Creates an element. Texts become text nodes only: content of a file never becomes markup. */
export function element<Tag extends keyof HTMLElementTagNameMap>(
  tag: Tag,
  attributes: Readonly<Record<string, string>> = {},
  ...children: readonly (Node | string)[]
): HTMLElementTagNameMap[Tag] {
  const made = document.createElement(tag);
  for (const [name, value] of Object.entries(attributes)) {
    made.setAttribute(name, value);
  }
  made.append(...children);
  return made;
}

/** If an element with the focus is gone, the first of these that it was in gets the focus, or its part. */
const focusPlaces = [
  ['.chip', '.chip'],
  ['.record', '.record-body'],
  ['.overview', '.overview'],
  ['.record-page', '.record-page'],
] as const;

/** Draws the page, and keeps the focus: an element that is moved loses it. */
export function keepFocus(draw: () => void): void {
  const { activeElement: focused } = document;
  const [, place] = focusPlaces.find(([part]) => focused?.closest(part)) ?? [];
  draw();
  if (focused instanceof HTMLElement && focused !== document.activeElement && document.hasFocus()) {
    const next = focused.isConnected
      ? focused
      : place && document.querySelector<HTMLElement>(place);
    if (next) {
      next.focus({ preventScroll: true });
    } else {
      focusShown();
    }
  }
}

/**
 * Gives a page the focus that VS Code gives its editor, now and later: its keys work only then. Never takes the focus
 * from another part of VS Code.
 */
export function followFocus(root: HTMLElement): void {
  const focus = (): void => {
    if (document.hasFocus() && document.activeElement === document.body) {
      root.focus({ preventScroll: true });
    }
  };
  window.addEventListener('focus', focus);
  focus();
}

/** Focuses the grid, or the tab of the overview if that is shown. */
export function focusShown(): void {
  const [grid, tab] = ['.table-panel.shown .grid', '[role=tab][aria-selected=true]'].map((one) =>
    document.querySelector<HTMLElement>(one),
  );
  (grid ?? tab)?.focus({ preventScroll: true });
}

/** Icons of 16 × 16, drawn with strokes in the text color. */
export const icons = {
  filter: 'M2.5 3.5h11M4.5 7.5h7M6.5 11.5h3',
  find: 'M10.2 10.2 14 14M11.5 6.75a4.75 4.75 0 1 1-9.5 0a4.75 4.75 0 0 1 9.5 0Z',
  columns: 'M2.5 2.5h11v11h-11zM6.2 2.5v11M9.8 2.5v11',
  group: 'M2.5 3.5h11M5.5 6.5h8M5.5 9.5h8M2.5 12.5h11',
  record: 'M2.5 2.5h11v11h-11zM9 2.5v11M10.8 5.5h1M10.8 8h1',
  share: 'M8 9.5v-7M5.2 5 8 2.2 10.8 5M4.5 7.5h-2v6h11v-6h-2',
  help: 'M5.6 6a2.4 2.4 0 1 1 3.6 2.1c-.8.5-1.2.9-1.2 1.9M8 12.2v1',
  close: 'M3.5 3.5l9 9M12.5 3.5l-9 9',
  source: 'M5.5 4.5 2 8l3.5 3.5M10.5 4.5 14 8l-3.5 3.5',
  up: 'M3 10l5-5 5 5',
  down: 'M3 6l5 5 5-5',
  eye: 'M1.5 8S4 3.8 8 3.8 14.5 8 14.5 8 12 12.2 8 12.2 1.5 8 1.5 8ZM9.8 8a1.8 1.8 0 1 1-3.6 0a1.8 1.8 0 0 1 3.6 0Z',
  tree: 'M2.5 3h7M5.5 8h8M5.5 12.5h8M3.5 3v9.5',
  copy: 'M5.5 5.5h8v8h-8zM10.5 5.5v-3h-8v8h3',
  save: 'M2.5 2.5h9l2 2v9h-11zM5 2.5V6h5V2.5M5 13.5v-4h6v4',
  back: 'M9.5 3.5 5 8l4.5 4.5M5 8h9',
  warning: 'M8 2 14.5 13.5h-13zM8 6.5v3.2M8 11.5v.5',
  info: 'M14 8A6 6 0 1 1 2 8a6 6 0 0 1 12 0ZM8 7.2v4M8 4.6v.6',
  error: 'M14 8A6 6 0 1 1 2 8a6 6 0 0 1 12 0ZM5.8 5.8l4.4 4.4M10.2 5.8 5.8 10.2',
} as const;

export type IconName = keyof typeof icons;

/** Announcements are combined until none has come for this many milliseconds. */
const announceDelayMs = 100;

/** Announces to screen readers what is shown: politely, and only the last of several results. */
export class Announcer {
  readonly root = element('div', { class: 'unseen', role: 'status', 'aria-live': 'polite' });
  private result: string | undefined;
  private further: string[] = [];
  private timer: ReturnType<typeof setTimeout> | undefined;

  say(text: string): void {
    this.result = text;
    this.soon();
  }

  /** Announces a text together with the next result, instead of replacing it. */
  add(text: string): void {
    this.further.push(text);
    this.soon();
  }

  private soon(): void {
    clearTimeout(this.timer);
    this.timer = setTimeout(() => {
      const all = this.result === undefined ? this.further : [this.result, ...this.further];
      this.root.textContent = all.join('. ').replaceAll('.. ', '. ');
      this.result = undefined;
      this.further = [];
    }, announceDelayMs);
  }
}
