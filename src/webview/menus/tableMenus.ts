import type { CopyFormat, TableExportFormat } from '../../base/exportFormats';
import {
  type Column,
  type DistinctValues,
  type FormChoice,
  hasRanges,
  maxDistinctValues,
  type SqlDialect,
  type SortKey,
} from '../../engine/page';
import { equalTo, exactValues } from '../../vocabulary/filterLanguage';
import {
  changeCriteria,
  editFilter,
  exportTable,
  markSelected,
  mayBeKnown,
  groupBy as groupRowsBy,
  openRow,
  setFilter,
} from '../state/actions';
import { filtersWhere } from '../state/criteria';
import {
  fitColumn,
  moveColumn,
  setEmptyHidden,
  setHidden,
  resetColumns,
  showAllColumns,
} from '../grid/columnActions';
import { type ShownColumn, typeChoices } from '../state/columnModel';
import {
  copyRecord,
  copySelection,
  copySql,
  copySummary,
  saveSummary,
} from '../state/copySelection';
import type { PageTextKey } from '../../summary/pageTexts';
import type { RecordLinks } from '../../summary/shownRecord';
import type { Store } from '../state/store';
import type { GridMenus } from '../grid/gridParts';
import { openBar } from './inputBar';
import { keyName } from '../dom/keys';
import { type MenuAnchor, type MenuItem, separator, showMenu } from '../dom/menu';
import { valueItems } from './valueChoice';

/** Makes items that are named by a text of the page. */
function createItems({ texts }: Pick<Store, 'texts'>) {
  return (key: PageTextKey, run?: () => void, more: MenuItem = {}): MenuItem => ({
    label: texts.get(key),
    ...(run && { run }),
    ...more,
  });
}

/** The menus of the grid. */
export function gridMenus(store: Store): GridMenus {
  return {
    openCellMenu: (at) => cellMenu(store, at),
    openHeaderMenu: (column, at) => headerMenu(store, column, at),
    openFilterMenu: (column, at) => filterMenu(store, column, at),
  };
}

/** The actions of a column. Groups are not sorted or filtered, but another column can divide them. */
function headerMenu(store: Store, column: number, at: MenuAnchor): void {
  const { view } = store;
  const { shown } = view.shownColumns;
  const one = shown[column];
  if (view.grouped) {
    groupMenu(store, at);
  } else if (one) {
    const items = () => headerItems(store, one, column, shown.length - 1);
    showMenu(at, items, view.formatColumn(one.column));
  }
}

export function headerItems(
  store: Store,
  { column }: ShownColumn,
  at: number,
  last: number,
): MenuItem[] {
  const item = createItems(store);
  const { sort, groupBy, filters } = store.view.criteria;
  const key = sort.find((one) => one.column === column.id);
  const sortBy = (order: Pick<SortKey, 'descending'>) => () => {
    changeCriteria(store, { sort: [{ column: column.id, ...order }] });
  };
  const add = () => {
    changeCriteria(store, { sort: [...sort, { column: column.id, descending: false }] });
  };
  return [
    item('sortUp', sortBy({ descending: false }), { checked: key?.descending === false }),
    item('sortDown', sortBy({ descending: true }), { checked: key?.descending === true }),
    ...(sort.length > 0 && !key ? [item('addSort', add)] : []),
    item('noSort', () => changeCriteria(store, { sort: [] }), { disabled: sort.length === 0 }),
    separator,
    item('filter', () => editFilter(store, column, filters[column.id] ?? '')),
    item('groupByThis', () =>
      groupRowsBy(store, [...groupBy.filter((id) => id !== column.id), column.id]),
    ),
    ...typeItems(store, column),
    separator,
    item('fitColumn', () => fitColumn(store, at)),
    item('moveLeft', () => moveColumn(store, at, at - 1), { disabled: at === 0 }),
    item('moveRight', () => moveColumn(store, at, at + 1), { disabled: at === last }),
    item('hideColumn', () => setHidden(store, column, true), { disabled: last === 0 }),
  ];
}

