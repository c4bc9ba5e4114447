import { isPlainObject } from '../base/json/json';
import type { ColumnId, Filter, Query, SortKey } from '../engine/types';

/*
 * Checks of data from another realm (a webview). Each returns the typed value with only known
 * members, or throws a CheckError.
 */

/** The data is invalid. */
export class CheckError extends Error {
  override readonly name = 'CheckError';
}

/**
 * Limits of a text, a list and a filter: far above what users need, and far below what would be
 * harmful.
 */
const maxTextLength = 10_000;
export const maxColumns = 2000;
const maxKeys = 10_000;
const maxConditions = 200;
const maxSortKeys = 20;

export function object(value: unknown): Record<string, unknown> {
  return isPlainObject(value) ? value : fail('an object');
}

export function integer(value: unknown, min: number, max = Number.MAX_SAFE_INTEGER): number {
  return Number.isSafeInteger(value) && (value as number) >= min && (value as number) <= max
    ? (value as number)
    : fail(`an integer from ${min} to ${max}`);
}

export function text(value: unknown, maxLength = maxTextLength): string {
  return typeof value === 'string' && value.length <= maxLength
    ? value
    : fail(`a text of at most ${maxLength}`);
}

export function boolean(value: unknown): boolean {
  return typeof value === 'boolean' ? value : fail('a boolean');
}

export function oneOf<T extends string>(value: unknown, all: readonly T[]): T {
  return all.find((one) => one === value) ?? fail(`one of ${all.join(', ')}`);
}

export function list<T>(value: unknown, max: number, item: (value: unknown) => T): T[] {
  return Array.isArray(value) && value.length <= max
    ? value.map(item)
    : fail(`a list of at most ${max}`);
}

export const columnIds = (value: unknown): ColumnId[] => list(value, maxColumns, (id) => text(id));

export function query(value: unknown): Query {
  const { filter: condition, sort, groupBy } = object(value);
  return {
    ...(condition !== undefined && { filter: filter(condition) }),
    ...(sort !== undefined && { sort: list(sort, maxSortKeys, sortKey) }),
    ...(groupBy !== undefined && {
      groupBy: list(groupBy, maxSortKeys, (id) => text(id)),
    }),
  };
}

/** A filter of at most 200 conditions, which also bounds its depth. */
export function filter(value: unknown): Filter {
  let left = maxConditions;
  return condition(value);

  function condition(part: unknown): Filter {
    if ((left -= 1) < 0) {
      fail(`a filter of at most ${maxConditions} conditions`);
    }
    const { op, of, column, ...rest } = object(part);
    switch (op) {
      case 'and':
      case 'or':
        return { op, of: list(of, maxConditions, condition) };
      case 'not':
        return { op, of: condition(of) };
      case 'contains':
      case 'equals':
      case 'startsWith':
      case 'endsWith':
        return {
          op,
          column: text(column),
          text: text(rest.text),
          ...(rest.matchCase !== undefined && { matchCase: boolean(rest.matchCase) }),
        };
      case 'in':
        return {
          op,
          column: text(column),
          keys: list(rest.keys, maxKeys, (key) => text(key, maxKeyLength)),
        };
      case 'compare':
        return {
          op,
          column: text(column),
          number: jsonNumber(rest.number),
          is: oneOf(rest.is, ['<', '<=', '=', '!=', '>=', '>']),
        };
      case 'dateRange':
        return {
          op,
          column: text(column),
          ...(rest.from !== undefined && { from: time(rest.from) }),
          ...(rest.to !== undefined && { to: time(rest.to) }),
        };
      case 'present':
      case 'empty':
        return { op, column: text(column) };
      case 'anywhere':
        return { op, text: text(rest.text) };
      case 'invalid':
        return { op };
      default:
        return fail('a known condition');
    }
  }
}

/** A key is the value itself; longer ones are not offered. */
const maxKeyLength = 100_000;

function sortKey(value: unknown): SortKey {
  const { column, descending } = object(value);
  return { column: text(column), descending: boolean(descending) };
}

function jsonNumber(value: unknown): string {
  const number = text(value, 1000);
  return /^-?(0|[1-9]\d*)(\.\d+)?([eE][+-]?\d+)?$/.test(number) ? number : fail('a number of JSON');
}

/** Milliseconds since the epoch, within the range of dates in JavaScript. */
export function time(value: unknown): number {
  return typeof value === 'number' && Math.abs(value) <= 8.64e15 ? value : fail('a time');
}

function fail(expected: string): never {
  throw new CheckError(`Expected ${expected}.`);
}
