import assert from 'node:assert/strict';
import type { ServerResponse } from 'node:http';
import {
  BadRequestError,
  ForbiddenError,
  ProtocolError,
  ReportFailedError,
} from '../../../../src/api/http/errors';
import { findSubject } from '../../../../src/api/paths';
import type { JsonObject, JsonValue } from '../../../../src/base/json/json';
import { FakeClock } from '../../../helpers/fakeClock';
import { sendJson, sendText, type ReceivedRequest } from '../../../helpers/testServer';
import { failure, Harness, query, scorecardId, WaitClock } from '../support';

const service = 'securityScorecard';
const about = { domain: 'a.example', name: 'A', uuid: scorecardId, score: 80, grade: 'B' };

type Answer = JsonValue | ((response: ServerResponse, request: ReceivedRequest) => void);

/** Answers that no document of the service shows, and that it may send nevertheless. */
describe('A service that differs from its reference', () => {
  const harness = new Harness();
  let answers: Record<string, Answer>;

  beforeEach(() => {
    answers = {};
  });
  afterEach(() => harness.close());

  async function serve() {
    return harness.serve((request, response) => {
      const answer = answers[`${request.method} ${request.path}`] ?? answers[request.path];
      if (typeof answer === 'function') {
        answer(response, request);
      } else if (answer === undefined) {
        sendJson(response, 404, { error: { message: 'not found', statusCode: 404 } });
      } else {
        sendJson(response, 200, answer);
      }
    });
  }

  async function companiesOf(given: Record<string, Answer>) {
    answers = given;
    const server = await serve();
    const { companies } = harness.client(server.baseUrl, { service });
    assert.ok(companies);
    return { companies, server };
  }

  const issues = (list: JsonValue): JsonObject => ({
    entries: [{ name: 'x', issue_summary: list }],
  });

  describe('about companies', () => {
    it('A service that differs from its reference about companies may have portfolios without names, with numbers as IDs, and lists without an object', async () => {
      const { companies } = await companiesOf({
        '/portfolios': [{ id: 7, name: null }, { id: '8', name: 'B' }, { name: 'no id' }],
        '/portfolios/7/companies': { entries: [] },
      });
      assert.deepEqual(await companies.portfolios(), [
        { id: '7', name: '' },
        { id: '8', name: 'B' },
      ]);
      assert.deepEqual(await companies.ofPortfolio('7'), []);
    });

    it('A service that differs from its reference about companies may have IDs of more digits than a double can hold, and IDs that are dots', async () => {
      const send = (text: string) => (response: ServerResponse) => {
        sendText(response, 200, text, { 'Content-Type': 'application/json' });
      };
      const { companies, server } = await companiesOf({
        '/portfolios': send('[{"id":9007199254740993,"name":"A"},{"id":".","name":"B"}]'),
        '/portfolios/9007199254740993/companies': { entries: [{ domain: 'a.example' }] },
        '/portfolios/companies': { entries: [{ domain: 'other.example' }] },
      });
      const [first, second] = await companies.portfolios();
      assert.equal(first?.id, '9007199254740993');
      assert.deepEqual(await companies.ofPortfolio(first.id), [{ domain: 'a.example', name: '' }]);
      const sent = server.requests.length;
      await failure(companies.ofPortfolio(second?.id ?? ''), BadRequestError);
      await failure(companies.recommendation('.'), BadRequestError);
      assert.equal(server.requests.length, sent);
    });

    it('A service that differs from its reference about companies may have any number of them in a page', async () => {
      const all = Array.from({ length: 130_000 }, (_, n) => ({ domain: `a${n}.example` }));
      const { companies } = await companiesOf({ '/portfolios/p/companies': { entries: all } });
      assert.equal((await companies.ofPortfolio('p')).length, 130_000);
    });

    it('A service that differs from its reference about companies may have companies without a score, or without a name, over pages with relative links', async () => {
      const { companies } = await companiesOf({
        '/portfolios/p/companies': (response, request) => {
          const isFirst = !request.query.has('page');
          if (isFirst) {
            response.setHeader('Link', '<?page=2>; rel="next"');
          }
          const [entry] = isFirst
            ? [{ domain: 'A.example', name: null, score: null, grade: '' }]
            : [{ domain: 'b.example', score: '71', grade: 'C' }];
          sendJson(response, 200, { entries: [entry, { name: 'no domain' }], total: '4' });
        },
      });
      assert.deepEqual(await companies.ofPortfolio('p'), [
        { domain: 'A.example', name: '' },
        { domain: 'b.example', name: '', score: 71, grade: 'C' },
      ]);
    });

    it('A service that differs from its reference about companies may send numbers as texts', async () => {
      const { companies } = await companiesOf({
        '/companies/a.example': { ...about, score: '80', last30day_score_change: '-2' },
        '/companies/a.example/factors': issues([
          { type: 'open_port', count: '12', severity: 'LOW', total_score_impact: '0.5' },
          { type: 'chatter', count: 3, total_score_impact: null },
        ]),
        '/companies/a.example/history/score': [{ date: '2026-01-01', score: '80' }],
      });
      const { score, scoreChange, issueTypes } = await companies.summary('A.EXAMPLE');
      assert.deepEqual([score, scoreChange], [80, -2]);
      assert.deepEqual(issueTypes, [
        { issueType: 'open_port', count: 12, severity: 'LOW', scoreImpact: 0.5, factor: 'x' },
        { issueType: 'chatter', count: 3, factor: 'x' },
      ]);
      assert.equal((await companies.history('a.example', Date.UTC(2026, 0, 1))).length, 1);
    });

    it('A service that differs from its reference about companies may send a company without its UUID, or with another, if that was asked for', async () => {
      const { domain, name } = about;
      const other = '11111111-1111-4111-8111-111111111111';
      const { companies } = await companiesOf({
        [`/companies/${scorecardId}`]: { domain, name },
        [`/companies/${scorecardId}/factors`]: { entries: [] },
        [`/companies/${other}`]: about,
        [`/companies/${other}/factors`]: { entries: [] },
        '/companies/a.example': { domain, name },
        '/companies/a.example/factors': { entries: [] },
      });
      assert.equal((await companies.summary(scorecardId.toUpperCase())).id, scorecardId);
      assert.equal((await companies.summary(other)).id, other);
      const { message } = await failure(companies.summary('a.example'), ProtocolError);
      assert.match(message, /a\.example without the UUID/);
    });

    it('A service that differs from its reference about companies has no grade while it calculates the score', async () => {
      const { companies } = await companiesOf({
        '/portfolios/p/companies': { entries: [{ domain: 'a.example', grade: '?' }] },
        '/companies/a.example': { domain: 'a.example', uuid: scorecardId, grade: '?' },
        '/companies/a.example/factors': { entries: [{ name: 'dns_health', grade: '?' }] },
      });
      assert.deepEqual(await companies.ofPortfolio('p'), [{ domain: 'a.example', name: '' }]);
      const { grade, factors } = await companies.summary('a.example');
      assert.deepEqual([grade, factors], [undefined, [{ name: 'dns_health' }]]);
    });

    it('A service that differs from its reference about companies may write the names of factors as titles', async () => {
      const { companies } = await companiesOf({
        '/companies/a.example': about,
        '/companies/a.example/factors': {
          entries: [
            { name: ' Network Security', issue_summary: [{ type: 'open_port', count: 1 }] },
          ],
        },
      });
      const { factors, issueTypes } = await companies.summary('a.example');
      assert.equal(factors[0]?.name, 'network_security');
      assert.equal(issueTypes[0]?.factor, 'network_security');
    });

    it('A service that differs from its reference about companies may leave out a count: it is unknown then, not zero', async () => {
      const { companies } = await companiesOf({
        '/companies/a.example': about,
        '/companies/a.example/factors': issues([
          { type: 'open_port', count: null },
          { type: 'chatter' },
          { type: 'uce', count: '' },
          { type: 'typosquat', count: -1 },
        ]),
      });
      const { issueTypes } = await companies.summary('a.example');
      assert.deepEqual(
        issueTypes,
        ['open_port', 'chatter', 'uce', 'typosquat'].map((issueType) => ({
          issueType,
          factor: 'x',
        })),
      );
    });

    it('A service that differs from its reference about companies may send older scores than those that were asked for', async () => {
      const { companies } = await companiesOf({
        '/companies/a.example/history/score': {
          entries: ['2019-01-01', '2026-01-01', '2026-01-02'].map((date) => ({ date, score: 1 })),
        },
      });
      const points = await companies.history('a.example', Date.UTC(2026, 0, 1, 12));
      assert.equal(points.length, 2);
    });

    it('A service that differs from its reference about companies may refuse the factors of a company that it shows', async () => {
      const { companies } = await companiesOf({
        '/companies/a.example': about,
        '/companies/a.example/factors': (response) => {
          sendJson(response, 403, { error: { message: 'add it first', statusCode: 403 } });
        },
      });
      await failure(companies.summary('a.example'), ForbiddenError);
    });

    it('A service that differs from its reference about companies knows domains with letters of other alphabets by their ASCII form', async () => {
      const { companies, server } = await companiesOf({
        '/companies/xn--mller-kva.example': { ...about, domain: 'müller.example' },
        '/companies/xn--mller-kva.example/factors': { entries: [] },
      });
      assert.equal((await companies.summary(' MÜLLER.example ')).domain, 'müller.example');
      const asked = server.requests.map(({ path }) => path);
      assert.ok(
        asked.every((path) => path.startsWith('/companies/xn--mller-kva.example')),
        asked.join(),
      );
    });
  });

  describe('about findings', () => {
    it('A service that differs from its reference about findings may send a bare list, and relative links', async () => {
      answers[`/companies/${scorecardId}/issues/open_port`] = (response, request) => {
        const from = Number(request.query.get('from') ?? 0);
        response.setHeader('Link', from < 2 ? `<open_port?from=${from + 1}>; rel=next` : '');
        sendJson(response, 200, [{ issue_id: `i${from}` }]);
      };
      const { baseUrl } = await serve();
      const found = await harness.client(baseUrl, { service }).findingsPage(query());
      assert.deepEqual(
        found.entries.map(({ issue_id: id }) => id),
        ['i0', 'i1', 'i2'],
      );
    });
  });

  describe('whose links expire', () => {
    it('A service that differs from its reference whose links expire is read again from the start after one was refused', async () => {
      let version = 1;
      answers[`/companies/${scorecardId}/issues/open_port`] = (response, request) => {
        const [issued, from] = (request.query.get('at') ?? `${version}-0`).split('-').map(Number);
        if (issued !== version) {
          sendJson(response, 400, { error: { message: 'cursor has expired', statusCode: 400 } });
          return;
        }
        response.setHeader('Link', `<?at=${version}-${Number(from) + 1}>; rel="next"`);
        sendJson(response, 200, { entries: [{ issue_id: `i${from}` }] });
      };
      const { baseUrl, requests } = await serve();
      const api = harness.client(baseUrl, { service });
      await api.findingsPage(query({ limit: 2 }));
      version += 1;
      const next = query({ offset: 2, limit: 1 });
      await failure(api.findingsPage(next), BadRequestError);
      assert.equal(requests.length, 3);
      const { entries } = await api.findingsPage(next);
      assert.deepEqual(entries, [{ issue_id: 'i2' }]);
      assert.equal(requests.length, 6);
    });
  });

  describe('about reports', () => {
    it('A service that differs from its reference about reports may have receipts with IDs of more digits than a double can hold', async () => {
      const send = (text: string) => (response: ServerResponse) => {
        sendText(response, 200, text, { 'Content-Type': 'application/json' });
      };
      answers = {
        '/reports/issues': send('{"id":9007199254740993}'),
        '/reports/recent': send(
          '{"entries":[{"id":9007199254740992,"download_url":"/other"},{"id":9007199254740993,"download_url":"/mine"}]}',
        ),
        '/mine': (response) => {
          sendText(response, 200, 'id,host\n1,a\n', { 'Content-Type': 'text/csv' });
        },
      };
      const server = await serve();
      const client = harness.client(server.baseUrl, { service });
      const receipt = await client.requestReport('issues', {});
      assert.ok(receipt.type === 'record');
      const answer = await client.fetchReport(receipt.reportUrl);
      assert.ok(answer.type === 'file');
      answer.file.discard();
      assert.equal(server.requests.at(-1)?.path, '/mine');
    });

    const clock = new FakeClock();

    /** A report that was requested, with the list of recent ones as `list` has it. */
    async function requested(list: () => JsonValue, receipt: JsonValue = { id: 'r1' }) {
      answers['POST /reports/issues'] = receipt;
      answers['/reports/recent'] = (response) => {
        sendJson(response, 200, list());
      };
      answers['/reports/files/1'] = (response) => {
        sendText(response, 200, 'ISSUE ID,STATUS\r\n1,active\r\n');
      };
      const server = await serve();
      const api = harness.client(server.baseUrl, { service, clock });
      const started = await api.requestReport('issues', { scorecard_identifier: scorecardId });
      assert.ok(started.type === 'record');
      return { api, server, fetch: () => api.fetchReport(started.reportUrl) };
    }

    it('A service that differs from its reference about reports may list them in any order, without IDs, with numbers as IDs, and with relative addresses', async () => {
      const { fetch } = await requested(
        () => [
          { download_url: '/reports/files/2' },
          { id: 'r2', download_url: '/reports/files/2' },
          { id: 17, download_url: '/reports/files/1' },
        ],
        { id: 17 },
      );
      assert.equal((await fetch()).type, 'file');
    });

    it('A service that differs from its reference about reports may refuse the list of reports, which is no link to a report', async () => {
      const { fetch } = await requested(() => []);
      answers['/reports/recent'] = (response) => {
        sendJson(response, 403, { error: { message: 'not in your plan', statusCode: 403 } });
      };
      const { endpoint } = await failure(fetch(), ForbiddenError);
      assert.equal(endpoint, 'GET /reports/recent');
      assert.equal(findSubject(endpoint), undefined);
    });

    it('A service that differs from its reference about reports never answers a request with the report itself', async () => {
      const { api } = await requested(() => []);
      for (const answer of [[], [{ id: 'r1' }], { rows: [{ a: 1 }] }]) {
        answers['POST /reports/issues'] = answer;
        const call = api.requestReport('issues', { scorecard_identifier: scorecardId });
        await failure(call, ProtocolError);
      }
    });

    it('A service that differs from its reference about reports may say that one has failed', async () => {
      let entry: JsonObject = {
        id: 'r1',
        title: 'Issues report',
        report_type: 'issues',
        created_at: '2026-11-27T12:00:00Z',
        status: 'processing',
        error: null,
      };
      const { fetch } = await requested(() => ({ entries: [entry] }));
      assert.equal((await fetch()).type, 'pending');
      clock.advance(60_000);
      entry = { id: 'r1', status: 'failed', error: { message: 'no findings' }, download_url: null };
      const { message } = await failure(fetch(), ReportFailedError);
      assert.match(message, /failed.*no findings/);
    });

    it('A service that differs from its reference about reports may give the address of a file a while after its completion', async () => {
      let entry: JsonObject = { id: 'r1', completed_at: '2026-11-27T12:00:00Z', download_url: '' };
      const { fetch } = await requested(() => ({ entries: [entry] }));
      for (let polls = 0; polls < 5; polls += 1) {
        assert.equal((await fetch()).type, 'pending');
        clock.advance(10_000);
      }
      const complete = entry;
      entry = { ...entry, download_url: '/reports/files/1' };
      assert.equal((await fetch()).type, 'file');
      entry = complete;
      clock.advance(60_000);
      await failure(fetch(), ReportFailedError);
    });

    it('A service that differs from its reference about reports may limit requests for the list without saying for how long', async () => {
      let refusals = 2;
      const waiting = new WaitClock();
      answers['POST /reports/issues'] = { id: 'r1' };
      answers['/reports/recent'] = (response) => {
        refusals -= 1;
        sendJson(
          response,
          refusals < 0 ? 200 : 429,
          refusals < 0 ? { entries: [{ id: 'r1' }] } : { error: { message: 'slow down' } },
        );
      };
      const server = await serve();
      const api = harness.client(server.baseUrl, { service, clock: waiting });
      const started = await api.requestReport('issues', { scorecard_identifier: scorecardId });
      assert.ok(started.type === 'record');
      const answer = await waiting.run(api.fetchReport(started.reportUrl, { priority: 'bulk' }));
      assert.equal(answer.type, 'pending');
      assert.equal(server.requests.length, 4);
      assert.ok(waiting.waits.some((wait) => wait >= 1_000));
    });

    it('A service that differs from its reference about reports may keep files elsewhere, which never get the key', async () => {
      const storage = await harness.serve((_, response) => {
        sendText(response, 200, 'ISSUE ID,STATUS\r\n1,active\r\n');
      });
      answers['/reports/files/9'] = (response) => {
        response.writeHead(302, { Location: `${storage.baseUrl}/signed?x=1` }).end();
      };
      const { fetch } = await requested(() => ({
        entries: [{ id: 'r1', download_url: 'reports/files/9' }],
      }));
      assert.equal((await fetch()).type, 'file');
      assert.deepEqual(
        storage.requests.map(({ path, headers }) => [path, headers.authorization]),
        [['/signed', undefined]],
      );
    });
  });
});
