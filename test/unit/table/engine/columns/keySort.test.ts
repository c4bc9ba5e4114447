import assert from 'node:assert/strict';
import { sortRows } from '../../../../../src/table/engine/columns/keySort';
import {
  kindDate,
  kindInvalid,
  kindNull,
  kindText,
} from '../../../../../src/table/engine/columns/kinds';
import { begins, open, same } from '../../../../../src/table/engine/columns/ties';
import { Random } from '../../../../../src/demo/random';
import { fc } from '../../../../helpers/property';

type Key = readonly [kind: number, high: number, low: number];

/** Enough for buckets that are split again. */
const manyRows = 150_000;
const tiedOf = (kind: number) => (kind === kindText ? open : same);

describe('Sort of keys', () => {
  const kind = fc.integer({ min: 0, max: kindInvalid });
  const word = fc.oneof(
    fc.integer({ min: 0, max: 2 }),
    fc.integer({ min: 0, max: 0xffff_ffff }),
    fc.integer({ min: 0, max: 31 }).map((bit) => (1 << bit) >>> 0),
  );

  it('orders rows as a plain sort does', () => {
    fc.assert(
      fc.property(fc.array(fc.tuple(kind, word, word), { maxLength: 200 }), (keys) => {
        assertSorted(keys);
      }),
    );
  });

  const random = new Random(20_261_124, 1, 1);
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
    it(`orders many keys ${name}`, () => {
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

function assertSorted(keys: readonly Key[]): void {
  const expected = keys
    .map((key, row) => ({ key, row }))
    .filter(({ key: [kind] }) => kind < kindNull)
    .sort((one, other) => compareKeys(one.key, other.key) || one.row - other.row);
  const expectedStates = expected.map(({ key }, at) => {
    const before = expected[at - 1];
    return before && compareKeys(before.key, key) === 0 ? tiedOf(key[0]) : begins;
  });
  const { rows, states } = sortRows(
    {
      kinds: Uint8Array.from(keys, ([kind]) => kind),
      high: Uint32Array.from(keys, ([, high]) => high),
      low: Uint32Array.from(keys, ([, , low]) => low),
    },
    tiedOf,
  );
  // As bytes: comparing so many numbers one by one takes seconds.
  const expectedRows = Uint32Array.from(expected, ({ row }) => row);
  assert.ok(Buffer.from(expectedRows.buffer).equals(Buffer.from(rows.buffer)));
  assert.ok(Buffer.from(expectedStates).equals(Buffer.from(states)));
}
