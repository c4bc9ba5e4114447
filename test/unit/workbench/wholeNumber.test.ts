import assert from 'node:assert/strict';
import { parseWholeNumber } from '../../../src/workbench/wholeNumber';

describe('parseWholeNumber', () => {
  for (const [text, number] of [
    ['1', 1],
    [' 30000 ', 30_000],
    ['41,237', 41_237],
    ['41.237', 41_237],
    ['41\u202f237', 41_237],
    ['1\u2019234\u2019567', 1_234_567],
  ] as const) {
    it(`parseWholeNumber parses "${text}"`, () => {
      assert.equal(parseWholeNumber(text), number);
    });
  }

  for (const text of [
    '',
    '0',
    '-1',
    '1.5',
    '01',
    '1,23',
    '1,2345',
    '1,234.567',
    '1e3',
    'two',
    '0,123',
  ]) {
    it(`parseWholeNumber refuses "${text}"`, () => {
      assert.equal(parseWholeNumber(text), undefined);
    });
  }
});
