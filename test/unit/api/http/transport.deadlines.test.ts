import assert from 'node:assert/strict';
import type { ServerResponse } from 'node:http';
import { mkdtemp, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { ApiClient } from '../../../../src/api/client';
import { CancelledError } from '../../../../src/base/cancelledError';
import { BadRequestError, ServerError, TimeoutError } from '../../../../src/api/http/errors';
import { FakeClock } from '../../../helpers/fakeClock';
import { type Handler, sendJson } from '../../../helpers/testServer';
import { Harness, failure, page, query, tick, until } from '../support';

const timeoutMs = 30_000;
const wholeMs = 5 * timeoutMs;
const firstBackoffMs = 500;

/**
 * A clock that stands still, as with a service that sends a byte now and then. Single timers run when a test
 * wants them to.
 */
class StillClock extends FakeClock {
  private readonly waiting = new Set<{ delayMs: number; callback: () => void }>();

  override setTimeout(callback: () => void, delayMs: number): () => void {
    const timer = { delayMs, callback };
    this.waiting.add(timer);
    return () => {
      this.waiting.delete(timer);
    };
  }

  waits(delayMs: number): boolean {
    return [...this.waiting].some((timer) => timer.delayMs === delayMs);
  }

  /**
   * Runs the timers of these delays until the promise settles; those of the timeout only while a body is read, when
   * there are two: for the whole of it, and for its next piece.
   */
  async run<T>(promise: Promise<T>, ...delays: number[]): Promise<T> {
    let settled = false as boolean;
    const done = () => {
      settled = true;
    };
    promise.then(done, done);
    await until(() => {
      const isBody = this.waiting.size > 1;
      for (const timer of [...this.waiting].filter(({ delayMs }) => delays.includes(delayMs))) {
        if (isBody || timer.delayMs !== timeoutMs) {
          this.waiting.delete(timer);
          timer.callback();
        }
      }
      return settled;
    });
    return promise;
  }
}

/** Begins a response that is never complete. */
function begin(response: ServerResponse, status: number, headers: Record<string, string>): void {
  response.writeHead(status, headers);
  response.write(' ');
}

const json = { 'Content-Type': 'application/json' };
const csv = { 'Content-Type': 'text/csv' };

describe('A response body', () => {
  const harness = new Harness();
  let folder: string;
  beforeEach(async () => {
    folder = await mkdtemp(join(tmpdir(), 'deadlines-'));
  });
  afterEach(async () => {
    await harness.close();
    await rm(folder, { recursive: true });
  });

  async function setup(handler: Handler) {
    const clock = new StillClock();
    const server = await harness.serve(handler);
    const client = harness.client(server.baseUrl, { clock, requestTimeoutMs: timeoutMs });
    return { clock, server, client };
  }

  const answers: [string, (client: ApiClient) => Promise<unknown>][] = [
    ['a page of findings', (client) => client.findingsPage(query())],
    [
      'a page of a collection',
      (client) => client.collectionPage({ path: '/things', style: 'page' }),
    ],
    ['the answer to a report request', (client) => client.requestReport('full', undefined)],
    ['a record at the report_url', (client) => client.fetchReport('/r')],
  ];

  for (const [what, call] of answers) {
    it(`A response body of ${what} that never ends leads to a TimeoutError, and its connection is closed`, async () => {
      const { clock, server, client } = await setup((_, response) => {
        begin(response, 200, json);
      });
      const error = await failure(clock.run(call(client), wholeMs, firstBackoffMs), TimeoutError);
      assert.equal(error.timeoutMs, wholeMs);
      assert.match(error.message, /was incomplete after 150 s/);
      await until(() => server.connections() === 0);
      assert.ok(!clock.waits(wholeMs));
    });
  }

  it('A response body of a refusal that never ends leaves the refusal without a message', async () => {
    const { clock, server, client } = await setup((_, response) => {
      begin(response, 400, json);
    });
    const call = client.findingsPage(query());
    const error = await failure(clock.run(call, timeoutMs), BadRequestError);
    assert.deepEqual([error.attempts, error.serviceMessage], [1, undefined]);
    await until(() => server.connections() === 0);
  });

  it('A response body of a redirect that never ends does not stop the redirect', async () => {
    const { clock, client } = await setup((_, response, number) => {
      if (number === 1) {
        begin(response, 307, { Location: '/elsewhere' });
      } else {
        sendJson(response, 200, page([{ a: 1 }]));
      }
    });
    const { entries } = await clock.run(client.findingsPage(query()), timeoutMs);
    assert.deepEqual(entries, [{ a: 1 }]);
  });

  it('A response body of a 404 that never ends leaves the report pending', async () => {
    const { clock, client } = await setup((_, response) => {
      begin(response, 404, json);
    });
    const { type } = await clock.run(client.fetchReport('/r'), timeoutMs);
    assert.equal(type, 'pending');
  });

  it('A response body that is only drained ends when its call is cancelled', async () => {
    const { client } = await setup((_, response) => {
      begin(response, 404, json);
    });
    const controller = new AbortController();
    const call = client.fetchReport('/r', { signal: controller.signal });
    await until(() => harness.logLines.some((line) => line.includes('404')));
    controller.abort();
    await failure(call, CancelledError);
  });

  it('A response body that breaks off after an error status does not change the error', async () => {
    const { clock, client } = await setup((_, response) => {
      response.writeHead(501, { 'Content-Length': '100' });
      response.write('no', () => response.destroy());
    });
    const error = await failure(clock.run(client.findingsPage(query())), ServerError);
    assert.deepEqual([error.status, error.attempts], [501, 1]);
  });

  for (const [what, headers, start] of [
    ['of rows', csv, 'a,b\n'],
    // Longer than a record may be.
    ['of JSON', json, `[${' '.repeat(100_000)}`],
  ] as const) {
    it(`A response body of a report file ${what} has no total time limit`, async () => {
      let finish = () => undefined as unknown;
      const { clock, client } = await setup((_, response) => {
        response.writeHead(200, headers);
        response.write(start);
        finish = () => response.end(']');
      });
      const answer = await client.fetchReport('/r');
      assert.ok(answer.type === 'file');
      const path = join(folder, 'report');
      const saving = answer.file.saveTo(path);
      await tick();
      assert.ok(!clock.waits(wholeMs));
      finish();
      await saving;
      assert.equal(await readFile(path, 'utf8'), `${start}]`);
    });
  }
});
