import { type ColumnId, type SortKey, type TableInfo, wholeDocument } from '../engine/types';
import * as check from './checks';
import type { ColumnState } from './grid/columnModel';
import type { Selection } from './grid/gridParts';
import { type LabeledFilter, type TableTab, tableTabs } from './protocol';

/** What the page saves with `setState`, so that it looks the same after a reload of the window. */
export interface PageState {
  readonly version: 1;
  /** Size of the file, which shows whether the file has changed. */
  readonly bytes: number;
  /** JSON: the list that is shown, or `wholeDocument`. What follows is about its rows and columns. */
  readonly list?: string;
  /** First visible row, and pixels of it that are scrolled away. */
  readonly top: number;
  readonly offset: number;
  /** Pixels scrolled to the right. */
  readonly left: number;
  /** The active cell: a row and the number of a visible column. */
  readonly active: Selection['active'];
  readonly anchor: Selection['anchor'];
  readonly kind: Selection['kind'];
  /** Columns in the order shown; new columns follow. */
  readonly columns: readonly ColumnState[];
  readonly find: string;
  readonly filters: readonly { readonly column: ColumnId; readonly text: string }[];
  readonly sort: readonly SortKey[];
  /** The table was not shown yet: a first sort is still to come. */
  readonly awaitsSort?: boolean;
  readonly groupBy: readonly ColumnId[];
  /** `openedGroup` and `overviewFilter` of the criteria; saved states have these names. */
  readonly picked?: LabeledFilter;
  readonly chosen?: LabeledFilter;
  readonly invalidOnly: boolean;
  readonly filterRow: boolean;
  /** Whether the record is shown beside the grid, and its share of the space in percent. */
  readonly record: boolean;
  readonly recordShare: number;
  readonly tab: TableTab;
  /** Columns that were added to the overview. */
  readonly bars: readonly ColumnId[];
  /** Whether the overview also counts findings that are not open. */
  readonly countsAll: boolean;
}

/** What `getState` returned, if it is a state of this version. */
export function pageState(value: unknown): PageState | undefined {
  const cell = (part: unknown) => {
    const { row, column } = check.object(part);
    return { row: check.integer(row, 0), column: check.integer(column, 0) };
  };
  try {
    const data = check.object(value);
    const picked = labeledFilter(data.picked);
    const chosen = labeledFilter(data.chosen);
    check.integer(data.version, 1, 1);
    return {
      version: 1,
      bytes: check.integer(data.bytes, 0),
      ...(data.list !== undefined && { list: check.text(data.list) }),
      top: check.integer(data.top, 0),
      offset: check.integer(data.offset, 0),
      left: check.integer(data.left, 0),
      active: cell(data.active),
      anchor: cell(data.anchor),
      kind: check.oneOf(data.kind, ['cells', 'rows', 'columns', 'all']),
      columns: check.list(data.columns, check.maxColumns, (item) => {
        const { id, width, fitted, hidden } = check.object(item);
        const pixels = (value: unknown) => check.integer(value, 1, 10_000);
        return {
          id: check.text(id),
          ...(width !== undefined && { width: pixels(width) }),
          ...(fitted !== undefined && { fitted: pixels(fitted) }),
          ...(hidden !== undefined && { hidden: check.boolean(hidden) }),
        };
      }),
      find: check.text(data.find),
      filters: check.list(data.filters, check.maxColumns, (item) => {
        const { column, text } = check.object(item);
        return { column: check.text(column), text: check.text(text) };
      }),
      sort: check.query({ sort: data.sort }).sort ?? [],
      ...(data.awaitsSort !== undefined && { awaitsSort: check.boolean(data.awaitsSort) }),
      groupBy: check.columnIds(data.groupBy),
      ...(picked && { picked }),
      ...(chosen && { chosen }),
      invalidOnly: check.boolean(data.invalidOnly),
      filterRow: check.boolean(data.filterRow),
      record: check.boolean(data.record),
      recordShare: check.integer(data.recordShare, 10, 90),
      tab: check.oneOf(data.tab, tableTabs),
      bars: check.columnIds(data.bars),
      countsAll: check.boolean(data.countsAll),
    };
  } catch (error) {
    if (error instanceof check.CheckError) {
      return undefined;
    }
    throw error;
  }
}

/** JSON: the list that a page shows, as it is saved; absent for other files. */
export function listOf({ format, list }: Pick<TableInfo, 'format' | 'list'>): string | undefined {
  return format.kind === 'json' ? (list ?? wholeDocument) : undefined;
}

/** A state of another list: without what is about rows and columns. */
export function withoutTable(state: PageState): PageState {
  const { picked: _picked, chosen: _chosen, ...rest } = state;
  const first = { row: 0, column: 0 };
  return {
    ...rest,
    top: 0,
    offset: 0,
    left: 0,
    active: first,
    anchor: first,
    kind: 'cells',
    columns: [],
    filters: [],
    sort: [],
    awaitsSort: true,
    groupBy: [],
    invalidOnly: false,
    bars: [],
  };
}

function labeledFilter(value: unknown): LabeledFilter | undefined {
  if (value === undefined) {
    return undefined;
  }
  const { label, filter } = check.object(value);
  return { label: check.text(label), filter: check.filter(filter) };
}
