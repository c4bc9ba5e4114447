import assert from 'node:assert/strict';
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import * as os from 'node:os';
import * as path from 'node:path';
import { allFindings } from '../../../../src/api/paging/allFindings';
import {
  AuthError,
  BadRequestError,
  ForbiddenError,
  NotFoundError,
  ProtocolError,
  ReportFailedError,
  ServerError,
} from '../../../../src/api/http/errors';
import { findSubject } from '../../../../src/api/paths';
import { serviceAt } from '../../../../src/api/services/serviceAt';
import { services } from '../../../../src/api/services/services';
import type { ReportKind } from '../../../../src/api/types';
import type { JsonObject } from '../../../../src/base/json/json';
import { startDemoService, type DemoService } from '../../../../src/demo/demoService';
import { listedCompanies } from '../../../../src/demo/data/collectionEntries';
import { FakeClock } from '../../../helpers/fakeClock';
import { ReferenceCheck } from '../../../helpers/securityScorecardApi';
import { sendJson } from '../../../helpers/testServer';
import { text } from '../../demo/client';
import { failure, Harness, query, scorecardId } from '../support';

const service = 'securityScorecard';

describe('The service at an address', () => {
  it('The service at an address is known by its host, unless the setting names it', () => {
    assert.equal(serviceAt('https://api.securityscorecard.io', 'auto'), service);
    assert.equal(serviceAt('https://api.securityscorecard.io/v1', undefined), service);
    assert.equal(serviceAt('https://api.securityscorecard.io.example', 'auto'), 'interface');
    assert.equal(serviceAt('https://api.example.com', 'auto'), 'interface');
    assert.equal(serviceAt('https://api.example.com', service), service);
    assert.equal(serviceAt('https://api.securityscorecard.io', 'interface'), 'interface');
    assert.equal(serviceAt('', 'auto'), 'interface');
  });
});

