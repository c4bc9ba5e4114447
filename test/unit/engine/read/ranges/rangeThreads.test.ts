import assert from 'node:assert/strict';
import type { RangeRequest } from '../../../../../src/engine/read/ranges/rangeReader';
import { RangeThreads } from '../../../../../src/engine/read/ranges/rangeThreads';
import { FakeClock } from '../../../../helpers/fakeClock';
import { bundle } from '../../../../host/paths';
import { tableFolder } from '../../../../helpers/tableFiles';

const sizes = { minBytes: 0, firstBytes: 1, bytes: 1 };
const idleMs = 30_000;

/** A thread that answers with the task, except of some tasks. */
const script = `
  const { parentPort } = require('node:worker_threads');
  const held = [];
  const reply = (id, fields) => parentPort.postMessage({ type: 'response', id, ...fields });
  const answer = ({ id, task }) => reply(id, { ok: true, result: { result: task } });
  parentPort.on('message', (call) => {
    switch (call.task) {
      case 'throw': throw new Error('boom');
      case 'exit': process.exit(1);
      case 'fail': return reply(call.id, { ok: false, code: 'changed', message: 'x' });
      case 'memory': return reply(call.id, { ok: false, code: 'memory', message: 'x' });
      case 'hold': return held.push(call);
      default: answer(call); held.splice(0).forEach(answer);
    }
  });
`;

describe('Threads that read ranges', () => {
  const folder = tableFolder();
  const pools: RangeThreads[] = [];

  function newPool(count = 2, file = folder.write('thread.js', script)) {
    const clock = new FakeClock();
    const pool = new RangeThreads(file, count, sizes, clock);
    pools.push(pool);
    const read = async (task: string): Promise<unknown> =>
      (await pool.read({ task } as RangeRequest))?.result;
    return { pool, clock, read };
  }

  afterEach(() => {
    for (const pool of pools.splice(0)) {
      pool.close();
    }
  });

  it('Threads that read ranges end after 30 idle seconds, and start again', async () => {
    const { pool, clock, read } = newPool();
    assert.deepEqual(await Promise.all([read('a'), read('b'), read('c')]), ['a', 'b', 'c']);
    assert.equal(pool.running, 2);
    clock.advance(idleMs - 1);
    assert.equal(await read('d'), 'd');
    clock.advance(idleMs - 1);
    assert.equal(pool.running, 2);
    clock.advance(1);
    assert.equal(pool.running, 0);
    assert.equal(clock.pending, 0);
    assert.ok(pool.canRead(1));
    assert.equal(await read('e'), 'e');
    assert.equal(pool.running, 1);
  });

  it('Threads that read ranges start on wake before there is a range, and end when none follows', async () => {
    const { pool, clock, read } = newPool();
    pool.startAll();
    assert.equal(pool.running, 2);
    pool.startAll();
    assert.equal(pool.running, 2);
    assert.deepEqual(await Promise.all([read('a'), read('b'), read('c')]), ['a', 'b', 'c']);
    assert.equal(pool.running, 2);
    clock.advance(idleMs);
    assert.equal(pool.running, 0);
    pool.startAll();
    clock.advance(idleMs);
    assert.equal(pool.running, 0);
    assert.equal(clock.pending, 0);
  });

  it('Threads that read ranges stay while one of them reads', async () => {
    const { pool, clock, read } = newPool(1);
    assert.equal(await read('a'), 'a');
    const held = read('hold');
    clock.advance(2 * idleMs);
    assert.equal(pool.running, 1);
    assert.equal(await read('b'), 'b');
    assert.equal(await held, 'hold');
    clock.advance(idleMs);
    assert.equal(pool.running, 0);
  });

  it('Threads that read ranges return undefined and accept no more ranges after one of them throws, exits or fails', async () => {
    for (const task of ['throw', 'exit', 'memory']) {
      const { pool, clock, read } = newPool();
      assert.deepEqual(await Promise.all([read('hold'), read(task), read('a')]), [
        'hold',
        undefined,
        'a',
      ]);
      assert.equal(pool.canRead(1), false);
      assert.equal(await read('b'), undefined);
      assert.equal(pool.running, 1);
      clock.advance(idleMs);
      assert.equal(pool.running, 0);
    }
  });

  it('Threads that read ranges return undefined for an unknown task, and accept no more ranges', async () => {
    const { pool, read } = newPool(1, bundle('extension/dist/rangeWorker.js'));
    assert.equal(await read('unknown'), undefined);
    assert.equal(pool.canRead(1), false);
  });

  it('Threads that read ranges return undefined when no thread can be started', async () => {
    for (const file of ['no path', `${folder.path}/missing.js`]) {
      const { pool, read } = newPool(2, file);
      assert.equal(await read('a'), undefined);
      assert.equal(pool.canRead(1), false);
    }
  });

  it('Threads that read ranges reject with the cause when a range cannot be read, and read the next one', async () => {
    const { pool, read } = newPool(1);
    await assert.rejects(read('fail'), { code: 'changed' });
    assert.equal(await read('a'), 'a');
    assert.equal(pool.rangesRead, 1);
  });

  it('Threads that read ranges end early where other work needs memory, unless they read, and start again', async () => {
    const { pool, read } = newPool();
    const held = read('hold');
    pool.endIdle();
    assert.equal(pool.running, 1);
    assert.equal(await read('a'), 'a');
    pool.close();
    await held;
    const other = newPool();
    assert.equal(await other.read('a'), 'a');
    other.pool.endIdle();
    assert.deepEqual([other.pool.running, other.clock.pending], [0, 0]);
    assert.equal(await other.read('b'), 'b');
  });

  it('Threads that read ranges end at once when the pool is closed while they read', async () => {
    const { pool, clock, read } = newPool();
    const held = [read('hold'), read('hold')];
    pool.close();
    assert.deepEqual(await Promise.all(held), [undefined, undefined]);
    assert.equal(pool.running, 0);
    assert.equal(clock.pending, 0);
    assert.equal(await read('a'), undefined);
  });
});