const typeLabels = {
  text: 'typeText',
  decimalComma: 'typeDecimalComma',
  dayFirst: 'typeDayFirst',
  monthFirst: 'typeMonthFirst',
} as const satisfies Record<FormChoice, PageTextKey>;

function typeItems(store: Store, column: Column): MenuItem[] {
  const choices = typeChoices(column);
  const item = createItems(store);
  const typeItem = (label: PageTextKey, form?: FormChoice) =>
    item(
      label,
      () => store.link.send({ type: 'setForm', column: column.id, ...(form && { form }) }),
      { checked: column.chosenForm === form },
    );
  return choices.length === 0
    ? []
    : [
        separator,
        item('columnType'),
        typeItem('typeAutomatic'),
        ...choices.map((form) => typeItem(typeLabels[form], form)),
      ];
}

/** A column by its title; its name in the file is found, too. */
function nameItem(column: Column, { view }: Store): Pick<MenuItem, 'label' | 'title'> {
  const label = view.formatColumn(column);
  return { label, ...(column.name !== label && { title: column.name }) };
}

export function columnsMenu(store: Store, at: MenuAnchor): void {
  const { texts, view } = store;
  const { columns } = view;
  const item = createItems(store);
  const stay = { staysOpen: true };
  const emptyItem = ({ emptyCount, hiddenEmptyCount } = columns) =>
    item('hideEmpty', () => setEmptyHidden(store, hiddenEmptyCount === 0), {
      detail: texts.number(emptyCount),
      checked: hiddenEmptyCount > 0,
      ...stay,
    });
  const items = () => [
    item('showAllColumns', () => showAllColumns(store), stay),
    ...(columns.layout.length > 0 ? [item('resetColumns', () => resetColumns(store), stay)] : []),
    ...(columns.emptyCount > 0 ? [emptyItem()] : []),
    separator,
    ...columns.ordered.map((column) => ({
      ...nameItem(column, store),
      checked: !columns.isHidden(column.id),
      run: () => setHidden(store, column, !columns.isHidden(column.id)),
      ...stay,
    })),
  ];
  showMenu(at, items, texts.get('columns'), { search: texts });
}

/** The columns that rows are grouped by, in their order, then those that can be added. */
export function groupMenu(store: Store, at: MenuAnchor): void {
  const { texts, view } = store;
  const { groupBy } = view.criteria;
  const item = createItems(store);
  const columnItem = (column: Column): MenuItem => {
    const at = groupBy.indexOf(column.id);
    const next = at >= 0 ? groupBy.filter((id) => id !== column.id) : [...groupBy, column.id];
    return {
      ...nameItem(column, store),
      checked: at >= 0,
      ...(at >= 0 && groupBy.length > 1 && { detail: texts.number(at + 1) }),
      run: () => groupRowsBy(store, next),
    };
  };
  const items = () => {
    const all = view.columns.ordered;
    const chosen = groupBy.flatMap((id) => all.find((column) => column.id === id) ?? []);
    const others = all.filter(({ id }) => !groupBy.includes(id)).map(columnItem);
    return groupBy.length === 0
      ? others
      : [
          item('noGroups', () => groupRowsBy(store, [])),
          separator,
          ...chosen.map(columnItem),
          separator,
          item('thenBy'),
          ...others,
        ];
  };
  showMenu(at, items, texts.get('groupBy'), { search: texts });
}

export function copyAsMenu(store: Store, at: MenuAnchor): void {
  showMenu(at, () => copyItems(store), store.texts.get('copyAs'));
}

function copyItems(store: Store): MenuItem[] {
  const item = createItems(store);
  const copy = (format: CopyFormat) => () => copySelection(store, format, { headings: true });
  return [
    item('copy', () => copySelection(store, 'tsv'), { detail: keyName('Ctrl+C') }),
    item('copyWithHeadings', copy('tsv')),
    item('copyCsv', copy('csv')),
    item('copyJson', copy('json')),
    item('copyMarkdown', copy('markdown')),
  ];
}

