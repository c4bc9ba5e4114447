import assert from 'node:assert/strict';
import { parseColumnFilter } from '../../../../src/engine/data/parseColumnFilter';
import { type Filter, wholeFile } from '../../../../src/engine/data/query';
import { countRows, openCore, tableFolder, work } from '../../../helpers/tableFiles';

describe('Numbers in CSV', () => {
  const folder = tableFolder();

  async function open(delimiter: string, values: readonly string[]) {
    const lines = values.map((value, row) => `${row}${delimiter}${value}`);
    return openCore(folder.write('a.csv', [`row${delimiter}n`, ...lines, ''].join('\n')));
  }

  it('Numbers in CSV may be written without digits beside the point, with a plus, or with blanks', async () => {
    const values = ['.9', '+5', '5.', ' 3', '0.5', '-.25', '.00042', '1e1', '7 ', '" 2 "', '+.5E1'];
    for (const maxValues of [1e6, 0]) {
      const lines = values.map((value, row) => `${row},${value}`);
      const file = folder.write('a.csv', ['row,n', ...lines, ''].join('\n'));
      const columnLimits = { maxValues, maxTextBytes: 1e6, triedRows: 1e6 };
      const core = await openCore(file, { columnLimits });
      const column = core.info().columns[1];
      assert.ok(column);
      assert.equal(column.type, 'number');
      for (const [typed, found] of [
        ['>0.1', 9],
        ['=5', 3],
        ['=5.0', 3],
        ['>=+5', 5],
        ['<.001', 2],
        ['.5..5.', 7],
        ['==+5', 1],
      ] as const) {
        const { filter } = parseColumnFilter(typed, column) as { filter: Filter };
        assert.equal(await countRows(core, filter), found, typed);
      }
      const sort = ['/1', '/0'].map((id) => ({ column: id, descending: false }));
      const { id } = await core.query({ query: { sort } }, work());
      const { rows } = core.rows({ view: id, from: 0, count: 99 }, work());
      assert.deepEqual(
        rows.map(({ cells }) => cells[1]?.text),
        ['-.25', '.00042', '0.5', '.9', ' 2 ', ' 3', '+5', '5.', '+.5E1', '7 ', '1e1'],
      );
      core.close();
    }
  });

  it('Numbers in CSV have a decimal comma between semicolons only', async () => {
    const values = ['0,5', '-1,25', '10', ',75', '2.5', '1,5e1'];
    const core = await open(';', values);
    const column = core.info().columns[1];
    assert.ok(column);
    assert.equal(column.type, 'number');
    for (const [typed, found] of [
      ['>0.6', 4],
      ['=0.75', 1],
      ['-2..1', 3],
    ] as const) {
      const { filter } = parseColumnFilter(typed, column) as { filter: Filter };
      assert.equal(await countRows(core, filter), found, typed);
    }
    const { id } = await core.query(
      { query: { sort: [{ column: '/1', descending: true }] } },
      work(),
    );
    const { rows } = core.rows({ view: id, from: 0, count: 99 }, work());
    assert.deepEqual(
      rows.map(({ cells }) => cells[1]?.text),
      ['1,5e1', '10', '2.5', ',75', '0,5', '-1,25'],
    );
    core.close();
    const other = await open('\t', ['1,234', '2,345']);
    assert.equal(other.info().columns[1]?.type, 'text');
    other.close();
  });

  it('Numbers in CSV stay texts when they are names of something, or no numbers', async () => {
    const values = ['007', '+', '.', '-', '1.2.3', '+-5', '5 6', '--5', '0x10', 'e5', '1e', '1,5'];
    for (const value of values) {
      const core = await open(',', [`"${value}"`]);
      assert.equal(core.info().columns[1]?.type, 'text', value);
      core.close();
    }
  });

  it('Numbers in CSV are numbers in JSON, with all their digits', async () => {
    const values = ['.9', '+5', '5.', ' 3', '-,5', '1,50', '1.e2', '12345678901234567,5', '1.0'];
    const core = await open(';', values);
    const columns = core.info().columns.map(({ id }) => id);
    const copied = await core.copy(
      { view: wholeFile, from: 0, count: 99, columns, format: 'json', headings: true },
      work(),
    );
    const written = [...copied.text.matchAll(/"n": ?([^},\s]+)/g)].map(([, number]) => number);
    assert.deepEqual(written, [
      '0.9',
      '5',
      '5',
      '3',
      '-0.5',
      '1.50',
      '1e2',
      '12345678901234567.5',
      '1.0',
    ]);
    const exported = await core.exportPart({ view: wholeFile, from: 0, format: 'ndjson' }, work());
    for (const line of exported.text.trim().split('\n')) {
      assert.equal(typeof (JSON.parse(line) as { n: unknown }).n, 'number');
    }
    core.close();
  });

  it('Numbers in CSV and times may have blanks around them', async () => {
    const core = await open(',', [' 2026-01-02', '2026-02-03 ', '  2026-02-03T04:05:06Z']);
    const column = core.info().columns[1];
    assert.ok(column);
    assert.equal(column.type, 'date');
    const { filter } = parseColumnFilter('=2026-02', column) as { filter: Filter };
    assert.equal(await countRows(core, filter), 2);
    core.close();
  });
});
