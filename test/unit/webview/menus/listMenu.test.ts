import assert from 'node:assert/strict';
import { listItems } from '../../../../src/webview/menus/listMenu';

describe('The menu of lists', () => {
  it('The menu of lists asks for another list, but not for the one that is shown', () => {
    const lists = ['a[]', 'b[]'].map((list) => ({ list, rows: 1 }));
    const chosen: string[] = [];
    const page = {
      texts: { get: (key: string) => key, number: String },
      view: { info: { format: { kind: 'json', gzip: false }, rows: 3, list: 'a[]', lists } },
      link: { send: ({ list }: { list: string }) => chosen.push(list) },
    } as unknown as Parameters<typeof listItems>[0];
    const items = listItems(page);
    assert.deepEqual(
      items.map(({ checked }) => checked),
      [true, false, false],
    );
    items.forEach(({ run }) => run?.());
    assert.deepEqual(chosen, ['b[]', '']);
  });
});
