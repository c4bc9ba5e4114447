import { severityLevelOf } from './severity';
import type { Column, ColumnId, ColumnType, Filter, ValueForm } from '../engine/types';
import { shownPeriod, typedPeriod } from './datePeriod';
import { jsonNumberOf } from './writtenNumbers';

/** A filter on one column. */
export type ColumnFilter = Extract<Filter, { readonly column: ColumnId }>;

/** The conditions that a filter combines. */
function conditionsOf(filter: Filter): Filter[] {
  return 'of' in filter ? [filter.of].flat().flatMap(conditionsOf) : [filter];
}

/** All parts of a filter that are on one column. */
export function columnFiltersOf(filter: Filter): ColumnFilter[] {
  return conditionsOf(filter).filter((each) => 'column' in each);
}

/** Whether a filter searches all columns. */
export function searchesAll(filter: Filter): boolean {
  return conditionsOf(filter).some(({ op }) => op === 'anywhere');
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

/**
 * Why an expression is invalid: no number or date after an operator, an incomplete range, or a column that has no
 * numbers, only numbers, or only dates.
 */
export type ExpressionFault = 'noNumber' | 'noRange' | 'noNumbers' | 'onlyNumbers' | 'onlyDates';

type Expression = { readonly filter?: Filter } | { readonly fault: ExpressionFault };

/**
 * Parses what a user typed into the filter of a column: `text` contains, `"text"` contains the
 * quoted text literally, `text*` and `*text` starts and ends with, `=` `!=` `<` `<=` `>` `>=`
 * compare, `==` and `!==` compare as written and match case, `==a | ==b` is one of these values,
 * `a | b` matches either, `a..b` is an inclusive range, `=` alone is empty and `!=` alone is not empty. `!=` matches all other rows, also those without a
 * value. A date is a year, a month, a day or a time, also as the table shows it, and matches its whole period; days are in UTC:
 * a time with an offset may show another day in the file.
 */
export function parseExpression(typed: string, filtered: Column): Expression {
  const { id: column, type, verified, empty, form, role } = filtered;
  // A column without values has no type that a filter could be wrong for.
  const target = { column, type, verified: verified && empty !== true, form };
  const input = typed.trim();
  if (input === '') {
    return {};
  }
  const values = exactValues(input);
  if (values && values.length > 1) {
    return { filter: { op: 'or', of: values.map((text) => exactly(column, text)) } };
  }
  const parts = alternatives(input, role === 'severity');
  if (parts) {
    const parsed = parts.map((part) => parseExpression(part, filtered));
    const of = parsed.flatMap((one) => ('filter' in one ? [one.filter] : []));
    return parsed.find((one) => 'fault' in one) ?? { filter: { op: 'or', of } };
  }
  const [, sign, rest = ''] = /^(!==|==|!=|<>|<=|>=|=|<|>)\s*([^]*)$/.exec(input) ?? [];
  if (sign !== undefined) {
    return compare(sign === '<>' ? '!=' : sign, unquote(rest), target);
  }
  if (/^".*"$/s.test(input)) {
    return { filter: { op: 'contains', column, text: unquote(input) } };
  }
  const range = /^(.*?)\s*\.\.\s*(.*)$/.exec(input);
  const [, low = '', high = ''] = range ?? [];
  if (range && hasRanges(type)) {
    return between(low, high, target);
  }
  const contains = { op: 'contains', column, text: input } as const;
  const shown = type === 'date' ? shownPeriod(input) : undefined;
  const times = timesBetween(low, high, column) ?? (shown && comparePeriod('=', column, shown));
  if (times) {
    // A column of texts may have times, too.
    return { filter: { op: 'or', of: [contains, times] } };
  }
  const ends = [low, high].filter((end) => end !== '');
  if (target.verified && ends.length > 0 && ends.every((end) => typedNumber(end, target))) {
    return { fault: 'noNumbers' };
  }
  if (input.length > 1 && input.endsWith('*')) {
    return { filter: { op: 'startsWith', column, text: input.slice(0, -1) } };
  }
  if (input.length > 1 && input.startsWith('*')) {
    return { filter: { op: 'endsWith', column, text: input.slice(1) } };
  }
  return { filter: contains };
}

/** Separates values of which each matches. */
const orSign = ' | ';
/** The most texts of which each matches; more are one text. */
const maxAlternatives = 20;

/**
 * The texts of `high | critical`, of which each matches; severities may also be listed as `high, critical` or
 * `high or critical`. `undefined` if there are not several, or if operators or quotes say what is meant.
 */
function alternatives(typed: string, areSeverities: boolean): readonly string[] | undefined {
  if (/^[!=<>]|"/.test(typed)) {
    return undefined;
  }
  const parts = typed.split('|').map((part) => part.trim());
  if (parts.length > 1) {
    const isList = parts.length <= maxAlternatives && parts.every((part) => /^[^!=<>]/.test(part));
    return isList ? parts : undefined;
  }
  const words = areSeverities ? typed.split(/\s*[,;/]\s*|\s+(?:or|oder)\s+/i) : [];
  const isList = words.every((word) => /\p{L}/u.test(word) && severityLevelOf(word));
  return words.length > 1 && isList ? words : undefined;
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
  return text === text.trim() && text !== '' && !/^["=]| \| ==/.test(text)
    ? sign + text
    : `${sign}"${text}"`;
}

/** The expression that matches any of these values; empty if there are none. */
export function equalToAny(texts: readonly string[]): string {
  return texts.map((text) => equalTo(text)).join(orSign);
}

/** The values of an expression that matches exactly these; `undefined` for other expressions. */
export function exactValues(typed: string): readonly string[] | undefined {
  const parts = typed.trim().match(/==(?:"[^]*?"|[^]*?)(?= \| ==|$)/g);
  return parts?.join(orSign) === typed.trim() && !parts.includes('==')
    ? parts.map((part) => unquote(part.slice(2).trim()))
    : undefined;
}

function exactly(column: ColumnId, text: string): Filter {
  return { op: 'equals', column, text, matchCase: true };
}

interface FilterTarget extends Pick<Column, 'type' | 'verified'> {
  readonly column: string;
  readonly form: ValueForm | undefined;
}

/** The number that was typed, also as the column writes numbers; `undefined` if it is none. */
function typedNumber(typed: string, { form }: FilterTarget): string | undefined {
  return form === 'decimalComma' && typed.includes(',')
    ? jsonNumberOf(typed.replaceAll('.', ''), true)
    : jsonNumberOf(typed);
}

function compare(sign: string, value: string, target: FilterTarget): Expression {
  const { column, type, verified } = target;
  const isExact = sign === '==' || sign === '!==';
  const equal = isExact || sign === '=' || sign === '!=';
  const isNegated = sign.startsWith('!');
  if (value === '' && equal) {
    return { filter: { op: isNegated ? 'present' : 'empty', column } };
  }
  if (isExact) {
    return negateIf(isNegated, exactly(column, value));
  }
  const period = typedPeriod(value);
  const number = typedNumber(value, target);
  const isNumber = number !== undefined;
  const is = (isNegated ? '=' : sign) as '=' | '<';
  // Each value is compared as what it is. A column of one type has no others: `> 2026` is a number
  // among numbers, and a year among dates.
  const asNumber = isNumber && (type !== 'date' || !period) && (!equal || type !== 'text');
  const asTime = period && (type !== 'number' || !isNumber);
  const asText = equal && !(type === 'number' && asNumber) && !(type === 'date' && asTime);
  const filters: Filter[] = [
    ...(asText ? [{ op: 'equals', column, text: value } as const] : []),
    ...(asNumber ? [{ op: 'compare', column, number, is } as const] : []),
    ...(asTime ? [comparePeriod(is, column, period)] : []),
  ];
  const isPossible = equal || !verified;
  const fault =
    filters.length === 0
      ? 'noNumber'
      : isPossible
        ? undefined
        : missingKind(type, asNumber, asTime === true);
  return fault ? { fault } : negateIf(isNegated, combined('or', filters));
}

/** Why no value of a column can be less or greater: it has no numbers, or none of the dates that were typed. */
function missingKind(
  type: ColumnType,
  asNumber: boolean,
  asTime: boolean,
): ExpressionFault | undefined {
  switch (type) {
    case 'number':
      return asNumber ? undefined : 'onlyNumbers';
    case 'date':
      return asTime ? undefined : 'onlyDates';
    case 'mixed':
      return undefined;
    default:
      // A column of texts may have dates, too.
      return asTime ? undefined : 'noNumbers';
  }
}

function combined(op: 'and' | 'or', filters: readonly Filter[]): Filter {
  const [first] = filters;
  return filters.length === 1 && first ? first : { op, of: filters };
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
    default:
      return { op, column, from, to };
  }
}

function between(low: string, high: string, target: FilterTarget): Expression {
  const { column, type } = target;
  const times = timesBetween(low, high, column);
  const ends = (
    [
      ['>=', low],
      ['<=', high],
    ] as const
  ).filter(([, end]) => end !== '');
  const numbers = ends.flatMap(([is, end]): Filter[] => {
    const number = typedNumber(end, target);
    return number === undefined ? [] : [{ op: 'compare', column, is, number }];
  });
  const areNumbers = numbers.length > 0 && numbers.length === ends.length;
  const filters = [
    ...(areNumbers && (type !== 'date' || !times) ? [combined('and', numbers)] : []),
    ...(times && (type !== 'number' || !areNumbers) ? [times] : []),
  ];
  return filters.length === 0 ? { fault: 'noRange' } : { filter: combined('or', filters) };
}

/** @returns `undefined` if the range has no end, or one that is not a time. */
function timesBetween(low: string, high: string, column: ColumnId): Filter | undefined {
  const first = typedPeriod(low);
  const last = typedPeriod(high);
  return (first ?? last) && (first ?? low === '') && (last ?? high === '')
    ? {
        op: 'dateRange',
        column,
        ...(first && { from: first[0] }),
        ...(last && { to: last[1] }),
      }
    : undefined;
}

function unquote(text: string): string {
  return /^"[^]*"$/.test(text) && text.length > 1 ? text.slice(1, -1) : text;
}
