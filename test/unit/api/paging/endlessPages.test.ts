import assert from 'node:assert/strict';
import { randomUUID } from 'node:crypto';
import type { ApiClient } from '../../../../src/api/client';
import { ProtocolError } from '../../../../src/api/http/errors';
import { allFindings } from '../../../../src/api/paging/allFindings';
import type { JsonObject } from '../../../../src/base/json/json';
import { CollectionList } from '../../../../src/service/collections/collectionList';
import { FindingsList } from '../../../../src/service/findings/findingsList';
import { sendJson } from '../../../helpers/testServer';
import { failure, Harness, query, scorecardId } from '../support';

/** Pages without an end: what each has, and the total that it names. */
const endless: readonly (readonly [string, () => JsonObject[], number?])[] = [
  ['empty pages', () => []],
  ['the same page', () => [{ id: 1 }, { id: 2 }]],
  [
    'the same ids, each time with another time',
    () => [1, 2].map((id) => ({ id, read_at: randomUUID() })),
  ],
  [
    'the same ids of findings, each time with another time, beyond the total',
    () => ['a', 'b'].map((id) => ({ issue_id: id, domain: 'x', read_at: randomUUID() })),
    100,
  ],
];

/** The lists whose pages follow each other by links, and how all of each is read. */
const linked: Record<string, (client: ApiClient) => Promise<unknown> | undefined> = {
  'the portfolios': ({ companies }) => companies?.portfolios(),
  'the companies of a portfolio': ({ companies }) => companies?.ofPortfolio('p'),
  'the scores of a company': ({ companies }) => companies?.history('a.example', 0),
  'the factors of a company': ({ companies }) => companies?.summary('a.example'),
  'the issue types': ({ companies }) => companies?.issueTypeTitles(),
  'the recent reports': (client) => client.fetchReport('/reports/recent#7'),
  'a page of findings': (client) => client.findingsPage(query({ limit: 500 })),
  'all findings': (client) => readAll(client),
  'Load All': (client) => listOf(client).loadAll(),
};

async function readAll(client: ApiClient): Promise<void> {
  for await (const { entries } of allFindings(client, query({ limit: 2 }))) {
    assert.ok(entries.length <= 2);
  }
}

function listOf(client: ApiClient): FindingsList {
  return new FindingsList(scorecardId, 'open_port', {
    fetchPage: (range, options) => client.findingsPage(query(range), options),
    pageSize: () => 2,
    loadAllPageSize: 2,
    now: () => 0,
  });
}

/** The most requests: the pages within the total, 20 without use, the first of a cycle, and those in flight. */
const mostRequests = (total = 0) => total / 2 + 20 + 1 + 6;

describe('A list without an end', () => {
  const harness = new Harness();
  afterEach(() => harness.close());

  const named = (total: number | undefined, name: string) =>
    total === undefined ? {} : { [name]: total };

  for (const [what, makeEntries, total] of endless) {
    for (const [list, read] of Object.entries(linked)) {
      it(`A list without an end is not read for ever: ${list}, with links to ${what}`, async () => {
        const server = await harness.serve((request, response, number) => {
          if (request.path === '/companies/a.example/summary-factors') {
            sendJson(response, 404, {});
          } else {
            const body = { entries: makeEntries(), ...named(total, 'total'), domain: 'a.example' };
            sendJson(response, 200, body, { Link: `<${request.path}?n=${number}>; rel="next"` });
          }
        });
        const client = harness.client(server.baseUrl, { service: 'securityScorecard' });
        await failure(Promise.resolve(read(client)), ProtocolError);
        // The two of the summary that are no list, and one for each page that Load All leaves out.
        const most = mostRequests(total) + 2 + 12;
        assert.ok(server.requests.length <= most, `${server.requests.length} requests`);
      });
    }

    for (const list of ['all findings', 'Load All'] as const) {
      it(`A list without an end is not read for ever: ${list}, with ${what}`, async () => {
        const server = await harness.serve((_, response) => {
          const body = { entries: makeEntries(), has_more: true, ...named(total, 'total_count') };
          sendJson(response, 200, body);
        });
        const client = harness.client(server.baseUrl);
        await failure(
          list === 'Load All' ? listOf(client).loadAll() : readAll(client),
          ProtocolError,
        );
        const most = mostRequests(total);
        assert.ok(server.requests.length <= most, `${server.requests.length} requests`);
      });
    }
  }

  it('A list without an end is not read for ever: a collection, when it is refreshed', async () => {
    let entries: readonly JsonObject[] = Array.from({ length: 50 }, (_, id) => ({ id }));
    const server = await harness.serve((_, response, number) => {
      sendJson(response, 200, { entries, next_cursor: String(number) });
    });
    const collection = { name: 'C', path: '/c', style: 'cursor' } as const;
    const list = new CollectionList(collection, harness.client(server.baseUrl));
    for (let page = 0; page < 50; page += 1) {
      await list.loadMore();
    }
    entries = [];
    await failure(list.refresh(), ProtocolError);
    assert.ok(server.requests.length <= 50 + 21, `${server.requests.length} requests`);
    list.dispose();
  });

  it('A list without an end is not one whose entries share an id, or that sends each entry twice', async () => {
    for (const makeEntries of [
      (offset: number) => [0, 1].map((at) => ({ id: 'shared', number: offset + at })),
      (offset: number) => [0, 1].map((at) => ({ issue_id: `${Math.floor(offset / 4)} ${at}` })),
    ]) {
      const server = await harness.serve((request, response) => {
        const offset = Number(request.query.get('offset'));
        sendJson(response, 200, { entries: makeEntries(offset), has_more: offset < 200 });
      });
      await readAll(harness.client(server.baseUrl));
      assert.equal(server.requests.length, 101);
    }
  });
});
