import { plainText } from '../../../base/text/plainText';

/**
 * How many characters a row shows in the side bar that VS Code opens with (300 pixels), in a wide font. Each level is
 * indented by one.
 */
const narrowRow = 29;
/** A title is never shorter. */
const shortestTitle = 12;

/** How deep a row is: a scorecard is at 1. */
type Level = 1 | 2 | 3;

/**
 * A title that leaves room for the numbers after it. VS Code cuts off what comes last, and `3,4…` would read as another
 * number. The tooltip, and what screen readers say, have the whole title.
 * @param numbers what must stay whole: `F 57` and `3,472 high`; without any, the title stays as it is.
 */
export function fitTitle(title: string, numbers: readonly string[], level: Level): string {
  if (numbers.length === 0) {
    return title;
  }
  const room = Math.max(shortestTitle, narrowRow - level - joined(numbers).length);
  return plainText(title, room).replace(/\P{L}\u2026$/u, '\u2026');
}

/** Further numbers, as far as a row has room for them beside its whole title: of one that is cut off, another would be read. */
export function fittingNumbers(
  title: string,
  first: string | undefined,
  others: readonly string[],
  level: Level,
): readonly string[] {
  const all = [...(first === undefined ? [] : [first]), ...others];
  return title.length + joined(all).length <= narrowRow - level ? others : [];
}

function joined(numbers: readonly string[]): string {
  return numbers.join(' \u00b7 ');
}
