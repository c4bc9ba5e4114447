import assert from 'node:assert/strict';
import { collectionPages } from '../../../../src/api/paging/collectionPages';
import { BadRequestError, NotFoundError, ProtocolError } from '../../../../src/api/http/errors';
import { findSubject } from '../../../../src/api/paths';
import type { CollectionQuery } from '../../../../src/api/types';
import { sendJson, sendText } from '../../../helpers/testServer';
import { CollectionHarness, numbered, read } from './pageSupport';
import { Harness, failure } from '../support';

const harness = new Harness();
const collection = new CollectionHarness(harness);
afterEach(() => harness.close());

const paged = (changes: Partial<CollectionQuery> = {}): CollectionQuery => ({
  path: '/x',
  style: 'page',
  ...changes,
});
const cursored = (changes: Partial<CollectionQuery> = {}): CollectionQuery => ({
  path: '/x',
  style: 'cursor',
  ...changes,
});

/** Serves a page-style collection that follows the rules. */
function servePaged(total: number) {
  return collection.serve(({ query }, response) => {
    const [page, size] = [Number(query.get('page')), Number(query.get('size'))];
    const start = (page - 1) * size;
    const entries = numbered(start, Math.min(size, total - start));
    sendJson(response, 200, { entries, total, size, page });
  });
}

