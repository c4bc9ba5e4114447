const signs: Readonly<Record<string, string>> = { Ctrl: '⌘', Alt: '⌥', Shift: '⇧' };

/** As Apple orders them. */
const order = '⌥⇧⌘';

/** Whether the keyboard is one of Apple's. */
export const isMac = navigator.platform.startsWith('Mac');

/** A key as it is named on this keyboard, such as `Ctrl+Shift+C`: `⇧⌘C` on a Mac. */
export function keyName(key: string): string {
  if (!isMac) {
    return key;
  }
  const parts = key.split('+').map((part) => signs[part] ?? part);
  const modifiers = parts.slice(0, -1).sort((a, b) => order.indexOf(a) - order.indexOf(b));
  return [...modifiers, parts.at(-1)].join('');
}
