import { stripVTControlCharacters } from 'node:util';

// What cannot be seen: control and format characters (bidirectional overrides, zero-width ones), line
// and paragraph separators, halves of a character.
const unprintable = /[\p{Cc}\p{Cf}\p{Cs}\p{Zl}\p{Zp}]+/gu;

/** One line of what can be seen: line breaks, control and format characters become a space. */
export function oneLine(text: string): string {
  return text.replace(unprintable, ' ').replace(/\s+/g, ' ').trim();
}

/**
 * Makes a text of foreign origin (the service's words, a file name, a name from the settings) one
 * plain line that is safe to show in a notification, a progress text or a view message.
 *
 * VS Code turns `[label](command:id)` and bare addresses in those places into links, and a
 * `command:` link runs when it is clicked. The bracket that makes a link of it is replaced by a
 * look-alike, and the colon of `command:` is set apart.
 *
 * @param maxLength longest result in UTF-16 units; a longer text ends in an ellipsis. Default 300.
 */
export function plainText(text: string, maxLength = 300): string {
  // Cut first, so that a text of megabytes costs nothing more.
  const line = stripVTControlCharacters(text.slice(0, maxLength * 20))
    .replace(unprintable, ' ')
    .replace(/\s+/g, ' ')
    .replace(/\]\s*\(/g, '] \u2768')
    .replace(/\b(command|vscode|vscode-insiders|javascript|data|file)\s*:/gi, '$1\u2236')
    .trim();
  if (line.length <= maxLength) {
    return line;
  }
  // The cut may go through a character that takes two units; the half of it goes too.
  const start = line.slice(0, maxLength - 1).replace(/[\ud800-\udbff]$/, '');
  return `${start.trimEnd()}\u2026`;
}

/**
 * Breaks up what VS Code draws as an icon in the status bar and in the items of a quick pick, such as
 * `$(trash)`: words of others must not look like ours.
 */
export function withoutIcons(text: string): string {
  return text.replaceAll('$(', '$ (');
}
