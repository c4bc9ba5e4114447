import assert from 'node:assert/strict';
import type { TableInfo } from '../../../../src/engine/data/tableInfo';
import { listItems, listOptions, otherFindings } from '../../../../src/webview/menus/listMenu';

describe('The choice of a list', () => {
  function pageOf(info: Partial<TableInfo>) {
    const chosen: string[] = [];
    const page = {
      texts: { get: (key: string) => key, number: String },
      view: { info: { format: { kind: 'json', gzip: false }, rows: 3, ...info } },
      link: { send: ({ list }: { list: string }) => chosen.push(list) },
    } as unknown as Parameters<typeof listItems>[0];
    return { page, chosen };
  }

  function namesOf(list: string | undefined, ...lists: readonly string[]): string[] {
    const named = lists.map((each, at) => ({ list: each, rows: at + 1 }));
    const { page } = pageOf({ lists: named, ...(list !== undefined && { list }) });
    return listOptions(page.view.info, page.texts).map(
      ({ name, rows, isShown }) => `${name} ${rows}${isShown ? ' shown' : ''}`,
    );
  }

  it('has the lists of a document by short names, and the document itself', () => {
    assert.deepEqual(namesOf('runs[].results[]', 'runs[].results[]', 'runs[].rules[]', 'runs[]'), [
      ...['results 1 shown', 'rules 2', 'runs 3', 'wholeDocument 1'],
    ]);
    assert.deepEqual(namesOf('map{}', 'map{}'), ['map 1 shown', 'wholeDocument 1']);
    assert.deepEqual(namesOf(undefined, 'a[]'), ['a 1', 'wholeDocument 1 shown']);
  });

  it('tells lists with equal names apart', () => {
    assert.deepEqual(namesOf('a.list[]', 'a.list[]', 'b.list[]'), [
      ...['a.list 1 shown', 'b.list 2', 'wholeDocument 1'],
    ]);
    assert.deepEqual(namesOf('[]', '[]', '[][]', '[].messages[]'), [
      ...['topList 1 shown', '[][] 2', 'messages 3'],
    ]);
  });

  it('has other lists with findings, but for those that tell more of the rows', () => {
    const found = { rows: 2, hasFindings: true } as const;
    const others = (list: string, ...lists: readonly string[]) => {
      const { page } = pageOf({ list, lists: lists.map((each) => ({ list: each, ...found })) });
      return otherFindings(page.view.info, page.texts).map(({ name }) => name);
    };
    const npm = ['vulnerabilities{}', 'vulnerabilities{}.via[]'] as const;
    assert.deepEqual(others(npm[0], ...npm), []);
    assert.deepEqual(others(npm[1], ...npm), ['vulnerabilities']);
    const trivy = ['Results[].Vulnerabilities[]', 'Results[].Secrets[]'] as const;
    assert.deepEqual(others(trivy[0], ...trivy), ['Secrets']);
    assert.deepEqual(others('a[]', 'a[]', 'ab[]'), ['ab']);
  });

  it('has names with dots in quotes', () => {
    assert.deepEqual(namesOf('data.findings[]', 'data.findings[]', '"data.findings"[]'), [
      ...['findings 1 shown', '"data.findings" 2', 'wholeDocument 1'],
    ]);
    const quoted = String.raw`runs[]."a\".b[]"[]`;
    assert.deepEqual(namesOf(quoted, quoted, 'a.""[]', '""[]', '"".x{}'), [
      String.raw`"a\".b[]" 1 shown`,
      ...['a."" 2', '"" 3', 'x 4', 'wholeDocument 1'],
    ]);
  });

  it('names the list that is shown although it is empty', () => {
    assert.deepEqual(namesOf('results[]', 'rules[]'), [
      ...['results 3 shown', 'rules 1', 'wholeDocument 1'],
    ]);
  });

  it('is not there if there is nothing to choose, or it is unknown', () => {
    assert.deepEqual(namesOf('[]', '[]'), []);
    for (const info of [{ list: '[]' }, { format: { kind: 'csv', gzip: false } }] as const) {
      const { page } = pageOf(info);
      assert.deepEqual(listOptions(page.view.info, page.texts), []);
    }
  });

  it('asks for another list, but not for the one that is shown', () => {
    const lists = ['a[]', 'b[]'].map((list) => ({ list, rows: 1 }));
    const { page, chosen } = pageOf({ list: 'a[]', lists });
    const items = listItems(page);
    assert.deepEqual(
      items.map(({ checked }) => checked),
      [true, false, false],
    );
    items.forEach(({ run }) => run?.());
    assert.deepEqual(chosen, ['b[]', '']);
  });
});
