import assert from 'node:assert/strict';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { CancelledError } from '../../../../src/base/cancelledError';
import { DownloadError, RateLimitedError } from '../../../../src/api/http/errors';
import { endpoints } from '../../../../src/api/paths';
import { sendJson, sendText } from '../../../helpers/testServer';
import { Harness, failure, page, query, tick, until, WaitClock } from '../support';

describe('The request budget', () => {
  const harness = new Harness();
  afterEach(() => harness.close());

  it('The request budget counts retries, redirects and polls as requests', async () => {
    const clock = new WaitClock();
    const server = await harness.serve((request, response, number) => {
      if (number <= 2) {
        sendText(response, 500);
      } else if (request.path.includes('paginated')) {
        sendJson(response, 200, page());
      } else if (request.path === '/r/1') {
        sendText(response, 302, '', { Location: '/r/2' });
      } else {
        sendText(response, 202);
      }
    });
    const client = harness.client(server.baseUrl, { clock });
    await clock.run(client.findingsPage(query()));
    assert.equal(client.budget().used, 3);
    await clock.run(client.fetchReport('/r/1'));
    assert.deepEqual(client.budget(), {
      limit: 5000,
      used: 5,
      remaining: 4995,
      windowMinutes: 60,
      endpoints: [
        { endpoint: endpoints.findings, used: 3 },
        { endpoint: endpoints.reportUrl, used: 2 },
      ],
    });
  });

  it('The request budget holds back the findings of every scorecard after a 429 on one page', async () => {
    const clock = new WaitClock();
    const server = await harness.serve((_, response, number) => {
      if (number === 1) {
        sendText(response, 429, '', { 'Retry-After': '20' });
      } else {
        sendJson(response, 200, page());
      }
    });
    const client = harness.client(server.baseUrl, { clock });
    const first = client.findingsPage(query());
    await until(() => client.budget().retryAt !== undefined);
    const other = query({ scorecardId: '00000000-0000-0000-0000-000000000000', offset: 300 });
    const second = client.findingsPage(other);
    await tick();
    assert.equal(server.requests.length, 1);
    await clock.run(Promise.all([first, second]));
    assert.deepEqual(clock.waits, [20_000]);
  });

  it('The request budget does not pause the findings after a 429 on detailed reports', async () => {
    const clock = new WaitClock();
    const server = await harness.serve((request, response) => {
      if (request.path.endsWith('detailed')) {
        sendText(response, 429, '', { 'Retry-After': '60' });
      } else {
        sendJson(response, 200, page());
      }
    });
    const client = harness.client(server.baseUrl, { clock });
    await failure(client.requestReport('detailed', {}), RateLimitedError);
    await client.findingsPage(query());
    const { retryAt, endpoints: budgets = [] } = client.budget();
    assert.equal(retryAt, undefined);
    assert.deepEqual(
      budgets.map((endpoint) => [endpoint.endpoint, endpoint.used, endpoint.retryAt]),
      [
        [endpoints.detailedReport, 1, new Date(clock.now() + 60_000).toISOString()],
        [endpoints.findings, 1, undefined],
      ],
    );
    // The endpoint stays paused, so the next call is refused without a request.
    await failure(client.requestReport('detailed', {}), RateLimitedError);
    assert.equal(server.requests.length, 2);
  });

  it('The request budget and its pauses are separate for each client', async () => {
    const server = await harness.serve((request, response) => {
      if (request.headers.authorization === 'Token k1') {
        sendText(response, 429, '', { 'Retry-After': '60' });
      } else {
        sendJson(response, 200, page());
      }
    });
    const first = harness.client(server.baseUrl);
    const second = harness.client(server.baseUrl, { apiKey: () => 'k2' });
    await failure(first.findingsPage(query()), RateLimitedError);
    await second.findingsPage(query());
    assert.ok(first.budget().retryAt);
    assert.equal(second.budget().retryAt, undefined);
  });

  it('The request budget refuses an interactive call beyond the limit, and lets a bulk call wait', async () => {
    const clock = new WaitClock();
    const server = await harness.serve((_, response) => {
      sendJson(response, 200, page());
    });
    const client = harness.client(server.baseUrl, { clock, requestsPerHour: 2 });
    await client.findingsPage(query());
    await client.findingsPage(query());
    const freeAt = new Date(clock.now() + 3_600_000).toISOString();
    const error = await failure(client.findingsPage(query()), RateLimitedError);
    assert.equal(error.retryAt, freeAt);
    assert.deepEqual(client.budget(), {
      limit: 2,
      used: 2,
      remaining: 0,
      windowMinutes: 60,
      retryAt: freeAt,
      endpoints: [{ endpoint: endpoints.findings, used: 2 }],
    });
    await clock.run(client.findingsPage(query(), { priority: 'bulk' }));
    assert.equal(clock.monotonic(), 3_600_000);
  });

  it('The request budget lets waiting calls continue when the limit is raised', async () => {
    const clock = new WaitClock();
    const server = await harness.serve((_, response) => {
      sendJson(response, 200, page());
    });
    const client = harness.client(server.baseUrl, { clock, requestsPerHour: 1 });
    await client.findingsPage(query());
    const waiting = client.findingsPage(query(), { priority: 'bulk' });
    client.setRequestsPerHour(2);
    await waiting;
    assert.equal(client.budget().used, 2);
  });

  it('The request budget cancels calls in flight and queued calls on dispose, and leaves no timer', async () => {
    const clock = new WaitClock();
    const server = await harness.serve(() => undefined);
    const client = harness.client(server.baseUrl, { clock });
    const calls = Array.from({ length: 100 }, () =>
      failure(client.findingsPage(query()), CancelledError),
    );
    await until(() => server.requests.length === 6);
    client.dispose();
    await Promise.all(calls);
    assert.equal(clock.pending, 0);
    assert.equal(server.requests.length, 6);
    await until(() => server.connections() === 0);
    await failure(client.findingsPage(query()), CancelledError);
  });

  for (const how of ['discarded', 'too large', 'left when the client is disposed'] as const) {
    it(`The request budget leaves no timer for a report that was peeked into and is ${how}`, async () => {
      const clock = new WaitClock();
      const server = await harness.serve((_, response) => {
        response.writeHead(200, { 'Content-Type': 'application/json' });
        // Too large for a record, and never at its end.
        response.write('['.padEnd(200_000, ' '));
      });
      const client = harness.client(server.baseUrl, { clock, maxReportBytes: 1000 });
      const answer = await client.fetchReport('/r');
      assert.ok(answer.type === 'file');
      if (how === 'discarded') {
        answer.file.discard();
      } else if (how === 'too large') {
        const folder = await mkdtemp(join(tmpdir(), 'budget-'));
        await failure(answer.file.saveTo(join(folder, 'r.json')), DownloadError);
        await rm(folder, { recursive: true });
      } else {
        client.dispose();
      }
      await until(() => server.connections() === 0);
      assert.equal(clock.pending, 0);
    });
  }

  it('The request budget queues and cancels 20,000 calls with one signal without a warning', async () => {
    const warnings: Error[] = [];
    const onWarning = (warning: Error) => warnings.push(warning);
    process.on('warning', onWarning);
    const server = await harness.serve(() => undefined);
    const client = harness.client(server.baseUrl);
    const controller = new AbortController();
    const options = { signal: controller.signal, priority: 'bulk' } as const;
    const calls = Array.from({ length: 20_000 }, () =>
      client.findingsPage(query(), options).catch(() => undefined),
    );
    controller.abort();
    await Promise.all(calls);
    await tick();
    process.off('warning', onWarning);
    assert.deepEqual(warnings, []);
  });
});
