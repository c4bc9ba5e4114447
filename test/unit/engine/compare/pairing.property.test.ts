import assert from 'node:assert/strict';
import { Fingerprints } from '../../../../src/engine/compare/fingerprints';
import { pair } from '../../../../src/engine/compare/pairing';
import { YieldBudget } from '../../../../src/engine/values/yieldBudget';
import { fc } from '../../../helpers/property';

/** A record, with small numbers for hashes: its key (0: none; -1: invalid), its contents, its meaning. */
interface Record {
  readonly key: number;
  readonly content: number;
  readonly meaning: number;
}

/** A hash that sorts like none of its bits, or as the kernel has it for no key and for no record. */
function hashOf(number: number): bigint {
  return number <= 0 ? BigInt(number) : BigInt.asIntN(64, BigInt(number) * 0x9e37_79b9_7f4a_7c15n);
}

async function paired(older: readonly Record[], newer: readonly Record[]) {
  const all = [...older, ...newer];
  const fingerprints = new Fingerprints(all.length);
  const view = () => new DataView(fingerprints.kernel.bytes.buffer);
  const set = (address: number, number: number) => {
    view().setBigInt64(address, hashOf(number), true);
  };
  try {
    all.forEach(({ key, content }, row) => {
      set(fingerprints.key(row), key);
      set(fingerprints.content(row), content);
    });
    return await pair(fingerprints, older.length, new YieldBudget(), (row) => {
      set(fingerprints.content(row), all[row]!.meaning);
    });
  } finally {
    fingerprints.release();
  }
}

/** The same in plain code. */
function expected(older: readonly Record[], newer: readonly Record[]) {
  const all = [...older, ...newer];
  const partners: number[] = all.map(({ key }) => (key < 0 ? -3 : -1));
  const groups = new Map<number, { older: number[]; newer: number[] }>();
  all.forEach(({ key }, row) => {
    const group = groups.get(key) ?? { older: [], newer: [] };
    group[row < older.length ? 'older' : 'newer'].push(row);
    groups.set(key, group);
  });
  const isAlone = (row: number) => partners[row] === -1;
  const match = (one: number, other: number, isEqual: boolean) => {
    partners[one] = isEqual ? -2 : other;
    partners[other] = isEqual ? -2 : one;
  };
  let duplicates = 0;
  for (const [key, group] of groups) {
    if (key < 0) {
      continue;
    }
    duplicates += key > 0 ? Math.max(0, group.older.length - 1) : 0;
    duplicates += key > 0 ? Math.max(0, group.newer.length - 1) : 0;
    const matchEqual = (by: 'content' | 'meaning') => {
      const left = new Map<number, number[]>();
      for (const row of group.older.filter(isAlone)) {
        const hash = all[row]![by];
        left.set(hash, [...(left.get(hash) ?? []), row]);
      }
      for (const row of group.newer.filter(isAlone)) {
        const other = left.get(all[row]![by])?.shift();
        if (other !== undefined) {
          match(other, row, true);
        }
      }
    };
    const matchOne = () => {
      const [one, other] = [group.older.filter(isAlone), group.newer.filter(isAlone)];
      if (key > 0 && one.length === 1 && other.length === 1) {
        match(one[0]!, other[0]!, all[one[0]!]!.content === all[other[0]!]!.content);
      }
    };
    matchOne();
    matchEqual('content');
    matchOne();
    matchEqual('meaning');
    const one = group.older.filter(isAlone);
    for (const [at, row] of group.newer.filter(isAlone).entries()) {
      if (key > 0 && at < one.length) {
        match(one[at]!, row, false);
      }
    }
  }
  const count = (key: number) => ({
    before: older.filter((record) => record.key === key).length,
    after: newer.filter((record) => record.key === key).length,
  });
  const newRows = newer.map((_, row) => older.length + row);
  const rows = [
    ...newRows.filter((row) => partners[row]! >= -1),
    ...older.map((_, row) => row).filter(isAlone),
  ];
  return {
    rows,
    partners: rows.map((row) => partners[row]!),
    duplicates,
    withoutKey: count(0),
    invalid: count(-1),
  };
}

async function check(older: readonly Record[], newer: readonly Record[]): Promise<void> {
  const { rows, partners, ...counts } = await paired(older, newer);
  const found = { rows: [...rows], partners: [...partners], ...counts };
  assert.deepEqual(found, expected(older, newer));
}

/** Contents with the same meaning are next to each other. */
const record = (keys: number) =>
  fc.record({
    key: fc.integer({ min: -1, max: keys }),
    content: fc.integer({ min: 1, max: 6 }),
  });
const records = (keys: number, length: number) =>
  fc
    .array(record(keys), { maxLength: length })
    .map((all) => all.map((each) => ({ ...each, meaning: (each.content + 1) >> 1 })));

describe('Pairing records', () => {
  it('finds the same as plain code', async () => {
    await fc.assert(
      fc.asyncProperty(
        fc
          .integer({ min: 0, max: 20 })
          .chain((keys) => fc.tuple(records(keys, 40), records(keys, 40))),
        ([older, newer]) => check(older, newer),
      ),
    );
  });

  it('finds the same among many records with few keys, or with one each', async () => {
    const random = (seed: number) => (number: number) =>
      Number(BigInt.asUintN(16, (BigInt(number + seed) * 0x9e37_79b9_7f4a_7c15n) >> 40n));
    for (const keys of [0, 3, 5_000, 60_000]) {
      const file = (seed: number, length: number) =>
        Array.from({ length }, (_, row): Record => {
          const content = 1 + (random(seed)(row) % 5);
          return { key: (random(seed + 7)(row) % (keys + 2)) - 1, content, meaning: content >> 1 };
        });
      await check(file(1, 20_000), file(2, 30_000));
    }
  });

  it('pairs nothing in files without records', async () => {
    const some = [{ key: 1, content: 1, meaning: 1 }];
    await check([], []);
    await check(some, []);
    await check([], some);
  });

  it('keeps hashes apart that share their first bits', async () => {
    const count = 3_000;
    const fingerprints = new Fingerprints(2 * count);
    const view = new DataView(fingerprints.kernel.bytes.buffer);
    for (let row = 0; row < 2 * count; row += 1) {
      // The second file has the records of the first one in the opposite order.
      const number = row < count ? row : 2 * count - 1 - row;
      view.setBigInt64(fingerprints.key(row), 0x1234_5678_0000_0000n + BigInt(number * 7), true);
      view.setBigInt64(fingerprints.content(row), BigInt(number), true);
    }
    const { rows, duplicates } = await pair(
      fingerprints,
      count,
      new YieldBudget(),
      () => undefined,
    );
    fingerprints.release();
    assert.equal(rows.length, 0);
    assert.equal(duplicates, 0);
  });
});
