import assert from 'node:assert/strict';
import { CancelledError } from '../../../../src/base/cancelledError';
import { AuthError, RateLimitedError, ServerError } from '../../../../src/api/http/errors';
import type { Api } from '../../../../src/api/client';
import type { FindingsPage, FindingsQuery, RequestBudget } from '../../../../src/api/types';
import type { JsonObject } from '../../../../src/base/json/json';
import { type DemoService, startDemoService } from '../../../../src/demo/demoService';
import { Findings } from '../../../../src/service/findings/findings';
import { IssueCounts } from '../../../../src/service/findings/issueCounts';
import { ShownNames } from '../../../../src/vocabulary/shownNames';
import { FakeClock } from '../../../helpers/fakeClock';
import { sendJson, startTestServer } from '../../../helpers/testServer';
import { Cleanup, clientFor, collect, FakeSession, Gate, scorecardId } from './support';

const types = ['open_port', 'csp_no_policy_v2', 'tlscert_expired'];

describe('The counts of issue types', () => {
  const cleanup = new Cleanup();
  let session: FakeSession;
  let clock: FakeClock;
  let bodies: Record<string, JsonObject>;
  let requested: string[];
  let budget: RequestBudget;
  let answer: (query: FindingsQuery) => Promise<FindingsPage>;
  let counts: IssueCounts;
  let findings: Findings;

  beforeEach(() => {
    session = new FakeSession();
    clock = new FakeClock();
    bodies = {};
    requested = [];
    budget = { limit: 5000, used: 0, remaining: 5000, windowMinutes: 60 };
    answer = (query) =>
      Promise.resolve({ ...query, entries: [{}], hasMore: true, totalCount: 1200 });
    signIn('https://one.example');
    const scorecards = {
      bodyOf: (_id: string, issueType: string) => bodies[issueType] ?? {},
      isListed: () => true,
    };
    findings = cleanup.own(new Findings({ session, scorecards, pageSize: () => 100 }));
    counts = cleanup.own(
      new IssueCounts({
        session,
        scorecards,
        findings,
        names: new ShownNames({}),
        now: () => clock.now(),
      }),
    );
  });
  afterEach(() => cleanup.run());

  function signIn(baseUrl: string): void {
    const api: Pick<Api, 'findingsPage' | 'budget'> = {
      budget: () => budget,
      findingsPage: (query) => {
        requested.push(`${query.issueType} ${query.offset}+${query.limit}`);
        return answer(query);
      },
    };
    session.signIn(baseUrl, api as Api);
  }

  it('The counts of issue types are loaded in the background a minute after the service has failed', async () => {
    const failure = new ServerError('The service failed: 503', { status: 503 });
    const works = answer;
    answer = (query) => (query.issueType === 'open_port' ? Promise.reject(failure) : works(query));
    await counts.loadInBackground(scorecardId, types);
    answer = works;
    clock.advance(59_000);
    await counts.loadInBackground(scorecardId, types);
    assert.equal(counts.sum(scorecardId, types), undefined);
    clock.advance(1_000);
    await counts.loadInBackground(scorecardId, types);
    assert.equal(counts.sum(scorecardId, types), 3600);
    assert.equal(requested.length, 4);
  });

  it('The counts of issue types are loaded in the background when a rate limit has ended', async () => {
    answer = () => Promise.reject(new RateLimitedError(clock.now() + 120_000, { status: 429 }));
    await counts.loadInBackground(scorecardId, types);
    const during = requested.length;
    answer = (query) => Promise.resolve({ ...query, entries: [{}], hasMore: true, totalCount: 3 });
    await counts.loadInBackground(scorecardId, types);
    assert.equal(requested.length, during);
    clock.advance(120_000);
    await counts.loadInBackground(scorecardId, types);
    assert.equal(counts.sum(scorecardId, types), 9);
  });

  it('The counts of issue types come from the demo service with one request for one entry each', async () => {
    const limits: (string | null)[] = [];
    const service: DemoService = await startDemoService({
      onRequest: ({ query }) => limits.push(query.get('limit')),
    });
    cleanup.add(() => service.close());
    session.signIn(service.baseUrl, cleanup.own(clientFor(service.baseUrl, service.apiKey)));
    const fired = collect(counts.onDidChange);
    await counts.loadInBackground(scorecardId, ['open_port', 'csp_no_policy_v2', 'dmarc_missing']);
    assert.deepEqual(limits, ['1', '1', '1']);
    assert.equal(counts.of(scorecardId, 'open_port'), 41_237);
    assert.equal(counts.of(scorecardId, 'csp_no_policy_v2'), 250);
    assert.equal(counts.sum(scorecardId, ['open_port', 'csp_no_policy_v2']), 41_487);
    assert.deepEqual(fired, [scorecardId]);
  });

  it('The counts of issue types are loaded in the background once an hour, and on every load and refresh', async () => {
    await Promise.all([
      counts.loadInBackground(scorecardId, types),
      counts.loadInBackground(scorecardId, types),
    ]);
    assert.deepEqual(
      requested,
      types.map((type) => `${type} 0+1`),
    );
    clock.advance(3_599_000);
    await counts.loadInBackground(scorecardId, types);
    assert.equal(requested.length, 3);
    clock.advance(1_000);
    await counts.loadInBackground(scorecardId, types);
    assert.equal(requested.length, 6);
    assert.deepEqual(
      await counts.load(scorecardId, types),
      types.map((issueType) => ({ issueType, total: 1200 })),
    );
    assert.equal(requested.length, 9);
    await counts.refresh(scorecardId, [...types, 'never_asked']);
    assert.equal(requested.length, 12);
  });

  it('The counts of issue types are not loaded in the background while requests are paused or less than a tenth of the budget is left', async () => {
    budget = { ...budget, remaining: 499 };
    await counts.loadInBackground(scorecardId, types);
    budget = { ...budget, remaining: 5000, retryAt: new Date(clock.now()).toISOString() };
    await counts.loadInBackground(scorecardId, types);
    assert.deepEqual(requested, []);
    budget = { ...budget, remaining: 500 };
    delete budget.retryAt;
    await counts.loadInBackground(scorecardId, types);
    assert.equal(requested.length, 3);
  });

  it('The counts of issue types stay unknown when they fail, and are not requested again at once', async () => {
    const failure = new ServerError('The service failed: 500', { status: 500 });
    const works = answer;
    answer = (query) => (query.issueType === 'open_port' ? Promise.reject(failure) : works(query));
    await counts.loadInBackground(scorecardId, types);
    assert.equal(counts.of(scorecardId, 'open_port'), undefined);
    assert.equal(counts.of(scorecardId, 'tlscert_expired'), 1200);
    assert.equal(counts.sum(scorecardId, types), undefined);
    await counts.loadInBackground(scorecardId, types);
    assert.equal(requested.length, 3);
    assert.deepEqual(await counts.load(scorecardId, types), [
      { issueType: 'open_port' },
      { issueType: 'csp_no_policy_v2', total: 1200 },
      { issueType: 'tlscert_expired', total: 1200 },
    ]);
    await assert.rejects(counts.load(scorecardId, ['open_port']), failure);
  });

  it('The counts of issue types arrive after retries when the service is busy for a moment', async () => {
    const server = await startTestServer((_request, response, number) => {
      if (number === 1) {
        response.destroy();
      } else if (number === 2) {
        sendJson(response, 503, {});
      } else {
        sendJson(response, 200, { entries: [{}], total_count: 7, has_more: true });
      }
    });
    cleanup.add(() => server.close());
    session.signIn(server.baseUrl, cleanup.own(clientFor(server.baseUrl)));
    await counts.loadInBackground(scorecardId, ['open_port', 'dmarc_missing']);
    assert.equal(counts.sum(scorecardId, ['open_port', 'dmarc_missing']), 14);
  });

  it('The counts of issue types keep the previous count when a refresh fails', async () => {
    await counts.loadInBackground(scorecardId, types);
    answer = () => Promise.reject(new ServerError('The service failed: 500', { status: 500 }));
    await counts.refresh(scorecardId, types);
    assert.equal(counts.of(scorecardId, 'open_port'), 1200);
  });

  it('The counts of issue types stop all requests after an error that concerns all of them', async () => {
    answer = () => Promise.reject(new AuthError('refused', { status: 401 }));
    const many = Array.from({ length: 20 }, (_, index) => `type_${index}`);
    await counts.loadInBackground(scorecardId, many);
    assert.ok(requested.length <= 4, `${requested.length} requests`);
    await assert.rejects(counts.load(scorecardId, many), AuthError);
  });

  it('The counts of issue types are unknown when the service gives no total and has_more is true', async () => {
    answer = (query) =>
      Promise.resolve({
        ...query,
        entries: [{}],
        hasMore: query.issueType === 'open_port',
      });
    assert.deepEqual(await counts.load(scorecardId, types.slice(0, 2)), [
      { issueType: 'open_port' },
      { issueType: 'csp_no_policy_v2', total: 1 },
    ]);
  });

  it('The counts of issue types rank the issue types that have findings, the most first, and those without a total last', async () => {
    const totals: Record<string, number | undefined> = { open_port: 7, tlscert_expired: 900 };
    answer = (query) => {
      const total = totals[query.issueType];
      const isUncounted = query.issueType === 'csp_no_policy_v2';
      return Promise.resolve({
        ...query,
        entries: isUncounted || total ? [{}] : [],
        hasMore: isUncounted,
        ...(isUncounted ? {} : { totalCount: total ?? 0 }),
      });
    };
    let done = 0;
    const onCount = () => done++;
    const asked = [...types, 'spf_missing'];
    await counts.load(scorecardId, asked, { onCount });
    assert.deepEqual(counts.found(scorecardId, asked), [
      { issueType: 'tlscert_expired', total: 900 },
      { issueType: 'open_port', total: 7 },
      { issueType: 'csp_no_policy_v2' },
    ]);
    assert.equal(done, 4);
  });

  it('The counts of issue types send no more requests after they are cancelled', async () => {
    const abort = new AbortController();
    const many = Array.from({ length: 20 }, (_, index) => `type_${index}`);
    const loaded = counts.load(scorecardId, many, {
      signal: abort.signal,
      onCount: () => {
        abort.abort();
      },
    });
    await assert.rejects(loaded, CancelledError);
    assert.ok(requested.length <= 4, `${requested.length} requests`);
  });

  it('The counts of issue types come from a completely loaded list, without a request', async () => {
    answer = (query) =>
      Promise.resolve({ ...query, entries: [{ issue_id: '1' }], hasMore: false, totalCount: 7 });
    await findings.listOf(scorecardId, 'open_port').loadFirst();
    requested.length = 0;
    await counts.loadInBackground(scorecardId, ['open_port']);
    assert.deepEqual(requested, []);
    assert.equal(counts.of(scorecardId, 'open_port'), 1);
  });

  it('The counts of issue types are loaded again when the body of the query changes', async () => {
    await counts.loadInBackground(scorecardId, types);
    bodies.open_port = { status: 'active' };
    assert.equal(counts.of(scorecardId, 'open_port'), undefined);
    await counts.loadInBackground(scorecardId, types);
    assert.equal(requested.length, 4);
  });

  it('The counts of issue types are dropped with the account, and ignore a late response', async () => {
    await counts.loadInBackground(scorecardId, ['open_port']);
    const gate = new Gate<FindingsPage>();
    answer = () => gate.promise;
    const loading = counts.loadInBackground(scorecardId, ['tlscert_expired']);
    signIn('https://two.example');
    gate.open({ entries: [], hasMore: false, offset: 0, limit: 1, totalCount: 99 });
    await loading;
    assert.equal(counts.of(scorecardId, 'open_port'), undefined);
    assert.equal(counts.of(scorecardId, 'tlscert_expired'), undefined);
  });
});
