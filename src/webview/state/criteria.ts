import type { InferOutput } from 'valibot';
import type { ColumnRole } from '../../vocabulary/columnRole';
import {
  type Column,
  listColumnFilters,
  type ColumnId,
  type Filter,
  parseColumnFilter,
  type Query,
  recordOfKey,
  type SortKey,
  type TableInfo,
} from '../../engine/page';
import { exploitOrder } from '../../vocabulary/exploited';
import { areFindings, isWorstLowest } from '../../vocabulary/findingColumns';
import { isNameOf } from '../../vocabulary/meanings';
import type { LabeledFilter } from '../../summary/labeledFilter';
import type { criteria } from '../../protocol/schemas';
import type { Texts } from '../../summary/texts';

/** The filters, sort and groups that a user chose. */
export type Criteria = Readonly<InferOutput<typeof criteria>>;

export const noCriteria: Criteria = {
  filters: {},
  sort: [],
  groupBy: [],
};

/**
 * The criteria for a file that was opened again: without a group or choice that is identified by the number
 * of a record, because that record may now have another value.
 */
export function withoutRows(criteria: Criteria): Criteria {
  return withChosen(criteria, ({ filter }) => !namesRow(filter));
}

/** The criteria without its group and its choice in the overview, unless `accepts` returns true for them. */
export function withChosen(
  criteria: Criteria,
  accepts: (filter: LabeledFilter) => boolean,
): Criteria {
  const { openedGroup, overviewFilter, ...rest } = criteria;
  return {
    ...rest,
    ...(openedGroup && accepts(openedGroup) && { openedGroup }),
    ...(overviewFilter && accepts(overviewFilter) && { overviewFilter }),
  };
}

/** The typed filters that `accepts` returns true for. */
export function filtersWhere(
  { filters }: Criteria,
  accepts: (id: ColumnId, text: string) => boolean,
): Criteria['filters'] {
  return Object.fromEntries(Object.entries(filters).filter((one) => accepts(...one)));
}

function namesRow(filter: Filter): boolean {
  return listColumnFilters(filter).some(
    (part) => part.op === 'in' && part.keys.some((key) => recordOfKey(key) !== undefined),
  );
}

/** The query for the criteria; `undefined` for all rows in the order of the file. */
export function createQuery(
  { filters, sort, groupBy, openedGroup, overviewFilter }: Criteria,
  columns: readonly Column[],
  texts: Texts,
): Query | undefined {
  const typed = columns.flatMap((column) => {
    const parsed = parseColumnFilter(filters[column.id] ?? '', column);
    return 'filter' in parsed ? texts.extendFilter(parsed.filter, column.role) : [];
  });
  const all: Filter[] = [
    ...typed,
    ...(overviewFilter ? [overviewFilter.filter] : []),
    ...(openedGroup ? [openedGroup.filter] : []),
  ];
  const filter = all.length > 1 ? ({ op: 'and', of: all } as const) : all[0];
  const grouped = groupBy.length > 0 && !openedGroup;
  const query: Query = {
    ...(filter && { filter }),
    ...(sort.length > 0 && !grouped && { sort }),
    ...(grouped && { groupBy }),
  };
  return Object.keys(query).length > 0 ? query : undefined;
}

/**
 * The sort after a click on a heading: ascending, descending, none. A column that only orders the rows of another
 * begins anew.
 * @param further whether the column is an additional key, not the only one.
 * @param worstFirst whether descending comes before ascending, as for severities.
 */
export function nextSort(
  sort: readonly SortKey[],
  column: ColumnId,
  { further, worstFirst }: { readonly further: boolean; readonly worstFirst: boolean },
): readonly SortKey[] {
  const at = sort.findIndex((key) => key.column === column);
  const present = further || at === 0 ? sort[at] : undefined;
  const isLast = present !== undefined && present.descending !== worstFirst;
  const next: SortKey[] = isLast
    ? []
    : [{ column, descending: present ? !present.descending : worstFirst }];
  if (!further) {
    return next;
  }
  return at < 0 ? [...sort, ...next] : [...sort.slice(0, at), ...next, ...sort.slice(at + 1)];
}

/**
 * The order in which findings are useful: the worst first, of equal levels what is exploited, then in SARIF that of the
 * rule with the highest score, and the newest of them before the others.
 */
export function worstFirst(columns: readonly Column[]): readonly SortKey[] {
  const keyOf = (role: ColumnRole): SortKey[] =>
    columns.flatMap((column) =>
      column.role === role ? [{ column: column.id, descending: !isWorstLowest(column) }] : [],
    );
  const scores = columns.flatMap(({ id, name, role, type }): SortKey[] =>
    type === 'number' && role !== 'severity' && isNameOf('ruleScore', name)
      ? [{ column: id, descending: true }]
      : [],
  );
  const severity = keyOf('severity');
  const exploited =
    severity.length === 0
      ? []
      : exploitOrder(columns.filter(({ secret, role }) => !secret && role !== 'severity'));
  return areFindings(columns)
    ? [
        ...severity,
        ...exploited.map(({ id }) => ({ column: id, descending: true })),
        ...scores.slice(0, 1),
        ...keyOf('firstSeen'),
      ]
    : [];
}

/** Whether no column can be added: every record was checked, or the file was modified and cannot be checked. */
export function areColumnsComplete({ checked, changed }: TableInfo): boolean {
  return checked || changed === 'modified';
}

/** Whether all columns of the criteria have been found so far. */
export function areColumnsPresent(criteria: Criteria, columns: readonly Column[]): boolean {
  const ids = idsOf(columns);
  return [
    ...Object.keys(criteria.filters),
    ...criteria.sort.map(({ column }) => column),
    ...criteria.groupBy,
    ...[criteria.openedGroup, criteria.overviewFilter].flatMap((one) =>
      one ? columnsOf(one.filter) : [],
    ),
  ].every((id) => ids.has(id));
}

/** The criteria without columns that the file does not have. */
export function withoutMissingColumns(criteria: Criteria, columns: readonly Column[]): Criteria {
  const ids = idsOf(columns);
  return {
    ...withChosen(criteria, ({ filter }) => columnsOf(filter).every((id) => ids.has(id))),
    filters: filtersWhere(criteria, (id) => ids.has(id)),
    sort: criteria.sort.filter(({ column }) => ids.has(column)),
    groupBy: criteria.groupBy.filter((id) => ids.has(id)),
  };
}

const idsOf = (columns: readonly Column[]): ReadonlySet<ColumnId> =>
  new Set(columns.map(({ id }) => id));

function columnsOf(filter: Filter): readonly ColumnId[] {
  return listColumnFilters(filter).map(({ column }) => column);
}