describe('A page-style collection', () => {
  it('A page-style collection ends when page * size reaches the total', async () => {
    const reading = await (await servePaged(120))(paged({ size: 50 }));
    assert.deepEqual(reading.entries, numbered(0, 120));
    assert.deepEqual([reading.total, reading.error], [120, undefined]);
    assert.deepEqual(collection.urls, [
      '/x?size=50&page=1',
      '/x?size=50&page=2',
      '/x?size=50&page=3',
    ]);
  });

  it('A page-style collection of two full pages costs two requests', async () => {
    assert.equal((await (await servePaged(100))(paged())).entries.length, 100);
    assert.deepEqual(collection.sent('page'), ['1', '2']);
  });

  it('A page-style collection ends at an empty page, whatever the total', async () => {
    const readAll = await collection.answer(
      { body: { entries: numbered(0, 50), total: 1000, size: 50, page: 1 } },
      { body: { entries: [], total: 1000, size: 50, page: 2 } },
    );
    const reading = await readAll(paged());
    assert.deepEqual([reading.entries.length, reading.error], [50, undefined]);
  });

  for (const size of [51, 0, -1, 1.5, NaN, Infinity]) {
    it(`A page-style collection refuses the size ${size} before a request`, async () => {
      const readAll = await servePaged(1);
      const { error } = await readAll(paged({ size }));
      assert.ok(error instanceof BadRequestError);
      assert.match(error.message, /size.*1 to 50/);
      assert.deepEqual(collection.urls, []);
    });
  }

  it('A page-style collection costs one request when it is empty', async () => {
    const reading = await (await servePaged(0))(paged());
    assert.deepEqual(reading, { entries: [], pages: 1, total: 0, error: undefined });
    assert.equal(collection.urls.length, 1);
  });

  it('A page-style collection replaces page and size in the path, and leaves the rest as written', async () => {
    const readAll = await servePaged(4);
    await readAll(paged({ path: '/x?filter=a%20b+c&page=7&s%69ze=500&q', size: 2 }));
    assert.deepEqual(collection.urls, [
      '/x?filter=a%20b+c&q&size=2&page=1',
      '/x?filter=a%20b+c&q&size=2&page=2',
    ]);
  });

  it('A page-style collection ends when all entries have arrived, if the responses have no page and size', async () => {
    const readAll = await collection.answer(
      { body: { entries: numbered(0, 20), total: 45 } },
      { body: { entries: numbered(20, 20), total: 45 } },
      { body: { entries: numbered(40, 5), total: 45 } },
    );
    const reading = await readAll(paged());
    assert.deepEqual(reading.entries, numbered(0, 45));
    assert.equal(reading.error, undefined);
  });

  it('A page-style collection requests nothing more when the first response has all entries', async () => {
    const readAll = await collection.answer({ body: { entries: numbered(0, 80), total: 80 } });
    assert.equal((await readAll(paged())).entries.length, 80);
    assert.equal(collection.urls.length, 1);
  });

  for (const total of [undefined, 100]) {
    it(`A page-style collection fails when the service always sends page 1 (total ${total})`, async () => {
      const readAll = await collection.serve((_, response) => {
        sendJson(response, 200, { entries: numbered(0, 5), total });
      });
      const reading = await readAll(paged());
      assert.ok(reading.error instanceof ProtocolError);
      assert.deepEqual(reading.entries, numbered(0, 5));
      assert.equal(collection.urls.length, 2);
    });
  }

  it('A page-style collection does not mistake pages with equal entries for a repeated page', async () => {
    const same = { entries: [{}, {}], total: 6 };
    const readAll = await collection.answer({ body: same }, { body: same }, { body: same });
    const reading = await readAll(paged());
    assert.deepEqual([reading.entries.length, reading.error], [6, undefined]);
  });

  for (const total of ['120', -1, 1.5, {}]) {
    it(`A page-style collection fails with a ProtocolError for a total of ${JSON.stringify(total)}`, async () => {
      const readAll = await collection.serve((_, response) => {
        sendJson(response, 200, { entries: numbered(0, 50), total, size: 50, page: 1 });
      });
      const { error } = await readAll(paged());
      assert.ok(error instanceof ProtocolError);
      assert.match(error.message, /"total"/);
      assert.equal(collection.urls.length, 1);
    });
  }

  for (const total of [undefined, null]) {
    it(`A page-style collection ends at an empty page when the total is ${total}`, async () => {
      const readAll = await collection.serve(({ query }, response) => {
        const page = Number(query.get('page'));
        sendJson(response, 200, { entries: page < 3 ? numbered(page, 1) : [], total, page });
      });
      const reading = await readAll(paged());
      assert.deepEqual([reading.entries.length, reading.total], [2, undefined]);
      assert.deepEqual(collection.sent('page'), ['1', '2', '3']);
    });
  }

  it('A page-style collection accepts a smaller page size from the service', async () => {
    const readAll = await collection.serve(({ query }, response) => {
      const page = Number(query.get('page'));
      const entries = numbered((page - 1) * 20, page === 3 ? 5 : 20);
      sendJson(response, 200, { entries, total: 45, size: 20, page });
    });
    assert.deepEqual((await readAll(paged())).entries, numbered(0, 45));
  });

  for (const [what, second] of [
    ['another page', { page: 1, size: 50 }],
    ['another size', { page: 2, size: 20 }],
    ['a size of 0', { page: 2, size: 0 }],
    ['a page as text', { page: '2', size: 50 }],
    ['no entries', { entries: undefined }],
    ['entries that are none', { entries: [1] }],
  ] as const) {
    it(`A page-style collection ends with a ProtocolError after the first page when the second has ${what}`, async () => {
      const readAll = await collection.answer(
        { body: { entries: numbered(0, 50), total: 120, page: 1, size: 50 } },
        { body: { entries: numbered(50, 50), total: 120, ...second } },
      );
      const reading = await readAll(paged());
      assert.ok(reading.error instanceof ProtocolError);
      assert.deepEqual(reading.entries, numbered(0, 50));
    });
  }

  for (const body of [null, [], 'x', 3]) {
    it(`A page-style collection fails with a ProtocolError for the body ${JSON.stringify(body)}`, async () => {
      const readAll = await collection.answer({ body });
      assert.ok((await readAll(paged())).error instanceof ProtocolError);
    });
  }

  it('A page-style collection starts at a later page without a request for those before', async () => {
    const readAll = await servePaged(45);
    const reading = await readAll(paged({ size: 10, at: { page: 4 } }));
    assert.deepEqual(reading.entries, numbered(30, 15));
    assert.deepEqual(collection.sent('page'), ['4', '5']);
  });
});

