import { stripVTControlCharacters } from 'node:util';
import { unprintable } from './visibleText';

/**
 * Turns untrusted text (a message of the service, a file name, a name from the settings) into one plain
 * line that is safe to show in a notification, a progress text or a view message.
 *
 * VS Code turns `[label](command:id)` and bare addresses in those places into links, and a `command:` link
 * runs when it is clicked. This function replaces the bracket of such a link and the colon of `command:`
 * with look-alikes.
 *
 * @param maxLength the longest result, in UTF-16 units. A longer text is cut and ends in an ellipsis.
 * Default 300.
 */
export function plainText(text: string, maxLength = 300): string {
  // Cut first, so that a text of megabytes takes no more time than a short one.
  const line = stripVTControlCharacters(text.slice(0, maxLength * 20))
    .replace(unprintable, ' ')
    .replace(/\s+/g, ' ')
    .replace(/\]\s*\(/g, '] \u2768')
    .replace(/\b(command|vscode|vscode-insiders|javascript|data|file)\s*:/gi, '$1\u2236')
    .trim();
  if (line.length <= maxLength) {
    return line;
  }
  // The cut may split a surrogate pair; the remaining half is removed too.
  const start = line.slice(0, maxLength - 1).replace(/[\ud800-\udbff]$/, '');
  return `${start.trimEnd()}\u2026`;
}

/**
 * The path of a file as plain text. A longer one keeps its end, which tells files apart, and begins with an
 * ellipsis: `…/src/app.ts`.
 */
export function plainPath(path: string, maxLength = 100): string {
  const whole = plainText(path.slice(-maxLength * 20), Infinity);
  if (whole.length <= maxLength) {
    return whole;
  }
  const end = whole.slice(1 - maxLength).replace(/^[\udc00-\udfff]/, '');
  return `\u2026${end.slice(Math.max(0, end.indexOf('/')))}`;
}

/**
 * Breaks up text that VS Code would draw as an icon in the status bar and in quick picks, such as
 * `$(trash)`: untrusted text must not look like ours.
 */
export function withoutIcons(text: string): string {
  return text.replaceAll('$(', '$ (');
}

/** A text as a sentence. */
export function withPeriod(text: string): string {
  return /[.!?\u2026]$/.test(text) ? text : `${text}.`;
}
