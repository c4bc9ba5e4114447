import type { Column, ColumnId, ColumnType, Filter } from '../types';
import { datePeriod } from './datePeriod';

/** A filter on one column. */
export type ColumnFilter = Extract<Filter, { readonly column: ColumnId }>;

/** All parts of a filter that are on one column. */
export function columnFiltersOf(filter: Filter): ColumnFilter[] {
  switch (filter.op) {
    case 'and':
    case 'or':
      return filter.of.flatMap(columnFiltersOf);
    case 'not':
      return columnFiltersOf(filter.of);
    case 'anywhere':
    case 'invalid':
      return [];
    default:
      return [filter];
  }
}

/** The key of a record. No key that starts with the kind of a value looks like this. */
const rowKey = /^row:(\d{1,15})$/;

/** The filter key for the value of a record, which it does not reveal. */
export function keyOfRow(record: number): string {
  return `row:${record}`;
}

/** The record in a key of `keyOfRow`; `undefined` for other keys. */
export function recordOfKey(key: string): number | undefined {
  const record = rowKey.exec(key)?.[1];
  return record === undefined ? undefined : Number(record);
}

/** Why an expression is invalid: no number or date after an operator, or an incomplete range. */
export type ExpressionFault = 'noNumber' | 'noRange';

type Expression = { readonly filter?: Filter } | { readonly fault: ExpressionFault };

const jsonNumber = /^-?(0|[1-9]\d*)(\.\d+)?([eE][+-]?\d+)?$/;

/**
 * Parses what a user typed into the filter of a column: `text` contains, `"text"` contains the
 * quoted text literally, `text*` and `*text` starts and ends with, `=` `!=` `<` `<=` `>` `>=`
 * compare, `==` and `!==` compare as written and match case, `a..b` is an inclusive range, `=`
 * alone is empty and `!=` alone is not empty. `!=` matches all other rows, also those without a
 * value. A date is a year, a month, a day or a time, and matches its whole period; days are in UTC:
 * a time with an offset may show another day in the file.
 */
export function parseExpression(typed: string, { id: column, type }: Column): Expression {
  const input = typed.trim();
  if (input === '') {
    return {};
  }
  const [, sign, rest = ''] = /^(!==|==|!=|<>|<=|>=|=|<|>)\s*([^]*)$/.exec(input) ?? [];
  if (sign !== undefined) {
    return compare(sign === '<>' ? '!=' : sign, unquote(rest), { column, type });
  }
  if (/^".*"$/s.test(input)) {
    return { filter: { op: 'contains', column, text: unquote(input) } };
  }
  const range = /^(.*?)\s*\.\.\s*(.*)$/.exec(input);
  if (range && hasRanges(type)) {
    return between(range[1] ?? '', range[2] ?? '', { column, type });
  }
  if (input.length > 1 && input.endsWith('*')) {
    return { filter: { op: 'startsWith', column, text: input.slice(0, -1) } };
  }
  if (input.length > 1 && input.startsWith('*')) {
    return { filter: { op: 'endsWith', column, text: input.slice(1) } };
  }
  return { filter: { op: 'contains', column, text: input } };
}

/** Whether `a..b` is a range in a column of this type; in others it is a text. */
export function hasRanges(type: ColumnType): boolean {
  return type === 'number' || type === 'date' || type === 'mixed';
}

/**
 * The expression that matches exactly this value, or all other values. It is quoted if it would be
 * parsed as something else.
 */
export function equalTo(text: string, sign: '==' | '!==' = '=='): string {
  return text === text.trim() && text !== '' && !text.startsWith('"') && !text.startsWith('=')
    ? sign + text
    : `${sign}"${text}"`;
}

interface FilterTarget {
  readonly column: string;
  readonly type: Column['type'];
}

function compare(sign: string, value: string, { column, type }: FilterTarget): Expression {
  const isExact = sign === '==' || sign === '!==';
  const equal = isExact || sign === '=' || sign === '!=';
  const isNegated = sign.startsWith('!');
  if (value === '' && equal) {
    return { filter: { op: isNegated ? 'present' : 'empty', column } };
  }
  if (isExact) {
    return negateIf(isNegated, { op: 'equals', column, text: value, matchCase: true });
  }
  const period = type === 'date' || !equal ? datePeriod(value) : undefined;
  const isNumber = jsonNumber.test(value);
  // `> 2026` is a number, except in a date column.
  if (period && (type === 'date' || !isNumber)) {
    return { filter: comparePeriod(sign, column, period) };
  }
  if (isNumber && (!equal || type === 'number')) {
    const is = (isNegated ? '=' : sign) as '<';
    return negateIf(isNegated, { op: 'compare', column, number: value, is });
  }
  if (!equal) {
    return { fault: 'noNumber' };
  }
  return negateIf(isNegated, { op: 'equals', column, text: value });
}

function negateIf(isNegated: boolean, filter: Filter): Expression {
  return { filter: isNegated ? { op: 'not', of: filter } : filter };
}

function comparePeriod(
  sign: string,
  column: string,
  [from, to]: readonly [number, number],
): Filter {
  const op = 'dateRange';
  switch (sign) {
    case '<':
      return { op, column, to: from };
    case '<=':
      return { op, column, to };
    case '>':
      return { op, column, from: to };
    case '>=':
      return { op, column, from };
    case '=':
      return { op, column, from, to };
    default:
      return { op: 'not', of: { op, column, from, to } };
  }
}

function between(low: string, high: string, { column, type }: FilterTarget): Expression {
  const first = datePeriod(low);
  const last = datePeriod(high);
  const areNumbers = [low, high].every((end) => end === '' || jsonNumber.test(end));
  if (low === '' && high === '') {
    return { fault: 'noRange' };
  }
  if ((first ?? low === '') && (last ?? high === '') && (type === 'date' || !areNumbers)) {
    return {
      filter: {
        op: 'dateRange',
        column,
        ...(first && { from: first[0] }),
        ...(last && { to: last[1] }),
      },
    };
  }
  if (!areNumbers) {
    return { fault: 'noRange' };
  }
  const ends: Filter[] = [
    ...(low === '' ? [] : [{ op: 'compare', column, is: '>=', number: low } as const]),
    ...(high === '' ? [] : [{ op: 'compare', column, is: '<=', number: high } as const]),
  ];
  return { filter: ends.length === 1 && ends[0] ? ends[0] : { op: 'and', of: ends } };
}

function unquote(text: string): string {
  return /^"[^]*"$/.test(text) && text.length > 1 ? text.slice(1, -1) : text;
}
