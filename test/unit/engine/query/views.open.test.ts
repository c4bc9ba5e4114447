import assert from 'node:assert/strict';
import { wholeFile } from '../../../../src/engine/data/query';
import { openCore, tableFolder, work } from '../../../helpers/tableFiles';

describe('The open findings of a view', () => {
  const folder = tableFolder();
  const statuses = ['active', 'resolved', null, 'active', 'decayed', 'active'];
  const lines = statuses.map((status, row) =>
    JSON.stringify({
      severity: row < 4 ? 'high' : 'low',
      host: `h${row % 2}.example`,
      status,
      // One of several such columns is enough.
      ...(row === 3 && { false_positive: true }),
    }),
  );
  const open = () => openCore(folder.write('a.ndjson', lines.join('\n')));

  it('The open findings of a view are counted among the rows of a filter', async () => {
    const core = await open();
    const filter = { op: 'equals', column: '/severity', text: 'high' } as const;
    const view = await core.query({ query: { filter } }, work());
    assert.deepEqual([view.rows, view.open], [4, 2]);
    core.close();
  });

  it('The open findings of a view are counted in each group, by one column and by several', async () => {
    const core = await open();
    const counts = async (...groupBy: readonly string[]) => {
      const { id, open: all } = await core.query({ query: { groupBy } }, work());
      const { groups } = core.groups({ view: id, from: 0, count: 9 }, work());
      return [all, groups.map(({ values, count, open: some }) => [values[0]?.text, count, some])];
    };
    assert.deepEqual(await counts('/severity'), [
      3,
      [
        ['high', 4, 2],
        ['low', 2, 1],
      ],
    ]);
    assert.deepEqual(await counts('/severity', '/host'), [
      3,
      [
        ['high', 2, 2],
        ['high', 2, 0],
        ['low', 1, 0],
        ['low', 1, 1],
      ],
    ]);
    core.close();
  });

  it('The open findings of a view are as many as in the overview', async () => {
    const core = await open();
    const overview = await core.readOverview({ now: 0, scope: 'open' }, work());
    core.charts();
    await core.checked();
    const { id, open: counted } = await core.query({ query: { groupBy: ['/host'] } }, work());
    assert.notEqual(id, wholeFile);
    assert.equal(counted, overview.rows);
    assert.equal(core.info().rows - core.charts().closed, overview.rows);
    core.close();
  });

  it('The open findings of a view are as many whether their rows are read alone or with columns', async () => {
    const more = [...lines, '{"status":', JSON.stringify({ severity: 'high' })];
    const file = folder.write('d.ndjson', more.join('\n'));
    for (const isKnown of [false, true]) {
      const core = await openCore(file);
      await core.checked();
      if (isKnown) {
        const found = await core.identify({ view: wholeFile, from: 0, count: 1 }, work());
        const known = found.map((row) => ({ ...row, label: 'Not ours', reason: 'notOurs' }));
        await core.setKnown({ known }, work());
      }
      // The first row and the third differ by their statuses, and are one finding.
      const expected = isKnown ? 1 : 3;
      // No column is built for a text anywhere.
      const anywhere = { op: 'anywhere', text: 'high' } as const;
      const alone = await core.query({ query: { filter: anywhere } }, work());
      const column = { op: 'equals', column: '/severity', text: 'high' } as const;
      const inColumn = await core.query({ query: { filter: column } }, work());
      assert.deepEqual([alone.rows, alone.open], [5, expected]);
      assert.deepEqual([inColumn.rows, inColumn.open], [5, expected]);
      // What is kept of them holds until somebody decides about another finding.
      await core.setKnown({ known: [] }, work());
      const again = await core.query({ query: { filter: column } }, work());
      assert.equal(again.open, 3);
      core.close();
    }
  });

  it('The open findings of a view are counted in groups while another view is made', async () => {
    const count = 80_000;
    const rows = Array.from(
      { length: count },
      (_, row) => `f${row},high,${row % 2 ? 'active' : 'resolved'}`,
    );
    const core = await openCore(
      folder.write('e.csv', ['issue_id,severity,status', ...rows].join('\n')),
    );
    const known = [{ id: 'f1', label: 'Not ours', reason: 'notOurs', severity: 'high' as const }];
    await core.setKnown({ known }, work());
    const filter = { op: 'equals', column: '/status', text: 'active' } as const;
    const column = core.info().columns[2]?.id ?? '';
    const [first, held, second] = await Promise.all([
      core.query({ query: { groupBy: [column] } }, work()),
      core.hold({ query: { filter: { ...filter, column }, groupBy: [column] } }, work()),
      core.hold({ query: { groupBy: [column] } }, work()),
    ]);
    const half = count / 2 - 1;
    assert.deepEqual([first.open, held.open, second.open], [half, half, count - 1]);
    const { groups } = core.groups({ view: first.id, from: 0, count: 9 }, work());
    assert.deepEqual(groups.map(({ open: some }) => some).toSorted(), [0, half]);
    core.close();
  });

  it('The open findings of a view are rows that can be read', async () => {
    const core = await openCore(folder.write('c.ndjson', [...lines, '{"severity":'].join('\n')));
    await core.checked();
    const { rows, open: counted } = await core.query({ query: { groupBy: ['/host'] } }, work());
    assert.deepEqual([rows, counted], [lines.length + 1, 3]);
    core.close();
  });

  it('The open findings of a view are not counted where no column tells, nor for an export', async () => {
    const core = await open();
    const query = { groupBy: ['/host'] };
    assert.equal((await core.hold({ query }, work())).open, undefined);
    core.close();
    const other = await openCore(folder.write('b.ndjson', '{"host":"a"}\n{"host":"b"}'));
    const { id, open: counted } = await other.query({ query }, work());
    assert.equal(counted, undefined);
    const { groups } = other.groups({ view: id, from: 0, count: 9 }, work());
    assert.ok(groups.every((group) => !('open' in group)));
    other.close();
  });
});
