import assert from 'node:assert/strict';
import {
  BadRequestError,
  CancelledError,
  NetworkError,
  RateLimitedError,
  ServerError,
  TimeoutError,
} from '../../../../src/api/http/errors';
import type { Wait } from '../../../../src/api/types';
import { type Handler, sendJson, sendText } from '../../../helpers/testServer';
import { Harness, failure, page, query, tick, until, WaitClock } from '../support';

describe('retries', () => {
  const harness = new Harness();
  afterEach(() => harness.close());

  /** Answers with one step after the other, then with a page. */
  function steps(...answers: Handler[]): Handler {
    return (request, response, number) => {
      const answer = answers[number - 1];
      if (answer) {
        return answer(request, response, number);
      }
      sendJson(response, 200, page([{ ok: true }]));
    };
  }

  const status =
    (code: number, headers: Record<string, string> = {}): Handler =>
    (_, response) => {
      sendText(response, code, '', headers);
    };

  const reset: Handler = (_, response) => {
    response.destroy();
  };

  async function setup(handler: Handler, random = () => 0) {
    const clock = new WaitClock();
    const server = await harness.serve(handler);
    return { clock, server, client: harness.client(server.baseUrl, { clock, random }) };
  }

  it('RE1 a 429 with Retry-After 2 is tried again after 2 s', async () => {
    const { clock, server, client } = await setup(steps(status(429, { 'Retry-After': '2' })));
    await clock.run(client.findingsPage(query()));
    assert.equal(server.requests.length, 2);
    assert.deepEqual(clock.waits, [2000]);
  });

  it('RE1 a Retry-After beyond the hour is waited for in full, by others too', async () => {
    const { clock, server, client } = await setup(steps(status(429, { 'Retry-After': '7200' })));
    const startedAt = clock.monotonic();
    await clock.run(client.findingsPage(query(), { priority: 'bulk' }));
    assert.equal(server.requests.length, 2);
    assert.equal(clock.monotonic() - startedAt, 7_200_000);
  });

  it('RE2 a 429 without Retry-After waits the base, growing', async () => {
    const { clock, client } = await setup(steps(status(429), status(429)));
    await clock.run(client.findingsPage(query()));
    assert.deepEqual(clock.waits, [1000, 2000]);
  });

  it('RE3 waits of at least Retry-After grow until the answer comes', async () => {
    const again = status(429, { 'Retry-After': '1' });
    const { clock, server, client } = await setup(steps(again, again, again, again));
    await clock.run(client.findingsPage(query()));
    assert.deepEqual(clock.waits, [1000, 2000, 4000, 8000]);
    assert.equal(server.requests.length, 5);
  });

  it('RE4 Retry-After 0 makes no hot loop', async () => {
    const again = status(429, { 'Retry-After': '0' });
    const { clock, client } = await setup(steps(again, again, again));
    await clock.run(client.findingsPage(query()));
    assert.deepEqual(clock.waits, [1000, 2000, 4000]);
  });

  it('RE6 Retry-After as a date is waited for', async () => {
    const { clock, client } = await setup(
      steps((_, response) => {
        const date = new Date(clock.now() + 20_000).toUTCString();
        const sent = new Date(clock.now()).toUTCString();
        sendText(response, 429, '', { 'Retry-After': date, Date: sent });
      }),
    );
    await clock.run(client.findingsPage(query()));
    assert.deepEqual(clock.waits, [20_000]);
  });

  for (const hours of [1, -1]) {
    it(`a Retry-After date is relative to the service's clock, ${hours} h beside ours`, async () => {
      const { clock, client } = await setup(
        steps((_, response) => {
          const sent = clock.now() + hours * 3_600_000;
          sendText(response, 429, '', {
            'Retry-After': new Date(sent + 6_000).toUTCString(),
            Date: new Date(sent).toUTCString(),
          });
        }),
      );
      await clock.run(client.findingsPage(query()));
      assert.deepEqual(clock.waits, [6_000]);
    });
  }

  it('of two Retry-After headers the longer one counts', async () => {
    const { clock, client } = await setup(
      steps((_, response) => {
        response.writeHead(429, ['Retry-After', '3', 'Retry-After', '2']);
        response.end();
      }),
    );
    await clock.run(client.findingsPage(query()));
    assert.deepEqual(clock.waits, [3_000]);
  });

  it('RE7 Retry-After "soon" is ignored', async () => {
    const { clock, client } = await setup(steps(status(429, { 'Retry-After': 'soon' })));
    await clock.run(client.findingsPage(query()));
    assert.deepEqual(clock.waits, [1000]);
  });

  it('RE9 Retry-After 99999999999 fails at once with retryAt, for a bulk call too', async () => {
    const { client, server } = await setup(status(429, { 'Retry-After': '99999999999' }));
    const error = await failure(
      client.findingsPage(query(), { priority: 'bulk' }),
      RateLimitedError,
    );
    assert.equal(error.retryAt.slice(0, 4), '5194');
    assert.equal(server.requests.length, 1);
  });

  for (const [random, most] of [
    [0, 10_000],
    [0.999, 12_000],
  ] as const) {
    it(`RE10 with random ${random} a Retry-After of 10 waits 10 s to ${most} ms`, async () => {
      const { clock, client } = await setup(
        steps(status(429, { 'Retry-After': '10' })),
        () => random,
      );
      await clock.run(client.findingsPage(query()));
      const [wait = 0] = clock.waits;
      assert.ok(wait >= 10_000 && wait <= most, String(wait));
    });
  }

  it('RE11 the findings POST is a read: 503, then a reset, then a page', async () => {
    const { clock, server, client } = await setup(steps(status(503), reset));
    await clock.run(client.findingsPage(query()));
    assert.deepEqual(
      server.requests.map(({ body }) => body),
      ['{}', '{}', '{}'],
    );
  });

  for (const code of [400, 401, 403, 404, 405, 409, 413, 422]) {
    it(`RE13 a ${code} is final for a page and a report`, async () => {
      const { client, server } = await setup(status(code));
      await assert.rejects(client.findingsPage(query()), { status: code });
      await assert.rejects(client.requestReport('full', undefined), { status: code });
      assert.equal(server.requests.length, 2);
    });
  }

  it('RE14 500, 502, 503, 504, then a page', async () => {
    const { clock, client } = await setup(
      steps(status(500), status(502), status(503), status(504)),
    );
    await clock.run(client.findingsPage(query()));
    assert.deepEqual(clock.waits, [500, 1000, 2000, 4000]);
  });

  it('RE14 always 500 ends with the last answer and the number of attempts', async () => {
    const { clock, client } = await setup(status(500));
    const error = await failure(clock.run(client.findingsPage(query())), ServerError);
    assert.deepEqual([error.status, error.attempts], [500, 5]);
  });

  it('RE15 a 503 with Retry-After 5 waits 5 s', async () => {
    const { clock, client } = await setup(steps(status(503, { 'Retry-After': '5' })));
    await clock.run(client.findingsPage(query()));
    assert.deepEqual(clock.waits, [5000]);
  });

  it('a report request is not repeated after 500 or a reset', async () => {
    for (const handler of [status(500), reset]) {
      const { client, server } = await setup(handler);
      await assert.rejects(client.requestReport('detailed', {}));
      assert.equal(server.requests.length, 1);
    }
  });

  it('RE16 cancel during a long wait ends the call at once and for good', async () => {
    const { clock, server, client } = await setup(status(429, { 'Retry-After': '60' }));
    const controller = new AbortController();
    const call = failure(
      client.findingsPage(query(), { signal: controller.signal, priority: 'bulk' }),
      CancelledError,
    );
    await until(() => client.budget().retryAt !== undefined);
    await tick();
    controller.abort();
    await call;
    clock.advance(120_000);
    await tick();
    assert.equal(server.requests.length, 1);
    assert.equal(clock.pending, 0);
  });

  it('RE16 cancel at any moment before the request is sent ends the call and nothing else', async () => {
    const uncaught: unknown[] = [];
    const note = (error: unknown) => uncaught.push(error);
    // Mocha's own listeners would end the test before the rest of it is tried.
    const listeners = process.listeners('uncaughtException');
    process.removeAllListeners('uncaughtException').on('uncaughtException', note);
    try {
      const server = await harness.serve((_, response) => {
        sendJson(response, 200, page());
      });
      const client = harness.client(server.baseUrl);
      for (let steps = 0; steps < 100; steps += 1) {
        const controller = new AbortController();
        const call = client.findingsPage(query(), { signal: controller.signal });
        for (let step = 0; step < steps; step += 1) {
          await Promise.resolve();
        }
        controller.abort();
        await failure(call, CancelledError);
        await tick();
      }
    } finally {
      process.removeAllListeners('uncaughtException');
      listeners.forEach((listener) => process.on('uncaughtException', listener));
    }
    assert.deepEqual(uncaught, []);
  });

  it('RE17 a service that never answers is a timeout, and its connection is closed', async () => {
    const server = await harness.serve(() => undefined);
    const client = harness.client(server.baseUrl, { requestTimeoutMs: 40 });
    const error = await failure(client.requestReport('full', undefined), TimeoutError);
    assert.equal(error.timeoutMs, 40);
    await until(() => server.connections() === 0);
  });

  it('RE17 a changed limit is that of the next attempt', async () => {
    const server = await harness.serve(() => undefined);
    const limits = [30, 50];
    const client = harness.client(server.baseUrl, { requestTimeoutMs: () => limits.shift() ?? 0 });
    const error = await failure(client.findingsPage(query()), TimeoutError);
    assert.deepEqual([error.timeoutMs, error.attempts, limits], [50, 2, []]);
  });

  it('RE17 a body that stands still is a timeout too', async () => {
    const server = await harness.serve((_, response) => {
      response.writeHead(200, { 'Content-Type': 'application/json' });
      response.write('{"report_url":');
    });
    const client = harness.client(server.baseUrl, { requestTimeoutMs: 60 });
    await failure(client.requestReport('full', undefined), TimeoutError);
    await until(() => server.connections() === 0);
  });

  it('RE18 failed answers with large bodies block nothing', async () => {
    const large: Handler = (_, response) => {
      sendText(response, 429, 'x'.repeat(1024 * 1024), { 'Retry-After': '1' });
    };
    const { clock, client } = await setup(steps(large, large, large));
    await clock.run(client.findingsPage(query()));
    assert.equal(clock.waits.length, 3);
  });

  it('RE19 a wait beyond what is left of maxWaitMs is not begun', async () => {
    const { clock, server, client } = await setup(status(429, { 'Retry-After': '5' }));
    const error = await failure(
      client.findingsPage(query(), { maxWaitMs: 3000 }),
      RateLimitedError,
    );
    assert.equal(error.retryAt, new Date(clock.now() + 5000).toISOString());
    assert.deepEqual([server.requests.length, clock.waits.length], [1, 0]);
  });

  it('RE19 an interactive call waits 30 s in all, not at each attempt', async () => {
    const { clock, client } = await setup(status(429, { 'Retry-After': '12' }));
    const error = await failure(clock.run(client.findingsPage(query())), RateLimitedError);
    assert.deepEqual(clock.waits, [12_000, 12_000]);
    assert.equal(error.attempts, 3);
  });

  it('a bulk call waits an hour, and shows why and until when', async () => {
    const { clock, client } = await setup(steps(status(429, { 'Retry-After': '3600' })));
    const reported: (Wait | undefined)[] = [];
    const startedAt = clock.now();
    await clock.run(
      client.findingsPage(query(), { priority: 'bulk', onWait: (wait) => reported.push(wait) }),
    );
    assert.deepEqual(reported, [{ reason: 'limit', until: startedAt + 3_600_000 }, undefined]);
  });

  it('a back-off of the call itself is reported as retry', async () => {
    const { clock, client } = await setup(steps(status(500)));
    const reported: (string | undefined)[] = [];
    await clock.run(
      client.findingsPage(query(), { onWait: (wait) => reported.push(wait?.reason) }),
    );
    assert.deepEqual(reported, ['retry', undefined]);
  });

  it('RE20 a refused connection names the host and is tried four times', async () => {
    const clock = new WaitClock();
    const server = await harness.serve(() => undefined);
    await server.close();
    const client = harness.client(server.baseUrl, { clock, apiKey: () => 'SECRET-k1' });
    const error = await failure(clock.run(client.findingsPage(query())), NetworkError);
    assert.equal(error.reason, 'refused');
    assert.equal(error.attempts, 4);
    assert.ok(error.message.includes('127.0.0.1') && !error.message.includes('SECRET'));
  });

  it('RE20 an unknown host is a network error of reason dns', async () => {
    const clock = new WaitClock();
    const client = harness.client('https://nowhere.invalid', { clock });
    const error = await failure(clock.run(client.findingsPage(query())), NetworkError);
    assert.equal(error.reason, 'dns');
    assert.ok(error.message.includes('nowhere.invalid'));
  });

  it('ER10 an exhausted 429 names endpoint, attempts and when to try again', async () => {
    const { clock, client } = await setup(status(429));
    const error = await failure(clock.run(client.findingsPage(query())), RateLimitedError);
    assert.equal(
      error.endpoint,
      'POST /companies/{scorecard_identifier}/issues/{issue_type}/paginated',
    );
    assert.equal(error.attempts, 5);
    assert.equal(error.status, 429);
    assert.ok(error.message.includes(error.retryAt));
    assert.ok(error.message.includes('/issues/'));
  });

  it('what is refused before it is sent costs nothing of the budget', async () => {
    const { client } = await setup(status(200));
    await failure(client.findingsPage(query({ limit: 0 })), BadRequestError);
    assert.equal(client.budget().used, 0);
  });
});
