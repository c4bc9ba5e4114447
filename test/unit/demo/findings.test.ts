import assert from 'node:assert/strict';
import { systemClock } from '../../../src/base/events/clock';
import type { JsonObject } from '../../../src/base/json/json';
import { isUuid } from '../../../src/base/text/uuid';
import type { DemoService } from '../../../src/demo/demoService';
import { bigScorecard, call, closeServices, findings, post, refused, start, text } from './client';
import type { Page } from './client';

/** All pages as a careful client requests them: the offset grows by the limit until has_more is false. */
async function pages(service: DemoService, issueType: string, limit: number): Promise<Page[]> {
  const result: Page[] = [];
  for (let offset = 0; ; offset += limit) {
    const page = await findings(service, issueType, `?offset=${offset}&limit=${limit}`);
    assert.deepEqual([page.offset, page.limit, page.count], [offset, limit, page.entries.length]);
    result.push(page);
    if (!page.has_more) {
      return result;
    }
  }
}

const ids = (list: Page[]) => list.flatMap(({ entries }) => entries.map((entry) => entry.issue_id));

describe('The demo service, for findings,', () => {
  let service: DemoService;
  before(async () => {
    service = await start({ requestsPerHour: 100_000 });
  });
  after(closeServices);

  it('The demo service, for findings, serves the first 100 entries by default', async () => {
    const page = await findings(service, 'open_port');
    assert.deepEqual(
      [page.offset, page.limit, page.count, page.entries.length, page.total_count, page.has_more],
      [0, 100, 100, 100, 41_237, true],
    );
  });

  it('The demo service, for findings, serves every entry of the longest list once', async () => {
    const all = ids(await pages(service, 'open_port', 500));
    assert.equal(all.length, 41_237);
    assert.equal(new Set(all).size, 41_237);
  });

  for (const [issueType, total, expected] of [
    ['dmarc_contains_none', 0, [0]],
    ['spf_record_missing', 1, [1]],
    ['tlscert_expired', 99, [99]],
    ['service_vuln_host_high', 100, [100]],
    ['tls_weak_cipher', 101, [100, 1]],
    ['csp_no_policy_v2', 250, [100, 100, 50]],
  ] as const) {
    it(`The demo service, for findings, divides ${total} entries into pages of ${expected.join(' and ')}`, async () => {
      const list = await pages(service, issueType, 100);
      assert.deepEqual(
        list.map(({ count }) => count),
        expected,
      );
      assert.ok(list.every((page) => page.total_count === total));
    });
  }

  it('The demo service, for findings, serves an empty page in the middle of one list', async () => {
    const list = await pages(service, 'malware_infection', 100);
    assert.deepEqual(
      list.map(({ count }) => count),
      [100, 100, 0, 100, 100, 100, 100, 50],
    );
    assert.ok(list.slice(0, -1).every((page) => page.has_more));
    for (const limit of [7, 50, 130, 500]) {
      assert.deepEqual(ids(await pages(service, 'malware_infection', limit)), ids(list));
    }
  });

  it('The demo service, for findings, marks its last page with has_more and a missing Link header', async () => {
    const path = `/companies/${bigScorecard}/issues/tls_weak_cipher/paginated`;
    const first = await post(service, `${path}?limit=60`, {});
    assert.equal(
      first.headers.get('link'),
      `<${service.baseUrl}${path}?offset=60&limit=60>; rel="next"`,
    );
    assert.equal((await post(service, `${path}?offset=60&limit=60`, {})).headers.get('link'), null);
  });

  it('The demo service, for findings, serves an empty page beyond the end', async () => {
    const page = await findings(service, 'tls_weak_cipher', '?offset=101');
    assert.deepEqual([page.entries, page.has_more, page.total_count], [[], false, 101]);
    assert.equal((await findings(service, 'open_port', '?offset=9007199254740')).count, 0);
  });

  it('The demo service, for findings, accepts a limit of 1 to 500 and an offset from 0', async () => {
    const path = `/companies/${bigScorecard}/issues/open_port/paginated`;
    assert.equal((await findings(service, 'open_port', '?limit=1')).count, 1);
    assert.equal((await findings(service, 'open_port', '?limit=500')).count, 500);
    for (const query of [
      'limit=0',
      'limit=501',
      'limit=',
      'limit=ten',
      'limit=1.5',
      'limit=1e2',
      'limit=-1',
      'offset=-1',
      'offset=x',
      `offset=${'9'.repeat(30)}`,
    ]) {
      const { message } = await refused(await post(service, `${path}?${query}`, {}), 400);
      assert.match(message, new RegExp(`\n.*query\\.${query.split('=')[0] ?? ''}`), query);
    }
    const both = await refused(await post(service, `${path}?limit=0&offset=-1`, {}), 400);
    assert.equal(both.message.split('\n').length, 3);
  });

  it('The demo service, for findings, requires the UUID of a scorecard, in any case', async () => {
    const at = (id: string) => post(service, `/companies/${id}/issues/open_port/paginated`, {});
    for (const id of [
      'halvorsen-maritime.example',
      'x',
      `${bigScorecard}0`,
      encodeURIComponent('a/b'),
    ]) {
      assert.match((await refused(await at(id), 400)).message, /must be a UUID[^]*domain name/);
    }
    const unknown = await refused(await at('11111111-1111-4111-8111-111111111111'), 404);
    assert.equal(unknown.message, 'company not found');
    assert.equal((await at(bigScorecard.toUpperCase())).status, 200);
  });

  it('The demo service, for findings, refuses companies of the collection that are in no portfolio', async () => {
    const { entries } = (await (await call(service, '/companies')).json()) as Page;
    const foreign = text(entries[20]?.scorecard_identifier);
    const response = await post(service, `/companies/${foreign}/issues/open_port/paginated`, {});
    assert.equal((await refused(response, 403)).key, 'company_not_in_a_portfolio');
  });

  it('The demo service, for findings, serves an empty list for an unknown issue type, and refuses an invalid one', async () => {
    const page = await findings(service, 'made_up_by_the_user');
    assert.deepEqual([page.entries, page.total_count, page.has_more], [[], 0, false]);
    for (const type of ['constructor', '__proto__']) {
      assert.equal((await findings(service, type)).total_count, 0);
    }
    const path = `/companies/${bigScorecard}/issues/Open-Port/paginated`;
    await refused(await post(service, path, {}), 400);
  });

  it('The demo service, for findings, filters by field values, page by page', async () => {
    const body = { group_status: ['resolved', 'departed'] };
    const all = ids(await pages(service, 'tls_weak_protocol', 500));
    const matching: JsonObject[] = [];
    let page: Page;
    do {
      page = await findings(
        service,
        'tls_weak_protocol',
        `?offset=${matching.length}&limit=37`,
        body,
      );
      matching.push(...page.entries);
    } while (page.has_more);
    assert.equal(matching.length, page.total_count);
    assert.ok(matching.length > 100 && matching.length < 600);
    assert.ok(matching.every(({ group_status }) => body.group_status.includes(text(group_status))));
    const order = matching.map(({ issue_id }) => all.indexOf(issue_id));
    assert.deepEqual(
      order,
      [...order].sort((first, second) => first - second),
    );
    const none = await findings(service, 'tls_weak_protocol', '', { ...body, domain: 'x.example' });
    assert.deepEqual([none.total_count, none.has_more], [0, false]);
  });

  it('The demo service, for findings, ignores fields of the body that it does not know', async () => {
    const path = `/companies/${bigScorecard}/issues/tls_weak_cipher/paginated`;
    assert.equal((await post(service, path, { severity: 'high', ip: null })).status, 200);
  });

  it('The demo service, for findings, serves the same after a restart', async () => {
    const query = '?offset=41000&limit=20';
    const here = await findings(service, 'open_port', query);
    assert.deepEqual(await findings(await start(), 'open_port', query), here);
  });

  it('The demo service, for findings, serves realistic findings, including hostile ones', async () => {
    const seen: string[] = [];
    for (const { id, issueTypes } of service.scorecards) {
      assert.ok(isUuid(id));
      assert.ok(issueTypes.length >= 8 && issueTypes.length <= 14);
      for (const issueType of issueTypes) {
        const { entries } = await findings(service, issueType, '?limit=200', {}, id);
        for (const entry of entries) {
          assert.match(text(entry.issue_id), /^([0-9a-f]{24}|[0-9a-f-]{36})$/);
          const first = text(entry.first_seen_time);
          const last = text(entry.last_seen_time);
          assert.match(first, /^\d{4}-\d\d-\d\d[T ]\d\d:\d\d:\d\d(\.\d{3})?Z$/);
          const seenFirst = Date.parse(first.replace(' ', 'T'));
          const seenLast = Date.parse(last.replace(' ', 'T'));
          assert.ok(seenFirst <= seenLast && seenLast <= systemClock.now(), `${first} ${last}`);
          if (typeof entry.ip === 'string') {
            assert.match(entry.ip, /^(192\.0\.2|198\.51\.100|203\.0\.113)\.\d+$/);
          }
          seen.push(JSON.stringify(entry));
        }
      }
    }
    const all = seen.join('\n');
    for (const part of [
      'onerror=',
      'command:workbench',
      '\\u001b[',
      '"=cmd|',
      '\u202e',
      '"password":"not-a-real',
      '"connection_attributes":{',
      '"connection_attributes":[',
      '"connection_attributes":"',
      ':null',
      '"vulnerability_id":"CVE-',
    ]) {
      assert.ok(all.includes(part), part);
    }
  });

  it('The demo service, for findings, serves findings of the last days', async () => {
    const { entries } = await findings(service, 'patching_cadence_high', '?limit=500');
    // Not of this month: on its first day there may be none.
    const monthAgo = Date.now() - 31 * 86_400_000;
    assert.ok(entries.some((entry) => Date.parse(text(entry.first_seen_time)) > monthAgo));
  });
});
