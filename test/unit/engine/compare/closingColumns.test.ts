import * as assert from 'node:assert/strict';

import { ClosingColumns } from '../../../../src/engine/compare/closingColumns';

describe('Columns that close records', () => {
  it('Columns that close records are listed once each, with at most 50 words, none of them long', () => {
    const closing = new ClosingColumns();
    closing.add({ column: '/note', form: 'status', word: 'x'.repeat(300) });
    for (let at = 0; at < 1000; at += 1) {
      closing.add({ column: `/status${at % 100}`, form: 'status', word: `closed ${at}` });
    }
    closing.add({ column: '/note', form: 'ifTrue', word: 'note' });
    const { by, words } = closing.found();
    assert.deepEqual(by[0], { column: '/note', form: 'status' });
    assert.deepEqual(by.at(-1), { column: '/note', form: 'ifTrue' });
    assert.deepEqual([by.length, words.length], [102, 50]);
    assert.ok(words.every((word) => word.length <= 200));
  });
});
