import type { ColumnFilter } from '../data/columnFilters';
import { type ClosingForm, isClosing } from '../../vocabulary/closing';
import { compareNumbers, comparisons } from '../../vocabulary/compareNumbers';
import { formatKey, kindDate, kindNull, kindNumber } from '../values/kinds';
import { parseDate } from '../values/measures';
import { textSearch } from '../../base/text/textSearch';

/** A condition on the values of a column. */
export interface Condition {
  readonly null: boolean;
  readonly missing: boolean;
  /** Whether a value of this kind, with these UTF-8 bytes, matches. */
  test(kind: number, bytes: Buffer, from: number, to: number): boolean;
}

const nothing = { null: false, missing: false };

export function condition(filter: ColumnFilter): Condition {
  switch (filter.op) {
    case 'contains':
    case 'equals':
    case 'startsWith':
    case 'endsWith':
      return { ...nothing, test: textTest(filter) };
    case 'in': {
      const keys = new Set(filter.keys);
      return {
        null: keys.has(formatKey(kindNull, '')),
        missing: keys.has(formatKey(kindNull + 1, '')),
        test: (kind, bytes, from, to) =>
          keys.has(formatKey(kind, bytes.toString('utf8', from, to))),
      };
    }
    case 'compare': {
      const test = comparisons[filter.is];
      return {
        ...nothing,
        test: (kind, bytes, from, to) =>
          kind === kindNumber &&
          test(compareNumbers(bytes.toString('latin1', from, to), filter.number)),
      };
    }
    case 'dateRange': {
      const { from: first = -Infinity, to: last = Infinity } = filter;
      return {
        ...nothing,
        test: (kind, bytes, from, to) => {
          const time = kind === kindDate ? parseDate(bytes, from, to) : NaN;
          return time >= first && time < last;
        },
      };
    }
    case 'present':
      return { ...nothing, test: (_kind, _bytes, from, to) => to > from };
    case 'empty':
      return { null: true, missing: true, test: (_kind, _bytes, from, to) => to === from };
    case 'closes':
      return closingCondition(filter.form);
  }
}

/** Matches the values that say that a finding is closed. */
export function closingCondition(form: ClosingForm): Condition {
  return {
    ...nothing,
    test: (_kind, bytes, from, to) => isClosing(form, bytes.toString('utf8', from, to)),
  };
}

/** For comparisons that ignore case. */
export function fold(text: string): string {
  return text.toLowerCase();
}

function textTest({
  op,
  text,
  matchCase = false,
}: Extract<ColumnFilter, { readonly text: string }>): Condition['test'] {
  const expected = matchCase ? text : fold(text);
  const tests: Record<typeof op, (value: string) => boolean> = {
    contains: textSearch(expected),
    equals: (value) => value === expected,
    startsWith: (value) => value.startsWith(expected),
    endsWith: (value) => value.endsWith(expected),
  };
  const test = tests[op];
  return (_kind, bytes, from, to) => {
    const value = bytes.toString('utf8', from, to);
    return test(matchCase ? value : fold(value));
  };
}
