import { type FindingRow, type FindingsList, NoSuchFindingError } from './findingsList';

/** The maximum number of pages that one step loads: pages can be empty although more follow. */
const pagesPerStep = 10;

/**
 * The finding before or after another one, which may not be loaded. Loads any gap between it and the next loaded row.
 * @param withProgress runs the load of a page.
 * @returns `undefined` at the end of the list.
 */
export async function loadNeighbor(
  list: FindingsList,
  from: Pick<FindingRow, 'key' | 'number'>,
  by: 1 | -1,
  withProgress: (load: () => Promise<unknown>) => Promise<unknown>,
): Promise<FindingRow | undefined> {
  for (let page = 0; ; page += 1) {
    // A refresh may have moved the row.
    const number = list.rowOf(from.key)?.number ?? from.number;
    const next = nearest(list.rows, number, by);
    const missing = by === 1 ? missingAfter(list, number) : missingBefore(list, number);
    const isNearer =
      missing !== undefined && (next === undefined || by * (next.number - missing) > 0);
    if (!isNearer) {
      return next;
    }
    if (page === pagesPerStep) {
      return undefined;
    }
    await withProgress(() => ignoreNoSuchFinding(list.goTo(missing)));
  }
}

/** The first number after another one that is not loaded. */
function missingAfter({ gaps }: FindingsList, number: number): number | undefined {
  const gap = gaps.find(({ end }) => end > number);
  return gap && Math.max(gap.offset, number) + 1;
}

/** The last number before another one that is not loaded. */
function missingBefore({ gaps }: FindingsList, number: number): number | undefined {
  const gap = gaps.findLast(({ offset }) => offset < number - 1);
  return gap && Math.min(gap.end, number - 1);
}

/** The row before or after a number. */
export function nearest(
  rows: readonly FindingRow[],
  number: number,
  by: 1 | -1,
): FindingRow | undefined {
  return by === 1
    ? rows.find((row) => row.number > number)
    : rows.findLast((row) => row.number < number);
}

/** Ignores that a finding does not exist: the other rows of its page are loaded all the same. */
async function ignoreNoSuchFinding(going: Promise<unknown>): Promise<void> {
  try {
    await going;
  } catch (error) {
    if (!(error instanceof NoSuchFindingError)) {
      throw error;
    }
  }
}
