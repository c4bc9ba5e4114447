import type { ColumnStore } from '../columns/columnStore';
import { releaseBuffers } from '../threads/memory';
import type { YieldBudget } from '../threads/yieldBudget';
import { sameValue, sortByRank, type SortedRows, sortRows, startsValue } from '../columns/keySort';
import { numbersTo, rankOfRow, type Ranks, sortRankOfRow } from '../columns/ranks';
import { listColumnFilters, type ColumnFilter } from '../data/columnFilters';
import type { TableFile } from '../read/tableFile';
import type { ColumnId } from '../data/column';
import type { PastReason } from '../data/known';
import type { Filter, Query, SortKey } from '../data/query';
import { TextFinder } from '../read/textFinder';
import { emptyRanks } from '../columns/columnData';
import { condition, fold } from './conditions';
import { type KnownRows, noKnownRows } from './knownRows';
import { knownMark, likelyMark, noExploitedRows } from './exploitedRows';
import { countMasked, type Mask, Masks, takeRows } from './masks';
import { type ClosingColumns, OpenRows } from './openRows';
import { withExactKeys } from './rowKeys';
import type { ShapeNode } from '../read/records/shape';
import { textSearch } from '../../base/text/textSearch';

/** Rows in the order in which a query shows them. */
export interface ViewRows {
  /** If absent, all rows in the order of the file. */
  readonly rows: Uint32Array | undefined;
  readonly groups: Groups | undefined;
  /** Whether the rows are in the order of the file. */
  readonly isUnsorted: boolean;
  /** How many of them are open findings. */
  readonly open?: number;
  /** The rows that are known, or were; absent if there are none. */
  readonly known?: KnownRows;
}

/**
 * Groups of rows with the same values in some columns, largest group first. If the first column has
 * ordered words, such as severities, groups are sorted by these first.
 */
export interface Groups {
  readonly columns: readonly ColumnId[];
  readonly count: number;
  /** By position: the first row of the group in the file, and how many it has. */
  first(position: number): number;
  size(position: number): number;
  /** How many of its rows are open findings; absent if nothing tells. */
  open?(position: number): number;
}

/** The rows of queries: which match a filter, in which order, and in which groups. */
export class Views {
  /** The rows that are known. */
  known = noKnownRows;
  /** The rows that lists of CVEs mark. */
  marked = noExploitedRows;

  private readonly masks: Masks;
  private readonly openRows: OpenRows;

  constructor(
    private readonly file: TableFile,
    private readonly store: ColumnStore,
  ) {
    this.masks = new Masks(file, store);
    this.openRows = new OpenRows(file, store, this.masks);
  }

  /**
   * Builds the columns that a query needs first, perhaps while records are still being found.
   * @param columns see `create`. @param more waits until more records may be found.
   */
  async prepare(
    query: Query,
    columns: ClosingColumns,
    budget: YieldBudget,
    more?: () => Promise<void>,
  ): Promise<void> {
    const { filter, sort = [], groupBy = [] } = query;
    const keys = groupBy.length > 0 ? groupBy : sort.slice(-1).map(({ column }) => column);
    const ids = filter ? listColumnFilters(filter).map(({ column }) => column) : keys;
    const nodes = ids.flatMap((id) => this.file.shape.find(id) ?? []);
    // An unknown column is refused later.
    if (nodes.length > 0 && nodes.length === ids.length) {
      const closing = isPart(query) ? this.openRows.columns(columns) : [];
      // All are built in one scan.
      await this.store.columns([...nodes, ...closing], budget, more);
    }
  }

