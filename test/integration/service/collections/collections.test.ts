import * as assert from 'node:assert/strict';
import * as vscode from 'vscode';
import { demoCollections } from '../../../../src/demo/demoService';
import { sendJson } from '../../../helpers/testServer';
import { command, configure, failure, isolate, settingsWritten } from '../../helpers';
import { startExtension } from '../../ownExtension';
import { demo, halvorsen, server, signedInDemo, signIn } from '../../services';
import type { LoadResult } from '../../../../src/commands';

const browse = (name: string) => command('scorecard.browseCollection', { name });

/** Calls Browse Collection until the end; the results one by one. */
async function browseToEnd(name: string): Promise<LoadResult[]> {
  const results: LoadResult[] = [];
  do {
    results.push(await browse(name));
  } while (results.at(-1)?.hasMore === true && results.length < 60);
  return results;
}

/** A service of one collection that answers with one body after the other. */
async function answering(
  style: string,
  ...answers: { status?: number; body: unknown; link?: string }[]
) {
  const service = await server((_, response, number) => {
    const { status = 200, body, link } = answers[number - 1] ?? { status: 500, body: null };
    sendJson(response, status, body, link === undefined ? {} : { Link: link });
  });
  await configure({ collections: [{ name: 'Things', path: '/things', style, size: 2 }] });
  await signIn(service);
  return service;
}

describe('Browse Collection', () => {
  isolate({ settings: { collections: demoCollections } });

  for (const { name, total, size, told, last } of [
    { name: 'Portfolios', total: 23, size: 10, told: true, last: 'size=10&page=3' },
    { name: 'Companies', total: 137, size: 50, told: true, last: 'size=50&page=3' },
    { name: 'Events', total: 1203, size: 50, told: false, last: undefined },
    { name: 'Score history', total: 365, size: 50, told: true, last: 'size=50&page=8' },
  ]) {
    it(`Browse Collection loads ${name} page by page to the end, and then sends no more requests`, async () => {
      const service = await signedInDemo();
      const pages = Math.ceil(total / size);
      const expected = Array.from({ length: pages }, (_, index) => ({
        loaded: Math.min(total, size * (index + 1)),
        ...(told ? { total } : {}),
        hasMore: index + 1 < pages,
      }));
      assert.deepEqual(await browseToEnd(name), expected);
      assert.deepEqual(await browse(name), expected.at(-1));
      assert.equal(service.requests.length, pages);
      assert.ok(service.requests.every(({ method }) => method === 'GET'));
      if (last !== undefined) {
        assert.equal(service.requests.at(-1)?.query.toString(), last);
      }
    });
  }

  it('Browse Collection sends one request for concurrent calls', async () => {
    const service = await signedInDemo({ latencyMs: 50 });
    const results = await Promise.all(Array.from({ length: 4 }, () => browse('Portfolios')));
    assert.deepEqual(new Set(results.map(({ loaded }) => loaded)), new Set([10]));
    assert.equal(service.requests.length, 1);
  });

  it('Browse Collection counts a repeated entry once, but equal entries without an id separately', async () => {
    await answering(
      'page',
      { body: { entries: [{ id: 1, a: 1 }, { b: 2 }], total: 5, page: 1, size: 2 } },
      { body: { entries: [{ id: 1, a: 1 }, { b: 2 }], total: 5, page: 2, size: 2 } },
      { body: { entries: [{ id: 1, a: 'other' }], total: 5, page: 3, size: 2 } },
    );
    assert.deepEqual(await browseToEnd('Things'), [
      { loaded: 2, total: 5, hasMore: true },
      { loaded: 3, total: 5, hasMore: true },
      { loaded: 4, total: 5, hasMore: false },
    ]);
  });

  it('Browse Collection continues with the same page after a failure, and keeps the loaded entries', async () => {
    const service = await answering(
      'cursor',
      { body: { entries: [{ id: 1 }], next_cursor: 'c1' } },
      { status: 403, body: { error: { message: 'Not in one of your portfolios' } } },
      { body: { entries: [{ id: 2 }] } },
    );
    assert.deepEqual(await browse('Things'), { loaded: 1, hasMore: true });
    assert.match((await failure(browse('Things'), 'forbidden')).message, /Not in one of your/);
    assert.deepEqual(await browse('Things'), { loaded: 2, hasMore: false });
    assert.deepEqual(
      service.requests.map(({ url }) => url),
      ['/things?limit=2', '/things?limit=2&cursor=c1', '/things?limit=2&cursor=c1'],
    );
  });

  it('Browse Collection continues by number where the Link header names another origin', async () => {
    const link = '<https://evil.example/?page=2>; rel="next"';
    const service = await answering(
      'page',
      { body: { entries: [{ id: 1 }], total: 2, page: 1, size: 1 }, link },
      { body: { entries: [{ id: 2 }], total: 2, page: 2, size: 1 }, link },
    );
    assert.deepEqual(await browseToEnd('Things'), [
      { loaded: 1, total: 2, hasMore: true },
      { loaded: 2, total: 2, hasMore: false },
    ]);
    assert.equal(service.requests.length, 2);
  });

  for (const { what, style, answers, requests } of [
    {
      what: 'a repeated cursor',
      style: 'cursor',
      requests: 2,
      answers: [
        { body: { entries: [{ id: 1 }], next_cursor: 'A' } },
        { body: { entries: [{ id: 2 }], next_cursor: 'A' } },
      ],
    },
    {
      what: 'a next page at another origin',
      style: 'link',
      requests: 1,
      answers: [{ body: { entries: [] }, link: '<https://evil.example/>; rel="next"' }],
    },
    {
      what: 'a total that is not a number',
      style: 'page',
      requests: 1,
      answers: [{ body: { entries: [{}], total: '5' } }],
    },
    {
      what: 'a page without entries',
      style: 'link',
      requests: 1,
      answers: [{ body: { items: [] } }],
    },
  ]) {
    it(`Browse Collection rejects with the code "protocol" for ${what}`, async () => {
      const service = await answering(style, ...answers);
      await failure(browseToEnd('Things'), 'protocol');
      assert.equal(service.requests.length, requests);
    });
  }

  it('Browse Collection lists the configured collections in the error for an unknown name', async () => {
    const service = await signedInDemo();
    const unknown = await failure(browse('Portfolio'), 'notFound');
    assert.match(unknown.message, /"Portfolio".*"Portfolios", "Companies", "Events"/);
    await failure(command('scorecard.browseCollection', { name: 7 }), 'badRequest');
    await configure({ collections: undefined });
    assert.match((await failure(browse('Events'), 'notFound')).message, /scorecard\.collections/);
    assert.match(
      (await failure(command('scorecard.browseCollection'), 'config')).message,
      /scorecard\.collections/,
    );
    assert.equal(service.requests.length, 0);
  });

  it('Browse Collection loads the only collection when no name is given', async () => {
    const service = await demo();
    await configure({ collections: service.collections.slice(0, 1) });
    await signIn(service);
    assert.equal((await command('scorecard.browseCollection')).loaded, 10);
  });

  it('Browse Collection ignores invalid entries of the setting and uses the others', async () => {
    const service = await demo();
    await configure({
      collections: [{ name: 'Bad', path: '/../x', style: 'page' }, ...service.collections],
    });
    await signIn(service);
    assert.equal((await browse('Companies')).loaded, 50);
    await failure(browse('Bad'), 'notFound');
    assert.equal(service.requests.length, 1);
  });

  it('Browse Collection rejects with the code "config" when nobody is signed in', async () => {
    await configure({ collections: [{ name: 'Things', path: '/things', style: 'page' }] });
    assert.match((await failure(browse('Things'), 'config')).message, /not signed in/);
    await failure(command('scorecard.refreshCollections'), 'config');
  });

  it('Browse Collection loads the collections of the demo, and writes no setting', async () => {
    await configure({ collections: undefined });
    await command('scorecard.useDemo');
    assert.deepEqual(await browse('Portfolios'), { loaded: 10, total: 23, hasMore: true });
    const { globalValue } =
      vscode.workspace.getConfiguration('scorecard').inspect('collections') ?? {};
    assert.equal(globalValue, undefined);
    await command('scorecard.signOut');
    await failure(browse('Portfolios'), 'config');
  });
});

