import assert from 'node:assert/strict';
import { parseRetryAfter } from '../../../../src/api/http/waits';

const now = Date.UTC(2026, 0, 15, 12, 0, 0);

function headersOf(retryAfter: string | null, date: string | null = null) {
  return { get: (name: 'retry-after' | 'date') => (name === 'date' ? date : retryAfter) };
}

describe('The Retry-After header', () => {
  for (const [value, expected] of [
    ['0', 0],
    ['120', 120_000],
    [' 3600 ', 3_600_000],
    ['99999999999', 99999999999000],
    // Never earlier than requested.
    ['1.5', 2_000],
    ['0.001', 1_000],
    ['2.0', 2_000],
    ['Thu, 15 Jan 2026 12:00:30 GMT', 30_000],
    ['Thursday, 15-Jan-26 12:00:30 GMT', 30_000],
    ['Thu Jan 15 12:00:30 2026', 30_000],
    ['Sun Nov  6 08:49:37 1994', 0],
    ['Sunday, 06-Nov-94 08:49:37 GMT', 0],
    ['Thu, 15 Jan 2026 11:59:59 GMT', 0],
    ['Wed, 31 Dec 2025 23:59:60 GMT', 0],
    ['Thu, 15 Jan 2026 12:00:60 GMT', 59_000],
    ['Thu Jan 15 12:00:60 2026', 59_000],
  ] as const) {
    it(`The Retry-After header "${value}" is parsed as ${expected} ms`, () => {
      assert.equal(parseRetryAfter(headersOf(value), now), expected);
    });
  }

  for (const value of [
    null,
    '',
    'soon',
    '-1',
    '+5',
    '1.',
    '.5',
    '1.5.2',
    '0x10',
    '1e3',
    '10 s',
    'soon, later',
    '2026-01-15T12:00:30Z',
    'Thu, 15 Jan 2026 12:00:30',
    'Thu, 15 Jan 2026 12:00:30 UTC',
    'Thu, 15 jan 2026 12:00:30 GMT',
    'Thu, 31 Feb 2026 12:00:30 GMT',
    'Thu, 15 Jan 2026 24:00:30 GMT',
    'Thu, 15 Jan 2026 12:00:61 GMT',
    'Thu Jan 15 12:00:75 2026',
  ]) {
    it(`The Retry-After header ${JSON.stringify(value)} is ignored`, () => {
      assert.equal(parseRetryAfter(headersOf(value), now), undefined);
    });
  }

  for (const [value, expected] of [
    ['3, 2', 3_000],
    ['2,3', 3_000],
    ['1,5', 5_000],
    ['soon, 2', 2_000],
    ['5, Thu, 15 Jan 2026 12:00:30 GMT', 30_000],
    ['Thu, 15 Jan 2026 12:00:30 GMT, 40', 40_000],
    ['Thu Jan 15 12:00:30 2026, Thursday, 15-Jan-26 12:00:31 GMT', 31_000],
  ] as const) {
    it(`The Retry-After header waits the longest of "${value}"`, () => {
      assert.equal(parseRetryAfter(headersOf(value), now), expected);
    });
  }

  for (const [sent, expected] of [
    ['Thu, 15 Jan 2026 13:00:00 GMT', 3_000],
    ['Thu, 15 Jan 2026 12:59:00 GMT', 63_000],
    ['Thu, 15 Jan 2026 14:00:00 GMT', 0],
    ['Thu, 15 Jan 2026 13:00:00 GMT, Thu, 15 Jan 2026 13:00:01 GMT', 3_000],
    ['not a date', 3_603_000],
  ] as const) {
    it(`The Retry-After header compares a date with the Date "${sent}" of the same response`, () => {
      const headers = headersOf('Thu, 15 Jan 2026 13:00:03 GMT', sent);
      assert.equal(parseRetryAfter(headers, now), expected);
    });
  }
});