/** Exports what is shown, or copies it as Markdown or SQL. */
export function exportAndCopyMenu(store: Store, at: MenuAnchor): void {
  const { rows, grouped } = store.view;
  const item = createItems(store);
  const exportTo = (format?: TableExportFormat) => () => exportTable(store, format);
  const sql = (dialect: SqlDialect) => () => copySql(store, dialect);
  const copyRows = () => copySelection(store, 'markdown', { headings: true, wholeRows: true });
  const items = () => [
    item('exportCsv', exportTo('csv')),
    item('exportExcelCsv', exportTo('excelCsv')),
    item('exportXlsx', exportTo('xlsx')),
    item('exportTsv', exportTo('tsv')),
    item('exportJson', exportTo('json')),
    item('exportNdjson', exportTo('ndjson')),
    item('exportParquet', exportTo('parquet')),
    item('exportTable', exportTo()),
    separator,
    item('copyRowsMarkdown', copyRows, { disabled: rows === 0 }),
    item('copyRecordMarkdown', () => copyRecord(store), { disabled: rows === 0 || grouped }),
    item('copySummaryMarkdown', () => copySummary(store)),
    item('saveSummaryHtml', () => saveSummary(store)),
    separator,
    item('copyDuckDb', sql('duckdb')),
    item('copySpark', sql('spark')),
  ];
  showMenu(at, items, store.texts.get('exportAndCopy'));
}

/** The conditions of a column, and its values as soon as they are counted. */
function filterMenu(store: Store, column: Column, at: Element): void {
  const { texts, link, view } = store;
  let values: DistinctValues | undefined;
  // Counts values only in rows that match the other filters: choosing a value shows that many rows.
  const filters = filtersWhere(view.criteria, (id) => id !== column.id);
  const among = view.createQuery({ ...view.criteria, filters })?.filter;
  const abort = new AbortController();
  const answer = link.request(
    'distinct',
    { column: column.id, limit: maxDistinctValues, ...(among && { filter: among }) },
    abort,
  );
  const before = exactValues(view.criteria.filters[column.id] ?? '') ?? [];
  const redraw = showMenu(
    at,
    () => filterItems(store, column, valueItems(store, column, values, before), new Date()),
    texts.get('filterMenu', view.formatColumn(column)),
    { search: texts, onClose: () => abort.abort() },
  );
  const show = (counted: DistinctValues) => {
    values = counted;
    redraw();
  };
  answer.then(show, () => show({ values: [], total: 0 }));
}

export function filterItems(
  store: Store,
  column: Column,
  values: readonly MenuItem[],
  now: Date,
): MenuItem[] {
  const item = createItems(store);
  /** Begins a condition, for which `example` has a value. */
  const begin = (key: PageTextKey, text: string, example: string, caret?: number) =>
    item(key, () => editFilter(store, column, text, caret), { detail: example });
  const complete = (key: PageTextKey, text: string) =>
    item(key, () => setFilter(store, column, text), { detail: text });
  const isDate = column.type === 'date';
  const value = isDate ? '2026-03' : 'abc';
  const limit = isDate ? '2026-03' : '5';
  return [
    ...values,
    separator,
    ...(store.view.criteria.filters[column.id]
      ? [item('clearFilter', () => setFilter(store, column, '')), separator]
      : []),
    begin('contains', '', 'abc'),
    begin('lacks', '!', '!abc'),
    begin('equals', '=', `=${value}`),
    begin('differs', '!=', `!=${value}`),
    ...(hasRanges(column.type)
      ? [
          begin(isDate ? 'before' : 'below', '<', `<${limit}`),
          begin(isDate ? 'after' : 'above', '>', `>${limit}`),
          begin('between', '..', isDate ? '2026-03..2026-04' : '1..10', 0),
        ]
      : [begin('startsWith', '*', 'abc*', 0), begin('endsWith', '*', '*abc', 1)]),
    complete('isEmpty', '='),
    complete('isPresent', '!='),
    ...(isDate
      ? [separator, ...periods(now).map(([key, period]) => complete(key, `=${period}`))]
      : []),
  ];
}

