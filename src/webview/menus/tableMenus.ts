import type { PageTextKey } from '../pageTexts';
import type { ExportFormat } from '../../base/exportFormats';
import type { SqlDialect, TableCopyFormat } from '../../engine/types';
import type { Column, FormChoice } from '../../engine/types';
import type { ShownColumn } from '../grid/columnModel';
import { equalTo, hasRanges } from '../../engine/values/filters';
import { keyName, separator, type MenuItem } from './menu';
import type { PageContext } from '../pageContext';
import type { RecordLinks } from '../protocol';

/** What the menus need of the page. */
export interface MenuPage extends Pick<
  PageContext,
  | 'texts'
  | 'link'
  | 'view'
  | 'grid'
  | 'changeCriteria'
  | 'showFilterRow'
  | 'hasFindings'
  | 'showFinding'
  | 'links'
> {
  readonly columns: {
    fit(at: number): void;
    move(from: number, to: number): void;
    setHidden(column: Column, hidden: boolean): void;
    setEmptyHidden(hidden: boolean): void;
    showAll(): void;
  };
  readonly copies: {
    copy(format: TableCopyFormat, headings: boolean, wholeRows?: boolean): void;
    copyRecord(): void;
    copySummary(): void;
    copySql(dialect: SqlDialect): void;
  };
  editFilter(column: Column, text: string, caret?: number): void;
  setFilter(column: Column, text: string): void;
  groupBy(columns: readonly string[]): void;
  exportTable(format?: ExportFormat): void;
  openRecord(row: number): void;
  openJump(): void;
}

export function headerItems(
  page: MenuPage,
  { column }: ShownColumn,
  at: number,
  last: number,
): MenuItem[] {
  const { texts } = page;
  const { sort, groupBy } = page.view.criteria;
  const key = sort.find((one) => one.column === column.id);
  const set = (descending: boolean, further: boolean) => () => {
    const rest = further ? sort.filter((one) => one.column !== column.id) : [];
    page.changeCriteria({ sort: [...rest, { column: column.id, descending }] });
  };
  return [
    { label: texts.get('sortUp'), checked: key?.descending === false, run: set(false, false) },
    { label: texts.get('sortDown'), checked: key?.descending === true, run: set(true, false) },
    ...(sort.length > 0 && !key ? [{ label: texts.get('addSort'), run: set(false, true) }] : []),
    {
      label: texts.get('noSort'),
      disabled: sort.length === 0,
      run: () => {
        page.changeCriteria({ sort: [] });
      },
    },
    separator,
    {
      label: texts.get('filter'),
      run: () => {
        page.editFilter(column, page.view.criteria.filters.get(column.id) ?? '');
      },
    },
    {
      label: texts.get('groupByThis'),
      run: () => {
        page.groupBy([...groupBy.filter((id) => id !== column.id), column.id]);
      },
    },
    ...typeItems(page, column),
    separator,
    {
      label: texts.get('fitColumn'),
      run: () => {
        page.columns.fit(at);
      },
    },
    {
      label: texts.get('moveLeft'),
      disabled: at === 0,
      run: () => {
        page.columns.move(at, at - 1);
      },
    },
    {
      label: texts.get('moveRight'),
      disabled: at === last,
      run: () => {
        page.columns.move(at, at + 1);
      },
    },
    {
      label: texts.get('hideColumn'),
      disabled: last === 0,
      run: () => {
        page.columns.setHidden(column, true);
      },
    },
  ];
}

/** What a user may choose as the type of a column, if that may be another one. */
export function typeChoices({ type, formChoices = [], chosenForm }: Column): readonly FormChoice[] {
  return type !== 'text' || chosenForm || formChoices.length > 1 ? formChoices : [];
}

const typeLabels = {
  text: 'typeText',
  decimalComma: 'typeDecimalComma',
  dayFirst: 'typeDayFirst',
  monthFirst: 'typeMonthFirst',
} as const satisfies Record<FormChoice, PageTextKey>;

function typeItems({ texts, link }: MenuPage, column: Column): MenuItem[] {
  const choices = typeChoices(column);
  const item = (label: PageTextKey, form?: FormChoice): MenuItem => ({
    label: texts.get(label),
    checked: column.chosenForm === form,
    run: () => {
      link.send({ type: 'setForm', column: column.id, ...(form && { form }) });
    },
  });
  return choices.length === 0
    ? []
    : [
        separator,
        { label: texts.get('columnType') },
        item('typeAutomatic'),
        ...choices.map((form) => item(typeLabels[form], form)),
      ];
}

