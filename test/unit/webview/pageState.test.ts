import * as assert from 'node:assert/strict';
import { wholeDocument } from '../../../src/engine/types';
import { listOf, type PageState, pageState, withoutTable } from '../../../src/webview/pageState';

describe('The state of a table page', () => {
  it('is restored as it was saved, or not at all', () => {
    const state: PageState = {
      version: 1,
      bytes: 9_000_000,
      list: 'runs[].results[]',
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
      countsAll: true,
    };
    assert.deepEqual(pageState(JSON.parse(JSON.stringify(state))), state);
    assert.equal(pageState(undefined), undefined);
    assert.equal(pageState({ ...state, version: 2 }), undefined);
    assert.equal(pageState({ ...state, anchor: { row: -1, column: 0 } }), undefined);
    assert.equal(pageState({ ...state, list: 1 }), undefined);
    const { columns, filters, sort, groupBy, bars, picked, chosen, top, tab } = withoutTable(state);
    assert.deepEqual([columns, filters, sort, groupBy, bars], [[], [], [], [], []]);
    assert.deepEqual([picked, chosen, top, tab], [undefined, undefined, 0, 'overview']);
  });

  it('names the list of a JSON document, and only of that', () => {
    const json = { kind: 'json', gzip: false } as const;
    assert.equal(listOf({ format: json, list: 'runs[]' }), 'runs[]');
    assert.equal(listOf({ format: json }), wholeDocument);
    assert.equal(listOf({ format: { kind: 'csv', gzip: false } }), undefined);
  });
});
