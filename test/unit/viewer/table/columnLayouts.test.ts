import assert from 'node:assert/strict';
import { ColumnLayouts } from '../../../../src/viewer/table/columnLayouts';

describe('The columns that users have arranged', () => {
  let stored: unknown;
  const open = () =>
    new ColumnLayouts({
      get: () => stored,
      update: (_, value) => {
        stored = value;
        return Promise.resolve();
      },
    });
  const ids = (prefix: string, count = 10) =>
    Array.from({ length: count }, (_, at) => `/${prefix}${at}`);
  const layout = (columns: readonly string[]) => columns.map((id) => ({ id, width: 100 }));

  beforeEach(() => {
    stored = undefined;
  });

  it('The columns that users have arranged are found for a file with mostly the same columns', async () => {
    const [trivy, semgrep] = [ids('t'), ids('s')];
    const layouts = open();
    await layouts.keep(trivy, layout(trivy));
    await layouts.keep(semgrep, layout(semgrep));
    assert.deepEqual(open().find([...trivy.slice(0, 8), '/new1', '/new2']), layout(trivy));
    assert.equal(open().find([...trivy.slice(0, 7), '/new1', '/new2', '/new3']), undefined);
    // A few columns that any file has are no kind.
    assert.equal(open().find(trivy.slice(0, 4)), undefined);
    await layouts.keep(trivy, layout(trivy.toReversed()));
    assert.deepEqual(open().find(trivy), layout(trivy.toReversed()));
    assert.deepEqual(open().find(semgrep), layout(semgrep));
  });

  it('The columns that users have arranged are those of at most fifty kinds, and can be forgotten', async () => {
    const layouts = open();
    for (let kind = 0; kind < 60; kind += 1) {
      await layouts.keep(ids(`k${kind}-`), layout(ids(`k${kind}-`)));
    }
    assert.equal((stored as unknown[]).length, 50);
    assert.equal(layouts.find(ids('k0-')), undefined);
    await layouts.keep(ids('k59-'), []);
    assert.equal(open().find(ids('k59-')), undefined);
    assert.ok(open().find(ids('k58-')));
    await layouts.clear();
    assert.equal(stored, undefined);
  });

  it('The columns that users have arranged are left out where another version has written something else', async () => {
    for (const other of [
      1,
      'x',
      [1],
      [[{ name: '/a' }]],
      [[{ id: '/t0', width: -50 }]],
      { columns: [] },
    ]) {
      stored = other;
      assert.equal(open().find(ids('t')), undefined);
      await open().keep(ids('t'), layout(ids('t')));
      assert.deepEqual(open().find(ids('t')), layout(ids('t')));
    }
  });
});
