import assert from 'node:assert/strict';
import { CancelledError } from '../../../../src/base/cancelledError';
import { startDemoService, type DemoService } from '../../../../src/demo/demoService';
import {
  describeFound,
  findCompanies,
  type PortfolioQuestion,
} from '../../../../src/service/findings/findCompanies';
import { ReferenceCheck } from '../../../helpers/securityScorecardApi';
import { sendJson } from '../../../helpers/testServer';
import { Harness } from '../../api/support';

const service = 'securityScorecard';

describe('Companies of portfolios', () => {
  const harness = new Harness();
  const check = new ReferenceCheck();
  let demo: DemoService;

  beforeEach(async () => {
    demo = await startDemoService({ service });
    check.seen.length = 0;
  });
  afterEach(async () => {
    await harness.close();
    await demo.close();
    assert.deepEqual(check.faults.splice(0), [], 'not as the reference says');
  });

  async function find(question: PortfolioQuestion, portfolioId?: string) {
    const { apiKey } = demo;
    const options = { service, apiKey: () => apiKey, fetch: check.fetch } as const;
    const { companies } = harness.client(demo.baseUrl, options);
    assert.ok(companies);
    return (await findCompanies(companies, question, portfolioId)).found.map(describeFound);
  }

  it('Companies of portfolios are found with one request for each portfolio, each once, the lowest score first', async () => {
    const all = await find({});
    assert.equal(check.seen.length, 4, 'the portfolios, and each of them');
    assert.equal(new Set(all.map(({ domain }) => domain)).size, all.length);
    const scores = all.map(({ score }) => score ?? 0);
    assert.deepEqual(
      scores,
      scores.toSorted((one, other) => one - other),
    );
    const breached = await find({ breachWithinDays: 365 });
    assert.ok(breached.length > 0 && breached.length < all.length);
    assert.ok((await find({ breachWithinDays: 30 })).length < breached.length);
    const exploited = await find({ vulnerability: 'CVE-2021-44228' });
    assert.ok(exploited.length < all.length);
    const typed = await find({ issueType: 'open_port' });
    assert.ok(typed.length > 0);
  });

  it('Companies of portfolios are found by grade and by how far the score moved, up or down', async () => {
    const entry = (domain: string, grade: string, change: number) => ({
      domain,
      name: domain.toUpperCase(),
      score: 100 - domain.length,
      grade,
      last30days_score_change: change,
    });
    const entries = [entry('a', 'A', 20), entry('bb', 'c', -15), entry('ccc', 'F', 3)];
    const server = await harness.serve((_, response) => {
      sendJson(response, 200, { entries: [...entries, { domain: 'none' }] });
    });
    const { companies } = harness.client(server.baseUrl, { service });
    assert.ok(companies);
    const found = async (question: PortfolioQuestion) =>
      (await findCompanies(companies, question, 'p 1')).found.map(({ domain }) => domain);
    assert.deepEqual(await found({ gradeAtMost: 'C' }), ['ccc', 'bb']);
    assert.deepEqual(await found({ movedBy: 15 }), ['bb', 'a']);
    assert.deepEqual(await found({ movedBy: 15, gradeAtMost: 'B' }), ['bb']);
    assert.deepEqual(await found({}), ['ccc', 'bb', 'a', 'none']);
    const [lowest] = (await findCompanies(companies, {}, 'p 1')).found;
    assert.deepEqual(lowest && describeFound(lowest), {
      domain: 'ccc',
      name: 'CCC',
      score: 97,
      grade: 'F',
      change30Days: 3,
    });
    server.requests.length = 0;
    await findCompanies(companies, { vulnerability: 'CVE-1&x=1', breachWithinDays: 7 }, 'p 1');
    const [request] = server.requests;
    assert.equal(request?.path, '/portfolios/p%201/companies');
    assert.equal(request.query.get('vulnerability'), 'CVE-1&x=1');
    assert.equal(request.query.get('had_breach_within_last_days'), '7');
    assert.equal(request.query.size, 2);
  });

  it('Companies of portfolios are those of the others where the service refuses some, and none where it refuses all', async () => {
    const refusals = new Map([
      ['p1', 403],
      ['p2', 404],
    ]);
    const server = await harness.serve(({ path }, response) => {
      const [, , id = ''] = path.split('/');
      const entries =
        id === ''
          ? ['p1', 'p2', 'p3'].map((each) => ({
              id: each,
              name: each === 'p2' ? '' : `The ${each}`,
            }))
          : [{ domain: `${id}.example` }];
      sendJson(response, refusals.get(id) ?? 200, { entries });
    });
    const { companies } = harness.client(server.baseUrl, { service });
    assert.ok(companies);
    const { found, refused } = await findCompanies(companies, {});
    assert.deepEqual(
      found.map(({ domain }) => domain),
      ['p3.example'],
    );
    assert.deepEqual(
      refused.map(({ name, error }) => [name, error.code]),
      [
        ['The p1', 'forbidden'],
        ['p2', 'notFound'],
      ],
    );
    await assert.rejects(findCompanies(companies, {}, 'p1'), { code: 'forbidden' });
    refusals.set('p3', 403);
    await assert.rejects(findCompanies(companies, {}), { name: /^(Forbidden|NotFound)Error$/ });
    refusals.clear();
    refusals.set('p3', 400);
    await assert.rejects(findCompanies(companies, {}), { code: 'badRequest' });
  });

  it('Companies of portfolios are no longer asked for when that is cancelled', async () => {
    const abort = new AbortController();
    const server = await harness.serve(({ path }, response) => {
      if (path === '/portfolios') {
        sendJson(response, 200, { entries: [{ id: 'p1', name: 'One' }] });
      } else {
        abort.abort(new CancelledError());
      }
    });
    const { companies } = harness.client(server.baseUrl, { service });
    assert.ok(companies);
    const { signal } = abort;
    await assert.rejects(findCompanies(companies, {}, undefined, { signal }), CancelledError);
  });
});
