import type { Column, ColumnId, Filter } from '../engine/types';
import { columnFiltersOf, exactValues, parseExpression } from '../engine/values/filters';
import { whyNoRows } from './emptyTable';
import { rangeOf } from './grid/gridParts';
import type { PageContext } from './pageContext';
import type { Texts } from './texts';
import { type Tone, toneOf } from './views/severityTones';

/** A filter that can be removed. */
export interface FilterChip {
  readonly label: string;
  /** The marks of its severities. */
  readonly tones?: readonly Tone[];
  /** The column that it was typed for; absent for a choice in the overview. */
  readonly column?: ColumnId;
}

/** What the state of the toolbar is made from. */
interface StatusPage extends Pick<PageContext, 'texts' | 'view' | 'grid' | 'links'> {
  readonly revealed: boolean;
  readonly filterRow: boolean;
  readonly recordShown: boolean;
}

/** What the toolbar shows. */
export interface ToolbarState {
  readonly status: string;
  /** The text which says that empty columns are hidden. */
  readonly emptyHidden?: string;
  /** The work that is running. The share that is done is 0 to 1. */
  readonly work?: { readonly text: string; readonly share: number; readonly cancellable: boolean };
  /** The label of the group whose rows are shown. */
  readonly group?: string;
  readonly filtered: boolean;
  readonly chips: readonly FilterChip[];
  readonly filterRow: boolean;
  readonly grouped: boolean;
  readonly record: boolean;
  readonly secrets: 'none' | 'masked' | 'shown';
  /** Whether findings are listed in Problems; `undefined` if none names a file. */
  readonly inProblems: boolean | undefined;
}

/** The state of the toolbar. */
export function toolbarState(page: StatusPage, outcome?: string): ToolbarState {
  const { view, texts, revealed, filterRow, links } = page;
  const { info, criteria, progress, grouped } = view;
  const reading = !info.done && info.bytes > 0;
  const share = info.bytes > 0 ? info.bytesRead / info.bytes : 0;
  const secret = info.columns.some((column) => column.secret);
  const work =
    progress !== undefined
      ? {
          text: texts.get(
            reading ? 'waiting' : 'working',
            texts.percent(reading ? share : progress),
          ),
          cancellable: true,
          share: reading ? share : progress,
        }
      : info.done
        ? undefined
        : { text: texts.get('reading', texts.percent(share)), cancellable: false, share };
  const emptyHidden = grouped ? 0 : view.columns.hiddenEmptyCount;
  return {
    status: outcome ?? [rowsText(page), selectionText(page)].filter(Boolean).join(' \u00b7 '),
    ...(work && { work }),
    ...(emptyHidden > 0 && {
      emptyHidden: texts.get(emptyHidden === 1 ? 'oneEmptyHidden' : 'emptyHidden', emptyHidden),
    }),
    ...(criteria.openedGroup &&
      !grouped && { group: texts.scorecards.inText(criteria.openedGroup.label) }),
    filtered:
      criteria.filters.size > 0 || criteria.invalidOnly || criteria.overviewFilter !== undefined,
    chips: chipsOf(page),
    filterRow,
    grouped,
    record: page.recordShown,
    // Revealed values can be masked again even if no column is secret: a member of a value may be.
    secrets: revealed ? 'shown' : secret ? 'masked' : 'none',
    inProblems: links.hasFiles ? links.inProblems : undefined,
  };
}

/** What was chosen in the overview, then what was typed. */
function chipsOf({ view, texts }: StatusPage): readonly FilterChip[] {
  const { overviewFilter, filters } = view.criteria;
  const { columns } = view.info;
  return [
    ...(overviewFilter
      ? [
          {
            label: texts.scorecards.inText(overviewFilter.label),
            tones: tonesOf(columns, overviewFilter.filter),
          },
        ]
      : []),
    ...columns.flatMap((column) => {
      const text = filters.get(column.id);
      // One that cannot apply says so below its heading.
      const applies = text !== undefined && 'filter' in parseExpression(text, column);
      return applies ? [typedChip(column, text, texts)] : [];
    }),
  ];
}

function typedChip({ id, name, role }: Column, typed: string, texts: Texts): FilterChip {
  const values = exactValues(typed);
  const shown = values
    ? values.map((text) => texts.value({ kind: 'text', text }, role)).join(', ')
    : texts.scorecards.inText(typed);
  const tones = values && role === 'severity' ? values.map((text) => toneOf(text, name)) : [];
  return { label: `${name || id}: ${shown}`, tones, column: id };
}

/** The marks of the severities that a filter matches. */
function tonesOf(columns: readonly Column[], filter: Filter): readonly Tone[] {
  const severity = columns.find(({ role }) => role === 'severity');
  return columnFiltersOf(filter)
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
    .map((text) => toneOf(text, severity?.name ?? ''));
}

function rowsText({ view, texts }: StatusPage): string {
  const { info, rows, matching, grouped } = view;
  if (grouped) {
    return texts.get(rows === 1 ? 'oneGroup' : 'groups', rows, matching);
  }
  if (view.id === 0 && !info.done) {
    return texts.get('rowsSoFar', rows);
  }
  // A query may have ended before the number of all rows arrives.
  return view.id !== 0 && rows < info.rows
    ? texts.get('rowsOf', rows, info.rows)
    : texts.get(rows === 1 ? 'oneRow' : 'rows', rows);
}

function selectionText({ grid, texts }: StatusPage): string | undefined {
  const { rows, columns } = grid.source;
  const { selection } = grid.focus;
  const { top, bottom, left, right } = rangeOf(selection, rows, columns.length);
  if (rows === 0 || (selection.kind === 'cells' && top === bottom && left === right)) {
    return undefined;
  }
  return left === 0 && right === columns.length - 1
    ? texts.get('selectedRows', bottom - top + 1)
    : texts.get('selected', bottom - top + 1, right - left + 1);
}

/** The text that replaces the rows when there are none. */
export function emptyText({ view, texts }: StatusPage): string | undefined {
  if (view.rows > 0 || view.progress !== undefined || !view.info.done) {
    return undefined;
  }
  return texts.get(view.info.rows === 0 ? whyNoRows(view.info) : 'noMatches');
}