describe('A cursor-style collection', () => {
  it('A cursor-style collection sends the cursor of the previous page, and the limit each time', async () => {
    const readAll = await collection.answer(
      { body: { entries: numbered(0, 2), next_cursor: 'c1' } },
      { body: { entries: numbered(2, 2), next_cursor: 'c2' } },
      { body: { entries: numbered(4, 1) } },
    );
    const reading = await readAll(cursored({ size: 2, path: '/x?cursor=old&a=1' }));
    assert.deepEqual(reading.entries, numbered(0, 5));
    assert.equal(reading.error, undefined);
    assert.deepEqual(collection.urls, [
      '/x?a=1&limit=2',
      '/x?a=1&limit=2&cursor=c1',
      '/x?a=1&limit=2&cursor=c2',
    ]);
  });

  it('A cursor-style collection sends no limit when it has no size', async () => {
    const readAll = await collection.answer({ body: { entries: [] } });
    await readAll(cursored());
    assert.deepEqual(collection.urls, ['/x']);
  });

  it('A cursor-style collection sends every character of a cursor unchanged', async () => {
    const cursor = 'a+b/c==&x=1 é%20#?\u{1f600}';
    const readAll = await collection.answer(
      { body: { entries: [], next_cursor: cursor } },
      { body: { entries: [] } },
    );
    await readAll(cursored());
    assert.deepEqual(collection.sent('cursor'), [null, cursor]);
    assert.deepEqual(collection.sent('x'), [null, null]);
  });

  it('A cursor-style collection continues after an empty page with a cursor', async () => {
    const readAll = await collection.answer(
      { body: { entries: [], next_cursor: 'c1' } },
      { body: { entries: numbered(0, 1) } },
    );
    const reading = await readAll(cursored());
    assert.deepEqual([reading.entries.length, reading.pages], [1, 2]);
  });

  for (const cursor of [null, '']) {
    it(`A cursor-style collection ends at a next_cursor of ${JSON.stringify(cursor)}`, async () => {
      const readAll = await collection.answer({ body: { entries: [{}], next_cursor: cursor } });
      const reading = await readAll(cursored());
      assert.deepEqual([reading.entries.length, reading.error], [1, undefined]);
      assert.deepEqual(collection.urls, ['/x']);
    });
  }

  for (const [cursors, requests] of [
    [['A', 'A'], 2],
    [['A', 'B', 'A'], 3],
    [['A', 'B', 'C', 'B'], 4],
  ] as const) {
    it(`A cursor-style collection fails because of a loop for the cursors ${cursors.join(' -> ')}`, async () => {
      const readAll = await collection.serve((_, response, number) => {
        const next = cursors[Math.min(number, cursors.length) - 1];
        sendJson(response, 200, { entries: numbered(number, 1), next_cursor: next });
      });
      const reading = await readAll(cursored());
      assert.ok(reading.error instanceof ProtocolError);
      assert.match(reading.error.message, /loop/);
      assert.equal(collection.urls.length, requests);
      // What came is whole, and each entry came once.
      assert.deepEqual(reading.entries, numbered(1, requests));
    });
  }

  it('A cursor-style collection does not mistake a page that is requested again after a failure for a loop', async () => {
    let fails = true;
    const server = await harness.serve(({ query }, response) => {
      const number = Number(query.get('cursor') ?? 0);
      if (number === 2 && fails) {
        fails = false;
        sendText(response, 400);
      } else {
        const next = number < 3 ? { next_cursor: String(number + 1) } : {};
        sendJson(response, 200, { entries: numbered(number, 1), ...next });
      }
    });
    const first = await collectionPages(harness.client(server.baseUrl), cursored());
    const broken = await read(Promise.resolve(first));
    assert.deepEqual(broken.entries, numbered(0, 2));
    assert.deepEqual((await read(Promise.resolve(first))).entries, numbered(0, 4));
    const second = await first.next();
    assert.deepEqual((await first.next()).items, second.items);
    const last = await (await second.next()).next();
    await assert.rejects(last.next(), RangeError);
  });

  it('A cursor-style collection fails when the cursor has expired, and does not start over', async () => {
    const readAll = await collection.serve((_, response, number) => {
      if (number === 1) {
        sendJson(response, 200, { entries: numbered(0, 2), next_cursor: 'c1' });
      } else {
        sendJson(response, 400, { error: { message: 'The cursor has expired.' } });
      }
    });
    const reading = await readAll(cursored());
    assert.ok(reading.error instanceof BadRequestError);
    assert.equal(reading.error.serviceMessage, 'The cursor has expired.');
    assert.deepEqual(collection.sent('cursor'), [null, 'c1']);
  });

  for (const cursor of [12_345, {}, ['a'], true]) {
    it(`A cursor-style collection fails with a ProtocolError for a next_cursor of ${JSON.stringify(cursor)}`, async () => {
      const readAll = await collection.answer({ body: { entries: [{}], next_cursor: cursor } });
      const { error } = await readAll(cursored());
      assert.ok(error instanceof ProtocolError);
      assert.match(error.message, /"next_cursor" is invalid/);
      assert.equal(collection.urls.length, 1);
    });
  }

  it('A cursor-style collection fails with a ProtocolError for half a character in a cursor', async () => {
    const readAll = await collection.serve((_, response) => {
      sendText(response, 200, '{"entries":[],"next_cursor":"a\\ud800"}');
    });
    assert.ok((await readAll(cursored())).error instanceof ProtocolError);
  });

  it('A cursor-style collection starts at a saved cursor', async () => {
    const readAll = await collection.answer({ body: { entries: numbered(0, 1) } });
    assert.equal((await readAll(cursored({ at: { cursor: 'kept' } }))).entries.length, 1);
    assert.deepEqual(collection.sent('cursor'), ['kept']);
  });
});

