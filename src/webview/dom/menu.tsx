import { type JSX, render } from 'preact';
import { element, focusShown } from './dom';
import type { Texts } from '../../summary/texts';
import type { Tone } from '../../summary/severityTones';

/** A menu item; without `run` it is a separator or a disabled text. */
export interface MenuItem {
  readonly label?: string;
  /** Shown at the right, such as a key or a number. */
  readonly detail?: string;
  /** A mark before the label. */
  readonly tone?: Tone;
  readonly title?: string;
  /** Makes it a checkbox. */
  readonly checked?: boolean;
  readonly disabled?: boolean;
  readonly run?: () => void;
  /** The menu stays open and is redrawn. */
  readonly staysOpen?: boolean;
  /** One of many values, which scroll on their own. */
  readonly isValue?: boolean;
}

export const separator: MenuItem = {};

type Items = () => readonly MenuItem[];

/** A point, or an element to open a menu below. */
export type MenuAnchor = Element | { readonly x: number; readonly y: number };

interface MenuOptions {
  readonly onClose?: () => void;
  /** Makes items searchable. */
  readonly search?: Texts;
}

/** Typed letters are one word until none has come for this many milliseconds. */
const wordPauseMs = 800;

/** The menu that is open; there is one at a time. */
let openMenu: Menu | undefined;

export function closeMenu(): void {
  openMenu?.close({ returnsFocus: false });
}

/**
 * Shows a menu at a point or below an element. It takes the focus, and returns it to the element, if
 * that is a button, or to the grid.
 * @returns a function that redraws the items, for items that are loaded later
 */
export function showMenu(
  at: MenuAnchor,
  items: Items,
  label: string,
  options: MenuOptions = {},
): () => void {
  closeMenu();
  const menu = new Menu(at, items, label, options);
  openMenu = menu;
  menu.open();
  return () => menu.redraw();
}

/** Letters that are typed one after the other are the beginning of a label. */
class TypedWord {
  private word = '';
  private typedAt = -Infinity;

  /** Whether the next letter belongs to the word. */
  get isOpen(): boolean {
    return performance.now() - this.typedAt <= wordPauseMs;
  }

  /** Focuses the item whose label begins with the word, after the one at `index`. */
  focusNext(letter: string, all: readonly HTMLElement[], index: number): void {
    this.word = (this.isOpen ? this.word : '') + letter.toLowerCase();
    this.typedAt = performance.now();
    // The next item for a first letter; a longer word may be that of the same item.
    const first = this.word.length === 1 ? index + 1 : Math.max(0, index);
    [...all.slice(first), ...all.slice(0, first)].find((one) => this.begins(one))?.focus();
  }

  private begins(item: HTMLElement): boolean {
    const label = item.querySelector('.menu-label')?.textContent.toLowerCase();
    return label?.startsWith(this.word) ?? false;
  }
}

class Menu {
  private readonly list: HTMLElement;
  private readonly input: HTMLInputElement | undefined;
  private readonly root: HTMLElement;
  private readonly listening = new AbortController();
  private readonly word = new TypedWord();
  /** What is shown now, in the order of the buttons. */
  private shown: readonly MenuItem[] = [];

  constructor(
    private readonly at: MenuAnchor,
    private readonly items: Items,
    private readonly label: string,
    private readonly options: MenuOptions,
  ) {
    this.list = element('div', {
      class: 'menu-items',
      role: 'menu',
      'aria-label': label,
      tabindex: '-1',
    });
    const { search } = options;
    this.input = search && searchInput(search.get('searchItems'));
    this.root = element('div', { class: 'menu' }, ...(this.input ? [this.input] : []), this.list);
  }

  open(): void {
    const { root, input } = this;
    root.addEventListener('keydown', (event) => this.handleKey(event));
    input?.addEventListener('input', () => this.draw());
    // Inside the main landmark, for screen readers.
    (document.querySelector('main') ?? document.body).append(root);
    this.draw();
    positionMenu(root, this.at);
    this.closeOnLeave();
    (input ?? this.buttons().find((one) => !one.ariaDisabled) ?? this.list).focus();
  }

