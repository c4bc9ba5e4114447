import { rangeOf } from './grid/selection';
import type { FilterChip, ToolbarState } from './menus/toolbar';
import type { TablePage } from './tablePage';

type StatusPage = Pick<
  TablePage,
  'texts' | 'view' | 'grid' | 'revealed' | 'filterRow' | 'recordShown'
>;

/** The state of the toolbar. */
export function toolbarState(page: StatusPage, outcome?: string): ToolbarState {
  const { view, texts, revealed, filterRow } = page;
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
    status: outcome ?? selectionText(page) ?? rowsText(page),
    ...(work && { work }),
    ...(emptyHidden > 0 && {
      emptyHidden: texts.get(emptyHidden === 1 ? 'oneEmptyHidden' : 'emptyHidden', emptyHidden),
    }),
    ...(criteria.picked && !grouped && { group: texts.scorecards.inText(criteria.picked.label) }),
    filtered: criteria.filters.size > 0 || criteria.invalidOnly || criteria.chosen !== undefined,
    chips: chipsOf(page),
    filterRow,
    grouped,
    record: page.recordShown,
    // Revealed values can be masked again even if no column is secret: a member of a value may be.
    secrets: revealed ? 'shown' : secret ? 'masked' : 'none',
  };
}

/** What was chosen in the overview, then what was typed. */
function chipsOf({ view, texts }: StatusPage): readonly FilterChip[] {
  const { chosen, filters } = view.criteria;
  return [
    ...(chosen ? [{ label: texts.scorecards.inText(chosen.label) }] : []),
    ...view.info.columns.flatMap(({ id, name }) => {
      const text = filters.get(id);
      const label = `${name || id}: ${texts.scorecards.inText(text ?? '')}`;
      return text === undefined ? [] : [{ label, column: id }];
    }),
  ];
}

function rowsText({ view, texts }: StatusPage): string {
  const { info, rows, matching, grouped } = view;
  if (grouped) {
    return texts.get(rows === 1 ? 'oneGroup' : 'groups', rows, matching);
  }
  if (view.id === 0) {
    return texts.get(info.done ? (rows === 1 ? 'oneRow' : 'rows') : 'rowsSoFar', rows);
  }
  return rows === info.rows ? texts.get('rows', rows) : texts.get('rowsOf', rows, info.rows);
}

function selectionText({ grid, texts, view }: StatusPage): string | undefined {
  const { rows, columns } = grid.source;
  const { selection } = grid.focus;
  const { top, bottom, left, right } = rangeOf(selection, rows, columns.length);
  if (rows === 0 || (selection.kind === 'cells' && top === bottom && left === right)) {
    return undefined;
  }
  const [one, more] = view.grouped
    ? (['selectedGroup', 'selectedGroups'] as const)
    : (['selectedRow', 'selectedRows'] as const);
  return left === 0 && right === columns.length - 1
    ? texts.get(top === bottom ? one : more, bottom - top + 1)
    : texts.get('selected', bottom - top + 1, right - left + 1);
}

/** The text that replaces the rows when there are none. */
export function emptyText({ view, texts }: StatusPage): string | undefined {
  if (view.rows > 0 || view.progress !== undefined || !view.info.done) {
    return undefined;
  }
  return texts.get(view.info.rows === 0 ? 'noRows' : 'noMatches');
}
