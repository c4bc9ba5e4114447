import type { TableCore } from '../../../../src/engine/tableCore';
import type { DistinctValue } from '../../../../src/engine/data/answers';
import type { Column } from '../../../../src/engine/data/column';
import type { Filter, Query } from '../../../../src/engine/data/query';
import { formatJsonNumber } from '../../../../src/vocabulary/writtenNumbers';
import { work } from '../../../helpers/tableFiles';

/** Conditions on each column of a file, by its own values. */
export async function filtersOf(core: TableCore): Promise<Filter[]> {
  const filters: Filter[] = [];
  for (const column of core.info().columns.slice(0, 8)) {
    const { values } = await core.distinct({ column: column.id }, work());
    filters.push(...filtersBy(column, values));
  }
  return filters;
}

function filtersBy({ id: column }: Column, values: readonly DistinctValue[]): Filter[] {
  const shown = values.filter(({ cell }) => cell.kind !== 'invalid').slice(0, 8);
  const texts = shown.map(({ cell }) => cell.text);
  const numbers = shown.flatMap(({ cell }) =>
    cell.kind === 'number' ? (formatJsonNumber(cell.text) ?? []) : [],
  );
  return [
    { op: 'present', column },
    { op: 'empty', column },
    { op: 'dateRange', column },
    { op: 'dateRange', column, from: Date.UTC(2026, 10, 21), to: Date.UTC(2026, 10, 22) },
    { op: 'dateRange', column, to: Date.UTC(2026, 10, 21, 8, 30) },
    ...['', '1', 'i', 'X', "'", '\\'].map((text) => ({ op: 'contains' as const, column, text })),
    ...['0.5', ...numbers].flatMap((number) =>
      (['=', '!=', '<', '>='] as const).map((is) => ({
        op: 'compare' as const,
        column,
        is,
        number,
      })),
    ),
    ...texts.flatMap((text): Filter[] => [
      { op: 'contains', column, text: letters(text).slice(0, 2).join('') },
      { op: 'equals', column, text },
      { op: 'equals', column, text, matchCase: true },
      { op: 'startsWith', column, text: letters(text).slice(0, 1).join('') },
      { op: 'endsWith', column, text: letters(text).slice(-1).join(''), matchCase: true },
    ]),
    ...shown.map(({ key }) => ({ op: 'in' as const, column, keys: [key] })),
    { op: 'in', column, keys: shown.slice(0, 3).map(({ key }) => key) },
    { op: 'in', column, keys: [] },
  ];
}

/** Queries of all rows, of each order, and with each filter. */
export async function queriesOf(core: TableCore): Promise<Query[]> {
  const ids = core
    .info()
    .columns.slice(0, 8)
    .map(({ id }) => id);
  const filters = await filtersOf(core);
  return [
    {},
    ...ids.flatMap((column): Query[] => [
      { sort: [{ column, descending: false }] },
      { sort: [{ column, descending: true }] },
      { groupBy: [column] },
    ]),
    ...(ids.length > 1 ? [{ groupBy: ids.slice(0, 2) }] : []),
    ...filters.flatMap((filter): Query[] => [{ filter }, { filter: { op: 'not', of: filter } }]),
  ];
}

function letters(text: string): string[] {
  return Array.from(text);
}
