import assert from 'node:assert/strict';
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
});
