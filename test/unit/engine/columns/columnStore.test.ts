import assert from 'node:assert/strict';
import { YieldBudget } from '../../../../src/engine/threads/yieldBudget';
import type { TableCore } from '../../../../src/engine/tableCore';
import { TableError } from '../../../../src/engine/data/tableError';
import type { Query } from '../../../../src/engine/data/query';
import { countRows, openCore, tableFolder, work } from '../../../helpers/tableFiles';

describe('ColumnStore', () => {
  const folder = tableFolder();

  it('ColumnStore keeps the columns of a query while it builds others, even above the memory limit', async () => {
    const file = folder.write('a.ndjson', '{"a":2,"b":1}\n{"a":1,"b":2}\n{"a":2}\n');
    for (const maxValues of [1e6, 0]) {
      const columnLimits = { maxValues, maxTextBytes: 1e6, triedRows: 1e6 };
      const core = await openCore(file, { cachedBytes: 1, columnLimits });
      const a = { op: 'equals', column: '/a', text: '2' } as const;
      const b = { op: 'present', column: '/b' } as const;
      assert.equal((await core.query({ query: { filter: a } }, work())).rows, 2);
      assert.equal(
        (await core.query({ query: { filter: { op: 'and', of: [a, b] } } }, work())).rows,
        1,
      );
      assert.equal((await core.query({ query: { filter: a } }, work())).rows, 2);
      const byBoth: Query = { groupBy: ['/a', '/b'] };
      assert.equal((await core.query({ query: byBoth }, work())).groups, 3);
      core.close();
    }
  });

  it('ColumnStore sorts a column once for concurrent calls', async () => {
    const rows = 300;
    // Alike in what the keys hold of them, so that the texts decide; each value is there twice.
    const lines = Array.from(
      { length: rows },
      (_, row) => `{"a":"${row % 2 === 0 ? 'one' : 'two'} and the same ${(row * 7) % (rows / 2)}"}`,
    );
    const columnLimits = { maxValues: 0, maxTextBytes: 1e6, triedRows: 1e6 };
    const file = folder.write('a.ndjson', lines.join('\n'));
    const alone = await openCore(file, { columnLimits });
    const { total } = await alone.distinct({ column: '/a' }, work());
    const sort = [{ column: '/a', descending: true }];
    const expected = await alone.query({ query: { sort } }, work());
    const core = await openCore(file, { columnLimits });
    assert.equal(await countRows(core, { op: 'present', column: '/a' }), rows);
    const [values, view, again] = await Promise.all([
      core.distinct({ column: '/a' }, work()),
      core.query({ query: { sort } }, work()),
      core.distinct({ column: '/a' }, work()),
    ]);
    assert.deepEqual([values.total, again.total], [total, total]);
    assert.deepEqual(values, again);
    assert.deepEqual(
      core.rows({ view: view.id, from: 0, count: rows, columns: ['/a'] }, work()).rows,
      alone.rows({ view: expected.id, from: 0, count: rows, columns: ['/a'] }, work()).rows,
    );
    assert.equal(core.store.built, 1);
    alone.close();
    core.close();
  });

  it('ColumnStore answers the next call after earlier ones were cancelled', async () => {
    const lines = Array.from({ length: 2000 }, (_, row) => `{"a":"value ${row % 700}"}`);
    const columnLimits = { maxValues: 0, maxTextBytes: 1e6, triedRows: 1e6 };
    const core = await openCore(folder.write('a.ndjson', lines.join('\n')), { columnLimits });
    const [ended, waiting] = [new YieldBudget(), new YieldBudget()];
    const asked = [
      core.distinct({ column: '/a' }, work(ended)),
      core.distinct({ column: '/a' }, work(waiting)),
      core.distinct({ column: '/a' }, work()),
    ];
    ended.end('cancelled');
    waiting.end('cancelled');
    const [first, second, third] = await Promise.allSettled(asked);
    assert.deepEqual([first?.status, second?.status], ['rejected', 'rejected']);
    assert.equal(third?.status === 'fulfilled' && third.value.total, 700);
    core.close();
  });

  it('ColumnStore sorts long texts with common prefixes completely, even in little memory', async () => {
    const alike = 'https://example.com/'.repeat(20);
    const texts = Array.from(
      { length: 500 },
      (_, row) => `${row % 3}${alike}${(row * 7919) % 250}${alike}${row % 2 === 0 ? 'x' : ''}`,
    );
    const file = folder.write('a.ndjson', texts.map((a) => JSON.stringify({ a })).join('\n'));
    const expected = texts
      .map((text, row) => ({ text, row }))
      .sort((one, other) => (one.text < other.text ? -1 : one.text > other.text ? 1 : 0));
    for (const tieBytes of [undefined, 20_000, 600]) {
      const columnLimits = { ...wide, ...(tieBytes && { tieBytes }) };
      const core = await openCore(file, { columnLimits });
      const view = await core.query(
        { query: { sort: [{ column: '/a', descending: false }] } },
        work(),
      );
      assert.deepEqual(
        recordsOf(core, view.id, texts.length),
        expected.map(({ row }) => row),
      );
      core.close();
    }
  });

  it('ColumnStore sorts and groups texts and numbers exactly that are longer than what fits', async () => {
    const [letters, digits] = ['x'.repeat(5000), '1'.repeat(1500)];
    const texts = Array.from({ length: 60 }, (_, row) => `"${row % 2}${letters}${9 - (row % 10)}"`);
    const numbers = Array.from({ length: 40 }, (_, row) => `${digits}${1 + ((row * 7) % 10)}`);
    for (const values of [texts, numbers]) {
      const file = folder.write('a.ndjson', values.map((a) => `{"a":${a}}`).join('\n'));
      const core = await openCore(file, { columnLimits: { ...wide, tieBytes: 600 } });
      const view = await core.query(
        { query: { sort: [{ column: '/a', descending: false }] } },
        work(),
      );
      const expected = values
        .map((text, row) => ({ text, row }))
        .sort((one, other) => (one.text < other.text ? -1 : Number(one.text > other.text)));
      assert.deepEqual(
        recordsOf(core, view.id, values.length),
        expected.map(({ row }) => row),
      );
      const groups = await core.query({ query: { groupBy: ['/a'] } }, work());
      assert.equal(groups.groups, new Set(values).size);
      core.close();
    }
  });

  it('ColumnStore can sort a column after a cancelled sort', async () => {
    const texts = Array.from({ length: 30 }, (_, row) => `the same beginning ${row % 15}`);
    const file = folder.write('a.ndjson', texts.map((a) => JSON.stringify({ a })).join('\n'));
    let ended = 0;
    for (let isDone = false; !isDone; ended += isDone ? 0 : 1) {
      const core = await openCore(file, {
        columnLimits: { ...wide, tieBytes: 1 },
      });
      const asked = core.distinct({ column: '/a' }, work(new EndedPace(ended + 1)));
      isDone = await asked.then(
        () => true,
        (error: unknown) => {
          assert.ok(error instanceof TableError && error.code === 'cancelled');
          return false;
        },
      );
      assert.equal((await core.distinct({ column: '/a' }, work())).total, 15);
      core.close();
    }
    assert.ok(ended > 5, String(ended));
  });
});

/** Pauses wherever that is possible, and is ended at the last of so many. */
class EndedPace extends YieldBudget {
  constructor(private pauses: number) {
    super();
  }

  override shouldYield(): boolean {
    return true;
  }

  override async pause(): Promise<void> {
    this.pauses -= 1;
    if (this.pauses === 0) {
      this.end('cancelled');
    }
    return super.pause();
  }
}

const wide = { maxValues: 0, maxTextBytes: 1e6, triedRows: 1e6 };

function recordsOf(core: TableCore, view: number, count: number): number[] {
  const records: number[] = [];
  while (records.length < count) {
    const { rows } = core.rows({ view, from: records.length, count: 200, columns: ['/a'] }, work());
    records.push(...rows.map(({ record }) => record));
  }
  return records;
}
