import assert from 'node:assert/strict';
import { YieldBudget } from '../../../../src/engine/threads/yieldBudget';
import { countRows, openCore, tableFolder, work } from '../../../helpers/tableFiles';

describe('Value keys', () => {
  const folder = tableFolder();

  it('Value keys filter by masked and long values without containing them', async () => {
    const long = 'x'.repeat(5000);
    const lines = [
      '{"password":"p1","a":1}',
      `{"password":"p2","a":"${long}y"}`,
      `{"password":"p1","a":"${long}z"}`,
      '{"password":null,"a":[{"token":"t1"}]}',
      `{"a":"${long}y"}`,
      '{"password":"p1","a":[{"token":"t2"}]}',
      'nonsense',
    ];
    const core = await openCore(folder.write('a.ndjson', lines.join('\n')));
    const masked = () => ({ budget: new YieldBudget(), reveal: false });
    for (const column of ['/password', '/a']) {
      const { values } = await core.distinct({ column }, masked());
      assert.equal(values.length, column === '/a' ? 6 : 5);
      for (const { cell, key, count } of values) {
        assert.ok(key.length <= 1100, `a key of ${key.length}`);
        const expected = cell.kind === 'invalid' ? 0 : count;
        const filter = { op: 'in', column, keys: [key] } as const;
        assert.equal(await countRows(core, filter, masked()), expected, key);
        assert.equal(await countRows(core, { op: 'not', of: filter }, masked()), 7 - expected, key);
      }
    }
    const { id, groups = 0 } = await core.query(
      { query: { groupBy: ['/password', '/a'] } },
      masked(),
    );
    const page = core.groups({ view: id, from: 0, count: groups }, masked());
    assert.equal(page.groups.length, 7);
    assert.doesNotMatch(JSON.stringify(page), /p1|p2|t1|t2|x{400}/);
    for (const { filter, count } of page.groups) {
      assert.equal(await countRows(core, filter, masked()), count, JSON.stringify(filter));
    }
    // A page may remember a record of a longer file.
    for (const record of ['7', '-1', '1.5', 'x', '']) {
      const keys = [`row:${record}`, 'number:1'];
      assert.equal(await countRows(core, { op: 'in', column: '/a', keys }, masked()), 1);
    }
    const shown = await core.distinct({ column: '/password' }, work());
    assert.equal(shown.values[0]?.key, 'text:p1');
    core.close();
  });
});
