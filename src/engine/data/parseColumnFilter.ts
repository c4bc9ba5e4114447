import { compareNumbers } from '../../vocabulary/compareNumbers';
import { type Bounds, readBounds, type TimeBounds } from '../../vocabulary/filterBounds';
import {
  type Comparison,
  type FilterCondition,
  type FilterTest,
  parseConditions,
  type TextTest,
} from '../../vocabulary/filterLanguage';
import type { Column, ColumnId, ColumnType } from './column';
import type { Filter } from './query';
import type { FilterFault } from '../../vocabulary/filterFaults';

/** Without a filter if nothing was typed. */
type ParsedFilter = { readonly filter?: Filter } | { readonly fault: FilterFault };

/** What of a column decides how a test is read. */
interface Target {
  readonly column: ColumnId;
  readonly type: ColumnType;
  /** Whether its type says which kinds of values it has. */
  readonly isSure: boolean;
  readonly hasCommas: boolean;
  readonly hasSeverities: boolean;
}

/** Parses what a user typed into the filter of a column; for the language, see `filterLanguage.ts`. */
export function parseColumnFilter(typed: string, column: Column): ParsedFilter {
  const target: Target = {
    column: column.id,
    type: column.type,
    // A column without values has no type that a filter could be wrong for.
    isSure: column.verified && column.empty !== true,
    hasCommas: column.form === 'decimalComma',
    hasSeverities: column.role === 'severity',
  };
  const conditions = parseConditions(typed, { areSeverities: column.role === 'severity' });
  const parsed = conditions.map((condition) => readCondition(condition, target));
  return joinAny(parsed);
}

/** Whether `a..b` is a range in a column of this type; in others it is a text. */
export function hasRanges(type: ColumnType): boolean {
  return type === 'number' || type === 'date' || type === 'mixed';
}

function readCondition({ isNegated, tests }: FilterCondition, target: Target): ParsedFilter {
  const parsed = joinAny(tests.map((test) => readTest(test, target)));
  if (!isNegated || 'fault' in parsed || !parsed.filter) {
    return parsed;
  }
  const { filter } = parsed;
  return {
    filter: filter.op === 'present' ? { ...filter, op: 'empty' } : { op: 'not', of: filter },
  };
}

/** The first fault counts. */
function joinAny(parsed: readonly ParsedFilter[]): ParsedFilter {
  const filters = parsed.flatMap((one): readonly Filter[] =>
    'fault' in one || !one.filter ? [] : [one.filter],
  );
  const fault = parsed.find((one) => 'fault' in one);
  return fault ?? (filters.length === 0 ? {} : { filter: joined('or', filters) });
}

function joined(op: 'and' | 'or', filters: readonly Filter[]): Filter {
  const [first] = filters;
  return filters.length === 1 && first ? first : { op, of: filters };
}

function readTest(test: FilterTest, target: Target): ParsedFilter {
  const { column } = target;
  switch (test.op) {
    case 'present':
      return { filter: { op: 'present', column } };
    case 'exactly':
      return { filter: { op: 'equals', column, text: test.text, matchCase: true } };
    case 'contains':
    case 'startsWith':
    case 'endsWith':
      return readText(test, target);
    default:
      return readComparison(test, target);
  }
}

function readComparison(test: Comparison, target: Target): ParsedFilter {
  const { column, type, isSure, hasCommas, hasSeverities } = target;
  const isEqual = test.op === '=';
  const { numbers, times } = readBounds(test, hasCommas);
  // Each value is compared as what it is. A column of one type has no others: `> 2026` is a number
  // among numbers, and a year among dates.
  const usedNumbers = (type === 'date' && times) || (isEqual && type === 'text') ? [] : numbers;
  const usedTimes = type === 'number' && numbers.length > 0 ? undefined : times;
  const isText =
    isEqual &&
    !(type === 'number' && usedNumbers.length > 0) &&
    !(type === 'date' && usedTimes !== undefined);
  const filters: Filter[] = [
    ...(isText ? [{ op: 'equals', column, text: test.value } as const] : []),
    ...boundFilters(column, { numbers: usedNumbers, times: usedTimes }),
  ];
  if (filters.length === 0) {
    return { fault: hasSeverities && type === 'text' ? 'onlySeverities' : 'noNumber' };
  }
  const fault =
    isEqual || !isSure ? undefined : findMissingKind(type, usedNumbers.length > 0, usedTimes);
  return fault ? { fault } : { filter: joined('or', filters) };
}

/** Why no value of a column can be less or greater: it has no numbers, or none of the dates that were typed. */
function findMissingKind(
  type: ColumnType,
  areNumbers: boolean,
  times: TimeBounds | undefined,
): FilterFault | undefined {
  switch (type) {
    case 'number':
      return areNumbers ? undefined : 'onlyNumbers';
    case 'date':
      return times ? undefined : 'onlyDates';
    case 'mixed':
      return undefined;
    default:
      // A column of texts may have dates, too.
      return times ? undefined : 'noNumbers';
  }
}

function readText(test: TextTest, target: Target): ParsedFilter {
  const { range, day, op, text } = test;
  const { column, type, isSure, hasCommas } = target;
  const bounds = range && readBounds(range, hasCommas);
  if (bounds && hasRanges(type)) {
    const used: Bounds = {
      numbers: type === 'date' && bounds.times ? [] : bounds.numbers,
      times: type === 'number' && bounds.numbers.length > 0 ? undefined : bounds.times,
    };
    if (areReversed(used)) {
      return { fault: 'reversedRange' };
    }
    const filters = boundFilters(column, used);
    return filters.length === 0 ? { fault: 'noRange' } : { filter: joined('or', filters) };
  }
  const times =
    bounds?.times ?? (day && type === 'date' ? { from: day[0], to: day[1] } : undefined);
  if (isSure && bounds && !times && bounds.numbers.length > 0) {
    return { fault: 'noNumbers' };
  }
  // A column of texts may have times, too.
  return {
    filter: joined('or', [{ op, column, text }, ...boundFilters(column, { numbers: [], times })]),
  };
}

/** Whether a range ends before it begins, as numbers and as times. */
function areReversed({ numbers, times }: Bounds): boolean {
  const [low, high] = numbers;
  const { from, to } = times ?? {};
  const reversed = [
    ...(low && high ? [compareNumbers(low.number, high.number) > 0] : []),
    ...(from !== undefined && to !== undefined ? [from >= to] : []),
  ];
  return reversed.length > 0 && reversed.every(Boolean);
}

function boundFilters(column: ColumnId, { numbers, times }: Bounds): Filter[] {
  const compared = numbers.map((bound): Filter => ({ op: 'compare', column, ...bound }));
  return [
    ...(compared.length > 0 ? [joined('and', compared)] : []),
    ...(times ? [{ op: 'dateRange', column, ...times } as const] : []),
  ];
}
