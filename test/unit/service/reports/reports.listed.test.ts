import assert from 'node:assert/strict';
import * as fs from 'node:fs';
import { ApiClient } from '../../../../src/api/client';
import { GenerationTimeoutError } from '../../../../src/service/reports/reportErrors';
import type { JsonObject } from '../../../../src/base/json/json';
import type { ReportRequest } from '../../../../src/service/reports/storedReport';
import { sendJson, sendText, startTestServer } from '../../../helpers/testServer';
import { ReportHarness, sendFile, type Window } from './harness';

/** A report whose receipt is an ID in the list of recent reports. */
const issuesReport: ReportRequest = {
  kind: 'issues',
  title: 'Issues report',
  scorecardId: 'a',
  body: { scorecard_identifier: 'a', format: 'csv' },
};

describe('Reports that a service only lists', () => {
  const harness = new ReportHarness();
  /** The entries of the list, by the ID of the report. */
  let entries: Map<string, JsonObject>;

  before(() => harness.start());
  after(() => harness.cleanup.run());
  beforeEach(() => {
    entries = new Map();
    harness.server.requests.length = 0;
    harness.onPost = (response, number) => {
      entries.set(`r${number}`, { id: `r${number}` });
      sendJson(response, 200, { id: `r${number}` });
    };
    harness.onPoll = (response, _number, { path }) => {
      if (path === '/reports/recent') {
        sendJson(response, 200, { entries: [...entries.values()] });
      } else {
        sendFile(response, 'ISSUE ID\r\n1\r\n');
      }
    };
  });
  afterEach(() => {
    fs.rmSync(harness.records, { recursive: true, force: true });
  });

  function openWindow(): Window {
    const opened = harness.window({ signedIn: false });
    const client = harness.cleanup.own(
      new ApiClient({
        baseUrl: harness.server.baseUrl,
        service: 'securityScorecard',
        apiKey: () => 'k1',
        requestsPerHour: 5000,
        requestTimeoutMs: 1e9,
        random: () => 0,
        clock: harness.clock,
      }),
    );
    opened.session.signIn(harness.server.baseUrl, client);
    return opened;
  }

  const lists = () =>
    harness.server.requests.filter(({ path }) => path === '/reports/recent').length;
  const makeAll = (address = `${harness.server.baseUrl}/reports/files/1`) => {
    for (const [id, entry] of entries) {
      entries.set(id, { ...entry, completed_at: '2026-11-27T12:00:00Z', download_url: address });
    }
  };

  it('Reports that a service only lists keep the ID before anything else, and are found by it', async () => {
    const { reports, store } = openWindow();
    const { done } = await reports.start(issuesReport);
    await harness.runUntil(() => lists() > 0);
    const kept = store.written.find(({ state }) => state === 'generating');
    assert.match(kept?.reportUrl ?? '', /\/reports\/recent#r\d+$/);
    makeAll();
    const { state, path = '' } = await harness.run(done);
    assert.equal(state, 'ready');
    assert.equal(fs.readFileSync(path, 'utf8'), 'ISSUE ID\r\n1\r\n');
    assert.equal(harness.posts, 1);
    reports.dispose();
  });

  it('Reports that a service only lists are taken over by another window, with one POST', async () => {
    const first = openWindow();
    (await first.reports.start(issuesReport)).done.catch(() => undefined);
    await harness.runUntil(() => lists() > 1);
    const second = openWindow();
    await harness.kill(first);
    makeAll();
    second.reports.resume();
    await harness.runUntil(() => second.reports.listShown()[0]?.state === 'ready');
    assert.equal(harness.posts, 1);
    second.reports.dispose();
  });

  it('Reports that a service only lists get a new link from the list when their storage refuses the old one, which never gets the key', async () => {
    const storage = await startTestServer((request, response) => {
      if (request.path === '/new') {
        sendFile(response, 'ISSUE ID\r\n2\r\n');
      } else {
        makeAll(`${storage.baseUrl}/new`);
        sendText(response, 403, 'expired');
      }
    });
    harness.cleanup.add(() => storage.close());
    const { reports } = openWindow();
    const { done } = await reports.start(issuesReport);
    await harness.runUntil(() => lists() > 0);
    makeAll(`${storage.baseUrl}/old`);
    const { path = '' } = await harness.run(done);
    assert.equal(fs.readFileSync(path, 'utf8'), 'ISSUE ID\r\n2\r\n');
    assert.deepEqual(
      storage.requests.map(({ path: asked, headers }) => [asked, headers.authorization]),
      [
        ['/old', undefined],
        ['/new', undefined],
      ],
    );
    assert.ok(harness.server.requests.every(({ headers }) => headers.authorization === 'Token k1'));
    assert.equal(harness.posts, 1);
    reports.dispose();
  });

  it('Reports that a service only lists are cancelled, and asked for no more', async () => {
    const { reports } = openWindow();
    const { report, done } = await reports.start(issuesReport);
    await harness.runUntil(() => lists() > 0);
    const cancelled = await harness.run(reports.cancel(report.id));
    assert.equal(cancelled.state, 'cancelled');
    await harness.run(done);
    const before = lists();
    await harness.settle();
    assert.equal(lists(), before);
    reports.dispose();
  });

  it('Reports that a service only lists wait no longer than the deadline for a report that is not listed; Retry sends no POST', async () => {
    const { reports } = openWindow();
    const { report, done } = await reports.start(issuesReport);
    await harness.runUntil(() => lists() > 0);
    const kept = new Map(entries);
    entries.clear();
    await assert.rejects(harness.run(done), GenerationTimeoutError);
    for (const [id, entry] of kept) {
      entries.set(id, entry);
    }
    makeAll();
    const { state } = await harness.run(reports.retry(report.id).done);
    assert.equal(state, 'ready');
    assert.equal(harness.posts, 1);
    reports.dispose();
  });

  it('Reports that a service only lists share the requests for the list', async () => {
    const { reports } = openWindow();
    const started = await Promise.all(
      Array.from({ length: 10 }, (_, index) =>
        reports.start({
          ...issuesReport,
          scorecardId: `s${index}`,
          body: { scorecard_identifier: `s${index}` },
        }),
      ),
    );
    await harness.runUntil(() => harness.posts === 10);
    const before = lists();
    const startedAt = harness.clock.monotonic();
    await harness.runUntil(() => harness.clock.monotonic() - startedAt > 3_600_000);
    const asked = lists() - before;
    // Alone, one report asks 68 times in this hour.
    assert.ok(asked < 140, `${asked} requests`);
    makeAll();
    const ended = await harness.run(Promise.all(started.map(({ done }) => done)));
    assert.ok(ended.every(({ state }) => state === 'ready'));
    assert.equal(harness.posts, 10);
    reports.dispose();
  });
});
