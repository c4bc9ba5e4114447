import assert from 'node:assert/strict';
import { RecordHashes } from '../../../../src/engine/compare/recordHashes';
import { pair } from '../../../../src/engine/compare/pairing';
import { YieldBudget } from '../../../../src/engine/threads/yieldBudget';
import { fc } from '../../../helpers/property';

/** A record, with small numbers for hashes: its key (0: none; -1: invalid), its contents, its meaning. */
interface Hashes {
  readonly key: number;
  readonly content: number;
  readonly meaning: number;
}

/** A hash that sorts like none of its bits, or as the kernel has it for no key and for no record. */
function hashOf(number: number): bigint {
  return number <= 0 ? BigInt(number) : BigInt.asIntN(64, BigInt(number) * 0x9e37_79b9_7f4a_7c15n);
}

const nothing = () => undefined;

async function paired(older: readonly Hashes[], newer: readonly Hashes[]) {
  const all = [...older, ...newer];
  const hashes = new RecordHashes(all.length);
  const set = (address: number, number: number) => {
    const view = new DataView(hashes.kernel.bytes.buffer);
    view.setBigInt64(address, hashOf(number), true);
  };
  try {
    all.forEach(({ key, content }, row) => {
      set(hashes.key(row), key);
      set(hashes.content(row), content);
    });
    return await pair(hashes, older.length, new YieldBudget(), nothing, (row) => {
      set(hashes.content(row), all[row]?.meaning ?? 0);
    });
  } finally {
    hashes.release();
  }
}

/** A record, and the row of its partner; -1 if it is alone, -2 if it is unchanged. */
interface Paired extends Hashes {
  readonly row: number;
  partner: number;
}

/** The same in plain code. */
function expected(older: readonly Hashes[], newer: readonly Hashes[]) {
  const all = [...older, ...newer].map((each, row): Paired => ({ ...each, row, partner: -1 }));
  const isOlder = ({ row }: Paired) => row < older.length;
  const match = (one: Paired, other: Paired, isEqual: boolean) => {
    one.partner = isEqual ? -2 : other.row;
    other.partner = isEqual ? -2 : one.row;
  };
  let duplicates = 0;
  const groups = new Map<number, Paired[]>(all.map(({ key }) => [key, []]));
  for (const record of all) {
    groups.get(record.key)?.push(record);
  }
  for (const [key, group] of groups) {
    const alone = () => {
      const left = group.filter(({ partner }) => partner === -1);
      return [left.filter(isOlder), left.filter((record) => !isOlder(record))] as const;
    };
    const matchOne = () => {
      const [[one, ...more], [other, ...others]] = alone();
      if (one && other && more.length + others.length === 0 && key > 0) {
        match(one, other, one.content === other.content);
      }
    };
    const matchEqual = (by: 'content' | 'meaning') => {
      const [olderLeft, newerLeft] = alone();
      for (const record of newerLeft) {
        const at = olderLeft.findIndex((other) => other[by] === record[by]);
        for (const other of olderLeft.splice(at, at < 0 ? 0 : 1)) {
          match(other, record, true);
        }
      }
    };
    if (key < 0) {
      continue;
    }
    for (const each of alone()) {
      duplicates += key > 0 ? Math.max(0, each.length - 1) : 0;
    }
    matchOne();
    matchEqual('content');
    matchOne();
    matchEqual('meaning');
    const [olderLeft, newerLeft] = alone();
    for (const [at, record] of (key > 0 ? newerLeft : []).entries()) {
      const other = olderLeft[at];
      if (other) {
        match(other, record, false);
      }
    }
  }
  const valid = all.filter(({ key }) => key >= 0);
  const differences = [
    ...valid.filter((record) => !isOlder(record) && record.partner >= -1),
    ...valid.filter((record) => isOlder(record) && record.partner === -1),
  ];
  const count = (key: number) => ({
    before: older.filter((record) => record.key === key).length,
    after: newer.filter((record) => record.key === key).length,
  });
  return {
    rows: differences.map(({ row }) => row),
    partners: differences.map(({ partner }) => partner),
    counts: { duplicates, withoutKey: count(0), invalid: count(-1) },
  };
}

async function check(older: readonly Hashes[], newer: readonly Hashes[]): Promise<void> {
  const { rows, partners, counts } = await paired(older, newer);
  const found = { rows: [...rows], partners: [...partners], counts };
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
  it('Pairing records finds the same as plain code', async () => {
    await fc.assert(
      fc.asyncProperty(
        fc
          .integer({ min: 0, max: 20 })
          .chain((keys) => fc.tuple(records(keys, 40), records(keys, 40))),
        ([older, newer]) => check(older, newer),
      ),
    );
  });

  it('Pairing records finds the same among many records with few keys, or with one each', async () => {
    const random = (seed: number) => (number: number) =>
      Number(BigInt.asUintN(16, (BigInt(number + seed) * 0x9e37_79b9_7f4a_7c15n) >> 40n));
    for (const keys of [0, 3, 300, 20_000]) {
      const file = (seed: number, length: number) =>
        Array.from({ length }, (_, row): Hashes => {
          const content = 1 + (random(seed)(row) % 5);
          return { key: (random(seed + 7)(row) % (keys + 2)) - 1, content, meaning: content >> 1 };
        });
      await check(file(1, 6_000), file(2, 9_000));
    }
  });

  it('Pairing records pairs nothing in files without records', async () => {
    const some = [{ key: 1, content: 1, meaning: 1 }];
    await check([], []);
    await check(some, []);
    await check([], some);
  });

  it('Pairing records keeps hashes apart that share their first bits', async () => {
    const count = 3_000;
    const hashes = new RecordHashes(2 * count);
    const view = new DataView(hashes.kernel.bytes.buffer);
    for (let row = 0; row < 2 * count; row += 1) {
      // The second file has the records of the first one in the opposite order.
      const number = row < count ? row : 2 * count - 1 - row;
      view.setBigInt64(hashes.key(row), 0x1234_5678_0000_0000n + BigInt(number * 7), true);
      view.setBigInt64(hashes.content(row), BigInt(number), true);
    }
    const { rows, counts } = await pair(hashes, count, new YieldBudget(), nothing, nothing);
    hashes.release();
    assert.equal(rows.length, 0);
    assert.equal(counts.duplicates, 0);
  });
});
