import * as check from '../engine/read/checks';
import type { ColumnId, SortKey } from '../engine/types';
import { tableTabs, type TableTab } from '../protocol';
import type { LabelledFilter } from '../protocol';
import type { Selection } from './grid/selection';

/** What the page keeps in `setState`, so that it looks the same after a reload of the window. */
export interface PageState {
  readonly version: 1;
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
  readonly columns: readonly {
    readonly id: ColumnId;
    readonly width?: number;
    readonly hidden?: boolean;
  }[];
  readonly find: string;
  readonly filters: readonly { readonly column: ColumnId; readonly text: string }[];
  readonly sort: readonly SortKey[];
  readonly groupBy: readonly ColumnId[];
  readonly picked?: LabelledFilter;
  readonly chosen?: LabelledFilter;
  readonly invalidOnly: boolean;
  readonly filterRow: boolean;
  /** Whether the record is shown beside the grid, and its share of the space in percent. */
  readonly record: boolean;
  readonly recordShare: number;
  readonly tab: TableTab;
  /** Columns that were added to the overview. */
  readonly bars: readonly ColumnId[];
}

/** What `getState` returned, if it is a state of this version. */
export function pageState(value: unknown): PageState | undefined {
  const cell = (part: unknown) => {
    const { row, column } = check.object(part);
    return { row: check.integer(row, 0), column: check.integer(column, 0) };
  };
  try {
    const data = check.object(value);
    const picked = labelledFilter(data.picked);
    const chosen = labelledFilter(data.chosen);
    check.integer(data.version, 1, 1);
    return {
      version: 1,
      top: check.integer(data.top, 0),
      offset: check.integer(data.offset, 0),
      left: check.integer(data.left, 0),
      active: cell(data.active),
      anchor: cell(data.anchor),
      kind: check.oneOf(data.kind, ['cells', 'rows', 'columns', 'all']),
      columns: check.list(data.columns, check.maxColumns, (item) => {
        const { id, width, hidden } = check.object(item);
        return {
          id: check.text(id),
          ...(width !== undefined && { width: check.integer(width, 1, 10_000) }),
          ...(hidden !== undefined && { hidden: check.boolean(hidden) }),
        };
      }),
      find: check.text(data.find),
      filters: check.list(data.filters, check.maxColumns, (item) => {
        const { column, text } = check.object(item);
        return { column: check.text(column), text: check.text(text) };
      }),
      sort: check.query({ sort: data.sort }).sort ?? [],
      groupBy: check.columnIds(data.groupBy),
      ...(picked && { picked }),
      ...(chosen && { chosen }),
      invalidOnly: check.boolean(data.invalidOnly),
      filterRow: check.boolean(data.filterRow),
      record: check.boolean(data.record),
      recordShare: check.integer(data.recordShare, 10, 90),
      tab: check.oneOf(data.tab, tableTabs),
      bars: check.columnIds(data.bars),
    };
  } catch (error) {
    if (error instanceof check.CheckError) {
      return undefined;
    }
    throw error;
  }
}

function labelledFilter(value: unknown): LabelledFilter | undefined {
  if (value === undefined) {
    return undefined;
  }
  const { label, filter } = check.object(value);
  return { label: check.text(label), filter: check.filter(filter) };
}
