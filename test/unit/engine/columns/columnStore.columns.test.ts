import assert from 'node:assert/strict';
import { openPlain } from '../../../../src/engine/read/bytes/byteSource';
import { TableFile } from '../../../../src/engine/read/tableFile';
import { TableCore } from '../../../../src/engine/tableCore';
import type { Column } from '../../../../src/engine/data/column';
import { tableFolder } from '../../../helpers/tableFiles';
import { isIdName } from '../../../../src/vocabulary/identity';
import { columnRoles } from '../../../../src/vocabulary/roles';

const uuid = '7d1c4f52-9a3e-4c86-b0f1-2e5a6d8c9b04';

describe('The columns of a table', () => {
  const folder = tableFolder();

  /** The columns before and after all rows were checked. */
  async function columnsOf(name: string, lines: readonly string[]): Promise<(readonly Column[])[]> {
    const file = folder.write(name, lines.join('\n'));
    const core = new TableCore(await TableFile.open(file, openPlain(file)));
    await core.start();
    const first = core.info().columns;
    await core.check();
    const { columns } = core.info();
    core.close();
    return [first, columns];
  }

  const empty = (columns: readonly Column[] = []) =>
    columns.filter((column) => column.empty).map(({ name }) => name);
  const roles = (columns: readonly Column[] = []) =>
    columns.map(({ name, role }) => `${name}: ${role}`);

  it('The columns of a table are empty until a row has a value other than null or an empty text', async () => {
    const line = (change: object) =>
      JSON.stringify({ a: 1, none: null, text: '', late: null, deep: { in: null }, ...change });
    const lines = Array.from({ length: 3000 }, () => line({}));
    const [first, last] = await columnsOf('a.ndjson', [
      ...lines,
      line({ late: 'x' }),
      line({ list: [], no: false }),
    ]);
    assert.deepEqual(empty(first), ['none', 'text', 'late', 'deep.in']);
    assert.deepEqual(empty(last), ['none', 'text', 'deep.in']);
  });

  it('The columns of a table of CSV are empty when all their fields are, even quoted ones', async () => {
    const [, columns] = await columnsOf('a.csv', ['a,b,c,d', '1,,"",', '2,,"",x']);
    assert.deepEqual(empty(columns), ['b', 'c']);
  });

  it('The columns of a table have roles by the first rows, and the id role by their name whenever they appear', async () => {
    const line = (row: number, change = {}) =>
      JSON.stringify({
        scorecard: uuid,
        message: `unlike ${row}`,
        finding_id: row,
        severity: 'high',
        asset: `h${row}.example.com`,
        first_seen: '2026-03-01',
        paid: true,
        ...change,
      });
    const lines = Array.from({ length: 300 }, (_, row) => line(row));
    const [first, last] = await columnsOf('a.ndjson', [
      ...lines,
      line(0, { status: 'active', parentId: 'x' }),
    ]);
    const known = [
      'scorecard: id',
      'message: undefined',
      'finding_id: id',
      'severity: severity',
      'asset: asset',
      'first_seen: firstSeen',
      'paid: undefined',
    ];
    assert.deepEqual(roles(first), known);
    assert.deepEqual(roles(last), [...known, 'status: undefined', 'parentId: id']);
  });

  it('The columns of a table of a comparison have the change role, unlike other columns of that name', () => {
    const column = (name: string, ...texts: string[]) => ({ name, texts, dates: 0 });
    const rolesOf = (...columns: ReturnType<typeof column>[]) => [...columnRoles(columns).values()];
    const fields = column('changed_fields', 'severity');
    assert.deepEqual(rolesOf(column('change', 'new', 'gone'), fields), ['change', 'change']);
    assert.deepEqual(rolesOf(column('change', 'up'), fields), []);
    assert.deepEqual(rolesOf(column('change', 'new')), []);
  });

  it('The columns of a table are ids when their names end like one', () => {
    const ids = ['id', 'ID', 'scorecard_id', 'recordUUID', 'asset.guid', 'scorecardIdentifier'];
    const others = ['paid', 'grid', 'identity', 'id_type', 'idea', ''];
    assert.deepEqual([...ids, ...others].filter(isIdName), ids);
  });
});