  close({ returnsFocus }: { readonly returnsFocus: boolean }): void {
    openMenu = undefined;
    this.root.remove();
    this.listening.abort();
    if (returnsFocus && this.at instanceof HTMLButtonElement) {
      this.at.focus();
    } else if (returnsFocus) {
      focusShown();
    }
    this.options.onClose?.();
  }

  redraw(): void {
    const index = this.focusedIndex(this.buttons());
    this.draw();
    positionMenu(this.root, this.at);
    if (this.root.isConnected && document.activeElement !== this.input) {
      (this.buttons()[Math.max(0, index)] ?? this.list).focus();
    }
  }

  private closeOnLeave(): void {
    const { signal } = this.listening;
    window.addEventListener('blur', () => this.close({ returnsFocus: false }), { signal });
    window.addEventListener(
      'pointerdown',
      ({ target }) => {
        if (target instanceof Node && !this.root.contains(target)) {
          this.close({ returnsFocus: false });
        }
      },
      { signal, capture: true },
    );
  }

  private buttons(): HTMLElement[] {
    return [...this.list.querySelectorAll<HTMLElement>('[role^=menuitem]')];
  }

  private focusedIndex(all: readonly HTMLElement[]): number {
    return all.findIndex((one) => one === document.activeElement);
  }

  private draw(): void {
    if (!this.root.isConnected) {
      return;
    }
    const query = this.input?.value.trim().toLowerCase() ?? '';
    const found = query === '' ? this.items() : searched(this.items(), query);
    const none = { label: this.options.search?.get('notFound') ?? '' };
    const all = found.length > 0 ? found : [none];
    this.shown = all.filter(({ label }) => label !== undefined);
    render(
      createLines(all, this.label, (item) => this.run(item)),
      this.list,
    );
  }

  private run(item: MenuItem | undefined): void {
    if (!item?.run || item.disabled) {
      return;
    }
    if (item.staysOpen) {
      item.run();
      this.draw();
      keepInWindow(this.root);
    } else {
      this.close({ returnsFocus: true });
      item.run();
    }
  }

  /** What Enter runs in the search. */
  private firstFound(): MenuItem | undefined {
    return this.input?.value.trim()
      ? this.shown.find((item) => item.run && !item.disabled)
      : undefined;
  }

  private handleKey(event: KeyboardEvent): void {
    event.stopPropagation();
    if (!event.isComposing && (this.pressControl(event) || this.pressOnItems(event))) {
      event.preventDefault();
    }
  }

  /**
   * Handles the keys that mean the same in the search and on the items.
   * @returns whether the key was handled
   */
  private pressControl({ key, target, shiftKey }: KeyboardEvent): boolean {
    const { input } = this;
    const inSearch = target === input;
    const all = this.buttons();
    const index = this.focusedIndex(all);
    const stops = input ? [input, ...all] : all;
    const stop = input ? index + 1 : index;
    if (key === 'Escape' || (key === 'ArrowLeft' && !inSearch)) {
      this.close({ returnsFocus: true });
    } else if (key === 'Tab' && (!input || inSearch === shiftKey)) {
      this.close({ returnsFocus: true });
    } else if (key === 'Tab') {
      stops[inSearch ? 1 : 0]?.focus();
    } else if (key === 'ArrowDown') {
      stops[(stop + 1) % stops.length]?.focus();
    } else if (key === 'ArrowUp') {
      stops.at(Math.max(0, stop) - 1)?.focus();
    } else if (key === 'Enter') {
      this.run(inSearch ? this.firstFound() : this.shown[index]);
    } else {
      return false;
    }
    return true;
  }

