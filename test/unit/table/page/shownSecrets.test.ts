import * as assert from 'node:assert/strict';
import { noWish, withoutRows, type Wish } from '../../../../src/table/page/grid/gridState';
import { type SecretsPage, ShownSecrets } from '../../../../src/table/page/record/shownSecrets';

const group = (key: string): NonNullable<Wish['picked']> => ({
  ...{ label: 'x', filter: { op: 'and', of: [{ op: 'in', column: '/x', keys: [key] }] } },
});

describe('What is kept while secret values are shown', () => {
  const secretsOf = (wish: Wish): ShownSecrets => {
    const page: unknown = { view: { wish }, finder: { text: '' } };
    const secrets = new ShownSecrets(page as SecretsPage);
    secrets.begin();
    return secrets;
  };

  it('is no filter that is new, whatever its column: a secret may be typed into any', () => {
    const before: Wish = { ...noWish, filters: new Map([['/severity', '=high']]) };
    const after: Wish = {
      ...before,
      filters: new Map([...before.filters, ['/notes', 'hunter2']]),
      picked: group('text:hunter2'),
    };
    assert.deepEqual(secretsOf(before).withoutThem(after), before);
  });

  it('is a group that was gone into before', () => {
    const before: Wish = { ...noWish, groupBy: ['/x'], picked: group('text:a') };
    assert.deepEqual(secretsOf(before).withoutThem({ ...before }), before);
  });
});

describe('What is kept of a file that was opened anew', () => {
  it('is no group whose value only a record tells', () => {
    const wish: Wish = { ...noWish, groupBy: ['/x'] };
    assert.deepEqual(withoutRows({ ...wish, picked: group('row:5') }), wish);
    const picked = { ...wish, picked: group('text:row:5') };
    assert.equal(withoutRows(picked), picked);
  });
});
