import assert from 'node:assert/strict';
import { AuthError } from '../../../../src/api/http/errors';
import {
  type DemoService,
  type ServedRequest,
  startDemoService,
} from '../../../../src/demo/demoService';
import { Findings } from '../../../../src/service/findings/findings';
import type { JsonObject } from '../../../../src/base/json/json';
import { SignedOutError } from '../../../../src/service/account/signedOutError';
import { until } from '../../api/support';
import { Cleanup, clientFor, collect, FakeSession, scorecardId } from './support';

describe('The findings of an account', () => {
  const cleanup = new Cleanup();
  let service: DemoService;
  let session: FakeSession;
  let findings: Findings;
  let requests: ServedRequest[];
  let bodies: Record<string, JsonObject>;
  let removed: Set<string>;
  let pageSize: number;

  beforeEach(async () => {
    requests = [];
    bodies = {};
    removed = new Set();
    pageSize = 50;
    service = await startDemoService({ onRequest: (request) => requests.push(request) });
    cleanup.add(() => service.close());
    session = new FakeSession();
    session.signIn(service.baseUrl, client());
    findings = cleanup.own(
      new Findings({
        session,
        scorecards: {
          bodyOf: (_scorecardId, issueType) => bodies[issueType] ?? {},
          isListed: (_scorecardId, issueType) => !removed.has(issueType),
        },
        pageSize: () => pageSize,
      }),
    );
  });
  afterEach(() => cleanup.run());

  const client = () => cleanup.own(clientFor(service.baseUrl, service.apiKey));

  it('The findings of an account omit a list from the active ones when its issue type is removed', async () => {
    await findings.listOf(scorecardId, 'tlscert_expired').loadMore();
    await findings.listOf(scorecardId, 'service_rdp').loadMore();
    removed.add('service_rdp');
    findings.followSettings();
    assert.deepEqual(
      findings.active().map(({ issueType }) => issueType),
      ['tlscert_expired'],
    );
  });

  it('The findings of an account have one list per issue type of a scorecard, which loads nothing when it is created', () => {
    const list = findings.listOf(scorecardId, 'open_port');
    assert.equal(findings.listOf(scorecardId.toUpperCase(), 'open_port'), list);
    assert.notEqual(findings.listOf(scorecardId, 'tlscert_expired'), list);
    assert.deepEqual(findings.active(), []);
    assert.equal(requests.length, 0);
  });

  it('The findings of an account are requested with the current page size', async () => {
    const list = findings.listOf(scorecardId, 'open_port');
    await list.loadMore();
    pageSize = 500;
    assert.deepEqual(await list.loadMore(), { loaded: 550, total: 41_237, hasMore: true });
    assert.deepEqual(
      requests.map(({ query }) => query.toString()),
      ['offset=0&limit=50', 'offset=50&limit=500'],
    );
    assert.deepEqual(findings.active(), [list]);
  });

  it('The findings of an account fire an event that names the changed list', async () => {
    const fired = collect(findings.onDidChange);
    const list = findings.listOf(scorecardId, 'service_rdp');
    await list.loadMore();
    assert.deepEqual(fired, [list, list]);
  });

  it('The findings of an account stay when the API key changes, and load more with the new client', async () => {
    const list = findings.listOf(scorecardId, 'csp_no_policy_v2');
    await list.loadMore();
    const fired = collect(findings.onDidChange);
    const renewed = client();
    session.signIn(service.baseUrl, renewed);
    assert.equal(findings.listOf(scorecardId, 'csp_no_policy_v2'), list);
    assert.equal(list.rows.length, 50);
    assert.deepEqual(fired, []);
    await list.loadMore();
    assert.equal(renewed.budget().used, 1);
  });

  it('The findings of an account are loaded with a new key where the old one was refused', async () => {
    const wrong = () => cleanup.own(clientFor(service.baseUrl, 'wrong'));
    session.signIn(service.baseUrl, wrong());
    const [failed, refreshed] = ['tlscert_expired', 'service_rdp'].map((issueType) =>
      findings.listOf(scorecardId, issueType),
    );
    assert.ok(failed && refreshed);
    await assert.rejects(failed.loadMore(), AuthError);
    session.signIn(service.baseUrl, client());
    await refreshed.loadMore();
    await until(() => failed.isLoaded);
    assert.equal(failed.state.type, 'idle');
    session.signIn(service.baseUrl, wrong());
    await assert.rejects(refreshed.refresh(), AuthError);
    session.signIn(service.baseUrl, client());
    await until(() => refreshed.state.type === 'idle');
    assert.equal(failed.result.loaded, failed.rows.length);
  });

  it('The findings of an account are dropped when another account is used and on sign-out', async () => {
    for (const next of ['demo', 'nobody']) {
      const list = findings.listOf(scorecardId, 'csp_no_policy_v2');
      await list.loadMore();
      const fired = collect(findings.onDidChange);
      if (next === 'demo') {
        session.useDemo(service.baseUrl, client());
      } else {
        session.become(undefined);
      }
      assert.deepEqual(fired, [undefined], next);
      assert.deepEqual(findings.active(), []);
      assert.notEqual(findings.listOf(scorecardId, 'csp_no_policy_v2'), list);
    }
    await assert.rejects(findings.listOf(scorecardId, 'open_port').loadMore(), SignedOutError);
  });

  it('The findings of an account get a new list when the body of the query changes', async () => {
    const list = findings.listOf(scorecardId, 'open_port');
    await list.loadMore();
    bodies = { open_port: { filter: { port: 22 } }, tlscert_expired: { a: 1 } };
    findings.followSettings();
    assert.deepEqual(findings.active(), [], 'what was loaded answers another query');
    const other = findings.listOf(scorecardId, 'open_port');
    assert.notEqual(other, list);
    assert.equal(other.isLoaded, false);
    bodies = { open_port: { filter: { port: 22 } } };
    assert.equal(findings.listOf(scorecardId, 'open_port'), other);
  });

  it('The findings of an account fire no event after they are disposed', () => {
    const fired = collect(findings.onDidChange);
    findings.dispose();
    session.become(undefined);
    assert.deepEqual(fired, []);
  });
});
