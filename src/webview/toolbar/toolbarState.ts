import {
  type Column,
  listColumnFilters,
  type ColumnId,
  type Filter,
  parseColumnFilter,
} from '../../engine/page';
import { exactValues } from '../../vocabulary/filterLanguage';
import { whyNoRows } from '../../summary/fileNotices';
import { isOneCell, rangeOf } from '../state/selection';
import { type Criteria, filtersWhere } from '../state/criteria';
import type { Store } from '../state/store';
import { type Tone, findTone } from '../../summary/severityTones';

/** A filter that can be removed. */
export interface FilterChip {
  readonly label: string;
  /** The marks of its severities. */
  readonly tones?: readonly Tone[];
  /** The column that it was typed for; absent for a choice in the overview. */
  readonly column?: ColumnId;
}

/** What the status says: the number of rows, and an outcome or what is selected. */
export function statusText(store: Store): string {
  return [rowsText(store), store.outcome ?? selectionText(store)].filter(Boolean).join(' \u00b7 ');
}

/** The work that is running. The share that is done is 0 to 1. */
interface Work {
  readonly text: string;
  readonly share: number;
  readonly isCancellable: boolean;
}

/** The query that runs, or else the file that is read. */
export function findWork({ view, texts }: Store): Work | undefined {
  const { info, progress } = view;
  const isReading = !info.done && info.bytes > 0;
  const { isCancellable } = view;
  const isQuerying = progress !== undefined;
  if (info.done && !isQuerying) {
    return undefined;
  }
  const share = isReading ? info.bytesRead / info.bytes : (progress ?? 0);
  const key = !isQuerying ? 'reading' : isReading ? 'waiting' : 'working';
  return { text: texts.get(key, texts.percent(share)), share, isCancellable };
}

type ChipsOf = Pick<Store, 'view' | 'texts'>;

/** What was chosen in the overview, then what was typed. */
export function createChips({ view, texts }: ChipsOf): readonly FilterChip[] {
  const { overviewFilter, filters } = view.criteria;
  const { columns } = view.info;
  return [
    ...(overviewFilter
      ? [
          {
            label: texts.withScorecards(overviewFilter.label),
            tones: findTones(columns, overviewFilter.filter),
          },
        ]
      : []),
    ...columns.flatMap((column) => {
      const text = filters[column.id];
      // One that cannot apply says so below its heading.
      const applies = text !== undefined && 'filter' in parseColumnFilter(text, column);
      return applies ? [typedChip(column, text, { view, texts })] : [];
    }),
  ];
}

/** The filters of the last file of this kind that this one has the columns of, while none is set. */
export function findLastFilters({
  view,
  texts,
  lastFilters,
}: ChipsOf & Pick<Store, 'lastFilters'>):
  | { readonly filters: Criteria['filters']; readonly text: string }
  | undefined {
  const { filters, overviewFilter, openedGroup, groupBy } = view.criteria;
  const isChosen = [overviewFilter, openedGroup].some(Boolean);
  if (isChosen || Object.keys(filters).length > 0 || groupBy.length > 0) {
    return undefined;
  }
  const usable = view.info.columns.filter(({ id }) => lastFilters[id] !== undefined);
  const labels = usable.map(
    (column) => typedChip(column, lastFilters[column.id] ?? '', { view, texts }).label,
  );
  const ids = new Set(usable.map(({ id }) => id));
  return usable.length > 0
    ? {
        filters: filtersWhere({ ...view.criteria, filters: lastFilters }, (id) => ids.has(id)),
        text: labels.join('; '),
      }
    : undefined;
}

function typedChip(column: Column, typed: string, { view, texts }: ChipsOf): FilterChip {
  const { id, role } = column;
  const values = exactValues(typed);
  const shown = values
    ? values.map((text) => texts.value({ kind: 'text', text }, role)).join(', ')
    : texts.withScorecards(typed);
  const tones = values && role === 'severity' ? values.map((text) => findTone(text, column)) : [];
  return { label: `${view.formatColumn(column)}: ${shown}`, tones, column: id };
}

/** The marks of the severities that a filter matches. */
function findTones(columns: readonly Column[], filter: Filter): readonly Tone[] {
  const severity = columns.find(({ role }) => role === 'severity');
  return listColumnFilters(filter)
    .filter(({ column }) => column === severity?.id)
    .flatMap((part): readonly string[] => {
      switch (part.op) {
        case 'in':
          return part.keys.map((key) => key.slice(key.indexOf(':') + 1));
        case 'equals':
          return [part.text];
        default:
          return [];
      }
    })
    .map((text) => findTone(text, severity));
}

function rowsText({ view, texts }: Store): string {
  const { info, rows, matching, grouped, open } = view;
  const withOpen = (text: string) =>
    open === undefined ? text : `${text}, ${texts.get('openCount', open)}`;
  if (grouped) {
    const groups = rows === 1 ? (matching === 1 ? 'oneGroupOfOne' : 'oneGroup') : 'groups';
    return withOpen(texts.get(groups, rows, matching));
  }
  if (view.id === 0 && !info.done) {
    return texts.get(rows === 1 ? 'oneRowSoFar' : 'rowsSoFar', rows);
  }
  // A query may have ended before the number of all rows arrives.
  if (view.id !== 0 && rows < info.rows) {
    return withOpen(texts.get(info.rows === 1 ? 'rowsOfOne' : 'rowsOf', rows, info.rows));
  }
  return open !== undefined
    ? texts.get(rows === 1 ? 'openOneRow' : 'openRows', open, rows)
    : texts.get(rows === 1 ? 'oneRow' : 'rows', rows);
}

function selectionText({ view, focus, texts }: Store): string | undefined {
  const { rows } = view;
  const { selection } = focus;
  const { shown: columns } = view.shownColumns;
  const { top, bottom, left, right } = rangeOf(selection, rows, columns.length);
  if (rows === 0 || isOneCell(selection)) {
    return undefined;
  }
  return left === 0 && right === columns.length - 1
    ? texts.get('selectedRows', bottom - top + 1)
    : texts.get('selected', bottom - top + 1, right - left + 1);
}

/** The text that replaces the rows when there are none. */
export function emptyText({ view, texts }: Store): string | undefined {
  if (view.rows > 0 || view.progress !== undefined || !view.info.done) {
    return undefined;
  }
  return texts.get(view.info.rows === 0 ? whyNoRows(view.info) : 'noMatches');
}
