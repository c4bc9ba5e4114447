import assert from 'node:assert/strict';
import { ApiClient } from '../../../../src/api/client';
import { ForbiddenError, NetworkError } from '../../../../src/api/http/errors';
import type { CallOptions } from '../../../../src/api/types';
import { startDemoService, type DemoService } from '../../../../src/demo/demoService';
import { listedCompanies } from '../../../../src/demo/data/collectionEntries';
import { Findings } from '../../../../src/service/findings/findings';
import { IssueCounts } from '../../../../src/service/findings/issueCounts';
import type { JsonObject } from '../../../../src/base/json/json';
import { ShownNames } from '../../../../src/vocabulary/shownNames';
import { type Handler, sendJson, startTestServer } from '../../../helpers/testServer';
import { Cleanup, collect, FakeSession, scorecardId } from './support';

describe('Counts of a service that has companies', () => {
  const cleanup = new Cleanup();
  let demo: DemoService;
  let requested: string[];
  let session: FakeSession;
  let counts: IssueCounts;
  let names: ShownNames;
  let now: number;
  let body: JsonObject;

  beforeEach(async () => {
    requested = [];
    now = Date.now();
    body = {};
    demo = await startDemoService({
      service: 'securityScorecard',
      onRequest: ({ path }) => requested.push(path),
    });
    cleanup.add(() => demo.close());
    session = new FakeSession();
    signIn(demo);
    const scorecards = { bodyOf: () => body, isListed: () => true };
    const findings = cleanup.own(new Findings({ session, scorecards, pageSize: () => 100 }));
    names = new ShownNames({});
    counts = cleanup.own(new IssueCounts({ session, scorecards, findings, names, now: () => now }));
  });
  afterEach(() => cleanup.run());

  function signIn({ baseUrl, apiKey }: Pick<DemoService, 'baseUrl' | 'apiKey'>): void {
    const api = new ApiClient({
      baseUrl,
      service: 'securityScorecard',
      apiKey: () => apiKey,
      requestsPerHour: 5000,
      requestTimeoutMs: 30_000,
    });
    cleanup.own(api);
    session.signIn(baseUrl, api);
  }

  /** Signs in to a service that answers as a test says. */
  async function signInTo(handler: Handler): Promise<void> {
    const server = await startTestServer(handler);
    cleanup.add(() => server.close());
    signIn({ baseUrl: server.baseUrl, apiKey: 'k1' });
  }

  const types = ['open_port', 'malware_infection', 'dmarc_contains_none', 'chatter'];

  it('The trend of a company begins with counts that are as new as its events', async () => {
    const { companies } = counts;
    await companies.load(scorecardId, {});
    now += 3_599_000;
    requested.splice(0);
    await companies.trend(scorecardId, {});
    assert.equal(requested.length, 2, 'only scores and events');
    now += 2_000;
    await companies.trend(scorecardId, {});
    assert.deepEqual(
      requested
        .slice(2)
        .map((path) => path.split('/').at(-1))
        .sort(),
      ['', 'score', 'summary-factors'],
    );
    // Counts that could not be loaded again are old still.
    await signInTo((_, response) => {
      sendJson(response, 403, {});
    });
    now += 3_601_000;
    for (const attempt of [1, 2]) {
      await assert.rejects(companies.trend(scorecardId, {}), ForbiddenError, String(attempt));
      await assert.rejects(companies.load(scorecardId, {}), ForbiddenError);
      assert.equal(companies.summaries.getFresh(scorecardId), undefined);
      assert.notEqual(companies.of(scorecardId), undefined, 'rows still show them');
    }
  });

  it('Counts of a service that has companies come with one request, whatever the number of issue types, at most once an hour', async () => {
    const changed = collect(counts.onDidChange);
    await Promise.all([
      counts.loadInBackground(scorecardId, types),
      counts.loadInBackground(scorecardId, types),
    ]);
    assert.deepEqual(requested, [`/companies/${scorecardId}/summary-factors`]);
    assert.deepEqual(
      types.map((type) => counts.of(scorecardId, type)),
      [33_033, 503, 0, 0],
    );
    assert.equal(changed[0], scorecardId);
    now += 3_599_000;
    await counts.loadInBackground(scorecardId, types);
    assert.equal(requested.length, 1);
    now += 2_000;
    await counts.loadInBackground(scorecardId, types);
    assert.equal(requested.length, 2);
    await counts.refresh(scorecardId, types);
    assert.equal(requested.length, 3);
  });

  it('Counts of a service that has companies are refreshed with the score of a scorecard that lists no issue types', async () => {
    await counts.refresh(scorecardId, []);
    assert.deepEqual(requested, []);
    await counts.loadRows([scorecardId]);
    await counts.refresh(scorecardId, []);
    assert.equal(requested.length, 2);
  });

  it('Counts of a service that has companies have the severity of each issue type, its impact, and the score of the company', async () => {
    assert.equal(counts.companies.of(scorecardId), undefined);
    assert.equal(counts.severityOf(scorecardId, 'open_port'), undefined);
    await counts.load(scorecardId, types);
    assert.deepEqual(counts.severityOf(scorecardId, 'malware_infection'), {
      position: 1,
      count: 503,
    });
    assert.equal(counts.severityOf(scorecardId, 'dmarc_contains_none'), undefined);
    assert.ok((counts.companies.issueType(scorecardId, 'open_port')?.scoreImpact ?? 0) > 0);
    const { name, score, grade } = counts.companies.of(scorecardId) ?? {};
    assert.equal(name, 'Halvorsen Maritime Logistics');
    assert.deepEqual([typeof score, typeof grade], ['number', 'string']);
  });

  it('Counts of a service that has companies find the issue types that have findings, also those that are not known by name', async () => {
    await counts.load(scorecardId, ['open_port']);
    const found = counts.found(scorecardId, ['open_port']);
    assert.deepEqual(found[0], { issueType: 'open_port', total: 33_033 });
    assert.equal(found.length, 11);
    assert.ok(found.every(({ total = 0 }) => total > 0));
  });

  it('Counts of a service that has companies are unknown for an issue type with a server filter', async () => {
    await counts.load(scorecardId, types);
    body = { last_seen_time_from: '2026-01-01' };
    assert.equal(counts.of(scorecardId, 'open_port'), undefined);
  });

  it('Counts of a service that has companies stay unknown where the company is in no portfolio, and are not asked for again', async () => {
    const { scorecard_identifier: id } = listedCompanies()[20] ?? {};
    assert.ok(typeof id === 'string');
    await assert.rejects(counts.load(id, types), ForbiddenError);
    const { length } = requested;
    await counts.loadInBackground(id, types);
    assert.equal(requested.length, length);
    assert.equal(counts.of(id, 'open_port'), undefined);
  });

  it('Counts of a service that has companies are asked for again after the service was not reached, also by Refresh', async () => {
    const { api } = session.requireSignedIn();
    const { companies } = api;
    assert.ok(companies);
    let isDown = true;
    Object.assign(companies, {
      summary: (
        (summary) => (id: string, options: CallOptions) =>
          isDown
            ? Promise.reject(new NetworkError('refused', 'a.example', undefined))
            : summary(id, options)
      )(companies.summary.bind(companies)),
    });
    await counts.loadRows([scorecardId]);
    isDown = false;
    await counts.loadRows([scorecardId]);
    assert.deepEqual(requested, [], 'it was asked for just now');
    now += 60_000;
    await counts.loadRows([scorecardId]);
    assert.equal(counts.of(scorecardId, 'open_port'), 33_033);
    assert.equal(requested.length, 1);
    now += 60_000;
    await counts.loadRows([scorecardId]);
    assert.equal(requested.length, 1);
    session.become(undefined);
    session.signIn(demo.baseUrl, api);
    isDown = true;
    await counts.loadRows([scorecardId]);
    isDown = false;
    await counts.refresh(scorecardId, types);
    assert.equal(requested.length, 2);
  });

  it('Counts of a service that has companies come with the titles of issue types that are not known by name, asked for once', async () => {
    const about = { domain: 'a.example', name: 'A', uuid: scorecardId };
    const factor = { issue_summary: [{ type: 'own_zz_v2', count: 3, severity: 'info' }] };
    await signInTo(({ path }, response) => {
      requested.push(path);
      const list = path.endsWith('/factors')
        ? [factor]
        : [{ key: 'own_zz_v2', short_description: 'Own \u202eZZ' }];
      sendJson(response, 200, path.endsWith(scorecardId) ? about : { entries: list });
    });
    assert.equal(names.title('own_zz_v2'), 'Own zz');
    await counts.load(scorecardId, []);
    assert.deepEqual(counts.severityOf(scorecardId, 'own_zz_v2'), { position: 4, count: 3 });
    assert.match(names.title('own_zz_v2'), /^Own .*ZZ$/);
    assert.ok(!names.title('own_zz_v2').includes('\u202e'));
    await counts.load(scorecardId, []);
    assert.equal(requested.filter((path) => path === '/metadata/issue-types').length, 1);
  });

  it('Counts of a service that has companies ask for titles again after they could not be loaded', async () => {
    const about = { domain: 'a.example', name: 'A', uuid: scorecardId };
    let isDown = true;
    await signInTo(({ path }, response) => {
      if (path.startsWith('/metadata')) {
        const entries = [{ key: 'own_zz_v2', title: 'Own ZZ' }];
        sendJson(response, isDown ? 403 : 200, { entries });
      } else {
        const entries = [{ issue_summary: [{ type: 'own_zz_v2', count: 3 }] }];
        sendJson(response, 200, path.endsWith('/factors') ? { entries } : about);
      }
    });
    await counts.load(scorecardId, []);
    assert.equal(names.title('own_zz_v2'), 'Own zz');
    isDown = false;
    await counts.load(scorecardId, []);
    assert.equal(names.title('own_zz_v2'), 'Own ZZ');
  });

  it('Counts of a service that has companies go on for the second caller when the first one is cancelled', async () => {
    const abort = new AbortController();
    const first = counts.loadCompany(scorecardId, { signal: abort.signal });
    const second = counts.loadCompany(scorecardId);
    abort.abort();
    await assert.rejects(first, { name: 'CancelledError' });
    assert.equal((await second).id, scorecardId);
    assert.equal(requested.length, 1);
  });

  it('Counts of a service that has companies come with what is recommended, asked for at most once an hour', async () => {
    const [first, second] = await Promise.all([
      counts.companies.recommendation('open_port'),
      counts.companies.recommendation('open_port'),
    ]);
    assert.equal(first, 'Review the affected assets: Open port.');
    assert.equal(second, first);
    assert.deepEqual(requested, ['/metadata/issue-types/open_port']);
    assert.equal(await counts.companies.recommendation('no_such_type'), undefined);
    assert.equal(await counts.companies.recommendation('no_such_type'), undefined);
    assert.equal(requested.length, 2);
  });

  it('Counts of a service that has companies have the history of the score, asked for once an hour, and none where the service has none', async () => {
    const [points, same] = await Promise.all([
      counts.companies.history(scorecardId),
      counts.companies.history(scorecardId.toUpperCase()),
    ]);
    assert.ok(points.length > 170);
    assert.equal(same, points);
    assert.deepEqual(requested, [`/companies/${scorecardId}/history/score`]);
    const unknown = '11111111-1111-4111-8111-111111111111';
    assert.deepEqual(await counts.companies.history(unknown), []);
    assert.deepEqual(await counts.companies.history(unknown), []);
    assert.equal(requested.length, 2);
    now += 3_600_000;
    await counts.companies.history(scorecardId);
    assert.equal(requested.length, 3);
    session.become(undefined);
    assert.deepEqual(await counts.companies.history(scorecardId), []);
  });

  it('Counts of a service that has companies are discarded with the account', async () => {
    await counts.load(scorecardId, types);
    session.become(undefined);
    assert.equal(counts.companies.of(scorecardId), undefined);
  });
});
