import assert from 'node:assert/strict';
import { Pace } from '../../../src/table/pace';
import type { Query } from '../../../src/table/types';
import { openCore, tableFolder, work } from '../../helpers/tableFiles';

describe('ColumnStore', () => {
  const folder = tableFolder();

  it('keeps the columns that a query needs while it builds others, however little it may keep', async () => {
    const file = folder.write('a.ndjson', '{"a":2,"b":1}\n{"a":1,"b":2}\n{"a":2}\n');
    for (const maxValues of [1e6, 0]) {
      const columnLimits = { maxValues, maxTextBytes: 1e6, triedRows: 1e6 };
      const core = await openCore(file, { keptBytes: 1, columnLimits });
      const a = { op: 'equals', column: '/a', text: '2' } as const;
      const b = { op: 'present', column: '/b' } as const;
      assert.equal((await core.query({ filter: a }, work())).rows, 2);
      assert.equal((await core.query({ filter: { op: 'and', of: [a, b] } }, work())).rows, 1);
      assert.equal((await core.query({ filter: a }, work())).rows, 2);
      const byBoth: Query = { groupBy: ['/a', '/b'] };
      assert.equal((await core.query(byBoth, work())).groups, 3);
      core.close();
    }
  });

  it('puts a wide column in order once for all who ask at the same time', async () => {
    const rows = 300;
    // Alike in what the keys hold of them, so that the texts decide; each value is there twice.
    const lines = Array.from(
      { length: rows },
      (_, row) => `{"a":"${row % 2 === 0 ? 'one' : 'two'} and the same ${(row * 7) % (rows / 2)}"}`,
    );
    const columnLimits = { maxValues: 0, maxTextBytes: 1e6, triedRows: 1e6 };
    const file = folder.write('a.ndjson', lines.join('\n'));
    const alone = await openCore(file, { columnLimits });
    const { total } = await alone.distinct('/a', {}, work());
    const sort = [{ column: '/a', descending: true }];
    const expected = await alone.query({ sort }, work());
    const core = await openCore(file, { columnLimits });
    assert.equal(await core.count({ op: 'present', column: '/a' }, work()), rows);
    const [values, view, again] = await Promise.all([
      core.distinct('/a', {}, work()),
      core.query({ sort }, work()),
      core.distinct('/a', {}, work()),
    ]);
    assert.deepEqual([values.total, again.total], [total, total]);
    assert.deepEqual(values, again);
    assert.deepEqual(
      core.rows(view.id, 0, rows, ['/a'], work()).rows,
      alone.rows(expected.id, 0, rows, ['/a'], work()).rows,
    );
    assert.equal(core.store.built, 1);
    alone.close();
    core.close();
  });

  it('goes on with the next who ask after one was ended or failed', async () => {
    const lines = Array.from({ length: 2000 }, (_, row) => `{"a":"value ${row % 700}"}`);
    const columnLimits = { maxValues: 0, maxTextBytes: 1e6, triedRows: 1e6 };
    const core = await openCore(folder.write('a.ndjson', lines.join('\n')), { columnLimits });
    const [ended, waiting] = [new Pace(), new Pace()];
    const asked = [
      core.distinct('/a', {}, work(ended)),
      core.distinct('/a', {}, work(waiting)),
      core.distinct('/a', {}, work()),
    ];
    ended.end('cancelled');
    waiting.end('cancelled');
    const [first, second, third] = await Promise.allSettled(asked);
    assert.deepEqual([first?.status, second?.status], ['rejected', 'rejected']);
    assert.equal(third?.status === 'fulfilled' && third.value.total, 700);
    core.close();
  });
});
