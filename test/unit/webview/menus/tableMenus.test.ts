import assert from 'node:assert/strict';
import { filterItems, headerItems } from '../../../../src/webview/menus/tableMenus';
import { valueItems } from '../../../../src/webview/menus/valueChoice';
import type { Store } from '../../../../src/webview/state/store';
import { Texts } from '../../../../src/summary/texts';
import { openCore, tableFolder, work } from '../../../helpers/tableFiles';

describe('The menu of a column', () => {
  const folder = tableFolder();

  it('The menu of a column offers the types that the values of a column may have', async () => {
    const file = folder.write('a.csv', 'd,n,c,t\n01/02/2026,1,"7,5",a\n');
    const core = await openCore(file, { forms: { '/2': 'decimalComma' } });
    const columns = core.info().columns.map((column) => ({ column }));
    const sent: unknown[] = [];
    const page = {
      texts: { get: (key: string) => key },
      view: { criteria: { sort: [], groupBy: [] } },
      link: { send: (message: unknown) => sent.push(message) },
    } as unknown as Store;
    const [dates = [], ...others] = columns.map((shown) =>
      headerItems(page, shown as Parameters<typeof headerItems>[1], 0, 1).filter(({ label }) =>
        label?.startsWith('type'),
      ),
    );
    const labels = [dates, ...others].map((items) =>
      items.map(({ label, checked }) => `${label}${checked === true ? ' (checked)' : ''}`),
    );
    assert.deepEqual(labels, [
      ['typeAutomatic (checked)', 'typeText', 'typeDayFirst', 'typeMonthFirst'],
      ['typeAutomatic (checked)', 'typeText'],
      ['typeAutomatic', 'typeText', 'typeDecimalComma (checked)'],
      [],
    ]);
    dates.forEach(({ run }) => run?.());
    assert.deepEqual(sent, [
      { type: 'setForm', column: '/0' },
      { type: 'setForm', column: '/0', form: 'text' },
      { type: 'setForm', column: '/0', form: 'dayFirst' },
      { type: 'setForm', column: '/0', form: 'monthFirst' },
    ]);
    core.close();
  });
});

describe('The filter menu', () => {
  const folder = tableFolder();

  it('The filter menu offers frequent values, but no invalid record', async () => {
    const lines = ['{"a":"x"}', 'nonsense', '{"a":"x"}', '{"a":"y"}', '{', 'nonsense'];
    const core = await openCore(folder.write('a.ndjson', lines.join('\n')));
    const [column] = core.info().columns;
    assert.ok(column);
    const values = await core.distinct({ column: column.id }, work());
    assert.ok(values.values.some(({ cell }) => cell.kind === 'invalid'));
    const page = {
      texts: new Texts({}, 'en'),
      view: { criteria: { filters: {} } },
    } as unknown as Store;
    const items = filterItems(page, column, valueItems(page, column, values, []), new Date(0)).map(
      ({ label }) => label,
    );
    assert.deepEqual(items.slice(0, items.indexOf(undefined)), ['x', 'y']);
    core.close();
  });

  it('The filter menu keeps a value in its place that is not among the counted ones when it is no longer chosen', async () => {
    const core = await openCore(folder.write('b.csv', 'a\nx\ny\n'));
    const [column] = core.info().columns;
    assert.ok(column);
    const values = await core.distinct({ column: column.id }, work());
    const shown = (filter: string) => {
      const page = {
        texts: new Texts({}, 'en'),
        view: { criteria: { filters: { [column.id]: filter } } },
      } as unknown as Store;
      return valueItems(page, column, values, ['z']).map(({ label, checked }) => [label, checked]);
    };
    assert.deepEqual(shown('==x | ==z'), [
      ['z', true],
      ['x', true],
      ['y', false],
    ]);
    assert.deepEqual(shown('==x'), [
      ['z', false],
      ['x', true],
      ['y', false],
    ]);
    core.close();
  });
});
