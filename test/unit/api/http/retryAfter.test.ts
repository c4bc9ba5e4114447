import assert from 'node:assert/strict';
import { parseRetryAfter } from '../../../../src/api/http/retryPolicy';

const now = Date.UTC(2026, 0, 15, 12, 0, 0);

describe('Retry-After', () => {
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
  ] as const) {
    it(`RE6 "${value}" is a wait of ${expected} ms`, () => {
      assert.equal(parseRetryAfter(value, now), expected);
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
    '1,5',
    '0x10',
    '1e3',
    '10 s',
    '1, 2',
    '2026-01-15T12:00:30Z',
    'Thu, 15 Jan 2026 12:00:30',
    'Thu, 15 Jan 2026 12:00:30 UTC',
    'Thu, 15 jan 2026 12:00:30 GMT',
    'Thu, 31 Feb 2026 12:00:30 GMT',
    'Thu, 15 Jan 2026 24:00:30 GMT',
  ]) {
    it(`RE7 ${JSON.stringify(value)} is none`, () => {
      assert.equal(parseRetryAfter(value, now), undefined);
    });
  }
});
