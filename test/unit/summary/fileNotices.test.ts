import assert from 'node:assert/strict';
import type { TableInfo } from '../../../src/engine/data/tableInfo';
import { whyNoRows } from '../../../src/summary/fileNotices';
import { column } from '../../helpers/column';

describe('Why a table has no rows', () => {
  const why = (info: Partial<TableInfo>) =>
    whyNoRows({ columns: [], invalidRows: 0, ...info } as TableInfo);

  it('Why a table has no rows is that the report has no findings, if it could have some', () => {
    for (const list of ['results[]', 'runs[].results[]', '"data.findings"[]', 'alerts{}']) {
      assert.equal(why({ list }), 'noFindings', list);
    }
    assert.equal(why({ columns: [column('a'), column('Severity')] }), 'noFindings');
  });

  it('Why a table has no rows is unknown in other files, and in those that are damaged', () => {
    for (const list of [undefined, '[]', 'users[]', 'results[].users[]', '""[]']) {
      assert.equal(why({ ...(list !== undefined && { list }) }), 'noRows', list);
    }
    assert.equal(why({ columns: [column('a')] }), 'noRows');
    for (const damage of [
      { truncated: 'record' },
      { invalidRows: 1 },
      { bytesAfterValue: 2 },
    ] as const) {
      assert.equal(why({ list: 'results[]', ...damage }), 'noRows');
    }
  });
});
