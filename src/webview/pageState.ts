import * as v from 'valibot';
import { type ColumnId, type SortKey, type TableInfo, wholeDocument } from '../engine/types';
import * as schemas from './schemas';
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

const position = schemas.integer(0);
const cell = v.object({ row: position, column: position });
const pixels = v.exactOptional(schemas.integer(1, 10_000));

const pageStateSchema: v.GenericSchema<unknown, PageState> = v.object({
  version: v.literal(1),
  bytes: position,
  list: v.exactOptional(schemas.text),
  top: position,
  offset: position,
  left: position,
  active: cell,
  anchor: cell,
  kind: v.picklist(['cells', 'rows', 'columns', 'all']),
  columns: schemas.columnsOf(
    v.object({
      id: schemas.text,
      width: pixels,
      fitted: pixels,
      hidden: v.exactOptional(v.boolean()),
    }),
  ),
  find: schemas.text,
  filters: schemas.columnsOf(v.object({ column: schemas.text, text: schemas.text })),
  sort: schemas.sortKeys,
  awaitsSort: v.exactOptional(v.boolean()),
  groupBy: schemas.columnIds,
  picked: v.exactOptional(schemas.labeledFilter),
  chosen: v.exactOptional(schemas.labeledFilter),
  invalidOnly: v.boolean(),
  filterRow: v.boolean(),
  record: v.boolean(),
  recordShare: schemas.integer(10, 90),
  tab: v.picklist(tableTabs),
  bars: schemas.columnIds,
  countsAll: v.boolean(),
});

/** What `getState` returned, if it is a state of this version. */
export function pageState(value: unknown): PageState | undefined {
  const { success, output } = v.safeParse(pageStateSchema, value);
  return success ? output : undefined;
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
