import * as assert from 'node:assert/strict';
import { type PageState, pageState } from '../../../src/webview/pageState';

describe('The state of a table page', () => {
  it('is restored as it was saved, or not at all', () => {
    const state: PageState = {
      version: 1,
      bytes: 9_000_000,
      top: 5_000_000,
      offset: 3,
      left: 0,
      find: 'x',
      kind: 'rows',
      active: { row: 1, column: 0 },
      anchor: { row: 2, column: 3 },
      columns: [
        { id: '/a', width: 90, hidden: true },
        { id: '/b', fitted: 120 },
      ],
      filters: [{ column: '/a', text: '>5' }],
      sort: [{ column: '/a', descending: true }],
      groupBy: ['/a'],
      picked: { label: '1', filter: { op: 'in', column: '/a', keys: ['number:1'] } },
      chosen: { label: 'high', filter: { op: 'in', column: '/s', keys: ['text:high'] } },
      invalidOnly: false,
      filterRow: true,
      record: true,
      recordShare: 36,
      tab: 'overview',
      bars: ['/b'],
    };
    assert.deepEqual(pageState(JSON.parse(JSON.stringify(state))), state);
    assert.equal(pageState(undefined), undefined);
    assert.equal(pageState({ ...state, version: 2 }), undefined);
    assert.equal(pageState({ ...state, anchor: { row: -1, column: 0 } }), undefined);
  });
});