export function columnItems(page: MenuPage): MenuItem[] {
  const { texts, columns } = page;
  const model = page.view.columns;
  return [
    {
      label: texts.get('showAllColumns'),
      staysOpen: true,
      run: () => {
        columns.showAll();
      },
    },
    ...(model.emptyCount > 0
      ? [
          {
            label: texts.get('hideEmpty'),
            detail: texts.number(model.emptyCount),
            checked: model.hiddenEmptyCount > 0,
            staysOpen: true,
            run: () => {
              columns.setEmptyHidden(model.hiddenEmptyCount === 0);
            },
          },
        ]
      : []),
    separator,
    ...model.ordered.map((column) => ({
      label: column.name || column.id || texts.get('record'),
      checked: !model.isHidden(column.id),
      staysOpen: true,
      run: () => {
        columns.setHidden(column, !model.isHidden(column.id));
      },
    })),
  ];
}

/** The columns that rows are grouped by, in their order, then those that can be added. */
export function groupItems(page: MenuPage): MenuItem[] {
  const { texts, view } = page;
  const { groupBy } = view.criteria;
  const item = (column: Column): MenuItem => {
    const at = groupBy.indexOf(column.id);
    return {
      label: column.name || column.id || texts.get('record'),
      checked: at >= 0,
      ...(at >= 0 && groupBy.length > 1 && { detail: texts.number(at + 1) }),
      run: () => {
        page.groupBy(at >= 0 ? groupBy.filter((id) => id !== column.id) : [...groupBy, column.id]);
      },
    };
  };
  const all = view.columns.ordered;
  if (groupBy.length === 0) {
    return all.map(item);
  }
  const none = {
    label: texts.get('noGroups'),
    run: () => {
      page.groupBy([]);
    },
  };
  const chosen = groupBy.flatMap((id) => all.find((column) => column.id === id) ?? []);
  const others = all.filter(({ id }) => !groupBy.includes(id));
  return [
    none,
    separator,
    ...chosen.map(item),
    separator,
    { label: texts.get('thenBy') },
    ...others.map(item),
  ];
}

export function copyItems({ texts, copies }: MenuPage): MenuItem[] {
  const item = (label: string, format: TableCopyFormat, headings: boolean, detail?: string) => ({
    label,
    ...(detail !== undefined && { detail }),
    run: () => {
      copies.copy(format, headings);
    },
  });
  return [
    item(texts.get('copy'), 'tsv', false, keyName('Ctrl+C')),
    item(texts.get('copyWithHeadings'), 'tsv', true),
    item(texts.get('copyCsv'), 'csv', true),
    item(texts.get('copyJson'), 'json', true),
    item(texts.get('copyMarkdown'), 'markdown', true),
  ];
}

/** Items that export what is shown, or copy it as Markdown or SQL. */
export function exportAndCopyItems(page: MenuPage): MenuItem[] {
  const { texts, copies, view } = page;
  const sql = (label: string, dialect: SqlDialect): MenuItem => ({
    label,
    run: () => {
      copies.copySql(dialect);
    },
  });
  const exportTo = (label: string, format?: ExportFormat): MenuItem => ({
    label,
    run: () => {
      page.exportTable(format);
    },
  });
  return [
    exportTo(texts.get('exportCsv'), 'csv'),
    exportTo(texts.get('exportJson'), 'json'),
    exportTo(texts.get('exportNdjson'), 'ndjson'),
    exportTo(texts.get('exportTable')),
    separator,
    {
      label: texts.get('copyRowsMarkdown'),
      disabled: view.rows === 0,
      run: () => {
        copies.copy('markdown', true, true);
      },
    },
    {
      label: texts.get('copyRecordMarkdown'),
      disabled: view.rows === 0 || view.grouped,
      run: () => {
        copies.copyRecord();
      },
    },
    {
      label: texts.get('copySummaryMarkdown'),
      run: () => {
        copies.copySummary();
      },
    },
    separator,
    sql(texts.get('copyDuckDb'), 'duckdb'),
    sql(texts.get('copySpark'), 'spark'),
  ];
}

