import type { SchemaElement } from 'hyparquet-writer';
import { compareNumbers } from '../../../vocabulary/compareNumbers';
import { formatJsonNumber } from '../../../vocabulary/writtenNumbers';
import type { Cell } from '../../data/cell';

/** A value of a Parquet file, as the library takes it. */
export type ParquetValue = bigint | number | boolean | string | null;

/** How the values of a column are written. */
interface ParquetType {
  readonly element: Omit<SchemaElement, 'name' | 'repetition_type'>;
  readonly parse: (text: string) => ParquetValue;
}

const millisecondsPerDay = 86_400_000;

const formatNumber = (text: string) => formatJsonNumber(text) ?? '';

const types = {
  int64: { element: { type: 'INT64' }, parse: (text) => BigInt(formatNumber(text)) },
  double: { element: { type: 'DOUBLE' }, parse: (text) => Number(formatNumber(text)) },
  boolean: { element: { type: 'BOOLEAN' }, parse: (text) => text === 'true' },
  date: {
    element: { type: 'INT32', converted_type: 'DATE', logical_type: { type: 'DATE' } },
    parse: (text) => Date.parse(text) / millisecondsPerDay,
  },
  timestamp: {
    element: {
      type: 'INT64',
      converted_type: 'TIMESTAMP_MICROS',
      logical_type: { type: 'TIMESTAMP', isAdjustedToUTC: true, unit: 'MICROS' },
    },
    parse: parseMicroseconds,
  },
  localTimestamp: {
    element: {
      type: 'INT64',
      logical_type: { type: 'TIMESTAMP', isAdjustedToUTC: false, unit: 'MICROS' },
    },
    parse: parseMicroseconds,
  },
  string: {
    element: { type: 'BYTE_ARRAY', converted_type: 'UTF8', logical_type: { type: 'STRING' } },
    parse: (text) => text,
  },
} as const satisfies Record<string, ParquetType>;

export type ParquetTypeName = keyof typeof types;

export function parquetType(name: ParquetTypeName): ParquetType {
  return types[name];
}

/**
 * The types that all values of a column have exactly, the best first. Without one, values are written as texts.
 * @param before those of the values before; `undefined` if there are none.
 */
export function commonTypes(
  before: readonly ParquetTypeName[] | undefined,
  cell: Cell,
): readonly ParquetTypeName[] | undefined {
  if (cell.kind === 'null' || cell.kind === 'missing' || before?.length === 0) {
    return before;
  }
  const exact = findExactTypes(cell);
  return before?.filter((type) => exact.includes(type)) ?? exact;
}

/** The types that a value has exactly. */
function findExactTypes({ kind, text, masked }: Cell): readonly ParquetTypeName[] {
  const number = kind === 'number' && !masked ? formatJsonNumber(text) : undefined;
  if (number !== undefined) {
    return [
      ...(isInt64(number) ? (['int64'] as const) : []),
      ...(isExactDouble(number) ? (['double'] as const) : []),
    ];
  }
  if (kind === 'boolean' && (text === 'true' || text === 'false')) {
    return ['boolean'];
  }
  const time = kind === 'date' && !masked ? findTimeType(text) : undefined;
  return time ? [time] : [];
}

/** An integer without useless signs and digits; -0 is none. */
const integer = /^(?:0|-?[1-9]\d{0,18})$/;

function isInt64(number: string): boolean {
  return (
    integer.test(number) &&
    (number.length < 19 || BigInt.asIntN(64, BigInt(number)) === BigInt(number))
  );
}

/** Doubles keep 15 digits of any decimal, unless its exponent is beyond theirs. */
const fewDigits = /^-?[\d.]{1,15}$/;

/** Whether the double of a number, written as programs write doubles, is this number again. */
function isExactDouble(number: string): boolean {
  const value = Number(number);
  return (
    fewDigits.test(number) ||
    (Number.isFinite(value) && compareNumbers(number, String(value)) === 0)
  );
}

const time = /^(\d{4})-\d\d-\d\d([T ]\d\d:\d\d:\d\d(?:\.\d{1,6})?(Z?))?$/;

/** Before this year, Spark may refuse times, because they may be of another calendar. */
const firstYear = 1900;

/** The type of a time that is written in full; `undefined` if it does not exist, such as February 30. */
function findTimeType(text: string): ParquetTypeName | undefined {
  const [, year, clock, zone] = time.exec(text) ?? [];
  const milliseconds = Date.parse(`${text.slice(0, 10)}T${text.slice(11, 19) || '00:00:00'}Z`);
  if (year === undefined || Number(year) < firstYear || Number.isNaN(milliseconds)) {
    return undefined;
  }
  const written = new Date(milliseconds).toISOString();
  if (written.slice(0, 10) !== text.slice(0, 10)) {
    return undefined;
  }
  if (clock === undefined) {
    return 'date';
  }
  // There is no 24:00:00.
  const isTime = written.slice(11, 19) === text.slice(11, 19);
  return isTime ? (zone === 'Z' ? 'timestamp' : 'localTimestamp') : undefined;
}

function parseMicroseconds(text: string): bigint {
  const seconds = Date.parse(`${text.slice(0, 10)}T${text.slice(11, 19)}Z`) / 1000;
  const fraction = text.slice(20).replace('Z', '').padEnd(6, '0');
  return BigInt(seconds) * 1_000_000n + BigInt(fraction);
}