  /** @param columns those that say which findings are closed, to count open ones in what is filtered or grouped. */
  async create(query: Query, columns: ClosingColumns, budget: YieldBudget): Promise<ViewRows> {
    const { filter, sort = [], groupBy = [] } = query;
    // Rejects unknown columns before a filter, which may take long.
    [...sort.map(({ column }) => column), ...groupBy].forEach((id) => this.file.shape.get(id));
    if (isPart(query)) {
      await this.prepare(query, columns, budget);
    }
    const { known } = this;
    const closing = { columns, known };
    const isCounted = columns.size > 0 || known.rows > 0;
    const ofKnown = (known.rows > 0 || known.past.size > 0) && { known };
    if (groupBy.length > 0) {
      const isOpen = isCounted ? await this.openRows.mask(closing, budget) : undefined;
      const rows = filter && takeRows(await this.mask(filter, budget));
      const groups = await this.group(rows, groupBy, budget, isOpen);
      const open = isOpen && countMasked(rows, isOpen);
      return { rows, groups, isUnsorted: true, ...(open !== undefined && { open }), ...ofKnown };
    }
    const rows = filter && takeRows(await this.mask(filter, budget));
    const counts = {
      ...(rows && isCounted && { open: await this.openRows.count(rows, closing, budget) }),
      ...ofKnown,
    };
    if (sort.length === 0) {
      return { rows, groups: undefined, isUnsorted: true, ...counts };
    }
    const sorted = await this.sort(rows, sort, budget);
    releaseBuffers(rows);
    return { rows: sorted, groups: undefined, isUnsorted: false, ...counts };
  }

  /** Groups the rows that match a filter by one column. */
  async distinct(
    column: ColumnId,
    filter: Filter | undefined,
    budget: YieldBudget,
  ): Promise<Groups> {
    const rows = filter && takeRows(await this.mask(filter, budget));
    const groups = await this.group(rows, [column], budget);
    releaseBuffers(rows);
    return groups;
  }

  /** The rows with a text in any cell, ignoring case, when all columns are known. */
  async anywhere(text: string, budget: YieldBudget): Promise<Mask> {
    const { file } = this;
    const mask = new Uint8Array(file.index.rows);
    const folded = fold(text);
    const contains = textSearch(folded);
    const finder = new TextFinder(
      file,
      this.listedNodes(),
      folded,
      (cell) => contains(fold(cell)),
      (row) => {
        mask[row] = 1;
      },
    );
    try {
      await file.scan(budget, finder);
    } finally {
      finder.dispose();
    }
    if (/^[\dtz:.,+-]+$/.test(folded)) {
      await this.addShownForms(mask, text, budget);
    }
    return mask;
  }

  /** Adds the rows with a text in values that are shown otherwise than they are written. */
  private async addShownForms(mask: Mask, text: string, budget: YieldBudget): Promise<void> {
    for (const { id, form } of this.listedNodes()) {
      if (form && form !== 'text') {
        const found = await this.column({ op: 'contains', column: id, text }, budget);
        found.forEach((matches, row) => {
          mask[row]! |= matches;
        });
        releaseBuffers(found);
      }
    }
  }

  /** The nodes that are columns. */
  listedNodes(): ShapeNode[] {
    return this.file.shape.columns().columns.map(({ id }) => this.file.shape.get(id));
  }

  private async mask(filter: Filter, budget: YieldBudget): Promise<Mask> {
    // All columns are built in one scan, before the conditions are evaluated one by one.
    await this.store.columns(
      listColumnFilters(filter).map(({ column }) => this.file.shape.get(column)),
      budget,
    );
    return this.evaluate(filter, budget);
  }

  private async evaluate(filter: Filter, budget: YieldBudget): Promise<Mask> {
    switch (filter.op) {
      case 'and':
      case 'or': {
        const isAnd = filter.op === 'and';
        const mask = new Uint8Array(this.file.index.rows).fill(isAnd ? 1 : 0);
        for (const part of filter.of) {
          const other = await this.evaluate(part, budget);
          for (let row = 0; row < mask.length; row += 1) {
            mask[row] = isAnd ? mask[row]! & other[row]! : mask[row]! | other[row]!;
          }
          releaseBuffers(other);
        }
        return mask;
      }
      case 'not': {
        const mask = await this.evaluate(filter.of, budget);
        for (let row = 0; row < mask.length; row += 1) {
          mask[row] = 1 - mask[row]!;
        }
        return mask;
      }
      case 'anywhere':
        return this.anywhere(filter.text, budget);
      case 'known':
        return filter.was === undefined ? this.knownMask() : this.pastMask(filter.was);
      case 'listed':
        return this.listedMask(filter.sign === 'known' ? knownMark : likelyMark);
      case 'invalid':
        return this.masks.invalid(budget);
      default:
        return this.column(filter, budget);
    }
  }

