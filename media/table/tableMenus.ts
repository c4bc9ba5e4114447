import type { PageTextKey } from '../../src/table/pageTexts';
import type { CopyFormat } from '../../src/table/types';
import type { Column, DistinctValues } from '../../src/table/types';
import type { ShownColumn } from './columnModel';
import { equalTo } from './filterExpression';
import { keyName } from './keyNames';
import { separator, type MenuItem } from './menu';
import type { Texts } from './texts';
import type { Wish } from './gridState';

/** What menus do. */
export interface MenuActions {
  readonly wish: Wish;
  readonly columns: readonly Column[];
  isHidden(column: Column): boolean;
  setSort(sort: Wish['sort']): void;
  setHidden(column: Column, hidden: boolean): void;
  readonly showAll: () => void;
  fit(column: number): void;
  move(from: number, to: number): void;
  groupBy(columns: readonly string[]): void;
  setFilter(column: Column, text: string): void;
  /** Puts a beginning into the filter of a column, and the cursor behind or at a place in it. */
  beginFilter(column: Column, text: string, caret?: number): void;
  copy(format: CopyFormat, headings: boolean): void;
}

export function headerItems(
  texts: Texts,
  { column }: ShownColumn,
  at: number,
  last: number,
  actions: MenuActions,
): MenuItem[] {
  const { sort, groupBy } = actions.wish;
  const key = sort.find((one) => one.column === column.id);
  const set = (descending: boolean, further: boolean) => () => {
    const rest = further ? sort.filter((one) => one.column !== column.id) : [];
    actions.setSort([...rest, { column: column.id, descending }]);
  };
  return [
    { label: texts.get('sortUp'), checked: key?.descending === false, run: set(false, false) },
    { label: texts.get('sortDown'), checked: key?.descending === true, run: set(true, false) },
    ...(sort.length > 0 && !key ? [{ label: texts.get('addSort'), run: set(false, true) }] : []),
    {
      ...{ label: texts.get('noSort'), disabled: sort.length === 0 },
      run: () => {
        actions.setSort([]);
      },
    },
    separator,
    {
      label: texts.get('filter'),
      run: () => {
        actions.beginFilter(column, actions.wish.filters.get(column.id) ?? '');
      },
    },
    {
      label: texts.get('groupByThis'),
      run: () => {
        actions.groupBy([...groupBy.filter((id) => id !== column.id), column.id]);
      },
    },
    separator,
    {
      label: texts.get('fitColumn'),
      run: () => {
        actions.fit(at);
      },
    },
    {
      ...{ label: texts.get('moveLeft'), disabled: at === 0 },
      run: () => {
        actions.move(at, at - 1);
      },
    },
    {
      ...{ label: texts.get('moveRight'), disabled: at === last },
      run: () => {
        actions.move(at, at + 1);
      },
    },
    {
      ...{ label: texts.get('hideColumn'), disabled: last === 0 },
      run: () => {
        actions.setHidden(column, true);
      },
    },
  ];
}

export function columnItems(texts: Texts, actions: MenuActions): MenuItem[] {
  return [
    { label: texts.get('showAllColumns'), run: actions.showAll, stay: true },
    separator,
    ...actions.columns.map((column) => ({
      label: column.name || column.id || texts.get('record'),
      checked: !actions.isHidden(column),
      stay: true,
      run: () => {
        actions.setHidden(column, !actions.isHidden(column));
      },
    })),
  ];
}

export function groupItems(texts: Texts, actions: MenuActions): MenuItem[] {
  const { groupBy } = actions.wish;
  return [
    ...(groupBy.length > 0
      ? [
          {
            label: texts.get('noGroups'),
            run: () => {
              actions.groupBy([]);
            },
          },
          separator,
        ]
      : []),
    ...actions.columns.map((column) => {
      const on = groupBy.includes(column.id);
      return {
        label: column.name || column.id || texts.get('record'),
        checked: on,
        run: () => {
          actions.groupBy(on ? groupBy.filter((id) => id !== column.id) : [...groupBy, column.id]);
        },
      };
    }),
  ];
}

export function copyItems(texts: Texts, actions: MenuActions): MenuItem[] {
  const item = (label: string, format: CopyFormat, headings: boolean, detail?: string) => ({
    label,
    ...(detail !== undefined && { detail }),
    run: () => {
      actions.copy(format, headings);
    },
  });
  return [
    item(texts.get('copy'), 'tsv', false, keyName('Ctrl+C')),
    item(texts.get('copyWithHeadings'), 'tsv', true),
    item(texts.get('copyCsv'), 'csv', true),
    item(texts.get('copyJson'), 'json', true),
  ];
}

/** The conditions that can be typed, and the values that are most frequent. */
export function filterItems(
  texts: Texts,
  column: Column,
  values: DistinctValues | undefined,
  actions: MenuActions,
  now: Date,
): MenuItem[] {
  const begin = (label: string, text: string, caret?: number, detail = text): MenuItem => ({
    label,
    detail,
    run: () => {
      actions.beginFilter(column, text, caret);
    },
  });
  const isDate = column.type === 'date';
  const ordered = column.type === 'number' || column.type === 'date' || column.type === 'mixed';
  const whole = (label: string, text: string): MenuItem => ({
    label,
    detail: text,
    run: () => {
      actions.setFilter(column, text);
    },
  });
  return [
    ...(actions.wish.filters.get(column.id)
      ? [
          {
            label: texts.get('clearFilter'),
            run: () => {
              actions.setFilter(column, '');
            },
          },
          separator,
        ]
      : []),
    begin(texts.get('contains'), '', undefined, 'abc'),
    begin(texts.get('equals'), '=', undefined, isDate ? '=2026-03' : '=abc'),
    begin(texts.get('differs'), '!=', undefined, isDate ? '!=2026-03' : '!=abc'),
    ...(ordered
      ? [
          begin(texts.get(isDate ? 'before' : 'below'), '<', undefined, isDate ? '<2026-03' : '<5'),
          begin(texts.get(isDate ? 'after' : 'above'), '>', undefined, isDate ? '>2026-03' : '>5'),
          begin(texts.get('between'), '..', 0, isDate ? '2026-03..2026-04' : '1..10'),
        ]
      : [
          begin(texts.get('startsWith'), '*', 0, 'abc*'),
          begin(texts.get('endsWith'), '*', 1, '*abc'),
        ]),
    whole(texts.get('isEmpty'), '='),
    whole(texts.get('isPresent'), '!='),
    ...(isDate
      ? [separator, ...periods(now).map(([name, period]) => whole(texts.get(name), `=${period}`))]
      : []),
    separator,
    ...valueItems(texts, column, values, actions),
  ];
}

/** Times that people ask for most, by the days of UTC as everywhere in filters. */
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

function valueItems(
  texts: Texts,
  column: Column,
  values: DistinctValues | undefined,
  actions: MenuActions,
): MenuItem[] {
  if (!values) {
    return [{ label: texts.get('loading') }];
  }
  const usable = values.values.filter(
    ({ cell }) => cell.text !== '' && !cell.cut && !cell.masked && cell.text.length <= 200,
  );
  return usable.length === 0
    ? [{ label: texts.get('noValues') }]
    : usable.map(({ cell, count }) => ({
        label: cell.text.replace(/\s+/g, ' ').slice(0, 60),
        detail: texts.number(count),
        run: () => {
          actions.setFilter(column, equalTo(cell.text));
        },
      }));
}
