import assert from 'node:assert/strict';
import { pageMessage, refusedId } from '../../../src/protocol/tableProtocol';
import type { Filter } from '../../../src/engine/data/query';

describe('The messages of a table page', () => {
  const filter: Filter = {
    op: 'and',
    of: [
      { op: 'not', of: { op: 'contains', column: '/a', text: 'x', matchCase: true } },
      { op: 'in', column: '/a', keys: ['text:x'] },
      { op: 'compare', column: '/a', is: '<=', number: '-1.5e3' },
      { op: 'dateRange', column: '/a', from: 0, to: 1 },
      { op: 'empty', column: '' },
      { op: 'anywhere', text: 'y' },
      { op: 'invalid' },
    ],
  };

  const good = [
    { type: 'ready' },
    { type: 'ready', list: 'runs[].results[]' },
    { type: 'showList', list: '' },
    { type: 'setForm', column: '/a', form: 'dayFirst' },
    { type: 'setForm', column: '/a' },
    { type: 'reload' },
    { type: 'cancel', id: 3 },
    { type: 'showFinding', record: 0 },
    { type: 'shown', query: { filter }, columns: ['/a'], rows: 3 },
    { type: 'export', format: 'csv' },
    { type: 'secrets', on: true },
    { type: 'copyField', record: 1, field: '/a' },
    {
      type: 'query',
      id: 1,
      query: { filter, sort: [{ column: '/a', descending: true }], groupBy: [] },
    },
    { type: 'rows', id: 2, view: 0, from: 0, count: 200, columns: ['/a'] },
    { type: 'groups', id: 2, view: 1, from: 0, count: 1 },
    { type: 'distinct', id: 2, column: '/a', filter, limit: 5 },
    { type: 'readOverviewSoFar', id: 2, now: 1_800_000_000_000 },
    { type: 'readOverviewSoFar', id: 2, now: 1_800_000_000_000, since: 0 },
    { type: 'find', id: 2, view: 0, text: 'x', from: -1, backwards: false },
    { type: 'locate', id: 2, view: 0, record: 1 },
    { type: 'record', id: 2, record: 1 },
    { type: 'copy', id: 2, view: 0, from: 0, count: 1, columns: [], format: 'tsv', headings: true },
  ];

  it('The messages of a table page are accepted without unknown members', () => {
    for (const message of good) {
      assert.deepEqual(pageMessage({ ...message, path: '/etc/passwd' }), message);
    }
  });

  it('The messages of a table page are refused when they are invalid', () => {
    let deep: unknown = { op: 'invalid' };
    for (let depth = 0; depth < 300; depth += 1) {
      deep = { op: 'not', of: deep };
    }
    const bad = [
      undefined,
      null,
      'ready',
      [],
      {},
      { type: 'open', id: 1 },
      { type: 'query', id: 1 },
      { type: 'rows', id: 1, view: 0, from: 0, count: 201 },
      { type: 'rows', id: 1, view: 0, from: -1, count: 1 },
      { type: 'rows', id: 0, view: 0, from: 0, count: 1 },
      { type: 'distinct', id: 1, column: '', filter: deep },
      {
        type: 'distinct',
        id: 1,
        column: '',
        filter: { op: 'or', of: Array(300).fill({ op: 'invalid' }) },
      },
      {
        type: 'distinct',
        id: 1,
        column: '',
        filter: { op: 'compare', column: 'a', is: '<', number: '1)' },
      },
      { type: 'distinct', id: 1, column: '', filter: { op: 'dateRange', column: 'a', from: NaN } },
      { type: 'readOverviewSoFar', id: 1 },
      { type: 'export', format: 'ods' },
      { type: 'shown', columns: [] },
      { type: 'readOverviewSoFar', id: 1, now: 0, since: '2026-11-22' },
      { type: 'find', id: 1, view: 0, text: 'x'.repeat(20_000), from: 0, backwards: false },
      { type: 'copy', id: 1, view: 0, from: 0, count: 1e9, columns: [], format: 'csv' },
    ];
    for (const message of bad) {
      assert.throws(() => pageMessage(message), { name: 'ValiError' }, JSON.stringify(message));
    }
  });

  it('The messages of a table page have an id to reply to when a call is invalid', () => {
    const ids = [
      { type: 'rows', id: 7, count: 201 },
      { type: 'unknown', id: 1 },
    ].map(refusedId);
    assert.deepEqual(ids, [7, 1]);
    const others = [null, [], 'x', {}, { type: 'rows', id: 0 }, { type: 'rows', id: '7' }];
    for (const other of [...others, { type: 'rows', id: 1.5 }, { type: 'cancel', id: 2 }]) {
      assert.equal(refusedId(other), undefined, JSON.stringify(other));
    }
  });
});