  /** @returns whether the key was handled */
  private pressOnItems({ key, target, ctrlKey, metaKey }: KeyboardEvent): boolean {
    const { input } = this;
    const all = this.buttons();
    const index = this.focusedIndex(all);
    if (target === input) {
      return false;
    }
    if (key === 'Home' || key === 'End') {
      all.at(key === 'Home' ? 0 : -1)?.focus();
    } else if (key === ' ' && (input || !this.word.isOpen)) {
      this.run(this.shown[index]);
    } else if (key.length !== 1 || ctrlKey || metaKey) {
      return false;
    } else if (input) {
      // The browser then types the letter into it.
      input.focus();
      return false;
    } else {
      this.word.focusNext(key, all, index);
    }
    return true;
  }
}

function searchInput(label: string): HTMLInputElement {
  return element('input', {
    type: 'search',
    class: 'menu-search',
    'aria-label': label,
    placeholder: label,
    spellcheck: 'false',
    autocomplete: 'off',
  });
}

/** The items whose label or title has the text, without separators. */
function searched(items: readonly MenuItem[], text: string): readonly MenuItem[] {
  return items.filter(
    ({ label, title }) =>
      label !== undefined && [label, title].some((each) => each?.toLowerCase().includes(text)),
  );
}

type Run = (item: MenuItem) => void;

/** The lines of a menu, with its values in a group that scrolls. */
function createLines(items: readonly MenuItem[], label: string, run: Run) {
  const first = items.findIndex(({ isValue }) => isValue);
  const lines = (some: readonly MenuItem[]) => some.map((item) => createLine(item, run));
  if (first < 0) {
    return lines(items);
  }
  return [
    ...lines(items.slice(0, first)),
    <div key="values" class="menu-values" role="group" aria-label={label}>
      {lines(items.filter(({ isValue }) => isValue))}
    </div>,
    ...lines(items.slice(first).filter(({ isValue }) => !isValue)),
  ];
}

function createLine(item: MenuItem, run: Run): JSX.Element {
  const { label, checked, tone, detail } = item;
  if (label === undefined) {
    return <div class="menu-line" role="separator" />;
  }
  return (
    <div
      class="menu-item"
      role={checked === undefined ? 'menuitem' : 'menuitemcheckbox'}
      tabIndex={-1}
      title={item.title}
      aria-checked={checked}
      aria-disabled={item.disabled || !item.run ? true : undefined}
      onClick={() => run(item)}
      onPointerMove={({ currentTarget }) => currentTarget.focus({ preventScroll: true })}
    >
      <span class="menu-check" aria-hidden="true">
        {checked && '✓'}
      </span>
      <span class="menu-label" data-tone={tone}>
        {label}
      </span>
      {detail !== undefined && <span class="menu-detail">{detail}</span>}
    </div>
  );
}

/** Positions the menu below, or above if there is no room; never beyond an edge. */
function positionMenu(menu: HTMLElement, at: MenuAnchor): void {
  const anchor = at instanceof Element ? at.getBoundingClientRect() : undefined;
  const point = at instanceof Element ? { x: anchor?.left ?? 0, y: anchor?.bottom ?? 0 } : at;
  const { width, height } = menu.getBoundingClientRect();
  const x = Math.max(4, Math.min(point.x, window.innerWidth - width - 4));
  const below = point.y + height <= window.innerHeight - 4;
  const above = (anchor?.top ?? point.y) - height;
  const y = below ? point.y : Math.max(4, above >= 4 ? above : window.innerHeight - height - 4);
  menu.style.left = `${x}px`;
  menu.style.top = `${y}px`;
}

/** Moves a menu that has grown up, as far as it does not fit; otherwise its items stay under the pointer. */
function keepInWindow(menu: HTMLElement): void {
  const { top, bottom } = menu.getBoundingClientRect();
  const outside = bottom - (window.innerHeight - 4);
  if (outside > 0) {
    menu.style.top = `${Math.max(4, top - outside)}px`;
  }
}
