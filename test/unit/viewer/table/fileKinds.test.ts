import assert from 'node:assert/strict';
import { FileKinds } from '../../../../src/viewer/table/fileKinds';

describe('The columns that users have arranged', () => {
  let stored: unknown;
  const open = () =>
    new FileKinds({
      get: () => stored,
      update: (_, value) => {
        stored = value;
        return Promise.resolve();
      },
    });
  const column = (id: string, name = id.slice(1), secret = false) => ({ id, name, secret });
  const ids = (prefix: string, count = 10) =>
    Array.from({ length: count }, (_, at) => column(`/${prefix}${at}`));
  const layout = (columns: readonly { id: string }[]) =>
    columns.map(({ id }) => ({ id, width: 100 }));

  beforeEach(() => {
    stored = undefined;
  });

  it('The columns that users have arranged are found for a file with mostly the same columns', async () => {
    const [trivy, semgrep] = [ids('t'), ids('s')];
    const kinds = open();
    await kinds.keepLayout(trivy, layout(trivy));
    await kinds.keepLayout(semgrep, layout(semgrep));
    assert.deepEqual(
      open().find([...trivy.slice(0, 8), column('/new1'), column('/new2')])?.layout,
      layout(trivy),
    );
    assert.equal(
      open().find([...trivy.slice(0, 7), column('/new1'), column('/new2'), column('/new3')]),
      undefined,
    );
    // A few columns that any file has are no kind.
    assert.equal(open().find(trivy.slice(0, 4)), undefined);
    await kinds.keepLayout(trivy, layout(trivy.toReversed()));
    assert.deepEqual(open().find(trivy)?.layout, layout(trivy.toReversed()));
    assert.deepEqual(open().find(semgrep)?.layout, layout(semgrep));
  });

  it('The columns that users have arranged are those of at most fifty kinds, and can be forgotten', async () => {
    const kinds = open();
    for (let kind = 0; kind < 60; kind += 1) {
      await kinds.keepLayout(ids(`k${kind}-`), layout(ids(`k${kind}-`)));
    }
    assert.equal((stored as unknown[]).length, 50);
    assert.equal(kinds.find(ids('k0-')), undefined);
    await kinds.keepLayout(ids('k59-'), []);
    assert.equal(open().find(ids('k59-')), undefined);
    assert.ok(open().find(ids('k58-')));
    await kinds.clear();
    assert.equal(stored, undefined);
  });

  it('The filters that were typed last are kept with the columns of a kind, each for itself', async () => {
    const kinds = open();
    const columns = ids('t');
    await kinds.keepFilters(columns, { '/t0': '>7' });
    assert.deepEqual(open().find(columns), { filters: { '/t0': '>7' } });
    await kinds.keepLayout(columns, layout(columns));
    const more = [...columns, column('/more')];
    await kinds.keepFilters(more, { '/more': 'x' });
    assert.deepEqual(open().find(columns), {
      layout: layout(columns),
      filters: { '/more': 'x' },
    });
    await kinds.keepLayout(columns, []);
    assert.deepEqual(open().find(columns), { filters: { '/more': 'x' } });
    await kinds.keepFilters(columns, {});
    assert.equal(stored, undefined);
  });

  it('The filters that were typed last are found by the names of columns where ids are positions', async () => {
    const csv = (...names: string[]) => names.map((name, at) => column(`/${at}`, name));
    const kinds = open();
    const trivy = csv('Target', 'Package', 'Package', 'Severity', 'Title');
    await kinds.keepFilters(trivy, { '/3': 'critical', '/2': 'lodash' });
    await kinds.keepLayout(trivy, [
      { id: '/3', width: 90 },
      { id: '/0', hidden: true },
    ]);
    const next = csv('Scan', 'Target', 'Package', 'Package', 'Severity', 'Title');
    assert.deepEqual(open().find(next), {
      filters: { '/4': 'critical', '/3': 'lodash' },
      layout: [
        { id: '/4', width: 90 },
        { id: '/1', hidden: true },
      ],
    });
    assert.equal(open().find(csv('host', 'port', 'service', 'state', 'banner')), undefined);
  });

  it('The filters that were typed last are not kept for secret columns, nor offered for them', async () => {
    const kinds = open();
    const columns = [...ids('t'), column('/password', 'password', true)];
    await kinds.keepFilters(columns, { '/password': 'hunter2', '/t0': 'x' });
    assert.ok(!JSON.stringify(stored).includes('hunter2'));
    assert.deepEqual(open().find(columns), { filters: { '/t0': 'x' } });
    const masked = columns.map((one) => ({ ...one, secret: true }));
    assert.deepEqual(open().find(masked)?.filters, {});
  });

  it('The columns that users have arranged are left out where another version has written something else', async () => {
    for (const other of [
      1,
      'x',
      [1],
      [{ columns: ['/t0'], layout: [{ name: '/a' }] }],
      [{ columns: ids('t').map(({ id }) => id), layout: [{ id: '/t0', width: -50 }] }],
      { columns: [] },
    ]) {
      stored = other;
      assert.equal(open().find(ids('t')), undefined);
      await open().keepLayout(ids('t'), layout(ids('t')));
      assert.deepEqual(open().find(ids('t'))?.layout, layout(ids('t')));
    }
  });
});
