import { typedPeriod } from './datePeriod';
import type { Comparison, Range } from './filterLanguage';
import { formatJsonNumber } from './writtenNumbers';

/** What a number has to be; `number` is written as in JSON. */
export interface NumberBound {
  readonly is: Comparison['op'];
  readonly number: string;
}

/** From (inclusive) to (exclusive), in milliseconds since the epoch; one may be absent. */
export interface TimeBounds {
  readonly from?: number;
  readonly to?: number;
}

/** What was typed, as a condition on numbers and as one on times: `2026` is both. */
export interface Bounds {
  /** All of them hold; empty if it is no number. */
  readonly numbers: readonly NumberBound[];
  /** `undefined` if it is no time. */
  readonly times: TimeBounds | undefined;
}

/**
 * Reads a comparison or a range as numbers and as times.
 * @param hasCommas whether a number may have a decimal comma, as its column has.
 */
export function readBounds(test: Comparison | Range, hasCommas = false): Bounds {
  return 'op' in test ? readComparison(test, hasCommas) : readRange(test, hasCommas);
}

function readComparison({ op, value }: Comparison, hasCommas: boolean): Bounds {
  const number = readNumber(value, hasCommas);
  const period = typedPeriod(value);
  return {
    numbers: number === undefined ? [] : [{ is: op, number }],
    times: period && timesFrom(op, period),
  };
}

/** Both ends of a period count as in it: after a month is after its last day. */
function timesFrom(op: Comparison['op'], [from, to]: readonly [number, number]): TimeBounds {
  switch (op) {
    case '<':
      return { to: from };
    case '<=':
      return { to };
    case '>':
      return { from: to };
    case '>=':
      return { from };
    case '=':
      return { from, to };
  }
}

function readRange({ low, high }: Range, hasCommas: boolean): Bounds {
  const ends = (
    [
      ['>=', low],
      ['<=', high],
    ] as const
  ).filter(([, end]) => end !== '');
  const numbers = ends.flatMap(([is, end]): NumberBound[] => {
    const number = readNumber(end, hasCommas);
    return number === undefined ? [] : [{ is, number }];
  });
  const [first, last] = [typedPeriod(low), typedPeriod(high)];
  const areTimes = (first ?? last) && (first ?? low === '') && (last ?? high === '');
  return {
    numbers: numbers.length === ends.length ? numbers : [],
    times: areTimes
      ? { ...(first && { from: first[0] }), ...(last && { to: last[1] }) }
      : undefined,
  };
}

/** The number that was typed, also as its column writes numbers; `undefined` if it is none. */
function readNumber(typed: string, hasCommas: boolean): string | undefined {
  if (!typed.includes(',')) {
    return formatJsonNumber(typed);
  }
  return hasCommas ? formatJsonNumber(typed.replaceAll('.', '')) : undefined;
}