describe('A client of SecurityScorecard', () => {
  const harness = new Harness();
  const check = new ReferenceCheck();
  const { seen } = check;
  let demo: DemoService;

  beforeEach(async () => {
    demo = await startDemoService({ service, generationMs: 0 });
    seen.length = 0;
  });
  afterEach(async () => {
    await harness.close();
    await demo.close();
    assert.deepEqual(check.faults.splice(0), [], 'not as the reference says');
  });
  after(() => {
    assert.deepEqual(check.unused, [], 'in the reference, and not requested');
  });

  const client = (apiKey = demo.apiKey) =>
    harness.client(demo.baseUrl, {
      service,
      apiKey: () => apiKey,
      fetch: check.fetch,
    });

  it('A client of SecurityScorecard verifies a key with the portfolios alone', async () => {
    assert.deepEqual(await client().verifyKey(undefined), {});
    assert.deepEqual(seen, ['GET /portfolios']);
    await failure(client('wrong').verifyKey(undefined), AuthError);
    await client('').checkAddress();
  });

  it('A client of SecurityScorecard lists portfolios and their companies, and gets a company with one request', async () => {
    const { companies } = client();
    assert.ok(companies);
    const portfolios = await companies.portfolios();
    assert.deepEqual(
      portfolios.map(({ name }) => name),
      ['My company', 'Critical suppliers', 'All vendors'],
    );
    const listed = await companies.ofPortfolio(portfolios[1]?.id ?? '');
    assert.equal(listed.length, 3);
    const [first] = listed;
    assert.ok(first);
    seen.length = 0;
    const summary = await companies.summary(first.domain);
    assert.deepEqual(seen, ['GET /companies/halvorsen-maritime.example/summary-factors']);
    const { factors, issueTypes, ...about } = summary;
    const page =
      'https://platform.securityscorecard.io/#/scorecard/halvorsen-maritime.example/factors';
    assert.deepEqual(about, { ...first, id: scorecardId, page });
    assert.equal(typeof first.scoreChange, 'number');
    const ports = issueTypes.find(({ issueType }) => issueType === 'open_port');
    assert.deepEqual([ports?.count, ports?.severity], [33_033, 'low']);
    assert.ok((ports?.scoreImpact ?? 0) > 0);
    assert.equal(ports?.factor, 'network_security');
    const network = factors.find(({ name }) => name === 'network_security');
    assert.deepEqual([typeof network?.score, typeof network?.grade], ['number', 'string']);
    assert.equal(factors.length, 10);
    assert.deepEqual(await companies.summary(scorecardId.toUpperCase()), summary);
  });

  it('A client of SecurityScorecard gets a company with two requests where the account has no such endpoint, and remembers that', async () => {
    const { companies } = client();
    const expected = await companies?.summary(scorecardId);
    const { companies: restricted } = harness.client(demo.baseUrl, {
      service,
      apiKey: () => demo.apiKey,
      fetch: (url, init) =>
        check.fetch((url as string).replace('/summary-factors', '/no-such-endpoint'), init),
    });
    assert.deepEqual(await restricted?.summary(scorecardId), expected);
    check.faults.splice(0);
    seen.length = 0;
    assert.deepEqual(await restricted?.summary(scorecardId), expected);
    assert.deepEqual(seen.toSorted(), [
      `GET /companies/${scorecardId}`,
      `GET /companies/${scorecardId}/factors`,
    ]);
  });

  it('A client of SecurityScorecard counts the active findings, which are those that it lists', async () => {
    const api = client();
    const { issueTypes = [] } = (await api.companies?.summary(scorecardId)) ?? {};
    const { count } = issueTypes.find(({ issueType }) => issueType === 'tls_weak_cipher') ?? {};
    const { entries } = await api.findingsPage(query({ issueType: 'tls_weak_cipher', limit: 500 }));
    assert.equal(entries.length, count);
    assert.deepEqual([...new Set(entries.map((entry) => entry.group_status))], ['active']);
    assert.ok(entries.length > 0 && entries.length < 101, 'the demo has others, too');
  });

  it('A client of SecurityScorecard gets the scores of a company since a day, the oldest first', async () => {
    const { companies } = client();
    const day = 24 * 3_600_000;
    const since = Date.now() - 180 * day;
    const points = (await companies?.history(scorecardId, since)) ?? [];
    assert.deepEqual(seen, [`GET /companies/${scorecardId}/history/score`]);
    const from = Date.parse(new Date(since).toISOString().slice(0, 10));
    const newest = points.at(-1)?.at ?? 0;
    assert.ok(Math.abs(Date.now() - newest) < 3 * day, new Date(newest).toISOString());
    assert.equal(points.length, 1 + (newest - from) / day, 'one a day');
    assert.ok(points.every(({ at }, index) => at > (points[index - 1]?.at ?? 0)));
    const { score, scoreChange } = (await companies?.summary(scorecardId)) ?? {};
    const last = points.at(-1);
    assert.equal(last?.score, score);
    assert.equal((last?.score ?? 0) - (points.at(-31)?.score ?? 0), scoreChange);
    await failure(companies?.history('nobody.example', since) ?? Promise.resolve(), NotFoundError);
  });

  it('A client of SecurityScorecard accepts scores in any order, and leaves out what is none', async () => {
    const entries = [
      { date: '2026-03-01', score: 82.5 },
      { date: '2026-02-01T00:00:00.000Z', score: 80, domain: 'a.example', grade: 'B' },
      { date: '2026-04-01', score: null },
      { date: 'soon', score: 1 },
      { score: 2 },
    ];
    const server = await harness.serve((_, response) => {
      sendJson(response, 200, { entries });
    });
    const { companies } = harness.client(server.baseUrl, { service });
    const since = Date.UTC(2026, 0, 31, 23);
    assert.deepEqual(await companies?.history('a.example', since), [
      { at: Date.UTC(2026, 1, 1), score: 80 },
      { at: Date.UTC(2026, 2, 1), score: 82.5 },
    ]);
    const [request] = server.requests;
    assert.equal(request?.path, '/companies/a.example/history/score');
    assert.equal(request.query.get('from'), '2026-01-31');
  });

  it('A client of SecurityScorecard gets what has happened to a company with one request, the oldest first', async () => {
    const { companies } = client();
    const day = 24 * 3_600_000;
    const [from, to] = [Date.now() - 90 * day, Date.now() + day];
    const events = (await companies?.events(scorecardId, { from, to })) ?? [];
    assert.deepEqual(seen, [`GET /companies/${scorecardId}/history/events/`]);
    assert.ok(events.length > 10, `${events.length} events`);
    assert.ok(events.every(({ at }, index) => at >= (events[index - 1]?.at ?? from) && at <= to));
    assert.deepEqual([...new Set(events.map(({ kind }) => kind))].sort(), [
      'issues',
      'recalibration',
    ]);
    const statuses = events.map(({ issues }) => issues?.status);
    assert.ok(statuses.includes('active') && statuses.includes('departed'), statuses.join());
    await failure(
      companies?.events('nobody.example', { from, to }) ?? Promise.resolve(),
      NotFoundError,
    );
  });

  it('A client of SecurityScorecard leaves out events that it does not understand, and repeated ones', async () => {
    const issues = { event_type: 'issues', issue_type: 'open_port', severity: 'HIGH' };
    const entries = [
      { id: 2, date: '2026-03-02', ...issues, group_status: 'active', issue_count: '3' },
      { id: 2, date: '2026-03-02', ...issues, group_status: 'active', issue_count: '3' },
      { id: 'b', date: '2026-03-01', event_type: 'breach', breach_data: { description: 'Lost.' } },
      { id: 'c', date: '2026-03-03', ...issues, group_status: 'moved', issue_count: 1 },
      { id: 'd', date: '2026-03-03', event_type: 'merger' },
      { id: 'e', date: 'soon', event_type: 'breach' },
      { id: 'f', date: '2026-03-04', event_type: 'breach', breach_data: null },
      { date: '2026-03-04', event_type: 'breach' },
      { id: 'g', date: '2026-03-04', ...issues, group_status: 'active', issue_count: 0 },
      { id: 'h', date: '2026-03-05', ...issues, group_status: 'departed', issue_count: 1 },
    ];
    const server = await harness.serve((_, response) => {
      sendJson(response, 200, { entries });
    });
    const { companies } = harness.client(server.baseUrl, { service });
    const period = { from: Date.UTC(2026, 2, 1), to: Date.UTC(2026, 2, 5) };
    assert.deepEqual(await companies?.events('a.example', period), [
      { id: 'b', at: Date.UTC(2026, 2, 1), kind: 'breach', text: 'Lost.' },
      {
        id: '2',
        at: Date.UTC(2026, 2, 2),
        kind: 'issues',
        issues: { count: 3, status: 'active', issueType: 'open_port', severity: 'HIGH' },
      },
      { id: 'f', at: Date.UTC(2026, 2, 4), kind: 'breach' },
      {
        id: 'h',
        at: Date.UTC(2026, 2, 5),
        kind: 'issues',
        issues: { count: 1, status: 'departed', issueType: 'open_port', severity: 'HIGH' },
      },
    ]);
    const [request] = server.requests;
    assert.equal(request?.path, '/companies/a.example/history/events/');
    assert.equal(request.query.get('date_from'), '2026-03-01T00:00:00.000Z');
    assert.equal(request.query.get('date_to'), '2026-03-05T00:00:00.000Z');
  });

  it('A client of SecurityScorecard gets the titles of all issue types with one request', async () => {
    const titles = await client().companies?.issueTypeTitles();
    assert.equal(titles?.get('open_port'), 'Open port');
    assert.deepEqual(seen, ['GET /metadata/issue-types']);
  });

  it('A client of SecurityScorecard gets what is recommended against an issue type with one request', async () => {
    const { companies } = client();
    assert.equal(
      await companies?.recommendation('open_port'),
      'Review the affected assets: Open port.',
    );
    await failure(companies?.recommendation('no_such_type') ?? Promise.resolve(), NotFoundError);
    assert.deepEqual(seen, [
      'GET /metadata/issue-types/open_port',
      'GET /metadata/issue-types/no_such_type',
    ]);
  });

  it('A client of SecurityScorecard tells the service about findings, which have it from then on', async () => {
    const api = client();
    const before = await api.findingsPage(query({ issueType: 'open_port', limit: 2 }));
    const [first, second] = before.entries;
    seen.length = 0;
    await api.companies?.sendFeedback('Halvorsen-Maritime.example', {
      issueType: 'open_port',
      issueIds: [first?.issue_id as string],
      type: 'misattribution',
      comment: 'Sold in May.',
    });
    assert.deepEqual(seen, [
      'POST /companies/halvorsen-maritime.example/issues/open_port/feedback/',
    ]);
    const { entries } = await api.findingsPage(query({ issueType: 'open_port', limit: 2 }));
    const [told] = (entries[0]?.feedback ?? []) as JsonObject[];
    assert.equal(told?.type, 'misattribution');
    assert.equal(told.comment, 'Sold in May.');
    assert.deepEqual(entries[1], second);
  });

  it('A client of SecurityScorecard sends feedback once, whatever becomes of it, but again after a 429', async () => {
    const feedback = {
      issueType: 'open_port',
      issueIds: ['1'],
      type: 'false_positive',
    } as const;
    for (const [status, times, expected] of [
      [500, 1, ServerError],
      [403, 1, ForbiddenError],
      [429, 2, Error],
    ] as const) {
      let count = 0;
      const server = await harness.serve((_, response) => {
        count++;
        if (status === 429 && count === 2) {
          response.writeHead(201).end();
        } else {
          response.writeHead(status, { 'Retry-After': '0' }).end();
        }
      });
      const { companies } = harness.client(server.baseUrl, { service });
      const sent = companies?.sendFeedback(scorecardId, feedback) ?? Promise.resolve();
      await (status === 429 ? sent : failure<Error>(sent, expected));
      assert.equal(count, times, String(status));
    }
  });

  it('A client of SecurityScorecard refuses what is neither a domain nor a UUID before a request', async () => {
    const { companies } = client();
    await failure(companies?.summary('../portfolios') ?? Promise.resolve(), BadRequestError);
    await failure(companies?.summary('halvorsen') ?? Promise.resolve(), BadRequestError);
    assert.deepEqual(seen, []);
  });

  it('A client of SecurityScorecard says that a company is in no portfolio', async () => {
    const { domain, scorecard_identifier: id } = listedCompanies()[7] ?? {};
    const api = client();
    const error = await failure(
      api.companies?.summary(text(domain)) ?? Promise.resolve(),
      ForbiddenError,
    );
    assert.equal(error.key, 'company_not_in_a_portfolio');
    assert.equal(findSubject(error.endpoint), 'company');
    const scorecard = text(id);
    const list = await failure(api.findingsPage(query({ scorecardId: scorecard })), ForbiddenError);
    assert.equal(findSubject(list.endpoint), 'company');
    await failure(
      api.requestReport('issues', { scorecard_identifier: scorecard, format: 'csv' }),
      ForbiddenError,
    );
    await failure(api.companies?.summary('nobody.example') ?? Promise.resolve(), NotFoundError);
  });

  it('A client of SecurityScorecard reads findings by offset, following links, with no request twice', async () => {
    const api = client();
    const page = await api.findingsPage(query({ issueType: 'tls_weak_protocol', limit: 100 }));
    assert.deepEqual([page.entries.length, page.hasMore], [100, true]);
    const next = await api.findingsPage(
      query({ issueType: 'tls_weak_protocol', offset: 100, limit: 500 }),
    );
    assert.deepEqual([next.entries.length, next.hasMore, next.offset], [500, true, 100]);
    assert.equal(seen.length, 2, 'the first 500, then the next');
    const last = await api.findingsPage(
      query({ issueType: 'tls_weak_protocol', offset: 2000, limit: 100 }),
    );
    assert.deepEqual([last.entries.length, last.hasMore], [36, false]);
    assert.equal(seen.length, 5);
    const ids: unknown[] = [];
    seen.length = 0;
    const all = query({ issueType: 'tls_weak_protocol', limit: 500 });
    for await (const { entries } of allFindings(api, all)) {
      ids.push(...entries.map(({ issue_id: id }) => id));
    }
    assert.equal(seen.length, 5, 'the list is read anew');
    assert.equal(new Set(ids).size, 2036);
    const [middle] = (await api.findingsPage({ ...all, offset: 1234, limit: 1 })).entries;
    assert.equal(middle?.issue_id, ids[1234]);
  });

  it('A client of SecurityScorecard goes over short and empty pages', async () => {
    const pages = [['a', 'b'], [], ['c'], []];
    const server = await harness.serve(({ query: asked }, response) => {
      const page = Number(asked.get('page') ?? 0);
      if (page + 1 < pages.length) {
        response.setHeader('Link', `<?page=${page + 1}>; rel="next"`);
      }
      sendJson(response, 200, { entries: pages[page]?.map((id) => ({ issue_id: id })) ?? null });
    });
    const ids: unknown[] = [];
    for await (const { entries } of allFindings(
      harness.client(server.baseUrl, { service }),
      query(),
    )) {
      ids.push(...entries.map(({ issue_id: id }) => id));
    }
    assert.deepEqual(ids, ['a', 'b', 'c']);
    const { entries: none, hasMore } = await client().findingsPage(
      query({ issueType: 'dmarc_contains_none' }),
    );
    assert.deepEqual([none, hasMore], [[], false]);
  });

  it('A client of SecurityScorecard sends the body of a list as filters of the query', async () => {
    const api = client();
    const all = await api.findingsPage(query({ issueType: 'csp_no_policy_v2' }));
    const id = text(all.entries[3]?.issue_id);
    const one = await api.findingsPage(
      query({ issueType: 'csp_no_policy_v2', body: { issue_id: id } }),
    );
    assert.deepEqual(one.entries, [all.entries[3]]);
    await failure(api.findingsPage(query({ body: { issue_id: ['a'] } })), BadRequestError);
  });

  it('A client of SecurityScorecard refuses a domain as the scorecard of findings, as everywhere', async () => {
    await failure(client().findingsPage(query({ scorecardId: 'a.example' })), BadRequestError);
  });

  it('A client of SecurityScorecard fails where links lead in a circle or cannot be read', async () => {
    let link = '';
    const server = await harness.serve((request, response) => {
      response.setHeader('Link', link);
      sendJson(response, 200, { entries: [{ issue_id: request.path }] });
    });
    const api = harness.client(server.baseUrl, { service });
    link = `<${server.baseUrl}/again>; rel="next"`;
    const error = await failure(api.findingsPage(query()), ProtocolError);
    assert.match(error.message, /loop/);
    link = '<broken; rel="next"';
    await failure(api.findingsPage(query()), ProtocolError);
    link = '<https://elsewhere.example/2>; rel="next"';
    await failure(api.findingsPage(query()), ProtocolError);
  });

  const { reports } = services[service];
  for (const [kind, { body }] of Object.entries(reports)) {
    it(`A client of SecurityScorecard gets a report of the kind ${kind} through the list of recent ones`, async () => {
      const api = client();
      const filled = JSON.parse(
        JSON.stringify(body).replace('${scorecardId}', scorecardId),
      ) as JsonObject;
      const receipt = await api.requestReport(kind as ReportKind, filled);
      assert.ok(receipt.type === 'record');
      assert.match(receipt.reportUrl, /\/reports\/recent#[\w-]+$/);
      const answer = await api.fetchReport(receipt.reportUrl);
      assert.ok(answer.type === 'file');
      const folder = mkdtempSync(path.join(os.tmpdir(), 'report-'));
      try {
        const file = path.join(folder, answer.file.fileName);
        await answer.file.saveTo(file);
        const start = readFileSync(file).subarray(0, 40).toString();
        const expected = { issues: /^ISSUE ID,FACTOR NAME/, full: /^\{"/, detailed: /^%PDF-/ };
        assert.match(start, expected[kind as ReportKind]);
      } finally {
        rmSync(folder, { recursive: true });
      }
      assert.equal(seen.filter((each) => each.startsWith('POST')).length, 1);
      assert.equal(seen.filter((each) => each.includes('/files/')).length, 2, 'a redirect');
    });
  }

  it('A client of SecurityScorecard finds reports of the demo again after it was restarted', async () => {
    let kept: unknown;
    const recentReports = {
      read: () => kept,
      write: (written: unknown) => {
        kept = JSON.parse(JSON.stringify(written));
      },
    };
    const options = { service, generationMs: 0, recentReports } as const;
    const first = await startDemoService(options);
    const { apiKey } = first;
    const api = harness.client(first.baseUrl, { service, apiKey: () => apiKey });
    const receipt = await api.requestReport('issues', { scorecard_identifier: scorecardId });
    await first.close();
    assert.ok(receipt.type === 'record');
    const { pathname, hash } = new URL(receipt.reportUrl);
    kept = [...(kept as unknown[]), { id: 'of another version' }];
    const second = await startDemoService({ ...options, apiKey });
    const later = harness.client(second.baseUrl, { service, apiKey: () => apiKey });
    const answer = await later.fetchReport(pathname + hash);
    await second.close();
    assert.equal(answer.type, 'file');
  });

  it('A client of SecurityScorecard refuses a kind of report that a service does not make', async () => {
    const api = harness.client(demo.baseUrl);
    await failure(api.requestReport('issues', {}), BadRequestError);
  });
});

describe('The list of recent reports', () => {
  const harness = new Harness();
  afterEach(() => harness.close());

  async function listing(clock = new FakeClock()) {
    const entries: JsonObject[] = [];
    let posts = 0;
    const server = await harness.serve((request, response) => {
      if (request.method === 'POST') {
        sendJson(response, 200, { id: `r${++posts}` });
      } else if (request.path === '/reports/recent') {
        sendJson(response, 200, { entries });
      } else {
        sendJson(response, 404, { error: { message: 'no', statusCode: 404 } });
      }
    });
    const asked = () => server.requests.filter(({ path: asks }) => asks === '/reports/recent');
    const api = harness.client(server.baseUrl, { service, clock });
    const request = async () => {
      const receipt = await api.requestReport('issues', { scorecard_identifier: scorecardId });
      assert.ok(receipt.type === 'record');
      return receipt.reportUrl;
    };
    return { api, entries, asked, request, clock };
  }

  it('The list of recent reports is asked once for ten reports', async () => {
    const { api, asked, request, clock } = await listing();
    const urls = await Promise.all(Array.from({ length: 10 }, request));
    const poll = () => Promise.all(urls.map((url) => api.fetchReport(url)));
    const answers = await poll();
    assert.deepEqual([...new Set(answers.map(({ type }) => type))], ['pending']);
    assert.equal(asked().length, 1);
    clock.advance(60_000);
    await poll();
    assert.equal(asked().length, 2);
    clock.advance(100);
    await poll();
    assert.equal(asked().length, 2);
  });

  it('The list of recent reports is asked soon for a new report, however long others take', async () => {
    const { api, asked, request, clock } = await listing();
    const first = await request();
    for (let polls = 0; polls < 20; polls += 1) {
      await api.fetchReport(first);
      clock.advance(60_000);
    }
    await api.fetchReport(first);
    const before = asked().length;
    const next = await request();
    await api.fetchReport(next);
    clock.advance(1_000);
    await api.fetchReport(next);
    assert.equal(asked().length, before + 2);
    await api.fetchReport(first);
    assert.equal(asked().length, before + 2);
  });

  it('The list of recent reports goes on for the others when one caller ends', async () => {
    const { api, asked, request } = await listing();
    const [one, other] = [await request(), await request()];
    const abort = new AbortController();
    const ended = api.fetchReport(one, { signal: abort.signal });
    const goesOn = api.fetchReport(other);
    abort.abort();
    await assert.rejects(ended, { name: 'CancelledError' });
    assert.equal((await goesOn).type, 'pending');
    assert.equal((await api.fetchReport(one)).type, 'pending');
    assert.ok(asked().length <= 2);
  });

  it('The list of recent reports is no longer asked for when all callers end', async () => {
    const { api, asked, request } = await listing();
    const abort = new AbortController();
    const urls = [await request(), await request()];
    const ended = urls.map((url) => api.fetchReport(url, { signal: abort.signal }));
    abort.abort();
    for (const each of ended) {
      await assert.rejects(each, { name: 'CancelledError' });
    }
    assert.equal((await api.fetchReport(urls[0] ?? '')).type, 'pending');
    assert.equal(asked().length, 1);
  });

  it('The list of recent reports says that a report failed if it is complete and has no file', async () => {
    const { api, entries, request, clock } = await listing();
    const url = await request();
    entries.push({ id: 'r1', completed_at: '2026-11-27T12:00:00Z' });
    assert.equal((await api.fetchReport(url)).type, 'pending');
    clock.advance(60_000);
    await failure(api.fetchReport(url), ReportFailedError);
  });

  it('The list of recent reports is asked again after its address did not lead to a file', async () => {
    const { api, entries, asked, request } = await listing();
    const url = await request();
    entries.push({ id: 'r1', download_url: 'https://no-such-host.invalid/file' });
    await assert.rejects(api.fetchReport(url, { maxWaitMs: 0 }));
    entries.pop();
    assert.equal((await api.fetchReport(url)).type, 'pending');
    assert.equal(asked().length, 2);
  });
});