  private knownMask(): Mask {
    const mask = new Uint8Array(this.file.index.rows);
    for (const row of this.known.numbers) {
      mask[row] = 1;
    }
    return mask;
  }

  private listedMask(wanted: number): Mask {
    const mask = new Uint8Array(this.file.index.rows);
    const { numbers, marks } = this.marked;
    for (let at = 0; at < numbers.length; at += 1) {
      mask[numbers[at]!] = (marks[at]! & wanted) === 0 ? 0 : 1;
    }
    return mask;
  }

  private pastMask(reason: PastReason): Mask {
    const mask = new Uint8Array(this.file.index.rows);
    for (const [row, { why, isClosed }] of this.known.past) {
      mask[row] = why === reason && isClosed !== true ? 1 : 0;
    }
    return mask;
  }

  private column(of: ColumnFilter, budget: YieldBudget): Promise<Mask> {
    const node = this.file.shape.get(of.column);
    return this.masks.matching(node, condition(withExactKeys(this.file, node, of)), budget);
  }

  /**
   * A new array of the rows, sorted.
   * @param asWritten whether equal numbers or dates that are written differently are distinct.
   */
  private async sort(
    rows: Uint32Array | undefined,
    keys: readonly SortKey[],
    budget: YieldBudget,
    { asWritten = false } = {},
  ): Promise<Uint32Array> {
    let sorted = rows;
    // Last key first: each round is stable.
    for (const { column, descending } of [...keys].reverse()) {
      const ranks = await this.store.ranks(this.file.shape.get(column), budget);
      const { values, order } = ranks;
      if (order && !sorted && !(asWritten && ranks.equals)) {
        sorted = bySortedColumn(ranks, order, this.file.index.rows, descending);
        continue;
      }
      const rankOf = asWritten ? rankOfRow(ranks) : sortRankOfRow(ranks);
      const before = sorted;
      sorted = sortByRank(
        before ?? this.file.index.rows,
        values + emptyRanks,
        descending
          ? (row) => {
              const rank = rankOf(row);
              // Rows without a value come last in both directions.
              return rank < values ? values - 1 - rank : rank;
            }
          : rankOf,
      );
      if (before !== rows) {
        releaseBuffers(before);
      }
      await budget.pause();
    }
    return sorted ?? numbersTo(this.file.index.rows);
  }

  private async group(
    rows: Uint32Array | undefined,
    columns: readonly ColumnId[],
    budget: YieldBudget,
    isOpen?: Mask,
  ): Promise<Groups> {
    const nodes = columns.map((id) => this.file.shape.get(id));
    await this.store.columns(nodes, budget);
    const several =
      nodes.length > 1 ? await this.groupSeveral(rows, nodes, budget, isOpen) : undefined;
    const ranks = await this.store.ranks(nodes[0]!, budget);
    return inOrder(
      columns,
      several ?? countRanks(rows, this.file.index.rows, ranks, isOpen),
      ranks,
    );
  }

  private async groupSeveral(
    rows: Uint32Array | undefined,
    nodes: readonly ShapeNode[],
    budget: YieldBudget,
    isOpen: Mask | undefined,
  ): Promise<UnsortedGroups> {
    const keys = nodes.map(({ id }) => ({ column: id, descending: false }));
    const sorted = await this.sort(rows, keys, budget, { asWritten: true });
    const isStart = new Uint8Array(sorted.length);
    for (const node of nodes) {
      const rankOf = rankOfRow(await this.store.ranks(node, budget));
      for (let at = 0; at < sorted.length; at += 1) {
        if (at === 0 || rankOf(sorted[at]!) !== rankOf(sorted[at - 1]!)) {
          isStart[at] = 1;
        }
      }
      await budget.pause();
    }
    const starts = takeRows(isStart);
    const first = starts.map((at) => sorted[at]!);
    const sizes = starts.map((at, group) => (starts[group + 1] ?? sorted.length) - at);
    const open =
      isOpen &&
      starts.map((at, group) => countMasked(sorted.subarray(at, at + sizes[group]!), isOpen));
    releaseBuffers(sorted, starts);
    return { first, sizes, ...(open && { open }) };
  }
}

