import assert from 'node:assert/strict';
import { ApiClient } from '../../../src/api/client';
import type { JsonObject, JsonValue } from '../../../src/base/json/json';
import { groupBy } from '../../../src/base/groupBy';
import { scorecardData } from '../../../src/demo/data/demoData';
import type { DemoService } from '../../../src/demo/demoService';
import { Findings } from '../../../src/service/findings/findings';
import { IssueCounts } from '../../../src/service/findings/issueCounts';
import { ShownNames } from '../../../src/vocabulary/shownNames';
import { Cleanup, FakeSession } from '../service/findings/support';
import { call, closeServices, findings, post, start, text } from './client';

const dayMs = 86_400_000;

/** The entries of a list of the service, of a page that has all of them. */
async function entries(service: DemoService, path: string): Promise<JsonObject[]> {
  const response = await call(service, path);
  assert.equal(response.status, 200, path);
  return ((await response.json()) as { entries: JsonObject[] }).entries;
}

async function linesAt(service: DemoService, address: string): Promise<JsonObject[]> {
  const response = await call(service, address);
  assert.equal(response.status, 200, address);
  const lines = (await response.text()).trim().split('\n');
  return lines.map((line) => JSON.parse(line) as JsonObject);
}

/** How many of these have each value of a member; none has another form than text. */
function tally(rows: readonly JsonObject[], member: string): Record<string, number> {
  const groups = groupBy(rows, (row) => text(row[member]));
  return Object.fromEntries([...groups].map(([value, each]) => [value, each.length]));
}

const isActive = ({ group_status: status }: JsonObject) => status === 'active';

describe('All that a demo says of one day', () => {
  const cleanup = new Cleanup();

  afterEach(async () => {
    await cleanup.run();
    await closeServices();
  });

  it('All that a demo says of one day agrees in that of SecurityScorecard: list, counts, history, trend, portfolio and report', async () => {
    const service = await start({ service: 'securityScorecard', generationMs: 0 });
    const session = new FakeSession();
    const { baseUrl, apiKey } = service;
    session.signIn(
      baseUrl,
      cleanup.own(
        new ApiClient({
          baseUrl,
          service: 'securityScorecard',
          apiKey: () => apiKey,
          requestsPerHour: 5000,
          requestTimeoutMs: 30_000,
        }),
      ),
    );
    const scorecards = { bodyOf: () => ({}), isListed: () => true };
    const lists = cleanup.own(new Findings({ session, scorecards, pageSize: () => 100 }));
    const names = new ShownNames({});
    const now = () => Date.now();
    const { companies } = cleanup.own(
      new IssueCounts({ session, scorecards, findings: lists, names, now }),
    );
    const [, , portfolio] = await entries(service, '/portfolios');
    const listed = await entries(service, `/portfolios/${text(portfolio?.id)}/companies`);
    for (const { id, domain } of scorecardData) {
      const company = await companies.load(id, {});
      const counts = Object.fromEntries(
        company.issueTypes
          .filter(({ count = 0 }) => count > 0)
          .map(({ issueType, count }) => [issueType, count]),
      );

      const started = await post(service, '/reports/full-scorecard-json', {
        params: { scorecard_identifier: id },
      });
      assert.equal(started.status, 200);
      const [newest] = await entries(service, '/reports/recent');
      const active = (await linesAt(service, text(newest?.download_url))).filter(isActive);
      assert.deepEqual(tally(active, 'issue_type'), counts, `${domain}: the report and the counts`);

      const trend = await companies.trend(id, {});
      const today = trend.at(-1);
      const { high = 0, medium = 0, low = 0 } = tally(active, 'severity');
      assert.deepEqual(
        [today?.open, today?.severity],
        [active.length, { critical: 0, high, medium, low, info: 0 }],
        `${domain}: the report and the trend`,
      );

      const [smallest = ''] = Object.keys(counts).sort(
        (one, two) => (counts[one] ?? 0) - (counts[two] ?? 0),
      );
      const list = await entries(service, `/companies/${id}/issues/${smallest}`);
      const inReport = active.filter(({ issue_type: type }) => type === smallest);
      assert.deepEqual(
        list.map(({ issue_id: of }) => of).slice(0, 500),
        inReport.map(({ issue_id: of }) => of).slice(0, 500),
        `${domain}: the report and the list`,
      );

      const history = await companies.history(id);
      const last = history.at(-1);
      const { score = Number.NaN, grade, scoreChange = Number.NaN } = company;
      const inPortfolio = listed.find((each) => each.domain === domain);
      assert.deepEqual(
        [last?.score, today?.score, inPortfolio?.score],
        [score, score, score],
        `${domain}: the score`,
      );
      assert.deepEqual([today?.grade, inPortfolio?.grade], [grade, grade], `${domain}: the grade`);
      const before = history.find(({ at }) => at === (last?.at ?? 0) - 30 * dayMs);
      assert.equal(score - (before?.score ?? Number.NaN), scoreChange, `${domain}: the change`);
      assert.equal(inPortfolio?.last30days_score_change, scoreChange);
    }
  });

  it('All that a demo says of one day agrees in the usual one: lists, reports, companies and their scores', async () => {
    const service = await start({ generationMs: 0, detailedPerWindow: 10 });
    const answer = (await (await post(service, '/reports/full-dump')).json()) as JsonObject;
    const full = await linesAt(service, text(answer.report_url));
    const rows = groupBy(full, (row) => text(row.scorecard_identifier));
    const first = ({ entries: all }: { entries: JsonObject[] }) =>
      all.map(({ issue_id: id }) => id);
    for (const { id, issueTypes } of service.scorecards) {
      const own = groupBy(rows.get(id) ?? [], (row) => text(row.issue_type));
      for (const issueType of issueTypes) {
        const page = await findings(service, issueType, '?limit=50', {}, id);
        const inReport = own.get(issueType) ?? [];
        assert.equal(page.total_count, inReport.length, `${id} ${issueType}`);
        assert.deepEqual(
          first(page),
          inReport.slice(0, page.entries.length).map(({ issue_id: of }) => of),
        );
      }
    }
    const byId = (all: readonly JsonObject[]) =>
      new Map(all.map((each) => [each.scorecard_identifier, each] as const));
    const companies = byId(await entries(service, '/companies?size=50'));
    const scores = await entries(service, '/score-history');
    const ratingOf = (each: Record<string, JsonValue | undefined> = {}) => [each.score, each.grade];
    for (const { id } of service.scorecards) {
      const [latest] = scores.filter((each) => each.scorecard_identifier === id);
      assert.deepEqual(ratingOf(latest), ratingOf(companies.get(id)), id);
    }
  });
});