/** The values of a column, and conditions. */
export function filterItems(
  page: MenuPage,
  column: Column,
  values: readonly MenuItem[],
  now: Date,
): MenuItem[] {
  const { texts } = page;
  const begin = (
    label: string,
    text: string,
    caret: number | undefined,
    detail: string,
  ): MenuItem => ({
    label,
    detail,
    run: () => {
      page.editFilter(column, text, caret);
    },
  });
  const isDate = column.type === 'date';
  const complete = (label: string, text: string): MenuItem => ({
    label,
    detail: text,
    run: () => {
      page.setFilter(column, text);
    },
  });
  return [
    ...values,
    separator,
    ...(page.view.criteria.filters.get(column.id)
      ? [
          {
            label: texts.get('clearFilter'),
            run: () => {
              page.setFilter(column, '');
            },
          },
          separator,
        ]
      : []),
    begin(texts.get('contains'), '', undefined, 'abc'),
    begin(texts.get('equals'), '=', undefined, isDate ? '=2026-03' : '=abc'),
    begin(texts.get('differs'), '!=', undefined, isDate ? '!=2026-03' : '!=abc'),
    ...(hasRanges(column.type)
      ? [
          begin(texts.get(isDate ? 'before' : 'below'), '<', undefined, isDate ? '<2026-03' : '<5'),
          begin(texts.get(isDate ? 'after' : 'above'), '>', undefined, isDate ? '>2026-03' : '>5'),
          begin(texts.get('between'), '..', 0, isDate ? '2026-03..2026-04' : '1..10'),
        ]
      : [
          begin(texts.get('startsWith'), '*', 0, 'abc*'),
          begin(texts.get('endsWith'), '*', 1, '*abc'),
        ]),
    complete(texts.get('isEmpty'), '='),
    complete(texts.get('isPresent'), '!='),
    ...(isDate
      ? [
          separator,
          ...periods(now).map(([name, period]) => complete(texts.get(name), `=${period}`)),
        ]
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

/** Actions for the active row and cell. @param links where the row leads, once that is known. */
export function cellItems(page: MenuPage, links?: RecordLinks): MenuItem[] {
  const { texts, view, grid } = page;
  const { row } = grid.focus.selection.active;
  const open: MenuItem = {
    label: texts.get(view.grouped ? 'openGroup' : 'openRecord'),
    detail: 'Enter',
    run: () => {
      page.openRecord(row);
    },
  };
  if (view.grouped) {
    return [open, separator, ...copyItems(page)];
  }
  const record = view.row(row)?.record;
  return [
    open,
    ...(page.hasFindings && record !== undefined
      ? [
          {
            label: texts.get('showFinding'),
            run: () => {
              page.showFinding(record);
            },
          },
        ]
      : []),
    ...(record === undefined ? [] : linkItems(page, record, links)),
    separator,
    ...copyItems(page),
    separator,
    ...valueItems(page),
    {
      label: texts.get('goToRow'),
      detail: keyName('Ctrl+G'),
      run: () => {
        page.openJump();
      },
    },
  ];
}

/** Opens the file that a row names, or searches for its asset. Until it is known which, the item is disabled. */
function linkItems(
  { texts, links: page }: MenuPage,
  record: number,
  links: RecordLinks | undefined,
): MenuItem[] {
  if (!page.hasWorkspace) {
    return [];
  }
  if (links?.file !== undefined) {
    return [
      {
        label: texts.get('openFile', links.file),
        detail: keyName('Ctrl+Enter'),
        run: () => {
          page.openFile(record);
        },
      },
    ];
  }
  const isUnknown = links === undefined;
  return [
    {
      label: texts.get(isUnknown && page.hasFiles ? 'openNamedFile' : 'findAsset'),
      disabled: links?.asset === undefined,
      run: () => {
        page.findAsset(record);
      },
    },
  ];
}

/** Filters by, or excludes, the value of the active cell. */
function valueItems(page: MenuPage): MenuItem[] {
  const { texts, grid, view } = page;
  const { row, column } = grid.focus.selection.active;
  const shown = view.columns.shown[column];
  const cell = view.cell(row, column);
  if (!shown || !cell || cell.masked || cell.cut || cell.kind === 'invalid') {
    return [];
  }
  const item = (label: string, sign: '==' | '!=='): MenuItem => ({
    label,
    run: () => {
      page.showFilterRow(true);
      page.setFilter(shown.column, cell.text === '' ? sign.slice(0, -1) : equalTo(cell.text, sign));
    },
  });
  return [
    item(texts.get('filterByValue'), '=='),
    item(texts.get('excludeValue'), '!=='),
    separator,
  ];
}
