import assert from 'node:assert/strict';
import {
  openValue,
  sameValue,
  sortRows,
  startsValue,
} from '../../../../src/engine/columns/keySort';
import { kindDate, kindInvalid, kindNull, kindText } from '../../../../src/engine/values/kinds';
import { Random } from '../../../../src/demo/data/random';
import { fc } from '../../../helpers/property';

type Key = readonly [kind: number, high: number, low: number];

/** Enough for buckets that are split again. */
const manyRows = 150_000;
const tiedOf = (kind: number) => (kind === kindText ? openValue : sameValue);

describe('Sorting keys', () => {
  const kind = fc.integer({ min: 0, max: kindInvalid });
  const word = fc.oneof(
    fc.integer({ min: 0, max: 2 }),
    fc.integer({ min: 0, max: 0xffff_ffff }),
    fc.integer({ min: 0, max: 31 }).map((bit) => (1 << bit) >>> 0),
  );

  it('Sorting keys orders rows as a plain sort does', () => {
    fc.assert(
      fc.property(fc.array(fc.tuple(kind, word, word), { maxLength: 200 }), (keys) => {
        assertSorted(keys);
      }),
    );
  });

  const random = new Random(20_261_124, 1);
  const any = () => random.below(2 ** 32);
  const shapes: Readonly<Record<string, (row: number) => Key>> = {
    'of one value': () => [kindText, 7, 7],
    'of any bits': () => [kindText, any(), any()],
    'of times': () => timeKey(1_700_000_000_000 + random.below(63_072_000) * 1000),
    'of times, one of them far away': (row) =>
      timeKey(row === 99 ? 0 : 1_700_000_000_000 + random.below(63_072_000) * 1000),
    'that differ in their last bits': () => [kindText, 5, random.below(100_000)],
    'that differ in their first bits': () => [kindText, any(), 3],
    'that differ in their first and last bits': () => [
      kindText,
      random.below(4096) * 2 ** 20,
      random.below(8),
    ],
    'that are nearly all one': (row) => [kindText, row % 100 === 0 ? any() : 1, row % 50],
    'alike in their first bits': (row) => [kindText, row % 3 === 0 ? 0x8000_0000 : 0, any()],
    'of few beginnings': () => [kindText, random.below(4) * 2 ** 30, random.below(60_000)],
    'of several kinds': () => [random.below(kindInvalid + 1), random.below(2), any()],
    'without a value': () => [kindNull, 0, 0],
  };
  for (const [name, keyOf] of Object.entries(shapes)) {
    it(`Sorting keys orders many keys ${name}`, () => {
      assertSorted(Array.from({ length: manyRows }, (_, row) => keyOf(row)));
    });
  }
});

function timeKey(time: number): Key {
  const [low = 0, high = 0] = new Uint32Array(new Float64Array([time]).buffer);
  return [kindDate, (high | 0x8000_0000) >>> 0, low];
}

function compareKeys(one: Key, other: Key): number {
  return one[0] - other[0] || one[1] - other[1] || one[2] - other[2];
}

/**
 * Of the rows that have a value each is there once, in the order of keys and among equal keys of rows: only one
 * order is like that, and to look at it takes a part of the time of another sort.
 */
function assertSorted(keys: readonly Key[]): void {
  const { rows, states } = sortRows(
    {
      kinds: Uint8Array.from(keys, ([kind]) => kind),
      high: Uint32Array.from(keys, ([, high]) => high),
      low: Uint32Array.from(keys, ([, , low]) => low),
    },
    tiedOf,
  );
  const isThere = new Uint8Array(keys.length);
  let before: Key | undefined;
  for (const [at, row] of rows.entries()) {
    const key = keys[row];
    // No `assert` for each of so many: that takes seconds.
    if (!key || key[0] >= kindNull || isThere[row] === 1) {
      assert.fail(`row ${row}, at ${at}, has no value or was there before`);
    }
    isThere[row] = 1;
    const order = before ? compareKeys(before, key) : -1;
    if (order > 0 || (order === 0 && (rows[at - 1] ?? 0) > row)) {
      assert.fail(`row ${row}, at ${at}, is behind ${rows[at - 1]}`);
    }
    if (states[at] !== (order === 0 ? tiedOf(key[0]) : startsValue)) {
      assert.fail(`row ${row}, at ${at}, has the state ${states[at]}`);
    }
    before = key;
  }
  assert.equal(rows.length, keys.filter(([kind]) => kind < kindNull).length);
  assert.equal(states.length, rows.length);
}
