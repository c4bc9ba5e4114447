import * as check from '../../engine/read/checks';
import { columnFiltersOf, recordOfKey } from '../../engine/query/filters';
import { pageState, tableTabs, type PageState, type TableTab } from '../../protocol';
import type { ColumnId, Filter, Query, SortKey } from '../../engine/types';
import type { Selection } from './selection';

/** A condition that is chosen, not typed, by the words that a person knows it by. */
export interface LabelledFilter {
  readonly label: string;
  readonly filter: Filter;
}

/** What a person asked to see: filters as typed, in words that can be shown again. */
export interface Criteria {
  readonly filters: ReadonlyMap<ColumnId, string>;
  readonly sort: readonly SortKey[];
  readonly groupBy: readonly ColumnId[];
  /** The group that was gone into. */
  readonly picked?: LabelledFilter | undefined;
  /** What was chosen in the overview. */
  readonly chosen?: LabelledFilter | undefined;
  /** Only records that could not be read. */
  readonly invalidOnly: boolean;
}

export const noCriteria: Criteria = {
  filters: new Map(),
  sort: [],
  groupBy: [],
  invalidOnly: false,
};

/** What the page keeps over a reload: more than any host needs to know. */
export interface GridState extends PageState {
  readonly filters: readonly { readonly column: ColumnId; readonly text: string }[];
  /** Also while groups are shown, whose query has no sort. */
  readonly sort: readonly SortKey[];
  readonly groupBy: readonly ColumnId[];
  readonly picked?: LabelledFilter;
  readonly chosen?: LabelledFilter;
  readonly invalidOnly: boolean;
  readonly filterRow: boolean;
  /** Whether the record is shown beside the grid, and its share of the room in percent. */
  readonly record: boolean;
  readonly recordShare: number;
  readonly anchor?: Selection['anchor'];
  readonly kind: Selection['kind'];
  /** Absent in what was kept before there were tabs. */
  readonly tab?: TableTab;
  /** Columns that were added to the overview. */
  readonly bars: readonly ColumnId[];
}

/** What `getState` gave, if it is of this version. */
export function gridState(value: unknown): GridState | undefined {
  const base = pageState(value);
  if (!base) {
    return undefined;
  }
  try {
    const data = check.object(value);
    const picked = labelledFilter(data.picked);
    const chosen = labelledFilter(data.chosen);
    const anchor = data.anchor === undefined ? undefined : check.object(data.anchor);
    return {
      ...base,
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
      ...(anchor && {
        anchor: { row: check.integer(anchor.row, 0), column: check.integer(anchor.column, 0) },
      }),
      kind: check.oneOf(data.kind, ['cells', 'rows', 'columns', 'all']),
      ...(data.tab !== undefined && { tab: check.oneOf(data.tab, tableTabs) }),
      bars: data.bars === undefined ? [] : check.columnIds(data.bars),
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

/** A criteria without those of its chosen conditions that are not wanted. */
export function withChosen(
  criteria: Criteria,
  isWanted: (filter: LabelledFilter) => boolean,
): Criteria {
  const { picked, chosen, ...rest } = criteria;
  return {
    ...rest,
    ...(picked && isWanted(picked) && { picked }),
    ...(chosen && isWanted(chosen) && { chosen }),
  };
}

/**
 * A criteria for a file that was opened anew, in which a record may have another value: without a group or
 * choice whose value is told by the number of a record.
 */
export function withoutRows(criteria: Criteria): Criteria {
  return withChosen(criteria, ({ filter }) => !namesRow(filter));
}

function namesRow(filter: Filter): boolean {
  return columnFiltersOf(filter).some(
    (part) => part.op === 'in' && part.keys.some((key) => recordOfKey(key) !== undefined),
  );
}

/** The query of a criteria; `undefined` where it is all rows in the order of the file. */
export function queryOf(
  { sort, groupBy, picked, chosen, invalidOnly }: Criteria,
  filters: readonly Filter[],
): Query | undefined {
  const all: Filter[] = [
    ...filters,
    ...(invalidOnly ? [{ op: 'invalid' } as const] : []),
    ...(chosen ? [chosen.filter] : []),
    ...(picked ? [picked.filter] : []),
  ];
  const filter = all.length > 1 ? ({ op: 'and', of: all } as const) : all[0];
  const grouped = groupBy.length > 0 && !picked;
  const query: Query = {
    ...(filter && { filter }),
    ...(sort.length > 0 && !grouped && { sort }),
    ...(grouped && { groupBy }),
  };
  return Object.keys(query).length > 0 ? query : undefined;
}

/** The sort after a click on a heading: upwards, downwards, none; alone, or as a further key. */
export function nextSort(
  sort: readonly SortKey[],
  column: ColumnId,
  further: boolean,
): readonly SortKey[] {
  const at = sort.findIndex((key) => key.column === column);
  const present = sort[at];
  const next: SortKey[] = present?.descending
    ? []
    : [{ column, descending: present !== undefined }];
  if (!further) {
    return next;
  }
  return at < 0 ? [...sort, ...next] : [...sort.slice(0, at), ...next, ...sort.slice(at + 1)];
}
