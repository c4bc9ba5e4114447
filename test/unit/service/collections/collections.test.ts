import assert from 'node:assert/strict';
import { CancelledError } from '../../../../src/base/cancelledError';
import { RateLimitedError, ServerError } from '../../../../src/api/http/errors';
import type { CollectionPage } from '../../../../src/api/types';
import { Emitter } from '../../../../src/base/events/emitter';
import type { JsonObject } from '../../../../src/base/json/json';
import {
  type DemoService,
  type ServedRequest,
  startDemoService,
} from '../../../../src/demo/demoService';
import { CollectionList } from '../../../../src/service/collections/collectionList';
import { Collections } from '../../../../src/service/collections/collections';
import { SignedOutError } from '../../../../src/service/account/signedOutError';
import { sendJson, startTestServer } from '../../../helpers/testServer';
import { Cleanup, clientFor, collect, FakeSession } from '../findings/support';

class DemoSession extends FakeSession {
  demoCollections: readonly unknown[] | undefined;
}

describe('The collections of an account', () => {
  const cleanup = new Cleanup();
  let service: DemoService;
  let session: DemoSession;
  let setting: { value: unknown; changed: Emitter<void> };
  let collections: Collections;
  let requests: ServedRequest[];

  beforeEach(async () => {
    requests = [];
    service = await startDemoService({ onRequest: (request) => requests.push(request) });
    cleanup.add(() => service.close());
    session = new DemoSession();
    session.signIn(service.baseUrl, client());
    setting = { value: service.collections, changed: new Emitter<void>() };
    collections = cleanup.own(
      new Collections({
        session,
        setting: { read: () => setting.value, onDidChange: setting.changed.event },
      }),
    );
  });
  afterEach(() => cleanup.run());

  const client = () => cleanup.own(clientFor(service.baseUrl, service.apiKey));

  function list(name: string): CollectionList {
    const found = collections.find(name);
    assert.ok(found, name);
    return found;
  }

  it('The collections of an account are those of the settings, with one list each, which loads nothing when it is created', () => {
    assert.deepEqual(
      collections.all().map(({ collection }) => collection.name),
      ['Portfolios', 'Companies', 'Events', 'Score history'],
    );
    assert.equal(list('Events'), list(' Events '));
    assert.equal(collections.find('events'), undefined);
    assert.deepEqual(collections.active(), []);
    assert.equal(requests.length, 0);
  });

  it('The collections of an account end what is loading when they are disposed', async () => {
    const loading = list('Events').loadMore();
    collections.dispose();
    await assert.rejects(loading, CancelledError);
  });

  it('The collections of an account continue with a new client where the old one stopped', async () => {
    const events = list('Events');
    await events.loadMore();
    const renewed = client();
    session.signIn(service.baseUrl, renewed);
    assert.equal(list('Events'), events);
    assert.deepEqual(await events.loadMore(), { loaded: 100, hasMore: true });
    assert.equal(renewed.budget().used, 1);
    assert.ok(requests[1]?.query.get('cursor'));
    assert.deepEqual(collections.active(), [events]);
  });

  it('The collections of an account number their rows consecutively in any style', async () => {
    for (const name of ['Portfolios', 'Events', 'Score history']) {
      const numbered = list(name);
      await numbered.loadMore();
      await numbered.loadMore();
      assert.deepEqual(
        numbered.rows.map(({ number }) => number),
        numbered.rows.map((_, index) => index + 1),
      );
      assert.equal(new Set(numbered.rows.map(({ key }) => key)).size, numbered.rows.length);
    }
  });

  it('The collections of an account get a new list when their definition changes', async () => {
    const portfolios = list('Portfolios');
    await portfolios.loadMore();
    const fired = collect(collections.onDidChange);
    const [first, ...others] = service.collections;
    setting.value = [{ ...first, size: 5 }, ...others, null];
    setting.changed.fire();
    assert.deepEqual(fired, [undefined]);
    assert.notEqual(list('Portfolios'), portfolios);
    assert.equal(list('Portfolios').isLoaded, false);
    assert.deepEqual(
      collections.problems().map((problem) => problem.setting),
      ['collections[5]'],
    );
  });

  it('The collections of an account belong to an entry by its own id, however long the number is', async () => {
    const requested: string[] = [];
    const other = await startTestServer((request, response) => {
      requested.push(request.url);
      const ids = ['9007199254740992', '9007199254740993', '1e400', '1.0'];
      const entries = ids.map((id) => `{"id":${id}}`).join();
      response.end(`{"entries":[${request.url === '/c' ? entries : ''}]}`);
    });
    cleanup.add(() => other.close());
    session.signIn(other.baseUrl, cleanup.own(clientFor(other.baseUrl)));
    setting.value = [
      { name: 'Parents', path: '/c', style: 'cursor' },
      { name: 'Children', path: '/c/{id}/kids', style: 'cursor' },
    ];
    const parents = list('Parents');
    await parents.loadMore();
    for (const row of parents.rows) {
      await collections.nested(parents, row)[0]?.loadMore();
    }
    assert.deepEqual(requested, [
      '/c',
      '/c/9007199254740992/kids',
      '/c/9007199254740993/kids',
      '/c/1e400/kids',
      '/c/1.0/kids',
    ]);
  });

  it('The collections of an account belong to an entry when their path has a placeholder for its id, and load below it', async () => {
    const portfolios = list('Portfolios');
    await portfolios.loadMore();
    const [row, other] = portfolios.rows;
    assert.ok(row && other);
    assert.equal(collections.hasNested(portfolios, row.entry), true);
    assert.equal(collections.hasNested(list('Companies'), row.entry), false);
    assert.equal(collections.hasNested(portfolios, { name: 'without an id' }), false);
    for (const id of ['..', '.', '\ud800']) {
      assert.equal(collections.hasNested(portfolios, { id }), false, 'leads elsewhere');
    }
    const [companies] = collections.nested(portfolios, row);
    assert.ok(companies);
    assert.equal(collections.nested(portfolios, row)[0], companies);
    assert.notEqual(collections.nested(portfolios, other)[0], companies);
    const result = await companies.loadMore();
    assert.deepEqual(
      companies.rows.map(({ entry }) => entry.scorecard_identifier),
      row.entry.companies,
    );
    assert.equal(result.loaded, companies.rows.length);
    assert.equal(requests.at(-1)?.path, `/portfolios/${row.entry.id as string}/companies`);
    assert.deepEqual(collections.active(), [portfolios, companies]);
    assert.equal(collections.listOfId(companies.id), companies);
    const [company] = companies.rows;
    assert.ok(company);
    assert.deepEqual(collections.nested(companies, company), []);
    assert.equal(collections.find('Companies of the portfolio'), undefined);
  });

  it('The collections of an account of entries share one limit, and no id reaches the log, whatever ids look like', async () => {
    const ids = ['Alice Smith', 'bob@example.com', 'o-3f', 17];
    const limited = await startTestServer(({ path }, response) => {
      if (path === '/people') {
        sendJson(response, 200, { entries: ids.map((id) => ({ id })) });
      } else {
        sendJson(response, 429, {}, { 'Retry-After': '7200' });
      }
    });
    cleanup.add(() => limited.close());
    const api = cleanup.own(clientFor(limited.baseUrl, 'k1'));
    session.signIn(limited.baseUrl, api);
    setting.value = [
      { name: 'People', path: '/people', style: 'link' },
      { name: 'Teams', path: '/people/{id}/teams?a={id}', style: 'page' },
    ];
    const people = list('People');
    await people.loadMore();
    const teams = people.rows.map((row) => collections.nested(people, row)[0]);
    assert.equal(teams.length, ids.length);
    for (const team of teams) {
      await assert.rejects(async () => team?.loadMore(), RateLimitedError);
    }
    assert.deepEqual(
      api
        .budget()
        .endpoints?.map(({ endpoint }) => endpoint)
        .sort(),
      ['GET /people', 'GET /people/{id}/teams'],
    );
    assert.equal(limited.requests.length, 2, 'the pause of one is that of all');
  });

  it('The collections of an account have what was found before them, one list for each question, until another account', async () => {
    const search = (...names: readonly string[]) => {
      let asked = 0;
      const found = collections.addFound(names.join(), () => {
        asked += 1;
        return Promise.resolve(names.map((name) => ({ name, at: asked })));
      });
      return found;
    };
    const first = search('A', 'B');
    assert.deepEqual(await first.loadFirst(), { loaded: 2, total: 2, hasMore: false });
    setting.value = [];
    setting.changed.fire();
    assert.equal(collections.isConfigured, true);
    assert.deepEqual(collections.all(), [first]);
    await first.refresh();
    assert.deepEqual(
      first.rows.map(({ entry }) => entry),
      [
        { name: 'A', at: 2 },
        { name: 'B', at: 2 },
      ],
    );
    const other = search('C');
    assert.deepEqual(collections.all(), [other, first], 'what was found before is kept');
    const second = search('A', 'B');
    assert.notEqual(second, first);
    assert.deepEqual(collections.all(), [second, other]);
    setting.changed.fire();
    assert.deepEqual(collections.all(), [second, other]);
    assert.deepEqual(collections.listOfId(other.id), other);
    session.signIn('http://127.0.0.1:2', client());
    assert.deepEqual(collections.all(), []);
    assert.equal(collections.isConfigured, false);
  });

  it('The collections of an account end when they leave the settings, with those of their entries', async () => {
    const portfolios = list('Portfolios');
    await portfolios.loadMore();
    const [row] = portfolios.rows;
    const [companies] = row ? collections.nested(portfolios, row) : [];
    assert.ok(companies);
    const ended = assert.rejects(companies.loadMore(), CancelledError);
    setting.value = service.collections.filter(
      (each) => (each as { name: string }).name !== companies.collection.name,
    );
    setting.changed.fire();
    await ended;
    assert.deepEqual(collections.active(), [portfolios]);
    const refreshed = assert.rejects(portfolios.refresh(), CancelledError);
    setting.value = [];
    setting.changed.fire();
    await refreshed;
    assert.deepEqual(collections.active(), []);
  });

  it('The collections of an account are those of the demo while it is used', () => {
    setting.value = [];
    assert.equal(collections.isConfigured, false);
    session.demoCollections = service.collections;
    session.useDemo(service.baseUrl, client());
    assert.equal(collections.isConfigured, true);
    assert.equal(collections.all().length, 4);
    setting.value = [7];
    session.demoCollections = undefined;
    assert.equal(collections.isConfigured, true, 'what is wrong must be seen');
  });

  it('The collections of an account are dropped with the account', async () => {
    const events = list('Events');
    await events.loadMore();
    const fired = collect(collections.onDidChange);
    session.become(undefined);
    assert.deepEqual(fired, [undefined]);
    assert.notEqual(list('Events'), events);
    await assert.rejects(list('Events').loadMore(), SignedOutError);
  });
});

