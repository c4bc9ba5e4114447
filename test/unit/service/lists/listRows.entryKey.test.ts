import assert from 'node:assert/strict';
import { type JsonObject } from '../../../../src/base/json/json';
import { entryKey, findingKey, RowsByKey } from '../../../../src/service/lists/listRows';

describe('Entries with the same id but different content', () => {
  for (const [what, id, choose] of [
    ['findings', 'issue_id', findingKey],
    ['entries of a collection', 'id', entryKey],
  ] as const) {
    it(`Entries with the same id but different content get distinct keys without reading the first entry again for each (${what})`, () => {
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

describe('Equal findings without an id', () => {
  for (const [what, choose] of [
    ['a finding', findingKey],
    ['an entry of a collection', entryKey],
  ] as const) {
    it(`Equal findings without an id get distinct keys with two lookups each at most (${what})`, () => {
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
