import assert from 'node:assert/strict';
import * as fs from 'node:fs';
import * as os from 'node:os';
import * as path from 'node:path';
import { Worker } from 'node:worker_threads';
import { systemClock } from '../../../src/base/events/clock';
import { defaultLockTimes, FileLock } from '../../../src/files/fileLock';
import { localProcesses } from '../../../src/files/processes';
import { isDeep } from '../../helpers/property';

const replaces = isDeep ? 10_000 : 200;

/** Reads a file each millisecond, where a window does so each second, until it is stopped; counts what is half of it. */
const reader = `
const { readFileSync } = require('node:fs');
const { parentPort, workerData: { file, stop } } = require('node:worker_threads');
let reads = 0;
let broken = 0;
const isStopped = new Int32Array(stop);
while (Atomics.wait(isStopped, 0, 0, 1) === 'timed-out') {
  try {
    const text = readFileSync(file, 'utf8');
    broken += /^(\\d+) x+ \\1$/.test(text) ? 0 : 1;
    reads += 1;
  } catch {
    // On Windows, a file that is being replaced is not there for a moment.
  }
}
parentPort.postMessage({ reads, broken });
`;

describe('A record that others read', () => {
  it('A record that others read each millisecond is replaced each time, and never read by half', async () => {
    const root = fs.mkdtempSync(path.join(os.tmpdir(), 'readers-'));
    const file = path.join(root, 'record');
    const lock = new FileLock(path.join(root, 'lock'), {
      clock: systemClock,
      processes: localProcesses,
      times: defaultLockTimes,
    });
    assert.ok(lock.tryAcquire());
    const stop = new SharedArrayBuffer(4);
    const text = (count: number) => `${count} ${'x'.repeat(2_000)} ${count}`;
    await lock.replace(file, text(0));
    const workers = [1, 2, 3].map(() => {
      const worker = new Worker(reader, { eval: true, workerData: { file, stop } });
      return new Promise<{ reads: number; broken: number }>((resolve, reject) => {
        worker.once('message', resolve);
        worker.once('error', reject);
      });
    });
    try {
      for (let count = 1; count <= replaces; count += 1) {
        await lock.replace(file, text(count));
      }
    } finally {
      Atomics.store(new Int32Array(stop), 0, 1);
      Atomics.notify(new Int32Array(stop), 0);
    }
    const results = await Promise.all(workers);
    assert.equal(
      results.reduce((sum, { broken }) => sum + broken, 0),
      0,
    );
    assert.ok(results.some(({ reads }) => reads > 0));
    assert.equal(fs.readFileSync(file, 'utf8'), text(replaces));
    lock.release();
    fs.rmSync(root, { recursive: true });
  });
});
