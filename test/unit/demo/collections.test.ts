import assert from 'node:assert/strict';
import type { JsonObject } from '../../../src/base/json/json';
import { demoCollections, demoScorecards } from '../../../src/demo/demoService';
import type { DemoService } from '../../../src/demo/demoService';
import { call, closeServices, refused, start, text } from './client';

interface CollectionPage {
  entries: JsonObject[];
  total?: number;
  size?: number;
  page?: number;
  next_cursor?: string;
}

function next(response: Response): string | undefined {
  const link = response.headers.get('link');
  assert.notEqual(link, '');
  return link === null ? undefined : /^<([^<>]+)>; rel="next"$/.exec(link)?.[1];
}

describe('The demo service, for collections,', () => {
  let service: DemoService;
  before(async () => {
    service = await start();
  });
  after(closeServices);

  const get = async (path: string) => (await (await call(service, path)).json()) as CollectionPage;

  it('The demo service, for collections, offers the settings of its collections and scorecards', () => {
    assert.equal(service.collections, demoCollections);
    assert.equal(service.scorecards, demoScorecards);
    for (const { path, style } of demoCollections) {
      assert.match(path, /^\/[a-z-]+(\/\{id\}\/[a-z]+)?$/);
      assert.ok(['page', 'cursor', 'link'].includes(style));
    }
  });

  for (const [path, total] of [
    ['/portfolios', 23],
    ['/companies', 137],
    ['/score-history', 365],
  ] as const) {
    it(`The demo service, for collections, serves ${path} by page and size`, async () => {
      const entries: JsonObject[] = [];
      for (let number = 1; ; number++) {
        const response = await call(service, `${path}?size=20&page=${number}`);
        const page = (await response.json()) as CollectionPage;
        assert.deepEqual([page.total, page.size, page.page], [total, 20, number]);
        entries.push(...page.entries);
        const more = number * 20 < total;
        assert.equal(
          next(response),
          more ? `${service.baseUrl}${path}?size=20&page=${number + 1}` : undefined,
        );
        if (!more) {
          break;
        }
      }
      assert.equal(entries.length, total);
      assert.equal(new Set(entries.map((entry) => JSON.stringify(entry))).size, total);
    });
  }

  it('The demo service, for collections, tells one score of a company on a day', async () => {
    const { entries: companies } = await get('/companies');
    const { entries: history } = await get('/score-history');
    const { date: today } = history[0] ?? {};
    const newest = history.filter(({ date }) => date === today);
    assert.ok(newest.length > 2);
    for (const { scorecard_identifier: id, score, grade } of newest) {
      const company = companies.find((each) => each.scorecard_identifier === id);
      assert.deepEqual([score, grade], [company?.score, company?.grade]);
    }
  });

  it('The demo service, for collections, has 50 entries per page by default and at most', async () => {
    assert.deepEqual([(await get('/companies')).size, (await get('/companies')).page], [50, 1]);
    assert.equal((await get('/companies?size=50')).entries.length, 50);
    for (const query of ['size=51', 'size=0', 'size=x', 'page=0', 'page=-1', 'page=']) {
      await refused(await call(service, `/companies?${query}`), 400);
    }
    const beyond = await call(service, '/companies?page=99');
    assert.equal(next(beyond), undefined);
    assert.deepEqual(((await beyond.json()) as CollectionPage).entries, []);
  });

  it('The demo service, for collections, serves events by cursor', async () => {
    const found: JsonObject[] = [];
    let path = '/events?limit=41';
    for (;;) {
      const response = await call(service, path);
      const page = (await response.json()) as CollectionPage;
      assert.deepEqual(
        Object.keys(page).sort(),
        page.next_cursor ? ['entries', 'next_cursor'] : ['entries'],
      );
      found.push(...page.entries);
      if (page.next_cursor === undefined) {
        assert.equal(next(response), undefined);
        break;
      }
      path = `/events?limit=41&cursor=${page.next_cursor}`;
      assert.equal(next(response), service.baseUrl + path);
    }
    assert.equal(found.length, 1203);
    assert.equal(new Set(found.map(({ id }) => id)).size, 1203);
    const times = found.map(({ created_at }) => text(created_at));
    assert.deepEqual(times, [...times].sort().reverse(), 'newest first');
  });

  it('The demo service, for collections, refuses cursors that it has not issued', async () => {
    const { next_cursor: cursor = '' } = await get('/events');
    assert.match(cursor, /^[\w-]+$/);
    for (const bad of [
      '',
      'garbage',
      '%00',
      `${cursor}A`,
      cursor.slice(1),
      'NTA',
      encodeURIComponent(`${cursor}==`),
    ]) {
      assert.equal(
        (await refused(await call(service, `/events?cursor=${bad}`), 400)).key,
        'invalid_cursor',
      );
    }
    await refused(await call(service, '/events?limit=51'), 400);
  });

  it('The demo service, for collections, can be followed by the Link header alone', async () => {
    for (const { path } of demoCollections.filter((one) => !one.path.includes('{id}'))) {
      let count = 0;
      for (let url: string | undefined = path; url !== undefined;) {
        const response: Response = await call(service, url);
        count += ((await response.json()) as CollectionPage).entries.length;
        url = next(response);
      }
      assert.ok([23, 137, 1203, 365].includes(count), path);
    }
  });

  it('The demo service, for collections, lists the scorecards of the demo among the companies', async () => {
    const { entries } = await get('/companies');
    for (const { id, name } of demoScorecards) {
      assert.ok(entries.some((entry) => entry.scorecard_identifier === id && entry.name === name));
    }
  });

  it('The demo service, for collections, serves the companies of a portfolio, and 404 for an unknown portfolio', async () => {
    const { entries } = await get('/portfolios');
    for (const { id, companies } of entries) {
      const served = await get(`/portfolios/${id as string}/companies`);
      assert.deepEqual(
        served.entries.map((entry) => entry.scorecard_identifier),
        companies,
      );
    }
    const response = await call(service, `/portfolios/${'0'.repeat(24)}/companies`);
    assert.equal(response.status, 404);
  });

  it('The demo service, for collections, responds to HEAD without a body', async () => {
    const response = await call(service, '/companies', { method: 'HEAD' });
    assert.equal(response.status, 200);
    assert.equal(await response.text(), '');
    assert.ok(next(response));
  });
});
