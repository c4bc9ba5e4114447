import assert from 'node:assert/strict';
import { listWords } from '../../../src/vocabulary/listWords';

/** What npm audit writes of a package that has a flaw itself, and depends on another that has one. */
const via = [
  {
    source: 1_097_678,
    name: 'minimist',
    dependency: 'minimist',
    title: 'Prototype Pollution in "minimist"',
    url: 'https://github.com/advisories/GHSA-xvch-5gv4-984h',
    cwe: ['CWE-1321'],
    cvss: { score: 9.8, title: 'no name' },
    range: '<0.2.4',
  },
  'mkdirp',
];

describe('The words of a list', () => {
  it('The words of a list are its texts, and the titles or names of its objects', () => {
    assert.equal(listWords(JSON.stringify(via)), 'Prototype Pollution in "minimist", mkdirp');
    assert.equal(listWords(JSON.stringify(via, undefined, 2)), listWords(JSON.stringify(via)));
    assert.equal(listWords('[{"name":"a","fix":{"title":"b"}},{"name":"c"}]'), 'a, c');
  });

  it('The words of a list that is cut off are those that are whole', () => {
    const json = JSON.stringify(via);
    assert.equal(listWords(json.slice(0, 200)), 'Prototype Pollution in "minimist"');
    assert.equal(listWords('["mkdirp","mini'), 'mkdirp');
    assert.equal(listWords(json.slice(0, 30)), undefined);
  });

  it('The words of a list are unknown if an element has no name, and of what is no list', () => {
    for (const json of [
      '[{"id":1},{"name":"a"}]',
      '["a",1]',
      '[["a"]]',
      '[]',
      '{"name":"a"}',
      '"a"',
    ]) {
      assert.equal(listWords(json), undefined, json);
    }
  });
});