describe('Refresh Collections', () => {
  isolate({ settings: { collections: demoCollections } });

  it('Refresh Collections reloads as many pages as are loaded, of all collections or of one', async () => {
    const service = await signedInDemo();
    await command('scorecard.refreshCollections');
    assert.equal(service.requests.length, 0);
    await browse('Portfolios');
    await browse('Portfolios');
    await browse('Events');
    assert.equal(await command('scorecard.refreshCollections'), undefined);
    assert.equal(service.requests.length, 6);
    await command('scorecard.refreshCollections', { name: 'Portfolios' });
    assert.equal(service.requests.length, 8);
    assert.deepEqual(await browse('Portfolios'), { loaded: 23, total: 23, hasMore: false });
  });
});

describe('Show Findings', () => {
  isolate({ settings: { collections: demoCollections } });

  it('Show Findings adds an unknown scorecard, and returns a known one unchanged', async () => {
    await signedInDemo();
    const added = await command('scorecard.browseFindings', { scorecardId: halvorsen });
    assert.deepEqual([added.id, added.issueTypes], [halvorsen, []]);
    await command('scorecard.addScorecard', {
      id: halvorsen,
      name: 'Halvorsen',
      issueTypes: ['open_port'],
    });
    const existing = await command('scorecard.browseFindings', { scorecardId: halvorsen });
    assert.deepEqual([existing.name, existing.issueTypes], ['Halvorsen', ['open_port']]);
    await failure(
      command('scorecard.browseFindings', { scorecardId: 'halvorsen.example' }),
      'badRequest',
    );
  });

  it('Show Findings reveals the scorecard of an entry without a question when it is known', async () => {
    const own = await startExtension();
    const service = await demo();
    await configure({
      collections: service.collections.filter(({ name }) => name === 'Companies'),
      scorecards: [{ id: halvorsen, name: 'Halvorsen', issueTypes: ['open_port'] }],
      showCounts: false,
    });
    await signIn(service);
    const view = own.view('collections');
    const entry = await view.row(/^Halvorsen Maritime/, await view.row(/^Companies/));
    await own.call('scorecard.browseFindings', entry);
    assert.deepEqual(own.view('findings').revealed, ['Halvorsen, 1 issue type']);
  });

  it('Show Findings gives a scorecard without a name the name of the entry', async () => {
    const own = await startExtension();
    const service = await demo();
    await configure({
      collections: service.collections.filter(({ name }) => name === 'Companies'),
      scorecards: [{ id: halvorsen, issueTypes: ['open_port'] }],
      showCounts: false,
    });
    await signIn(service);
    const view = own.view('collections');
    const entry = await view.row(/^Halvorsen Maritime/, await view.row(/^Companies/));
    await own.call('scorecard.browseFindings', entry);
    const name = 'Halvorsen Maritime Logistics';
    assert.deepEqual(settingsWritten().scorecards, [
      { id: halvorsen, issueTypes: ['open_port'], name },
    ]);
    assert.deepEqual(own.view('findings').revealed, [`${name}, 1 issue type`]);
  });
});
