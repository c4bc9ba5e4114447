import { element } from '../dom';

/** A menu item; without `run` it is a separator or a disabled text. */
export interface MenuItem {
  readonly label?: string;
  /** Shown at the right, such as a key or a number. */
  readonly detail?: string;
  /** Makes it a checkbox. */
  readonly checked?: boolean;
  readonly disabled?: boolean;
  readonly run?: () => void;
  /** The menu stays open and is redrawn. */
  readonly staysOpen?: boolean;
}

export const separator: MenuItem = {};

type Items = () => readonly MenuItem[];

let closeOpen: ((restore: boolean) => void) | undefined;

/** Closes the open menu, if there is one. */
export function closeMenu(): void {
  closeOpen?.(false);
}

/**
 * Shows a menu at a point or below an element. It takes the focus, and returns it to `owner`.
 * @param onClose called when the menu closes
 * @returns a function that redraws the items, for items that are loaded later
 */
export function showMenu(
  at: { readonly x: number; readonly y: number } | Element,
  items: Items,
  label: string,
  owner: HTMLElement,
  onClose?: () => void,
): () => void {
  closeMenu();
  const menu = element('div', { class: 'menu', role: 'menu', 'aria-label': label, tabindex: -1 });
  const buttons = () => [...menu.querySelectorAll<HTMLElement>('[role^=menuitem]')];
  let open = true;

  const close = (restore: boolean): void => {
    open = false;
    closeOpen = undefined;
    menu.remove();
    window.removeEventListener('pointerdown', onOutside, true);
    window.removeEventListener('blur', onBlur);
    if (restore) {
      owner.focus();
    }
    onClose?.();
  };
  const onOutside = (event: Event): void => {
    if (event.target instanceof Node && !menu.contains(event.target)) {
      close(false);
    }
  };
  const onBlur = (): void => {
    close(false);
  };
  const run = (item: MenuItem, index: number): void => {
    if (item.disabled || !item.run) {
      return;
    }
    if (item.staysOpen) {
      item.run();
      draw();
      buttons()[index]?.focus();
    } else {
      close(true);
      item.run();
    }
  };

  const draw = (): void => {
    if (!open) {
      return;
    }
    let index = 0;
    menu.replaceChildren(
      ...items().map((item) => {
        if (item.label === undefined) {
          return element('div', { class: 'menu-line', role: 'separator' });
        }
        const itemIndex = index;
        index += 1;
        const made = element(
          'div',
          {
            class: 'menu-item',
            role: item.checked === undefined ? 'menuitem' : 'menuitemcheckbox',
            tabindex: -1,
            'aria-checked': item.checked === undefined ? undefined : String(item.checked),
            'aria-disabled': item.disabled || !item.run ? 'true' : undefined,
          },
          element('span', { class: 'menu-check', 'aria-hidden': 'true' }, item.checked ? '✓' : ''),
          element('span', { class: 'menu-label' }, item.label),
          element('span', { class: 'menu-detail' }, item.detail ?? ''),
        );
        made.addEventListener('click', () => {
          run(item, itemIndex);
        });
        made.addEventListener('pointermove', () => {
          made.focus({ preventScroll: true });
        });
        return made;
      }),
    );
  };

  const move = (step: number, from: number): void => {
    const all = buttons();
    all[(from + step + all.length) % all.length]?.focus();
  };
  menu.addEventListener('keydown', (event) => {
    event.stopPropagation();
    const all = buttons();
    const index = all.indexOf(document.activeElement as HTMLElement);
    switch (event.key) {
      case 'ArrowDown':
        move(1, index);
        break;
      case 'ArrowUp':
        move(-1, Math.max(0, index));
        break;
      case 'Home':
        all[0]?.focus();
        break;
      case 'End':
        all.at(-1)?.focus();
        break;
      case 'Enter':
      case ' ':
        all[index]?.click();
        break;
      case 'Escape':
      case 'Tab':
      case 'ArrowLeft':
        close(true);
        break;
      default: {
        const key = event.key.toLowerCase();
        const matching = [...all.slice(index + 1), ...all.slice(0, index + 1)].find(
          (one) =>
            key.length === 1 &&
            one.querySelector('.menu-label')?.textContent.toLowerCase().startsWith(key),
        );
        if (!matching) {
          return;
        }
        matching.focus();
      }
    }
    event.preventDefault();
  });

  draw();
  // Inside the main landmark, for screen readers.
  (document.querySelector('main') ?? document.body).append(menu);
  positionMenu(menu, at);
  closeOpen = close;
  window.addEventListener('pointerdown', onOutside, true);
  window.addEventListener('blur', onBlur);
  (buttons().find((one) => !one.ariaDisabled) ?? menu).focus();
  return () => {
    const index = buttons().indexOf(document.activeElement as HTMLElement);
    draw();
    positionMenu(menu, at);
    if (open) {
      (buttons()[Math.max(0, index)] ?? menu).focus();
    }
  };
}

/** Positions the menu below, or above if there is no room; never beyond an edge. */
function positionMenu(menu: HTMLElement, at: { x: number; y: number } | Element): void {
  const anchor = at instanceof Element ? at.getBoundingClientRect() : undefined;
  const point = anchor ? { x: anchor.left, y: anchor.bottom } : (at as { x: number; y: number });
  const { width, height } = menu.getBoundingClientRect();
  const x = Math.max(4, Math.min(point.x, window.innerWidth - width - 4));
  const below = point.y + height <= window.innerHeight - 4;
  const above = (anchor?.top ?? point.y) - height;
  const y = below ? point.y : Math.max(4, above >= 4 ? above : window.innerHeight - height - 4);
  menu.style.left = `${x}px`;
  menu.style.top = `${y}px`;
}

const signs: Readonly<Record<string, string>> = { Ctrl: '⌘', Alt: '⌥', Shift: '⇧' };

/** The modifier keys in Apple's order. */
const order = '⌥⇧⌘';

export const isMac = navigator.platform.startsWith('Mac');

/** The name of a key on this platform: `Ctrl+Shift+C`, or `⇧⌘C` on a Mac. */
export function keyName(key: string): string {
  if (!isMac) {
    return key;
  }
  const parts = key.split('+').map((part) => signs[part] ?? part);
  const modifiers = parts.slice(0, -1).sort((a, b) => order.indexOf(a) - order.indexOf(b));
  return [...modifiers, parts.at(-1)].join('');
}
