import type { YieldBudget } from '../threads/yieldBudget';
import type { FindMatch } from '../data/answers';
import type { Mask } from './masks';

/** How many rows of a view are read between two pauses. */
const rowsAtOnce = 65_536;

/**
 * Finds the next row of a view, and its number among all rows that a mask has.
 * @param rows of the view; absent if it has all.
 * @param from the position to go on from, or a negative number.
 */
export async function nextMatch(
  mask: Mask,
  rows: Uint32Array | undefined,
  { from, backwards }: { readonly from: number; readonly backwards: boolean },
  budget: YieldBudget,
): Promise<Omit<FindMatch, 'column'> | undefined> {
  const count = rows?.length ?? mask.length;
  const start = from < 0 ? (backwards ? count : -1) : Math.min(from, count - 1);
  let total = 0;
  let [first, last] = [-1, -1];
  let [position, number] = [-1, 0];
  for (let at = 0; at < count; at += 1) {
    if (mask[rows ? rows[at]! : at] === 1) {
      total += 1;
      first = first < 0 ? at : first;
      last = at;
      if (backwards ? at < start : at > start && position < 0) {
        position = at;
        number = total;
      }
    }
    // To ask for each row costs more than to read it.
    if (at % rowsAtOnce === 0 && budget.shouldYield(64 * rowsAtOnce)) {
      await budget.pause();
    }
  }
  if (total === 0) {
    return undefined;
  }
  const wrapped = position < 0;
  if (wrapped) {
    [position, number] = backwards ? [last, total] : [first, 1];
  }
  return { position, record: rows ? rows[position]! : position, number, total, wrapped };
}
