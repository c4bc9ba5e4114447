import assert from 'node:assert/strict';
import * as path from 'node:path';
import { ApiClient } from '../../../../src/api/client';
import type { Ledger } from '../../../../src/api/budget/ledger';
import { openSharedLedger } from '../../../../src/api/budget/sharedLedger';
import { silentLogger } from '../../../../src/base/logger';
import { UndecidedRequestError } from '../../../../src/service/reports/reportErrors';
import { sendText } from '../../../helpers/testServer';
import { until } from '../../api/support';
import { fullReport, rejection, ReportHarness, type Window } from './harness';

describe('A report that waits for the request budget', () => {
  let bench: ReportHarness;

  beforeEach(async () => {
    bench = new ReportHarness();
    await bench.start();
  });
  afterEach(() => bench.cleanup.run());

  function clientOf(requestsPerHour: number, ledger?: Ledger): ApiClient {
    return bench.cleanup.own(
      new ApiClient({
        baseUrl: bench.server.baseUrl,
        apiKey: () => 'k1',
        requestsPerHour,
        requestTimeoutMs: 1e9,
        clock: bench.clock,
        ...(ledger ? { ledger } : {}),
      }),
    );
  }

  function shared(): Ledger {
    return openSharedLedger({
      parent: path.join(bench.root, 'budget'),
      baseUrl: bench.server.baseUrl,
      apiKey: 'k1',
      clock: bench.clock,
      logger: silentLogger,
    });
  }

  /** Uses up a budget of one request, and starts a report, which waits. */
  async function waiting(client: ApiClient): Promise<{ window: Window; id: string }> {
    await client.collectionPage({ path: '/things', style: 'page' }).catch(() => undefined);
    const window = bench.window({ signedIn: false });
    window.session.signIn(bench.server.baseUrl, client);
    const { id } = (await window.reports.start(fullReport)).report;
    await until(() => window.reports.activity(id)?.wait !== undefined);
    assert.equal(window.reports.activity(id)?.wait?.reason, 'budget');
    assert.equal(bench.posts, 0);
    return { window, id };
  }

  for (const [what, ledger] of [
    ['of this window alone', () => undefined],
    ['shared with other windows', shared],
  ] as const) {
    it(`A report that waits for the request budget ${what} continues at once when the setting is raised`, async () => {
      const client = clientOf(1, ledger());
      const { window, id } = await waiting(client);
      const before = bench.clock.monotonic();
      client.setRequestsPerHour(5000);
      await until(() => window.reports.get(id).state === 'generating');
      assert.equal(bench.clock.monotonic(), before, 'It waited.');
      assert.equal(bench.posts, 1);
      assert.equal(window.reports.activity(id)?.wait, undefined);
    });
  }

  it('A report that waits for the request budget continues at once after a reload when the setting was raised meanwhile', async () => {
    const { window, id } = await waiting(clientOf(1, shared()));
    await bench.kill(window);
    const next = bench.window({ signedIn: false });
    const before = bench.clock.monotonic();
    next.session.signIn(bench.server.baseUrl, clientOf(5000, shared()));
    next.reports.resume();
    await until(() => next.reports.get(id).state === 'generating');
    assert.equal(bench.clock.monotonic(), before, 'It waited.');
  });

  for (const status of [303, 307]) {
    it(`A report that waits for the request budget sends no second POST after a restart when its redirect (${status}) waited`, async () => {
      bench.onPost = (response) => {
        sendText(response, status, '', { Location: '/made/1' });
      };
      const first = bench.window({ signedIn: false });
      first.session.signIn(bench.server.baseUrl, clientOf(1));
      const { report, done } = await first.reports.start(fullReport);
      await until(() => first.reports.activity(report.id)?.wait !== undefined);
      assert.equal(bench.onDisk(report.id).unsent, false);
      await bench.kill(first);
      await rejection(done);
      const second = bench.window();
      await bench.runUntil(() => second.reports.get(report.id).state === 'failed');
      const { message } = new UndecidedRequestError();
      assert.equal(second.reports.get(report.id).error?.message, message);
      assert.equal(bench.server.requests.length, 1);
    });
  }

  it('A report that waits for the request budget gets an earlier time when the setting is raised but still too low', async () => {
    const client = clientOf(3);
    for (let sent = 0; sent < 2; sent += 1) {
      await client.collectionPage({ path: '/things', style: 'page' }).catch(() => undefined);
      bench.clock.advance(60_000);
    }
    const { window, id } = await waiting(client);
    client.setRequestsPerHour(1);
    const late = window.reports.activity(id)?.wait?.until ?? 0;
    client.setRequestsPerHour(2);
    assert.equal((window.reports.activity(id)?.wait?.until ?? 0) - late, -60_000);
  });
});
