import { type FindingRow, type FindingsList, NoSuchFindingError } from './findingsList';

/** The maximum number of pages that one step loads: pages can be empty although more follow. */
const pagesPerStep = 10;

/**
 * The finding before or after a row. Loads any gap between it and the next loaded row.
 * @param withProgress runs the load of a page.
 * @returns `undefined` at the end of the list.
 */
export async function loadNeighbor(
  list: FindingsList,
  row: FindingRow,
  by: 1 | -1,
  withProgress: (load: () => Promise<unknown>) => Promise<unknown>,
): Promise<FindingRow | undefined> {
  for (let page = 0; ; page += 1) {
    // A refresh may have moved the row.
    const number = list.rowOf(row.key)?.number ?? row.number;
    const next = nearest(list.rows, number, by);
    const gap =
      by === 1
        ? list.gaps.find(({ offset }) => offset >= number && offset < (next?.number ?? Infinity))
        : list.gaps.findLast(({ offset, end }) => end < number && offset >= (next?.number ?? 0));
    if (!gap) {
      return next;
    }
    if (page === pagesPerStep) {
      return undefined;
    }
    await withProgress(() =>
      by === 1 ? list.loadMore(number) : ignoreNoSuchFinding(list.goTo(gap.end)),
    );
  }
}

/** The row before or after a number among those that the filter of a list shows; loads nothing. */
export function shownNeighbor(
  list: FindingsList,
  number: number,
  by: 1 | -1,
): FindingRow | undefined {
  return nearest(list.shownRows, number, by);
}

function nearest(rows: readonly FindingRow[], number: number, by: 1 | -1): FindingRow | undefined {
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
