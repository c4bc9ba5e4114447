import assert from 'node:assert/strict';
import { CancelledError } from '../../../../src/base/cancelledError';
import {
  BadRequestError,
  ConfigError,
  NetworkError,
  RateLimitedError,
  ServerError,
  TimeoutError,
} from '../../../../src/api/http/errors';
import { silentLogger } from '../../../../src/base/logger';
import type { Wait } from '../../../../src/api/types';
import { type Handler, sendJson, sendText } from '../../../helpers/testServer';
import { Harness, failure, page, query, tick, until, WaitClock } from '../support';

describe('The API client', () => {
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

  it('The API client retries a 429 after its Retry-After of 2 s', async () => {
    const { clock, server, client } = await setup(steps(status(429, { 'Retry-After': '2' })));
    await clock.run(client.findingsPage(query()));
    assert.equal(server.requests.length, 2);
    assert.deepEqual(clock.waits, [2000]);
  });

  it('The API client returns an answer whoever fails to hear that its key was accepted', async () => {
    const server = await harness.serve((request, response) => {
      const isReport = request.path === '/reports/full-dump';
      sendJson(response, 200, isReport ? { report_url: '/r/1' } : page([{ ok: true }]));
    });
    const logged: string[] = [];
    const client = harness.client(server.baseUrl, {
      logger: { ...silentLogger, error: (line) => logged.push(line) },
      onKeyUsed: () => {
        throw new Error('a view is broken');
      },
    });
    assert.equal((await client.findingsPage(query())).entries.length, 1);
    assert.equal((await client.requestReport('full', undefined)).type, 'record');
    assert.equal(server.requests.length, 2);
    assert.match(logged.join('\n'), /(?:a view is broken[^]*){2}/);
  });

  it('The API client tells once that a key cannot be sent', async () => {
    const { server } = await setup(steps());
    const told: unknown[] = [];
    const client = harness.client(server.baseUrl, {
      apiKey: () => 'k 1',
      onKeyUsed: (error) => told.push(error),
    });
    const error = await failure(client.findingsPage(query()), ConfigError);
    assert.deepEqual(told, [error]);
    assert.equal(server.requests.length, 0);
  });

  it('The API client waits for a Retry-After beyond the hour in full', async () => {
    const { clock, server, client } = await setup(steps(status(429, { 'Retry-After': '7200' })));
    const startedAt = clock.monotonic();
    await clock.run(client.findingsPage(query(), { priority: 'bulk' }));
    assert.equal(server.requests.length, 2);
    assert.equal(clock.monotonic() - startedAt, 7_200_000);
  });

  it('The API client waits longer after each 429 without Retry-After', async () => {
    const { clock, client } = await setup(steps(status(429), status(429)));
    await clock.run(client.findingsPage(query()));
    assert.deepEqual(clock.waits, [1000, 2000]);
  });

  it('The API client waits at least Retry-After, and longer after each 429', async () => {
    const again = status(429, { 'Retry-After': '1' });
    const { clock, server, client } = await setup(steps(again, again, again, again));
    await clock.run(client.findingsPage(query()));
    assert.deepEqual(clock.waits, [1000, 2000, 4000, 8000]);
    assert.equal(server.requests.length, 5);
  });

  it('The API client waits a second or more for Retry-After 0', async () => {
    const again = status(429, { 'Retry-After': '0' });
    const { clock, client } = await setup(steps(again, again, again));
    await clock.run(client.findingsPage(query()));
    assert.deepEqual(clock.waits, [1000, 2000, 4000]);
  });

  it('The API client waits for a Retry-After that is a date', async () => {
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
    it(`A Retry-After date is relative to the service's clock, ${hours} h beside ours`, async () => {
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

  it('The API client of two Retry-After headers the longer one counts', async () => {
    const { clock, client } = await setup(
      steps((_, response) => {
        response.writeHead(429, ['Retry-After', '3', 'Retry-After', '2']);
        response.end();
      }),
    );
    await clock.run(client.findingsPage(query()));
    assert.deepEqual(clock.waits, [3_000]);
  });

  it('The API client ignores a Retry-After of "soon"', async () => {
    const { clock, client } = await setup(steps(status(429, { 'Retry-After': 'soon' })));
    await clock.run(client.findingsPage(query()));
    assert.deepEqual(clock.waits, [1000]);
  });

  it('The API client fails at once with retryAt for Retry-After 99999999999, even a bulk call', async () => {
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
    it(`The API client waits 10 s to ${most} ms for a Retry-After of 10 with random ${random}`, async () => {
      const { clock, client } = await setup(
        steps(status(429, { 'Retry-After': '10' })),
        () => random,
      );
      await clock.run(client.findingsPage(query()));
      const [wait = 0] = clock.waits;
      assert.ok(wait >= 10_000 && wait <= most, String(wait));
    });
  }

  it('The API client retries the POST for findings after a 503 and a reset, because it only reads', async () => {
    const { clock, server, client } = await setup(steps(status(503), reset));
    await clock.run(client.findingsPage(query()));
    assert.deepEqual(
      server.requests.map(({ body }) => body),
      ['{}', '{}', '{}'],
    );
  });

  for (const code of [400, 401, 403, 404, 405, 409, 413, 422]) {
    it(`The API client does not retry a ${code}, neither for a page nor for a report`, async () => {
      const { client, server } = await setup(status(code));
      await assert.rejects(client.findingsPage(query()), { status: code });
      await assert.rejects(client.requestReport('full', undefined), { status: code });
      assert.equal(server.requests.length, 2);
    });
  }

  it('The API client retries after 500, 502, 503 and 504', async () => {
    const { clock, client } = await setup(
      steps(status(500), status(502), status(503), status(504)),
    );
    await clock.run(client.findingsPage(query()));
    assert.deepEqual(clock.waits, [500, 1000, 2000, 4000]);
  });

  it('The API client fails with the last response and the number of attempts when every response is 500', async () => {
    const { clock, client } = await setup(status(500));
    const error = await failure(clock.run(client.findingsPage(query())), ServerError);
    assert.deepEqual([error.status, error.attempts], [500, 5]);
  });

  it('The API client waits 5 s for a 503 with Retry-After 5', async () => {
    const { clock, client } = await setup(steps(status(503, { 'Retry-After': '5' })));
    await clock.run(client.findingsPage(query()));
    assert.deepEqual(clock.waits, [5000]);
  });

  it('The API client does not retry a report request after a 500 or a reset', async () => {
    for (const handler of [status(500), reset]) {
      const { client, server } = await setup(handler);
      await assert.rejects(client.requestReport('detailed', {}));
      assert.equal(server.requests.length, 1);
    }
  });

  it('The API client ends a call at once and for good when it is cancelled during a long wait', async () => {
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

  it('The API client ends only the call that is cancelled, at any moment before its request is sent', async () => {
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

  it('The API client times out and closes the connection when the service never responds', async () => {
    const server = await harness.serve(() => undefined);
    const client = harness.client(server.baseUrl, { requestTimeoutMs: 40 });
    const error = await failure(client.requestReport('full', undefined), TimeoutError);
    assert.equal(error.timeoutMs, 40);
    await until(() => server.connections() === 0);
  });

  it('The API client applies a changed timeout to the next attempt', async () => {
    const server = await harness.serve(() => undefined);
    const limits = [30, 50];
    const client = harness.client(server.baseUrl, { requestTimeoutMs: () => limits.shift() ?? 0 });
    const error = await failure(client.findingsPage(query()), TimeoutError);
    assert.deepEqual([error.timeoutMs, error.attempts, limits], [50, 2, []]);
  });

  it('The API client times out and closes the connection when the body stalls', async () => {
    const server = await harness.serve((_, response) => {
      response.writeHead(200, { 'Content-Type': 'application/json' });
      response.write('{"report_url":');
    });
    const client = harness.client(server.baseUrl, { requestTimeoutMs: 60 });
    await failure(client.requestReport('full', undefined), TimeoutError);
    await until(() => server.connections() === 0);
  });

  it('The API client continues after failed responses with large bodies', async () => {
    const large: Handler = (_, response) => {
      sendText(response, 429, 'x'.repeat(1024 * 1024), { 'Retry-After': '1' });
    };
    const { clock, client } = await setup(steps(large, large, large));
    await clock.run(client.findingsPage(query()));
    assert.equal(clock.waits.length, 3);
  });

  it('The API client does not start a wait that exceeds the rest of maxWaitMs', async () => {
    const { clock, server, client } = await setup(status(429, { 'Retry-After': '5' }));
    const error = await failure(
      client.findingsPage(query(), { maxWaitMs: 3000 }),
      RateLimitedError,
    );
    assert.equal(error.retryAt, new Date(clock.now() + 5000).toISOString());
    assert.deepEqual([server.requests.length, clock.waits.length], [1, 0]);
  });

  it('The API client limits the waits of an interactive call to 30 s in total, not for each attempt', async () => {
    const { clock, client } = await setup(status(429, { 'Retry-After': '12' }));
    const error = await failure(clock.run(client.findingsPage(query())), RateLimitedError);
    assert.deepEqual(clock.waits, [12_000, 12_000]);
    assert.equal(error.attempts, 3);
  });

  it('The API client lets a bulk call wait an hour, and reports why and until when', async () => {
    const { clock, client } = await setup(steps(status(429, { 'Retry-After': '3600' })));
    const reported: (Wait | undefined)[] = [];
    const startedAt = clock.now();
    await clock.run(
      client.findingsPage(query(), { priority: 'bulk', onWait: (wait) => reported.push(wait) }),
    );
    assert.deepEqual(reported, [{ reason: 'limit', until: startedAt + 3_600_000 }, undefined]);
  });

  it('The API client reports the back-off of a call as a retry', async () => {
    const { clock, client } = await setup(steps(status(500)));
    const reported: (string | undefined)[] = [];
    await clock.run(
      client.findingsPage(query(), { onWait: (wait) => reported.push(wait?.reason) }),
    );
    assert.deepEqual(reported, ['retry', undefined]);
  });

  it('The API client tries a refused connection four times, and names the host', async () => {
    const clock = new WaitClock();
    const server = await harness.serve(() => undefined);
    await server.close();
    const client = harness.client(server.baseUrl, { clock, apiKey: () => 'SECRET-k1' });
    const error = await failure(clock.run(client.findingsPage(query())), NetworkError);
    assert.equal(error.reason, 'refused');
    assert.equal(error.attempts, 4);
    assert.ok(error.message.includes('127.0.0.1') && !error.message.includes('SECRET'));
  });

  it('The API client fails with a NetworkError of reason dns for an unknown host', async () => {
    const clock = new WaitClock();
    const client = harness.client('https://nowhere.invalid', { clock });
    const error = await failure(clock.run(client.findingsPage(query())), NetworkError);
    assert.equal(error.reason, 'dns');
    assert.ok(error.message.includes('nowhere.invalid'));
  });

  it('The API client fails with endpoint, attempts and retryAt after the last 429', async () => {
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

  it('The API client does not count a request that is refused before it is sent', async () => {
    const { client } = await setup(status(200));
    await failure(client.findingsPage(query({ limit: 0 })), BadRequestError);
    assert.equal(client.budget().used, 0);
  });
});
