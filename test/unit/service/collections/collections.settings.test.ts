import assert from 'node:assert/strict';
import { message } from '../../../../src/base/message';
import { demoCollections } from '../../../../src/demo/demoService';
import { parseCollections } from '../../../../src/service/collections/collections';

const good = { name: 'Good', path: '/good', style: 'link' };

describe('The collections setting', () => {
  it('The collections setting is parsed to its collections', () => {
    const { collections, problems } = parseCollections(demoCollections);
    assert.deepEqual(collections, demoCollections);
    assert.deepEqual(problems, []);
    const cursored = { name: ' A ', path: '/a?b=..', style: 'cursor', size: 500, extra: 1 };
    assert.deepEqual(parseCollections([cursored]).collections, [
      { name: 'A', path: '/a?b=..', style: 'cursor', size: 500 },
    ]);
  });

  it('The collections setting reports a collection of entries whose parent collection is missing', () => {
    const below = { name: 'Below', path: '/x/{id}/y', style: 'page' };
    const { collections, problems } = parseCollections([good, below]);
    assert.deepEqual(collections, [good]);
    assert.deepEqual(
      problems.map(({ setting, message: why }) => [setting, String(why)]),
      [
        [
          'collections[1]',
          '"Below" belongs to the entries of "/x". Add a collection with that path as well.',
        ],
      ],
    );
    const above = { name: 'Above', path: '/x?mine=1', style: 'page' };
    assert.deepEqual(parseCollections([below, above]).collections, [below, above]);
  });

  it('The collections setting turns an invalid entry into a problem that names it, and keeps the other entries', () => {
    const entry = { name: 'Other', path: '/x', style: 'page' };
    const wrong: [value: unknown, expected: RegExp][] = [
      [null, /object with name, path and style/],
      ['/x', /object/],
      [{}, /name.*nothing/],
      [{ ...entry, name: ' \u200b' }, /name/],
      [{ ...entry, name: 5 }, /name.*5/],
      [{ ...entry, name: 'Good' }, /"Good" is listed above/],
      [{ ...entry, path: undefined }, /path.*nothing/],
      [{ ...entry, path: 'x' }, /path must start with one "\/".*"x"/],
      [{ ...entry, path: '//evil.example' }, /one "\/"/],
      [{ ...entry, path: 'https://evil.example/x' }, /without a scheme or host/],
      [{ ...entry, path: '/../x' }, /"\.\."/],
      [{ ...entry, path: '/%2e%2e/x' }, /"\.\."/],
      [{ ...entry, path: '/%5cx' }, /backslash/],
      [{ ...entry, path: '/a b' }, /spaces/],
      [{ ...entry, style: 'pages' }, /"page", "cursor" or "link", not "pages"/],
      [{ ...entry, style: undefined }, /style.*nothing/],
      [{ ...entry, size: 51 }, /1 to 50\. Found: 51\./],
      [{ ...entry, size: 0 }, /1 to 50/],
      [{ ...entry, size: '10' }, /whole number from 1.*"10"/],
      [{ ...entry, style: 'cursor', size: 1.5 }, /whole number of at least 1/],
      [{ ...entry, path: '[x](command:y)' }, /^(?!.*\]\(command:)/],
    ];
    for (const [value, expected] of wrong) {
      const { collections, problems } = parseCollections([good, value, { ...good, name: 'B' }]);
      assert.deepEqual(
        collections.map(({ name }) => name),
        ['Good', 'B'],
      );
      assert.equal(problems.length, 1, JSON.stringify(value));
      assert.equal(problems[0]?.setting, 'collections[1]');
      assert.match(String(problems[0].message), expected);
      assert.match(String(problems[0].message), /\.$/);
    }
  });

  it('The collections setting is a problem itself when it is not an array', () => {
    assert.deepEqual(parseCollections({}), {
      collections: [],
      problems: [{ setting: 'collections', message: message('It must be an array.') }],
    });
  });
});
