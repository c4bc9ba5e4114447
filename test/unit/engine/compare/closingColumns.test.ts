import * as assert from 'node:assert/strict';

import { ClosingColumns } from '../../../../src/engine/compare/closingColumns';

describe('Columns that close records', () => {
  it('Columns that close records list at most 50 values and words, of all columns together, and no long ones', () => {
    const closing = new ClosingColumns();
    closing.add({ column: '/note', form: 'status', value: 'x'.repeat(300), word: 'x'.repeat(300) });
    for (let at = 0; at < 1000; at += 1) {
      closing.add({
        column: `/status${at % 100}`,
        form: 'status',
        value: `Closed ${at}`,
        word: `closed ${at}`,
      });
    }
    const { by, words } = closing.found();
    assert.deepEqual(by[0], { column: '/note', form: 'status' });
    assert.deepEqual([by.length, words.length], [101, 50]);
    assert.ok(by.flatMap(({ values }) => values ?? []).length <= 50);
    assert.ok(
      [...words, ...by.flatMap(({ values }) => values ?? [])].every((text) => text.length <= 200),
    );
  });

  it('Columns that close records list the values of each while they are few', () => {
    const closing = new ClosingColumns();
    for (const value of ['Resolved', 'resolved', 'Resolved']) {
      closing.add({ column: '/status', form: 'status', value, word: value });
    }
    closing.add({ column: '/active', form: 'ifFalse', value: 'false', word: 'inactive' });
    assert.deepEqual(closing.found(), {
      by: [
        { column: '/status', form: 'status', values: ['Resolved', 'resolved'] },
        { column: '/active', form: 'ifFalse', values: ['false'] },
      ],
      words: ['Resolved', 'resolved', 'inactive'],
    });
  });
});