describe('A collection list', () => {
  const pages = (...all: (JsonObject[] | Error)[]) => {
    const requested: (string | undefined)[] = [];
    const list = new CollectionList(
      { name: 'Things', path: '/things', style: 'cursor' },
      {
        collectionPage: ({ at }): Promise<CollectionPage> => {
          requested.push(at?.cursor);
          const page = all[requested.length - 1];
          assert.ok(page, 'more requests than expected');
          if (page instanceof Error) {
            return Promise.reject(page);
          }
          const isLast = requested.length === all.length;
          return Promise.resolve({
            entries: page,
            url: 'https://h/',
            link: { isMalformed: false },
            ...(isLast ? {} : { nextCursor: `c${requested.length}` }),
          });
        },
      },
    );
    return { list, requested };
  };
  const shown = (list: CollectionList) => list.rows.map(({ entry }) => entry);

  it('A collection list has an equal entry with an id once, and keeps entries without an id', async () => {
    const { list } = pages(
      [{ id: 'a', n: 1 }, { id: 'b' }, { x: 1 }],
      [{ id: 'b' }, { id: 'a', n: 2 }, { x: 1 }, { id: 'a', n: 2 }, { id: 7 }, { uuid: 'u' }],
    );
    await list.loadMore();
    assert.deepEqual(await list.loadMore(), { loaded: 7, hasMore: false });
    assert.deepEqual(shown(list), [
      { id: 'a', n: 1 },
      { id: 'b' },
      { x: 1 },
      { id: 'a', n: 2 },
      { x: 1 },
      { id: 7 },
      { uuid: 'u' },
    ]);
    const keys = list.rows.map(({ key }) => key);
    assert.equal(new Set(keys).size, 7);
    assert.deepEqual([keys[0], keys[5], keys[6]], ['a', '7', 'u']);
  });

  it('A collection list keeps its rows when a page fails, and requests the same page again', async () => {
    const failure = new ServerError('The service failed: 500', { status: 500 });
    const { list, requested } = pages([{ id: 1 }], failure, [{ id: 2 }]);
    await list.loadMore();
    await assert.rejects(list.loadMore(), failure);
    assert.deepEqual(shown(list), [{ id: 1 }]);
    await list.loadMore();
    assert.deepEqual(requested, [undefined, 'c1', 'c1']);
    assert.deepEqual(shown(list), [{ id: 1 }, { id: 2 }]);
  });

  it('A collection list loads the next page after a refresh that fails', async () => {
    const failure = new ServerError('The service failed: 500', { status: 500 });
    const { list, requested } = pages([{ id: 1 }], failure, [{ id: 2 }]);
    await list.loadMore();
    const refreshed = assert.rejects(list.refresh(), failure);
    assert.deepEqual(await list.loadMore(), { loaded: 2, hasMore: false });
    await refreshed;
    assert.deepEqual(requested, [undefined, undefined, 'c1']);
  });

  it('A collection list has every page after a refresh that fails, whenever that cancelled one', async () => {
    for (let ticks = 0; ticks < 12; ticks += 1) {
      let isDown = false;
      const list = new CollectionList(
        { name: 'Things', path: '/things', style: 'cursor' },
        {
          collectionPage: ({ at }): Promise<CollectionPage> => {
            const id = Number(at?.cursor ?? 0);
            const next = id < 3 ? { nextCursor: `${id + 1}` } : {};
            const page = { entries: [{ id }], url: 'https://h/', link: { isMalformed: false } };
            return isDown
              ? Promise.reject(new Error('down'))
              : Promise.resolve({ ...page, ...next });
          },
        },
      );
      await list.loadMore();
      const more = list.loadMore();
      for (let tick = 0; tick < ticks; tick += 1) {
        await Promise.resolve();
      }
      isDown = true;
      await assert.rejects(list.refresh());
      isDown = false;
      await more.catch(() => undefined);
      while (list.result.hasMore) {
        await list.loadMore();
      }
      assert.deepEqual(
        shown(list).map(({ id }) => id),
        [0, 1, 2, 3],
        `after ${ticks} ticks`,
      );
    }
  });

  it('A collection list is refreshed as far as it was loaded', async () => {
    const { list, requested } = pages(
      [{ id: 1 }, { id: 2 }],
      [{ id: 3 }],
      [{ id: 4 }],
      [{ id: 5 }],
      [],
    );
    await list.loadMore();
    await list.loadMore();
    // Three places were read, the new pages are shorter.
    await list.refresh();
    assert.deepEqual(requested, [undefined, 'c1', undefined, 'c3', 'c4']);
    assert.deepEqual(shown(list), [{ id: 4 }, { id: 5 }]);
  });
});
