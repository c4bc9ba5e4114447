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

let closeOpen: ((restore: boolean) => void) | undefined;

export function closeMenu(): void {
  closeOpen?.(false);
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
  { onClose, search }: MenuOptions = {},
): () => void {
  closeMenu();
  const menu = element('div', {
    class: 'menu-items',
    role: 'menu',
    'aria-label': label,
    tabindex: '-1',
  });
  const input = search && searchInput(search.get('searchItems'));
  const root = element('div', { class: 'menu' }, ...(input ? [input] : []), menu);
  const buttons = () => [...menu.querySelectorAll<HTMLElement>('[role^=menuitem]')];
  const listening = new AbortController();
  /** What is shown now, in the order of the buttons. */
  let shown: readonly MenuItem[] = [];
  let word = '';
  let wordAt = -Infinity;

  const close = (restore: boolean): void => {
    closeOpen = undefined;
    root.remove();
    listening.abort();
    if (restore && at instanceof HTMLButtonElement) {
      at.focus();
    } else if (restore) {
      focusShown();
    }
    onClose?.();
  };
  const run = (item: MenuItem | undefined): void => {
    if (!item?.run || item.disabled) {
      return;
    }
    if (item.staysOpen) {
      item.run();
      draw();
      keepInWindow(root);
    } else {
      close(true);
      item.run();
    }
  };
  const draw = (): void => {
    if (!root.isConnected) {
      return;
    }
    const query = input?.value.trim().toLowerCase() ?? '';
    const found = query === '' ? items() : searched(items(), query);
    const all = found.length > 0 ? found : [{ label: search?.get('notFound') ?? '' }];
    shown = all.filter(({ label: text }) => text !== undefined);
    render(linesOf(all, label, run), menu);
  };

  const isWordOpen = () => performance.now() - wordAt <= wordPauseMs;
  const focusWord = (letter: string, all: readonly HTMLElement[], index: number): void => {
    word = (isWordOpen() ? word : '') + letter.toLowerCase();
    wordAt = performance.now();
    // The next item for a first letter; a longer word may be that of the same item.
    const first = word.length === 1 ? index + 1 : Math.max(0, index);
    [...all.slice(first), ...all.slice(0, first)]
      .find((one) => one.querySelector('.menu-label')?.textContent.toLowerCase().startsWith(word))
      ?.focus();
  };
  /** What Enter runs in the search. */
  const firstFound = (): MenuItem | undefined =>
    input?.value.trim() ? shown.find((item) => item.run && !item.disabled) : undefined;
  /** @returns whether the key was handled */
  const press = ({ key, target, shiftKey, ctrlKey, metaKey }: KeyboardEvent): boolean => {
    const inSearch = target === input;
    const all = buttons();
    const index = all.findIndex((one) => one === document.activeElement);
    const stops = input ? [input, ...all] : all;
    const stop = input ? index + 1 : index;
    if (key === 'Escape' || (key === 'ArrowLeft' && !inSearch)) {
      close(true);
    } else if (key === 'Tab' && (!input || inSearch === shiftKey)) {
      close(true);
    } else if (key === 'Tab') {
      stops[inSearch ? 1 : 0]?.focus();
    } else if (key === 'ArrowDown') {
      stops[(stop + 1) % stops.length]?.focus();
    } else if (key === 'ArrowUp') {
      stops.at(Math.max(0, stop) - 1)?.focus();
    } else if (key === 'Enter') {
      run(inSearch ? firstFound() : shown[index]);
    } else if (inSearch) {
      return false;
    } else if (key === 'Home' || key === 'End') {
      all.at(key === 'Home' ? 0 : -1)?.focus();
    } else if (key === ' ' && (input || !isWordOpen())) {
      run(shown[index]);
    } else if (key.length !== 1 || ctrlKey || metaKey) {
      return false;
    } else if (input) {
      // The browser then types the letter into it.
      input.focus();
      return false;
    } else {
      focusWord(key, all, index);
    }
    return true;
  };
  root.addEventListener('keydown', (event) => {
    event.stopPropagation();
    if (event.isComposing) {
      return;
    }
    if (press(event)) {
      event.preventDefault();
    }
  });
  input?.addEventListener('input', draw);

  // Inside the main landmark, for screen readers.
  (document.querySelector('main') ?? document.body).append(root);
  draw();
  positionMenu(root, at);
  closeOpen = close;
  const { signal } = listening;
  window.addEventListener('blur', () => close(false), { signal });
  window.addEventListener(
    'pointerdown',
    ({ target }) => {
      if (target instanceof Node && !root.contains(target)) {
        close(false);
      }
    },
    { signal, capture: true },
  );
  (input ?? buttons().find((one) => !one.ariaDisabled) ?? menu).focus();
  return () => {
    const index = buttons().indexOf(document.activeElement as HTMLElement);
    draw();
    positionMenu(root, at);
    if (root.isConnected && document.activeElement !== input) {
      (buttons()[Math.max(0, index)] ?? menu).focus();
    }
  };
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

/** The items whose label has the text, without separators. */
function searched(items: readonly MenuItem[], text: string): readonly MenuItem[] {
  return items.filter(({ label }) => label?.toLowerCase().includes(text));
}

type Run = (item: MenuItem) => void;

/** The lines of a menu, with its values in a group that scrolls. */
function linesOf(items: readonly MenuItem[], label: string, run: Run) {
  const first = items.findIndex(({ isValue }) => isValue);
  const lines = (some: readonly MenuItem[]) => some.map((item) => lineOf(item, run));
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

function lineOf(item: MenuItem, run: Run): JSX.Element {
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