/** Common periods, by days in UTC as everywhere in filters. */
function periods(now: Date): (readonly [PageTextKey, string])[] {
  const day = now.toISOString().slice(0, 10);
  const before = new Date(Date.UTC(now.getUTCFullYear(), now.getUTCMonth() - 1));
  return [
    ['today', day],
    ['thisMonth', day.slice(0, 7)],
    ['lastMonth', before.toISOString().slice(0, 7)],
    ['thisYear', day.slice(0, 4)],
  ];
}

/**
 * The actions of the active row and cell, and where the row leads as soon as that is known. What is done
 * with its record is done with the one that the menu was opened for, also if other rows come meanwhile.
 */
function cellMenu(store: Store, at: MenuAnchor): void {
  const { texts, focus, view, link } = store;
  if (view.rows === 0) {
    return;
  }
  let record: number | undefined;
  let links: RecordLinks | undefined;
  const { row } = focus.selection.active;
  const label = texts.get('recordTitle', row + 1);
  const abort = new AbortController();
  const redraw = showMenu(at, () => cellItems(store, record, links), label, {
    onClose: () => abort.abort(),
  });
  store.whenLoaded(row, (loaded) => {
    record = loaded.record;
    redraw();
    if (record !== undefined && store.hasWorkspace) {
      link.request('links', { record }, abort).then(
        (answer) => {
          links = answer;
          redraw();
        },
        // The item stays disabled.
        () => undefined,
      );
    }
  });
}

function cellItems(store: Store, record?: number, links?: RecordLinks): MenuItem[] {
  const { view, focus, link, hasFindings } = store;
  const item = createItems(store);
  const open = item(
    view.grouped ? 'openGroup' : 'openRecord',
    () => openRow(store, focus.selection.active.row),
    { detail: 'Enter' },
  );
  const marks = store.areMarkable
    ? [
        separator,
        item('markKnown', () => markSelected(store, { on: true }), { detail: 'K' }),
        ...(mayBeKnown(store)
          ? [
              item('unmarkKnown', () => markSelected(store, { on: false }), {
                detail: keyName('Shift+K'),
              }),
            ]
          : []),
      ]
    : [];
  if (view.grouped) {
    return [open, ...marks, separator, ...copyItems(store)];
  }
  return [
    open,
    ...(hasFindings && record !== undefined
      ? [item('showFinding', () => link.send({ type: 'showFinding', record }))]
      : []),
    ...(record === undefined ? [] : linkItems(store, record, links)),
    ...marks,
    separator,
    ...copyItems(store),
    separator,
    ...cellValueItems(store),
    item('goToRow', () => openBar(store, 'jump'), { detail: keyName('Ctrl+G') }),
  ];
}

/** Opens the file that a row names, or searches for its asset. Until it is known which, the item is disabled. */
function linkItems(
  store: Store,
  record: number,
  links: RecordLinks | undefined,
): readonly MenuItem[] {
  const { texts, link, hasWorkspace, hasFiles } = store;
  if (!hasWorkspace) {
    return [];
  }
  if (links?.file !== undefined) {
    return [
      {
        label: texts.get('openFile', links.file),
        detail: keyName('Ctrl+Enter'),
        run: () => link.send({ type: 'openFile', record }),
      },
    ];
  }
  const key = links === undefined && hasFiles ? 'openNamedFile' : 'findAsset';
  const disabled = links?.asset === undefined;
  return [createItems(store)(key, () => link.send({ type: 'findAsset', record }), { disabled })];
}

/** Filters by, or excludes, the value of the active cell. */
function cellValueItems(store: Store): MenuItem[] {
  const { focus, view } = store;
  const { row, column } = focus.selection.active;
  const shown = view.columns.shown[column];
  const cell = view.cell(row, column);
  if (!shown || !cell || cell.masked || cell.cut || cell.kind === 'invalid') {
    return [];
  }
  const item = createItems(store);
  const filter = (sign: '==' | '!==') => () => {
    store.set({ filterRow: true });
    const text = cell.text === '' ? sign.slice(0, -1) : equalTo(cell.text, sign);
    setFilter(store, shown.column, text);
  };
  return [item('filterByValue', filter('==')), item('excludeValue', filter('!==')), separator];
}
