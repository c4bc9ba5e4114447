import * as assert from 'node:assert/strict';

import { ClosingColumns } from '../../../../src/engine/compare/closingColumns';

describe('Columns that close records', () => {
  it('Columns that close records are listed once each, with at most 50 words, none of them long', () => {
    const closing = new ClosingColumns();
    closing.add('new', { column: '/note', form: 'status', word: 'x'.repeat(300) });
    for (let at = 0; at < 1000; at += 1) {
      closing.add('new', { column: `/status${at % 100}`, form: 'status', word: `closed ${at}` });
    }
    closing.add('gone', { column: '/note', form: 'ifTrue', word: 'note' });
    const { by, words } = closing.found();
    assert.deepEqual(by[0], { change: 'new', column: '/note', form: 'status' });
    assert.deepEqual(by.at(-1), { change: 'gone', column: '/note', form: 'ifTrue' });
    assert.deepEqual([by.length, words.length], [102, 50]);
    assert.ok(words.every((word) => word.length <= 200));
  });
});
