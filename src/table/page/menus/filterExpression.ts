import type { Column, Filter } from '../../engine/types';
import { datePeriod } from './datePeriod';

/** What is wrong with an expression: no number or date where one belongs, or no end of a range. */
export type ExpressionFault = 'noNumber' | 'noRange';

export type Expression = { readonly filter?: Filter } | { readonly fault: ExpressionFault };

const jsonNumber = /^-?(0|[1-9]\d*)(\.\d+)?([eE][+-]?\d+)?$/;

/**
 * Reads what a person typed into the filter of a column: `text` contains, `"text"` contains it to
 * the letter of what is quoted, `text*` and `*text` begin and end, `=` `!=` `<` `<=` `>` `>=` compare,
 * `==` and `!==` compare with what is written, capitals and all, `a..b` is a range with both ends, `=` alone
 * is empty and `!=` alone is present. What is not a value is
 * all else: other values of any kind, and none. A date is a year, a
 * month, a day or a time, and stands for the whole of it; days are those of UTC, as the file shows them.
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
  if (range && (type === 'date' || type === 'number' || type === 'mixed')) {
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

/**
 * The expression that exactly this value meets, or all others; in quotes where it would read as something
 * else.
 */
export function equalTo(text: string, sign: '==' | '!==' = '=='): string {
  return text === text.trim() && text !== '' && !text.startsWith('"') && !text.startsWith('=')
    ? sign + text
    : `${sign}"${text}"`;
}

interface Of {
  readonly column: string;
  readonly type: Column['type'];
}

function compare(sign: string, value: string, { column, type }: Of): Expression {
  const isExact = sign === '==' || sign === '!==';
  const equal = isExact || sign === '=' || sign === '!=';
  const isNot = sign.startsWith('!');
  if (value === '' && equal) {
    return { filter: { op: isNot ? 'present' : 'empty', column } };
  }
  if (isExact) {
    return unless(isNot, { op: 'equals', column, text: value, matchCase: true });
  }
  const period = type === 'date' || !equal ? datePeriod(value) : undefined;
  const isNumber = jsonNumber.test(value);
  // `> 2026` is a number, unless the column is one of dates.
  if (period && (type === 'date' || !isNumber)) {
    return { filter: comparePeriod(sign, column, period) };
  }
  if (isNumber && (!equal || type === 'number')) {
    const is = (isNot ? '=' : sign) as '<';
    return unless(isNot, { op: 'compare', column, number: value, is });
  }
  if (!equal) {
    return { fault: 'noNumber' };
  }
  return unless(isNot, { op: 'equals', column, text: value });
}

function unless(isNot: boolean, filter: Filter): Expression {
  return { filter: isNot ? { op: 'not', of: filter } : filter };
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

function between(low: string, high: string, { column, type }: Of): Expression {
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
