import * as assert from 'node:assert/strict';
import { wholeDocument } from '../../../../src/engine/data/tableInfo';
import { listOf, type PageState, pageState } from '../../../../src/webview/state/pageState';

describe('The state of a table page', () => {
  it('The state of a table page is restored as it was saved, or not at all', () => {
    const state: PageState = {
      bytes: 9_000_000,
      list: 'runs[].results[]',
      top: 5_000_000.5,
      left: 0,
      find: 'x',
      selection: {
        kind: 'rows',
        active: { row: 1, column: 0 },
        anchor: { row: 2, column: 3 },
      },
      columns: [
        { id: '/a', width: 90, hidden: true },
        { id: '/b', fitted: 120 },
      ],
      criteria: {
        filters: { '/a': '>5', '': 'x' },
        sort: [{ column: '/a', descending: true }],
        groupBy: ['/a'],
        openedGroup: { label: '1', filter: { op: 'in', column: '/a', keys: ['number:1'] } },
        overviewFilter: { label: 'high', filter: { op: 'in', column: '/s', keys: ['text:high'] } },
      },
      filterRow: true,
      record: true,
      recordShare: 36,
      tab: 'overview',
      overviewColumns: ['/b'],
      countsAll: true,
    };
    assert.deepEqual(pageState(JSON.parse(JSON.stringify(state))), state);
    assert.equal(pageState(undefined), undefined);
    const { selection } = state;
    const misplaced = { ...selection, anchor: { row: -1, column: 0 } };
    assert.equal(pageState({ ...state, selection: misplaced }), undefined);
    assert.equal(pageState({ ...state, list: 1 }), undefined);
  });

  it('The state of a table page names the list of a JSON document, and only of that', () => {
    const json = { kind: 'json', gzip: false } as const;
    assert.equal(listOf({ format: json, list: 'runs[]' }), 'runs[]');
    assert.equal(listOf({ format: json }), wholeDocument);
    assert.equal(listOf({ format: { kind: 'csv', gzip: false } }), undefined);
  });
});
