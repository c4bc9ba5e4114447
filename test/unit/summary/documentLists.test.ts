import assert from 'node:assert/strict';
import type { TableInfo } from '../../../src/engine/page';
import { listOptions, otherFindings } from '../../../src/summary/documentLists';
import type { Texts } from '../../../src/summary/texts';

describe('The lists of a document', () => {
  const texts = { get: (key: string) => key } as unknown as Texts;

  function infoOf(info: Partial<TableInfo>): TableInfo {
    return { format: { kind: 'json', gzip: false }, rows: 3, ...info } as unknown as TableInfo;
  }

  function namesOf(list: string | undefined, ...lists: readonly string[]): string[] {
    const named = lists.map((each, at) => ({ list: each, rows: at + 1 }));
    const info = infoOf({ lists: named, ...(list !== undefined && { list }) });
    return listOptions(info, texts).map(
      ({ name, rows, isShown }) => `${name} ${rows}${isShown ? ' shown' : ''}`,
    );
  }

  it('The lists of a document have short names, and the document itself is one of them', () => {
    assert.deepEqual(namesOf('runs[].results[]', 'runs[].results[]', 'runs[].rules[]', 'runs[]'), [
      ...['results 1 shown', 'rules 2', 'runs 3', 'wholeDocument 1'],
    ]);
    assert.deepEqual(namesOf('map{}', 'map{}'), ['map 1 shown', 'wholeDocument 1']);
    assert.deepEqual(namesOf(undefined, 'a[]'), ['a 1', 'wholeDocument 1 shown']);
  });

  it('The lists of a document have longer names where short ones are equal', () => {
    assert.deepEqual(namesOf('a.list[]', 'a.list[]', 'b.list[]'), [
      ...['a.list 1 shown', 'b.list 2', 'wholeDocument 1'],
    ]);
    assert.deepEqual(namesOf('[]', '[]', '[][]', '[].messages[]'), [
      ...['topList 1 shown', '[][] 2', 'messages 3'],
    ]);
  });

  it('The lists of a document include others with findings, but for those that tell more of the rows', () => {
    const found = { rows: 2, hasFindings: true } as const;
    const others = (list: string, ...lists: readonly string[]) => {
      const info = infoOf({ list, lists: lists.map((each) => ({ list: each, ...found })) });
      return otherFindings(info, texts).map(({ name }) => name);
    };
    const npm = ['vulnerabilities{}', 'vulnerabilities{}.via[]'] as const;
    assert.deepEqual(others(npm[0], ...npm), []);
    assert.deepEqual(others(npm[1], ...npm), ['vulnerabilities']);
    const trivy = ['Results[].Vulnerabilities[]', 'Results[].Secrets[]'] as const;
    assert.deepEqual(others(trivy[0], ...trivy), ['Secrets']);
    assert.deepEqual(others('a[]', 'a[]', 'ab[]'), ['ab']);
    // What is shown with others, or would be, is no other list.
    const all = trivy.join(' + ');
    assert.deepEqual(others(all, all, ...trivy, 'more.issues[]'), ['issues']);
    assert.deepEqual(others(trivy[0], all, ...trivy), ['Secrets']);
  });

  it('The lists of a document have the short names of those that are shown together', () => {
    assert.deepEqual(
      namesOf('R[].Vulns[] + R[].Keys[]', 'R[].Vulns[] + R[].Keys[]', 'R[].Vulns[]', 'R[].Keys[]'),
      [...['Vulns + Keys 1 shown', 'Vulns 2', 'Keys 3', 'wholeDocument 1']],
    );
    assert.deepEqual(
      namesOf('a.list[] + b.list[]', 'a.list[] + b.list[]', 'a.list[]', 'b.list[]')[0],
      'a.list + b.list 1 shown',
    );
  });

  it('The lists of a document have names with dots in quotes', () => {
    assert.deepEqual(namesOf('data.findings[]', 'data.findings[]', '"data.findings"[]'), [
      ...['findings 1 shown', '"data.findings" 2', 'wholeDocument 1'],
    ]);
    const quoted = String.raw`runs[]."a\".b[]"[]`;
    assert.deepEqual(namesOf(quoted, quoted, 'a.""[]', '""[]', '"".x{}'), [
      String.raw`"a\".b[]" 1 shown`,
      ...['a."" 2', '"" 3', 'x 4', 'wholeDocument 1'],
    ]);
  });

  it('The lists of a document include the one that is shown although it is empty', () => {
    assert.deepEqual(namesOf('results[]', 'rules[]'), [
      ...['results 3 shown', 'rules 1', 'wholeDocument 1'],
    ]);
  });

  it('The lists of a document are none if there is nothing to choose, or it is unknown', () => {
    assert.deepEqual(namesOf('[]', '[]'), []);
    for (const info of [{ list: '[]' }, { format: { kind: 'csv', gzip: false } }] as const) {
      assert.deepEqual(listOptions(infoOf(info), texts), []);
    }
  });
});
