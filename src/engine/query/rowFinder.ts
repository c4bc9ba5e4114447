import { fold } from './conditions';
import type { YieldBudget } from '../values/yieldBudget';
import { fullLength, RowReader } from '../read/records/rowReader';
import type { TableFile } from '../read/tableFile';
import { textSearch } from '../../base/text/textSearch';
import type { ColumnId, FindMatch } from '../types';
import type { Mask, Views } from './views';

/** All rows with a text. */
interface MatchingRows {
  readonly text: string;
  readonly mask: Mask;
}

/** How many rows of a view are counted between two pauses. */
const countedRows = 65_536;

/** Finds rows with a text, one after another. The first call finds all of them. */
export class RowFinder {
  private found: MatchingRows | undefined;

  constructor(
    private readonly file: TableFile,
    private readonly views: Views,
  ) {}

  /**
   * Finds all rows with a text, unless they were found before.
   * @param runSearch runs the search when all records are checked.
   */
  async findAll(
    text: string,
    runSearch: (search: (budget: YieldBudget) => Promise<Mask>) => Promise<Mask>,
  ): Promise<MatchingRows> {
    if (this.found?.text === text) {
      return this.found;
    }
    const found = { text, mask: await runSearch((budget) => this.views.anywhere(text, budget)) };
    this.found = found;
    return found;
  }

  async next(
    { text, mask }: MatchingRows,
    rows: Uint32Array | undefined,
    from: number,
    backwards: boolean,
    budget: YieldBudget,
  ): Promise<FindMatch | undefined> {
    const count = rows?.length ?? this.file.index.rows;
    const step = backwards ? -1 : 1;
    const start = from < 0 ? (backwards ? count : -1) : Math.min(from, count - 1);
    for (let moved = 1; moved <= count; moved += 1) {
      const at = start + step * moved;
      const position = at < 0 ? at + count : at >= count ? at - count : at;
      const record = rows ? rows[position]! : position;
      if (mask[record] === 1) {
        const column = this.columnWith(text, record);
        return {
          position,
          record,
          ...(await numberOf(mask, rows, count, position, budget)),
          wrapped: position !== at,
          ...(column !== undefined && { column }),
        };
      }
      if (budget.shouldYield(64)) {
        await budget.pause();
      }
    }
    return undefined;
  }

  private columnWith(text: string, record: number): ColumnId | undefined {
    const nodes = this.views.listedNodes();
    const row = new RowReader(this.file, nodes, true, fullLength).row(record);
    const contains = textSearch(fold(text));
    const at = row.cells.findIndex((cell) => contains(fold(cell.text)));
    return row.cells[0]?.kind === 'invalid' ? undefined : nodes[at]?.id;
  }
}

/** The number of a found row among all found rows of a view. */
async function numberOf(
  mask: Mask,
  rows: Uint32Array | undefined,
  count: number,
  position: number,
  budget: YieldBudget,
): Promise<{ readonly number: number; readonly total: number }> {
  let number = 0;
  let total = 0;
  for (let at = 0; at < count; at += 1) {
    total += mask[rows ? rows[at]! : at]!;
    number += at === position ? total : 0;
    // To ask for each row costs more than to count it.
    if (at % countedRows === 0 && budget.shouldYield(64 * countedRows)) {
      await budget.pause();
    }
  }
  return { number, total };
}
