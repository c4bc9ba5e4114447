import { plainText } from '../../../base/text/plainText';

/**
 * How many characters a row shows in the side bar that VS Code opens with (300 pixels), in a wide font. Each level is
 * indented by one.
 */
const narrowRow = 29;
/** A title is never shorter. */
const shortestTitle = 12;

/**
 * A title that leaves room for the number after it. VS Code cuts off what comes last, and `3,4…` would read as another
 * number. The tooltip, and what screen readers say, have the whole title.
 * @param number what must stay whole: `3,472 high`; without one, the title stays as it is.
 */
export function fitTitle(title: string, number: string | undefined, level: 1 | 2 | 3): string {
  if (number === undefined) {
    return title;
  }
  const room = Math.max(shortestTitle, narrowRow - level - number.length);
  return plainText(title, room).replace(/\P{L}\u2026$/u, '\u2026');
}