/** Whether a query shows fewer rows than the file has, or groups: how many of them are open is counted. */
function isPart({ filter, groupBy = [] }: Query): boolean {
  return filter !== undefined || groupBy.length > 0;
}

/** The first row of each group, how many it has, and how many of these are open findings. */
interface UnsortedGroups {
  readonly first: Uint32Array;
  readonly sizes: Uint32Array;
  readonly open?: Uint32Array;
}

/** Groups by the values of a column. */
function countRanks(
  rows: Uint32Array | undefined,
  rowCount: number,
  { ranks, codes, values }: Ranks,
  isOpen: Mask | undefined,
): UnsortedGroups {
  const sizes = new Uint32Array(values + emptyRanks);
  const open = new Uint32Array(isOpen ? values + emptyRanks : 0);
  const first = new Uint32Array(values + emptyRanks);
  const count = rows?.length ?? rowCount;
  // From the end, so that the first row is written last.
  for (let at = count - 1; at >= 0; at -= 1) {
    const row = rows ? rows[at]! : at;
    const rank = ranks[codes ? codes[row]! : row]!;
    sizes[rank]! += 1;
    first[rank] = row;
    if (isOpen) {
      open[rank]! += isOpen[row]!;
    }
  }
  const used = {
    first: first.filter((_, rank) => sizes[rank]! > 0),
    sizes: sizes.filter((size) => size > 0),
    ...(isOpen && { open: open.filter((_, rank) => sizes[rank]! > 0) }),
  };
  releaseBuffers(sizes, first, open);
  return used;
}

/**
 * All rows by a column that is sorted already. Equal values keep the order of the
 * file. Rows without a value come last in both directions.
 */
function bySortedColumn(
  of: Ranks,
  { rows, states }: SortedRows,
  rowCount: number,
  descending: boolean,
): Uint32Array {
  const sorted = new Uint32Array(rowCount);
  if (descending) {
    let at = 0;
    for (let to = rows.length; to > 0;) {
      let from = to - 1;
      while (states[from] !== startsValue) {
        from -= 1;
      }
      for (let same = from; same < to; same += 1) {
        sorted[at] = rows[same]!;
        at += 1;
      }
      to = from;
    }
  } else {
    sorted.set(rows);
  }
  for (let filled = rows.length, rank = of.values; filled < rowCount; rank += 1) {
    const { ranks } = of;
    for (let row = 0; row < rowCount; row += 1) {
      if (ranks[row] === rank) {
        sorted[filled] = row;
        filled += 1;
      }
    }
  }
  return sorted;
}

/** @param ranks those of the first column. */
function inOrder(
  columns: readonly ColumnId[],
  { first, sizes, open }: UnsortedGroups,
  ranks: Ranks,
): Groups {
  const count = sizes.length;
  const { wordPositions } = ranks;
  const rankOf = rankOfRow(ranks);
  const keys = {
    kinds: new Uint8Array(count),
    high: wordPositions ? first.map((row) => wordPositions[rankOf(row)]!) : new Uint32Array(count),
    low: sizes.map((size) => 0xffff_ffff - size),
  };
  const { rows: order, states } = sortRows(keys, () => sameValue);
  releaseBuffers(states, ...Object.values(keys));
  return {
    columns,
    count,
    first: (position) => first[order[position]!]!,
    size: (position) => sizes[order[position]!]!,
    ...(open && { open: (position: number) => open[order[position]!]! }),
  };
}