describe('The path of a collection', () => {
  for (const path of [
    '',
    'x',
    '//evil.example/x',
    '/\\evil.example',
    '/a\\b',
    'https://evil.example/x',
    '/..',
    '/portfolios/./companies',
    '/portfolios/%2e',
    '/portfolios/%252E/companies',
    '/../x',
    '/a/../../x',
    '/%2e%2e/x',
    '/.%2E/x',
    '/%252e%252e/x',
    '/a%2f..%2fb',
    '/%2fevil.example',
    '/%5cevil.example',
    '/%255c',
    '/a b',
    '/a\nb',
    '/a%0d%0ab',
    '/a#b',
    '/%',
    '/%zz',
    '/%E0%A',
    '/\ud800',
  ]) {
    it(`The path of a collection is refused before a request: ${JSON.stringify(path)}`, async () => {
      const server = await harness.serve((_, response) => {
        sendJson(response, 200, { entries: [] });
      });
      const call = harness.client(server.baseUrl).collectionPage({ path, style: 'link' });
      const error = await failure(call, BadRequestError);
      assert.match(error.message, /^The path /);
      assert.equal(server.requests.length, 0);
    });
  }

  for (const [path, url] of [
    ['/x', '/pre/x'],
    ['/', '/pre/'],
    ['/a/b-c_d.e~f', '/pre/a/b-c_d.e~f'],
    ['/100%25/%C3%A4', '/pre/100%25/%C3%A4'],
    ['/x?at=..&u=https://h/%5c', '/pre/x?at=..&u=https://h/%5c'],
  ] as const) {
    it(`The path of a collection is requested below the base URL as it is written: ${path}`, async () => {
      const readAll = await collection.serve((_, response) => {
        sendJson(response, 200, { entries: [] });
      }, '/pre/');
      await readAll({ path, style: 'link' });
      assert.deepEqual(collection.urls, [url]);
    });
  }

  // The advice after its errors is about its setting.
  it('The path of a collection is known as a collection, also below a company', async () => {
    const readAll = await collection.answer();
    for (const path of ['/companies/a.example/services', '/companies/a.example/issues', '/x']) {
      const { error } = await readAll({ path, style: 'link' });
      assert.ok(error instanceof NotFoundError);
      assert.equal(findSubject(error.endpoint), 'collection', path);
    }
  });

  it('The path of a collection is logged without ids and without its query', async () => {
    const readAll = await collection.answer();
    const id = '7d1c4f52-9a3e-4c86-b0f1-2e5a6d8c9b04';
    const path = `/portfolios/${id}/5e9f1c0d5e9f1c0d5e9f1c0d/12/companies?key=s3cret`;
    const { error } = await readAll({ path, style: 'page' });
    assert.ok(error instanceof NotFoundError);
    assert.equal(error.endpoint, 'GET /portfolios/{id}/{id}/{id}/companies');
    assert.doesNotMatch(harness.logLines.join('\n'), /s3cret|7d1c4f52|5e9f/);
    assert.ok(harness.logLines.length > 0);
  });
});
