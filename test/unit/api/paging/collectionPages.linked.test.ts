import assert from 'node:assert/strict';
import { ProtocolError } from '../../../../src/api/http/errors';
import type { CollectionQuery } from '../../../../src/api/types';
import { sendJson, sendText } from '../../../helpers/testServer';
import { CollectionHarness, numbered } from './pageSupport';
import { Harness } from '../support';

const harness = new Harness();
const collection = new CollectionHarness(harness);
afterEach(() => harness.close());

const linked: CollectionQuery = { path: '/x?a=%20', style: 'link' };
const paged: CollectionQuery = { path: '/x', style: 'page' };

describe('A collection with Link headers', () => {
  it('A collection with Link headers follows them byte for byte until the header is absent', async () => {
    const readAll = await collection.serve(({ url }, response) => {
      const next = url.startsWith('/x?a')
        ? { Link: `<${collection.origin}/x?page=2&t=%2B+a%2f>; rel="next"` }
        : {};
      sendJson(response, 200, { entries: numbered(url.length, 1) }, next);
    });
    const reading = await readAll(linked);
    assert.deepEqual([reading.pages, reading.error], [2, undefined]);
    assert.deepEqual(collection.urls, ['/x?a=%20', '/x?page=2&t=%2B+a%2f']);
  });

  it('A collection with Link headers continues after an empty page with a next link', async () => {
    const readAll = await collection.answer(
      { body: { entries: [] }, link: '</2>; rel="next"' },
      { body: { entries: numbered(0, 1) } },
    );
    assert.equal((await readAll(linked)).entries.length, 1);
  });

  it('A collection with Link headers ends without a link, whatever the body says', async () => {
    const readAll = await collection.answer({
      body: { entries: numbered(0, 1), total: 9, page: 1, size: 1, next_cursor: 'c' },
    });
    const reading = await readAll(linked);
    assert.deepEqual([reading.pages, reading.total, reading.error], [1, 9, undefined]);
  });

  it('A collection with Link headers finds the next link in several headers', async () => {
    const readAll = await collection.serve((_, response, number) => {
      if (number === 1) {
        response.setHeader('Link', ['</0>; rel="prev"', '</2>; rel="next"']);
      }
      sendJson(response, 200, { entries: numbered(number, 1) });
    });
    await readAll(linked);
    assert.deepEqual(collection.urls.slice(1), ['/2']);
  });

  it('A collection with Link headers resolves a link against the URL of the response, also after a redirect', async () => {
    const readAll = await collection.serve(({ url }, response) => {
      if (url === '/pre/x') {
        sendText(response, 302, '', { Location: '/other/y?page=1' });
      } else {
        const next = url.endsWith('page=1') ? { Link: '<?page=2>; rel="next"' } : {};
        sendJson(response, 200, { entries: numbered(0, 1) }, next);
      }
    }, '/pre');
    await readAll({ path: '/x', style: 'link' });
    assert.deepEqual(collection.urls, ['/pre/x', '/other/y?page=1', '/other/y?page=2']);
  });

  it('A collection with Link headers refuses a link to another origin, and sends no request there', async () => {
    const other = await harness.serve((_, response) => {
      sendJson(response, 200, { entries: [] });
    });
    const readAll = await collection.answer({
      body: { entries: numbered(0, 1) },
      link: `<${other.baseUrl}/x>; rel="next"`,
    });
    const reading = await readAll(linked);
    assert.ok(reading.error instanceof ProtocolError);
    assert.match(reading.error.message, /another origin/);
    assert.deepEqual(reading.entries, numbered(0, 1), 'the page that has the link');
    assert.equal(other.requests.length, 0);
  });

  it('A collection with Link headers to another origin is not needed where pages have numbers', async () => {
    const other = await harness.serve((_, response) => {
      sendJson(response, 200, { entries: [] });
    });
    for (const isFirstLinked of [false, true]) {
      const readAll = await collection.serve((_, response, number) => {
        const next = isFirstLinked && number === 1 ? `?page=2` : `${other.baseUrl}/x?page=9`;
        const body = { entries: numbered(number - 1, 1), total: 3, page: number, size: 1 };
        sendJson(response, 200, body, { Link: `<${next}>; rel="next"` });
      });
      const reading = await readAll(paged);
      assert.equal(reading.error, undefined);
      assert.deepEqual(reading.entries, numbered(0, 3));
      assert.deepEqual(collection.sent('page'), ['1', '2', '3']);
    }
    assert.equal(other.requests.length, 0);
  });

  it('A collection with Link headers follows a saved link only to the same origin', async () => {
    const readAll = await collection.answer({ body: { entries: numbered(7, 1) } });
    for (const link of ['https://evil.example/x', 'nowhere']) {
      const { error } = await readAll({ ...linked, at: { link } });
      assert.ok(error instanceof ProtocolError);
    }
    assert.deepEqual(collection.urls, []);
    const reading = await readAll({ ...linked, at: { link: `${collection.origin}/7` } });
    assert.deepEqual(reading.entries, numbered(7, 1));
  });

  for (const link of ['https://h/2; rel="next"', '</2; rel="next"', ', ,', '<'.repeat(10_000)]) {
    it(`A collection with Link headers uses the body when the header has no link (${link.slice(0, 30)})`, async () => {
      const readAll = await collection.serve(({ query }, response, number) => {
        const body = { entries: numbered(number, 1), total: 2, page: number, size: 1 };
        sendJson(response, 200, body, query.get('page') === '2' ? {} : { Link: link });
      });
      for (const query of [paged, linked]) {
        const warned = harness.logLines.length;
        const reading = await readAll({ ...query, at: { page: 1 } });
        assert.equal(reading.error, undefined);
        assert.ok(harness.logLines.slice(warned).some((line) => line.includes('Link header')));
        assert.deepEqual(collection.sent('page').slice(0, 2), ['1', '2']);
      }
    });
  }

  it('A collection with Link headers ends when the header has no link and the body has no next page', async () => {
    const readAll = await collection.answer({ body: { entries: numbered(0, 1) }, link: 'next' });
    const reading = await readAll(linked);
    assert.deepEqual([reading.pages, reading.error], [1, undefined]);
  });

  for (const query of [linked, paged]) {
    it(`A collection with Link headers fails because of a loop when a page links to itself (${query.style} style)`, async () => {
      const readAll = await collection.serve(({ url }, response) => {
        sendJson(response, 200, { entries: numbered(0, 1) }, { Link: `<${url}>; rel="next"` });
      });
      const reading = await readAll(query);
      assert.ok(reading.error instanceof ProtocolError);
      assert.match(reading.error.message, /loop/);
      assert.equal(collection.urls.length, 1);
      assert.deepEqual(reading.entries, numbered(0, 1));
    });
  }

  it('A collection with Link headers requests a page once when all pages link to it, and then fails', async () => {
    const readAll = await collection.serve((_, response, number) => {
      sendJson(response, 200, { entries: numbered(number, 1) }, { Link: '</x?p=2>; rel="next"' });
    });
    const reading = await readAll(linked);
    assert.ok(reading.error instanceof ProtocolError);
    assert.equal(collection.urls.length, 2);
    assert.deepEqual(reading.entries, numbered(1, 2));
  });

  it('A collection with Link headers fails when a redirect leads back to an earlier page', async () => {
    const readAll = await collection.serve(({ url }, response) => {
      if (url === '/2') {
        sendText(response, 302, '', { Location: '/1' });
      } else {
        sendJson(response, 200, { entries: numbered(0, 1) }, { Link: '</2>; rel="next"' });
      }
    });
    const reading = await readAll({ path: '/1', style: 'link' });
    assert.ok(reading.error instanceof ProtocolError);
    assert.deepEqual(reading.entries, numbered(0, 1));
    assert.deepEqual(collection.urls, ['/1', '/2', '/1']);
  });

  it('A collection with Link headers follows a URL of 3,000 characters', async () => {
    const address = `/x?t=${'a'.repeat(3000)}`;
    const readAll = await collection.answer(
      { body: { entries: [] }, link: `<${address}>; rel="next"` },
      { body: { entries: [] } },
    );
    await readAll(linked);
    assert.equal(collection.urls[1], address);
  });

  it('A collection with Link headers ends at a page without a link when an earlier page had one', async () => {
    const body = (page: number) => ({ entries: numbered(page, 1), total: 99, page, size: 1 });
    const readAll = await collection.answer(
      { body: body(1), link: '</x?page=2>; rel="next"' },
      { body: body(2) },
    );
    const reading = await readAll({ ...paged, size: 1 });
    assert.deepEqual([reading.pages, reading.error], [2, undefined]);
  });

  it('A collection with Link headers uses the body when no page has a next link', async () => {
    const body = (page: number) => ({ entries: numbered(page, 1), total: 2, page, size: 1 });
    const readAll = await collection.answer(
      { body: body(1), link: '</x?page=9>; rel="last"' },
      { body: body(2) },
    );
    assert.equal((await readAll({ ...paged, size: 1 })).pages, 2);
  });

  it('A collection with Link headers follows a next link even when the body says that this is the last page', async () => {
    const readAll = await collection.answer(
      { body: { entries: numbered(0, 1), total: 1, page: 1, size: 50 }, link: '</y>; rel="next"' },
      { body: { entries: numbered(1, 1), total: 2, page: 2, size: 25 } },
    );
    assert.deepEqual((await readAll(paged)).entries, numbered(0, 2));
  });

  it('A collection with Link headers ignores them when it is cursor-style', async () => {
    const readAll = await collection.answer(
      { body: { entries: [], next_cursor: 'c' }, link: '</y>; rel="next"' },
      { body: { entries: [] }, link: '<https://evil.example/>; rel="next"' },
    );
    const reading = await readAll({ path: '/x', style: 'cursor' });
    assert.equal(reading.error, undefined);
    assert.deepEqual(collection.urls, ['/x', '/x?cursor=c']);
  });
});
