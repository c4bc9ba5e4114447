import * as v from 'valibot';
import { type TableInfo, wholeDocument } from '../../engine/page';
import { tableTabs } from '../../protocol/tableProtocol';
import * as schemas from '../../protocol/schemas';

const position = schemas.integer(0);
/** A row, and the number of a visible column. */
const cell = v.object({ row: position, column: position });
const pixels = v.exactOptional(schemas.integer(1, 10_000));

const pageStateSchema = v.object({
  /** Size of the file, which shows whether the file has changed. */
  bytes: position,
  /** JSON: the list that is shown, or `wholeDocument`. */
  list: v.exactOptional(schemas.text),
  /** Rows scrolled away; the first visible one may be so in part. */
  top: v.pipe(v.number(), v.minValue(0)),
  /** Pixels scrolled to the right. */
  left: position,
  selection: v.object({
    active: cell,
    anchor: cell,
    kind: v.picklist(['cells', 'rows', 'columns', 'all']),
  }),
  /** What the active row shows, see `TableView.formatRow`: at its position may be another one by now. */
  activeRow: v.exactOptional(schemas.text),
  /** Columns in the order shown; new columns follow. */
  columns: schemas.columnsOf(
    v.object({
      id: schemas.text,
      /** Pixels, as a user set them, or else as they were measured. */
      width: pixels,
      fitted: pixels,
      hidden: v.exactOptional(v.boolean()),
    }),
  ),
  find: schemas.text,
  criteria: schemas.criteria,
  /** The table was not shown yet: a first sort is still to come. */
  awaitsSort: v.exactOptional(v.boolean()),
  filterRow: v.boolean(),
  /** Whether the record is shown beside the grid, and its share of the space in percent. */
  record: v.boolean(),
  recordShare: schemas.integer(10, 90),
  tab: v.picklist(tableTabs),
  /** Columns that were added to the overview. */
  overviewColumns: schemas.columnIds,
  /** Whether the overview also counts findings that are not open. */
  countsAll: v.boolean(),
});

/** What the page saves with `setState`, so that it looks the same after a reload of the window. */
export type PageState = v.InferOutput<typeof pageStateSchema>;

/** What `getState` returned, if it is such a state. */
export function pageState(value: unknown): PageState | undefined {
  const { success, output } = v.safeParse(pageStateSchema, value);
  return success ? output : undefined;
}

/** JSON: the list that a page shows, as it is saved; absent for other files. */
export function listOf({ format, list }: Pick<TableInfo, 'format' | 'list'>): string | undefined {
  return format.kind === 'json' ? (list ?? wholeDocument) : undefined;
}
