import assert from 'node:assert/strict';
import { type JsonObject } from '../../../src/base/json/json';
import { entryKey, findingKey, isFindingOf, RowsByKey } from '../../../src/lists/loadedList';
import { maskSecrets } from '../../../src/base/json/secretFields';

const keyOf = (entry: object, ...rows: string[]) =>
  findingKey(entry as never, new RowsByKey(rows.map((key) => [key, undefined as never])));

describe('Whether a key is that of a finding', () => {
  it('is reported by the id, whatever else the finding says by now', () => {
    assert.ok(isFindingOf({ issue_id: 'a', port: 2 }, keyOf({ issue_id: 'a', port: 1 })));
    assert.ok(!isFindingOf({ issue_id: 'b', port: 1 }, keyOf({ issue_id: 'a', port: 1 })));
    assert.ok(!isFindingOf({ issue_id: 'a' }, 'a#2'));
  });

  it('is reported by what it says where it has no id, also where another says the same', () => {
    const key = keyOf({ port: 1 });
    assert.ok(isFindingOf({ port: 1 }, key));
    assert.ok(isFindingOf({ port: 1 }, keyOf({ port: 1 }, key)));
    assert.ok(!isFindingOf({ port: 2 }, key));
  });

  it('is reported of a finding that was kept without its secret-like values', () => {
    const entry = { host: 'h', password: 'p' };
    assert.ok(isFindingOf(entry, keyOf(maskSecrets(entry))));
    assert.ok(!isFindingOf({ ...entry, host: 'i' }, keyOf(maskSecrets(entry))));
  });
});

describe('Entries of one id that say different things', () => {
  for (const [what, id, choose] of [
    ['findings', 'issue_id', findingKey],
    ['entries of a collection', 'id', entryKey],
  ] as const) {
    it(`are told apart without reading the first of them again for each (${what})`, () => {
      let looks = 0;
      const first = {
        [id]: 'a',
        get text() {
          looks += 1;
          return 'long';
        },
      };
      const rows = new RowsByKey();
      const entries: JsonObject[] = [
        first,
        ...Array.from({ length: 1_000 }, (_, n) => ({ [id]: 'a', n })),
      ];
      for (const entry of entries) {
        const key = choose(entry, rows);
        assert.ok(!rows.has(key), 'none is left out');
        rows.set(key, { key, number: 1, entry });
      }
      assert.ok(looks <= 10, `${looks} looks`);
      assert.equal(rows.get(choose({ [id]: 'a', text: 'long' }, rows))?.entry, first);
      assert.deepEqual(rows.get(choose({ [id]: 'a', n: 7 }, rows))?.entry, { [id]: 'a', n: 7 });
    });
  }
});

describe('Findings that say the same and have no id', () => {
  for (const [what, choose] of [
    ['a finding', findingKey],
    ['an entry of a collection', entryKey],
  ] as const) {
    it(`are reported apart by one look each (${what})`, () => {
      let looks = 0;
      class WatchedRows extends RowsByKey {
        override has(key: string): boolean {
          looks += 1;
          return super.has(key);
        }
      }
      const rows = new WatchedRows();
      const entry: JsonObject = { ip: '192.0.2.1' };
      for (let number = 1; number <= 10_000; number += 1) {
        const key = choose(entry, rows);
        rows.set(key, { key, number, entry });
      }
      assert.equal(rows.size, 10_000);
      assert.ok(looks <= 20_000, `${looks} looks`);
    });
  }
});
