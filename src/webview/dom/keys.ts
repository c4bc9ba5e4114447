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
