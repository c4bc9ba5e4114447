import assert from 'node:assert/strict';
import { CallThread } from '../../../../src/engine/threads/callThread';
import type { TableError } from '../../../../src/engine/data/tableError';
import { tableFolder } from '../../../helpers/tableFiles';

interface Calls {
  fail: { readonly params: { readonly code: string }; readonly result: null };
}

describe('A thread that answers calls', () => {
  const folder = tableFolder();

  it('A thread that answers calls ends when a call fails for lack of memory, which says why, and goes on after others', async () => {
    const script = folder.write(
      'thread.js',
      `const { parentPort } = require('node:worker_threads');
      parentPort.on('message', ({ type, id, code }) => {
        if (type === 'fail') {
          const details = [{ text: 'Too many.', args: [] }];
          parentPort.postMessage({ type: 'response', id, ok: false, code, message: 'x', details });
        }
      });`,
    );
    const ends: TableError[] = [];
    const thread = new CallThread<Calls>(script, {}, (error) => ends.push(error));
    await assert.rejects(thread.call('fail', { code: 'gone' }), { code: 'gone' });
    assert.equal(thread.ended, undefined);
    await assert.rejects(thread.call('fail', { code: 'memory' }), {
      code: 'memory',
      details: [{ text: 'Too many.', args: [] }],
    });
    assert.deepEqual([thread.ended, ends], [ends[0], [thread.ended]]);
    await assert.rejects(thread.call('fail', { code: 'gone' }), { code: 'memory' });
  });
});
