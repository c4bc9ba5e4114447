import { systemClock } from '../../../../src/base/events/clock';
import * as assert from 'node:assert/strict';
import { sendText } from '../../../helpers/testServer';
import { command, failure, isolate } from '../../helpers';
import { type Case, manyReports, reportCases } from '../reports/manyReports';
import { sendReport } from '../reports/reportService';
import { halvorsen, sendPage, server, signIn } from '../../services';
import { until } from '../../until';

const list = { scorecardId: halvorsen, issueType: 'open_port' };
const hourMs = 3_600_000;
const longMs = 600_000;

/** The headers of a service whose clock differs: it asks to wait until a time of its own. */
function waitUntil(clockMs: number, waitMs: number): Record<string, string> {
  const now = systemClock.now() + clockMs;
  return {
    Date: new Date(now).toUTCString(),
    'Retry-After': new Date(now + waitMs).toUTCString(),
  };
}

/** Asserts that a time is so long after the test began, and not much longer. */
function assertAfter(retryAt: string | undefined, began: number, waitMs: number): void {
  const ms = Date.parse(retryAt ?? '') - began;
  // Dates in headers have no milliseconds; jitter adds up to five seconds.
  assert.ok(ms >= waitMs - 1_000 && ms < waitMs + 30_000, `${retryAt}: after ${ms} ms`);
}

describe('A service that says when to come back', () => {
  isolate({
    settings: {
      ...manyReports,
      collections: [{ name: 'Things', path: '/things', style: 'page' }],
    },
  });

  for (const [clock, clockMs] of [
    ['an hour ahead', hourMs],
    ['an hour behind', -hourMs],
  ] as const) {
    it(`A service that says when to come back by a clock that is ${clock} is asked again when the time between its own dates has passed`, async () => {
      const began = systemClock.now();
      const service = await server((request, response) => {
        const headers = waitUntil(clockMs, longMs);
        sendText(response, request.path === '/things' ? 503 : 429, '', headers);
      });
      await signIn(service);
      // It waits as long as it takes; the others tell when to call again.
      const report = command('scorecard.startDetailedReport', { scorecardId: halvorsen });
      const paused = await until('the request for a report is paused', async () => {
        const { endpoints } = await command('scorecard.showRequestBudget');
        return endpoints?.find(({ endpoint, retryAt }) => endpoint.includes('detailed') && retryAt);
      });
      assertAfter(paused.retryAt, began, longMs);
      const [findings, collection] = await Promise.all([
        failure(command('scorecard.loadMore', list), 'rateLimited'),
        failure(command('scorecard.browseCollection', { name: 'Things' }), 'rateLimited'),
      ]);
      assertAfter(findings.retryAt, began, longMs);
      assertAfter(collection.retryAt, began, longMs);
      const [record] = await command('scorecard.listReports');
      await command('scorecard.cancelReport', { id: record?.id });
      assert.equal(await report, undefined);
      assert.equal(service.requests.length, 3);
    });
  }

  it('A service that says when to come back by clocks that differ is polled again, and sends the reports', async () => {
    const answersBy = (clockMs: number): Case => ({
      poll: (_, response, number) => {
        if (number > 2) {
          sendReport(response);
        } else {
          sendText(response, number === 1 ? 202 : 503, '', waitUntil(clockMs, 2_000));
        }
      },
    });
    const { start, requestsOf } = await reportCases({
      ahead: answersBy(hourMs),
      behind: answersBy(-hourMs),
    });
    for (const report of await Promise.all([start('ahead'), start('behind')])) {
      assert.equal(report?.state, 'ready');
    }
    assert.deepEqual([requestsOf('ahead').length, requestsOf('behind').length], [4, 4]);
  });

  it('A service that says when to come back twice in one answer is asked again after the longest of the times', async () => {
    const began = systemClock.now();
    const service = await server((request, response) => {
      const { Date: date = '', 'Retry-After': until = '' } = waitUntil(hourMs, longMs);
      const isDate = request.path === '/things';
      response.writeHead(429, [
        ...['Date', date, 'Date', date],
        ...['Retry-After', '2', 'Retry-After', isDate ? until : String(longMs / 1_000)],
      ]);
      response.end();
    });
    await signIn(service);
    const [findings, collection] = await Promise.all([
      failure(command('scorecard.loadMore', list), 'rateLimited'),
      failure(command('scorecard.browseCollection', { name: 'Things' }), 'rateLimited'),
    ]);
    assertAfter(findings.retryAt, began, longMs);
    assertAfter(collection.retryAt, began, longMs);
  });

  it('A service that says when to come back in no form that is known is asked again soon', async () => {
    const service = await server((request, response, number) => {
      if (number === 1) {
        sendText(response, 429, '', { 'Retry-After': '2026-01-15T12:00:30Z' });
      } else {
        sendPage(request, response, 1);
      }
    });
    await signIn(service);
    assert.equal((await command('scorecard.loadMore', list)).loaded, 1);
    assert.equal(service.requests.length, 2);
  });
});
