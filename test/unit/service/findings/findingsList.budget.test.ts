import assert from 'node:assert/strict';
import { ApiClient } from '../../../../src/api/client';
import { RateLimitedError } from '../../../../src/api/http/errors';
import { FindingsList } from '../../../../src/service/findings/findingsList';
import { FakeClock } from '../../../helpers/fakeClock';
import { sendJson, startTestServer } from '../../../helpers/testServer';
import { Cleanup, Gate, scorecardId } from './support';

describe('A findings list', () => {
  const cleanup = new Cleanup();
  afterEach(() => cleanup.run());

  it('A findings list fails at once with the time to retry when the budget is used up', async () => {
    const clock = new FakeClock();
    const server = await startTestServer((_, response) => {
      sendJson(response, 200, { entries: [], total: 0 });
    });
    cleanup.add(() => server.close());
    const client = cleanup.own(
      new ApiClient({
        baseUrl: server.baseUrl,
        apiKey: () => 'k1',
        clock,
        requestsPerHour: 1,
        requestTimeoutMs: 1e9,
      }),
    );
    await client.collectionPage({ path: '/things', style: 'page' }).catch(() => undefined);
    const list = new FindingsList(scorecardId, 'open_port', {
      fetchPage: (query, options) =>
        client.findingsPage(
          { scorecardId, issueType: 'open_port', ...query },
          { ...options, maxWaitMs: 30_000 },
        ),
      pageSize: () => 100,
      now: () => clock.now(),
    });
    const started = clock.monotonic();
    await assert.rejects(list.loadFirst(), RateLimitedError);
    assert.equal(clock.monotonic(), started, 'It waited.');
    const { state } = list;
    assert.ok(state.type === 'failed' && state.error instanceof RateLimitedError);
    assert.equal(Date.parse(state.error.retryAt) - clock.now(), 3_600_000);
    assert.equal(server.requests.length, 1);
  });

  it('A findings list waits 30 seconds for a page of Load All, and fails at once if it takes longer', async () => {
    const now = 1_000;
    for (const [waitMs, isTooLong] of [
      [30_000, false],
      [30_001, true],
    ] as const) {
      const page = new Gate();
      const list = new FindingsList(scorecardId, 'open_port', {
        fetchPage: async ({ offset, limit }, { onWait }) => {
          onWait({ reason: 'limit', until: now + waitMs });
          await page.promise;
          return { entries: [{ issue_id: 'a' }], offset, limit, hasMore: false };
        },
        pageSize: () => 100,
        now: () => now,
      });
      const all = list.loadAll();
      await new Promise(setImmediate);
      let failure: unknown;
      const more = list.loadMore().catch((error: unknown) => {
        failure = error;
      });
      // After all that happens without the page.
      await new Promise(setImmediate);
      assert.equal(failure instanceof RateLimitedError, isTooLong, `${waitMs}`);
      page.open();
      await more;
      assert.equal(failure instanceof RateLimitedError, isTooLong, `${waitMs}`);
      await all.catch(() => undefined);
    }
  });
});
