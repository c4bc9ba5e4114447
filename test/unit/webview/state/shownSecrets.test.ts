import * as assert from 'node:assert/strict';
import { noCriteria, withoutRows, type Criteria } from '../../../../src/webview/state/criteria';
import { withoutSecrets } from '../../../../src/webview/state/shownSecrets';

const group = (key: string): NonNullable<Criteria['openedGroup']> => ({
  label: 'x',
  filter: { op: 'and', of: [{ op: 'in', column: '/x', keys: [key] }] },
});

describe('The page state while secret values are shown', () => {
  const kept = (before: Criteria, criteria: Criteria): Criteria =>
    withoutSecrets({ criteria, find: '' }, { criteria: before, find: '' }).criteria;

  it('The page state while secret values are shown excludes new filters on any column, because a secret may be typed into them', () => {
    const before: Criteria = { ...noCriteria, filters: { '/severity': '=high' } };
    const after: Criteria = {
      ...before,
      filters: { ...before.filters, '/notes': 'hunter2' },
      openedGroup: group('text:hunter2'),
    };
    assert.deepEqual(kept(before, after), before);
  });

  it('The page state while secret values are shown keeps a group that was opened before', () => {
    const before: Criteria = { ...noCriteria, groupBy: ['/x'], openedGroup: group('text:a') };
    assert.deepEqual(kept(before, { ...before }), before);
  });
});

describe('The criteria for a reopened file', () => {
  it('The criteria for a reopened file exclude a group that is identified by a record', () => {
    const criteria: Criteria = { ...noCriteria, groupBy: ['/x'] };
    assert.deepEqual(withoutRows({ ...criteria, openedGroup: group('row:5') }), criteria);
    const opened = { ...criteria, openedGroup: group('text:row:5') };
    assert.deepEqual(withoutRows(opened), opened);
  });
});
