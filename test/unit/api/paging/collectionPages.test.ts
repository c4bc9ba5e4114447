import assert from 'node:assert/strict';
import { collectionPages } from '../../../../src/api/paging/collectionPages';
import { BadRequestError, NotFoundError, ProtocolError } from '../../../../src/api/http/errors';
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

describe('a page-style collection', () => {
  it('PS1 ends when page * size reaches the total', async () => {
    const reading = await (await servePaged(120))(paged({ size: 50 }));
    assert.deepEqual(reading.entries, numbered(0, 120));
    assert.deepEqual([reading.total, reading.error], [120, undefined]);
    assert.deepEqual(collection.urls, [
      '/x?size=50&page=1',
      '/x?size=50&page=2',
      '/x?size=50&page=3',
    ]);
  });

  it('PS2 two full pages are two requests', async () => {
    assert.equal((await (await servePaged(100))(paged())).entries.length, 100);
    assert.deepEqual(collection.sent('page'), ['1', '2']);
  });

  it('PS3 ends at an empty page, whatever the total', async () => {
    const readAll = await collection.answer(
      { body: { entries: numbered(0, 50), total: 1000, size: 50, page: 1 } },
      { body: { entries: [], total: 1000, size: 50, page: 2 } },
    );
    const reading = await readAll(paged());
    assert.deepEqual([reading.entries.length, reading.error], [50, undefined]);
  });

  for (const size of [51, 0, -1, 1.5, NaN, Infinity]) {
    it(`PS5 a size of ${size} is refused before a request`, async () => {
      const readAll = await servePaged(1);
      const { error } = await readAll(paged({ size }));
      assert.ok(error instanceof BadRequestError);
      assert.match(error.message, /size.*1 to 50/);
      assert.deepEqual(collection.urls, []);
    });
  }

  it('PS6 an empty collection is one request', async () => {
    const reading = await (await servePaged(0))(paged());
    assert.deepEqual(reading, { entries: [], pages: 1, total: 0, error: undefined });
    assert.equal(collection.urls.length, 1);
  });

  it('PS7 what the path says of pages is replaced, the rest stays as it was written', async () => {
    const readAll = await servePaged(4);
    await readAll(paged({ path: '/x?filter=a%20b+c&page=7&s%69ze=500&q', size: 2 }));
    assert.deepEqual(collection.urls, [
      '/x?filter=a%20b+c&q&size=2&page=1',
      '/x?filter=a%20b+c&q&size=2&page=2',
    ]);
  });

  it('PS8 without page and size it ends when all entries have come', async () => {
    const readAll = await collection.answer(
      { body: { entries: numbered(0, 20), total: 45 } },
      { body: { entries: numbered(20, 20), total: 45 } },
      { body: { entries: numbered(40, 5), total: 45 } },
    );
    const reading = await readAll(paged());
    assert.deepEqual(reading.entries, numbered(0, 45));
    assert.equal(reading.error, undefined);
  });

  it('PS8 a collection that comes whole is not asked for again', async () => {
    const readAll = await collection.answer({ body: { entries: numbered(0, 80), total: 80 } });
    assert.equal((await readAll(paged())).entries.length, 80);
    assert.equal(collection.urls.length, 1);
  });

  for (const total of [undefined, 100]) {
    it(`PS8 a service that always sends page 1 is found out (total ${total})`, async () => {
      const readAll = await collection.serve((_, response) => {
        sendJson(response, 200, { entries: numbered(0, 5), total });
      });
      const reading = await readAll(paged());
      assert.ok(reading.error instanceof ProtocolError);
      assert.deepEqual(reading.entries, numbered(0, 5));
      assert.equal(collection.urls.length, 2);
    });
  }

  it('PS8 entries that say the same are not taken for one page', async () => {
    const same = { entries: [{}, {}], total: 6 };
    const readAll = await collection.answer({ body: same }, { body: same }, { body: same });
    const reading = await readAll(paged());
    assert.deepEqual([reading.entries.length, reading.error], [6, undefined]);
  });

  for (const total of ['120', -1, 1.5, {}]) {
    it(`PS9 a total of ${JSON.stringify(total)} is a protocol error`, async () => {
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
    it(`PS9 a total of ${total} leaves the end to an empty page`, async () => {
      const readAll = await collection.serve(({ query }, response) => {
        const page = Number(query.get('page'));
        sendJson(response, 200, { entries: page < 3 ? numbered(page, 1) : [], total, page });
      });
      const reading = await readAll(paged());
      assert.deepEqual([reading.entries.length, reading.total], [2, undefined]);
      assert.deepEqual(collection.sent('page'), ['1', '2', '3']);
    });
  }

  it('takes a smaller size that the service insists on', async () => {
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
    it(`${what} on the second page is an error that says where the list stopped`, async () => {
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
    it(`the body ${JSON.stringify(body)} is a protocol error`, async () => {
      const readAll = await collection.answer({ body });
      assert.ok((await readAll(paged())).error instanceof ProtocolError);
    });
  }

  it('is taken up at a page without asking for those before', async () => {
    const readAll = await servePaged(45);
    const reading = await readAll(paged({ size: 10, at: { page: 4 } }));
    assert.deepEqual(reading.entries, numbered(30, 15));
    assert.deepEqual(collection.sent('page'), ['4', '5']);
  });
});

describe('a cursor-style collection', () => {
  it('CU1 sends the cursor of the page before, and the limit each time', async () => {
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

  it('CU1 without a size leaves the limit to the service', async () => {
    const readAll = await collection.answer({ body: { entries: [] } });
    await readAll(cursored());
    assert.deepEqual(collection.urls, ['/x']);
  });

  it('CU2 every character of a cursor arrives', async () => {
    const cursor = 'a+b/c==&x=1 é%20#?\u{1f600}';
    const readAll = await collection.answer(
      { body: { entries: [], next_cursor: cursor } },
      { body: { entries: [] } },
    );
    await readAll(cursored());
    assert.deepEqual(collection.sent('cursor'), [null, cursor]);
    assert.deepEqual(collection.sent('x'), [null, null]);
  });

  it('CU3 an empty page with a cursor is no end', async () => {
    const readAll = await collection.answer(
      { body: { entries: [], next_cursor: 'c1' } },
      { body: { entries: numbered(0, 1) } },
    );
    const reading = await readAll(cursored());
    assert.deepEqual([reading.entries.length, reading.pages], [1, 2]);
  });

  for (const cursor of [null, '']) {
    it(`CU4 a next_cursor of ${JSON.stringify(cursor)} is the end`, async () => {
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
    it(`CU5 the cursors ${cursors.join(' -> ')} form a loop`, async () => {
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

  it('CU5 a page that is asked for again after a failure is no loop', async () => {
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

  it('CU6 a cursor that has expired is reported, and nothing starts over', async () => {
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
    it(`CU7 a next_cursor of ${JSON.stringify(cursor)} is a protocol error`, async () => {
      const readAll = await collection.answer({ body: { entries: [{}], next_cursor: cursor } });
      const { error } = await readAll(cursored());
      assert.ok(error instanceof ProtocolError);
      assert.match(error.message, /"next_cursor" is invalid/);
      assert.equal(collection.urls.length, 1);
    });
  }

  it('CU7 half a character in a cursor is a protocol error', async () => {
    const readAll = await collection.serve((_, response) => {
      sendText(response, 200, '{"entries":[],"next_cursor":"a\\ud800"}');
    });
    assert.ok((await readAll(cursored())).error instanceof ProtocolError);
  });

  it('is taken up at a cursor', async () => {
    const readAll = await collection.answer({ body: { entries: numbered(0, 1) } });
    assert.equal((await readAll(cursored({ at: { cursor: 'kept' } }))).entries.length, 1);
    assert.deepEqual(collection.sent('cursor'), ['kept']);
  });
});

describe('the path of a collection', () => {
  for (const path of [
    '',
    'x',
    '//evil.example/x',
    '/\\evil.example',
    '/a\\b',
    'https://evil.example/x',
    '/..',
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
    it(`${JSON.stringify(path)} is refused before a request`, async () => {
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
    it(`${path} is asked for below the base address, as it is written`, async () => {
      const readAll = await collection.serve((_, response) => {
        sendJson(response, 200, { entries: [] });
      }, '/pre/');
      await readAll({ path, style: 'link' });
      assert.deepEqual(collection.urls, [url]);
    });
  }

  it('stands in the log without ids and without its query', async () => {
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
