import assert from 'node:assert/strict';
import { countColumn } from '../../../../src/engine/data/answers';
import { openCore, tableFolder, work } from '../../../helpers/tableFiles';

describe('A copy of groups', () => {
  const folder = tableFolder();

  it('A copy of groups has values and counts, with secrets masked and formulas neutralized', async () => {
    const lines = [
      { kind: '=1+1', password: 'hunter2' },
      { kind: 'b', password: 'hunter3' },
      { kind: '=1+1', password: 'hunter2' },
    ];
    const core = await openCore(
      folder.write('a.ndjson', lines.map((line) => JSON.stringify(line)).join('\n')),
    );
    const { id } = await core.query({ query: { groupBy: ['/kind', '/password'] } }, work());
    const all = { view: id, from: 0, count: 9, headings: true, countName: 'Rows' };
    const columns = ['/kind', '/password', countColumn];
    const masked = { ...work(), reveal: false };
    const secret = '\u2022'.repeat(8);
    assert.deepEqual(await core.copy({ ...all, columns, format: 'csv' }, masked), {
      text: `kind,password,Rows\r\n'=1+1,${secret},2\r\nb,${secret},1\r\n`,
      rows: 2,
      cut: false,
    });
    const shown = await core.copy({ ...all, columns, format: 'json' }, { ...work(), reveal: true });
    assert.deepEqual(JSON.parse(shown.text), [
      { kind: '=1+1', password: 'hunter2', Rows: 2 },
      { kind: 'b', password: 'hunter3', Rows: 1 },
    ]);
    const part = { ...all, from: 1, columns: [countColumn], headings: false };
    assert.equal((await core.copy({ ...part, format: 'tsv' }, masked)).text, '1\r\n');
    await assert.rejects(core.copy({ ...all, columns: ['/none'], format: 'tsv' }, masked), {
      code: 'badRequest',
    });
    core.close();
  });
});
