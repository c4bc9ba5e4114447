import assert from 'node:assert/strict';
import { once } from 'node:events';
import { mkdtemp, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Worker } from 'node:worker_threads';
import { TimeoutError } from '../../../../src/api/http/errors';
import { systemClock } from '../../../../src/base/events/clock';
import { failure, Harness, page, query } from '../support';

/** A service in a thread of its own: it answers while this one is busy, in two parts. */
const service = `
  const { createServer } = require('node:http');
  const { parentPort } = require('node:worker_threads');
  const server = createServer((request, response) => {
    const { type, first, second, partMs } = require('node:worker_threads').workerData;
    request.resume();
    parentPort.postMessage('requested');
    if (request.url.includes('silent')) {
      return;
    }
    setTimeout(() => {
      response.writeHead(200, { 'Content-Type': type });
      response.write(first);
      setTimeout(() => response.end(second), partMs);
    }, partMs);
  });
  server.listen(0, '127.0.0.1', () => parentPort.postMessage(server.address().port));
`;

/** Real time. Clocks of a test build are faster. */
const rate = systemClock.monotonic() / (Number(process.hrtime.bigint()) / 1e6);
const partMs = 40;
const timeoutMs = 1_000 * rate;

/** Keeps the event loop from everything else. */
function block(ms: number): void {
  Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, ms);
}

describe('A process that was held up', () => {
  const harness = new Harness();
  let worker: Worker;
  let folder: string;

  before(async () => {
    folder = await mkdtemp(join(tmpdir(), 'held-up-'));
  });
  after(() => rm(folder, { recursive: true }));
  afterEach(async () => {
    await harness.close();
    await worker.terminate();
  });

  async function serve(type: string, content: string) {
    const half = content.length >> 1;
    const workerData = { type, first: content.slice(0, half), second: content.slice(half), partMs };
    worker = new Worker(service, { eval: true, workerData });
    const [port] = (await once(worker, 'message')) as [number];
    return harness.client(`http://127.0.0.1:${port}`, {
      clock: systemClock,
      requestTimeoutMs: timeoutMs,
    });
  }

  /** Blocks for longer than the timeout when the request has been sent. */
  async function whileBlocked<T>(call: Promise<T>): Promise<T> {
    call.catch(() => undefined);
    await once(worker, 'message');
    let more = 0;
    worker.on('message', () => (more += 1));
    block(1_300);
    const result = await call;
    assert.equal(more, 0, 'requested again');
    return result;
  }

  it('A process that was held up receives a page that arrived meanwhile', async () => {
    const client = await serve('application/json', JSON.stringify(page([{ issue_id: '1' }])));
    const found = await whileBlocked(client.findingsPage(query()));
    assert.equal(found.entries.length, 1);
  });

  it('A process that was held up receives the receipt of a report, which is requested once', async () => {
    const client = await serve('application/json', '{"report_url":"/r/1"}');
    const found = await whileBlocked(client.requestReport('full', undefined));
    assert.equal(found.type, 'record');
  });

  it('A process that was held up receives the rest of a report, after one request', async () => {
    const content = 'a,b\n'.repeat(20_000);
    const client = await serve('text/csv', content);
    const path = join(folder, 'report.csv');
    await whileBlocked(
      client.fetchReport('/r/1').then(async (response) => {
        assert.equal(response.type, 'file');
        await response.file.saveTo(path);
      }),
    );
    assert.equal(await readFile(path, 'utf8'), content);
  });

  it('A process that was held up still ends a request that nobody answers', async () => {
    const client = await serve('application/json', '{}');
    const call = client.collectionPage({ path: '/silent', style: 'page' });
    await failure(whileBlocked(call), TimeoutError);
  });
});
