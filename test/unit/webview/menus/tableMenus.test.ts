import assert from 'node:assert/strict';
import { filterItems, type MenuPage } from '../../../../src/webview/menus/tableMenus';
import { openCore, tableFolder, work } from '../../../helpers/tableFiles';

describe('The filter menu', () => {
  const folder = tableFolder();

  it('offers frequent values, but no invalid record', async () => {
    const lines = ['{"a":"x"}', 'nonsense', '{"a":"x"}', '{"a":"y"}', '{', 'nonsense'];
    const core = await openCore(folder.write('a.ndjson', lines.join('\n')));
    const [column] = core.info().columns;
    assert.ok(column);
    const values = await core.distinct({ column: column.id }, work());
    assert.ok(values.values.some(({ cell }) => cell.kind === 'invalid'));
    const page = {
      texts: { get: (key: string) => key, number: String, scorecards: { of: () => undefined } },
      view: { criteria: { filters: new Map() } },
      setFilter: () => undefined,
    } as unknown as MenuPage;
    const items = filterItems(page, column, values, new Date(0)).map(({ label }) => label);
    assert.deepEqual(items.slice(items.lastIndexOf(undefined) + 1), ['x', 'y']);
    core.close();
  });
});
