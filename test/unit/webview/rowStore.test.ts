import * as assert from 'node:assert/strict';
import { blockColumns, RowStore } from '../../../src/webview/rowStore';

describe('The loaded rows of a table page', () => {
  it('show the text of an invalid line in the first column only', async () => {
    const invalid = {
      cells: [{ kind: 'invalid', text: '{"a' }],
      record: 0,
      invalid: 'syntax',
    } as const;
    const store = new RowStore(
      () => Promise.resolve([invalid]),
      () => undefined,
      (error) => assert.fail(String(error)),
    );
    store.load(1, 0, 1, 0, 2 * blockColumns);
    await new Promise(setImmediate);
    assert.equal(store.cell(0, 0)?.text, '{"a');
    assert.deepEqual(store.cell(0, blockColumns), { kind: 'missing', text: '' });
  });
});
