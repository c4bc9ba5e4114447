import assert from 'node:assert/strict';
import { AuthError, ProtocolError, ServerError } from '../../../src/api/errors';
import { findingsPages } from '../../../src/api/findingsPages';
import type { FindingsQuery } from '../../../src/api/types';
import { collectGarbage } from '../../helpers/memory';
import { type Handler, sendJson, sendText, type TestServer } from '../../helpers/testServer';
import { numbered, read, stoppedAt } from './pageSupport';
import { Bench, page, query, WaitClock } from './support';

describe('the findings, page by page', () => {
  const bench = new Bench();
  let clock: WaitClock;
  let server: TestServer;
  beforeEach(() => {
    clock = new WaitClock();
  });
  afterEach(() => bench.close());

  async function serve(handler: Handler) {
    server = await bench.serve(handler);
    const client = bench.client(server.baseUrl, { clock });
    return {
      client,
      read: (changes: Partial<FindingsQuery> = {}) =>
        clock.run(read(findingsPages(client, query(changes)))),
    };
  }

  /** A service with so many findings that keeps the rules. */
  const listOf =
    (total: number): Handler =>
    ({ query: asked }, response) => {
      const [offset, limit] = [Number(asked.get('offset')), Number(asked.get('limit'))];
      sendJson(response, 200, {
        entries: numbered(offset, Math.min(limit, total - offset)),
        ...{ offset, limit, total_count: total, has_more: offset + limit < total },
      });
    };

  const offsets = () => server.requests.map((request) => Number(request.query.get('offset')));

  it('OF1 250 findings by 100 are three requests, in order', async () => {
    const { read: readAll } = await serve(listOf(250));
    const reading = await readAll();
    assert.deepEqual(reading.entries, numbered(0, 250));
    assert.deepEqual([reading.total, reading.error], [250, undefined]);
    assert.deepEqual(offsets(), [0, 100, 200]);
  });

  it('OF2 the offset grows by the requested limit behind a short page', async () => {
    const { read: readAll } = await serve((_, response, number) => {
      sendJson(response, 200, page(numbered(0, number === 1 ? 40 : 5), { has_more: number === 1 }));
    });
    assert.equal((await readAll()).entries.length, 45);
    assert.deepEqual(offsets(), [0, 100]);
  });

  it('OF3 goes on behind an empty page while more remain', async () => {
    const { read: readAll } = await serve((_, response, number) => {
      const entries = number === 2 ? [] : numbered(number, number === 3 ? 10 : 100);
      sendJson(response, 200, page(entries, { has_more: number < 3 }));
    });
    const reading = await readAll();
    assert.deepEqual([reading.entries.length, reading.pages], [110, 3]);
  });

  it('OF4 a full last page is not followed by another request', async () => {
    const { read: readAll } = await serve(listOf(100));
    assert.equal((await readAll()).entries.length, 100);
    assert.deepEqual(offsets(), [0]);
  });

  it('OF5 begins at an offset', async () => {
    const { read: readAll } = await serve(listOf(65));
    const { entries } = await readAll({ offset: 30, limit: 20 });
    assert.deepEqual(entries, numbered(30, 35));
    assert.deepEqual(offsets(), [30, 50]);
  });

  it('OF6 takes pages of 500', async () => {
    const { read: readAll } = await serve(listOf(1200));
    assert.equal((await readAll({ limit: 500 })).entries.length, 1200);
    assert.deepEqual(offsets(), [0, 500, 1000]);
  });

  for (const changes of [{ has_more: 'false' }, { has_more: undefined }, { entries: null }]) {
    it(`OF8 a second page with ${JSON.stringify(changes)} is no end but an error that says where`, async () => {
      const { read: readAll } = await serve((_, response, number) => {
        const body = page(numbered(0, 100), { has_more: true });
        sendJson(response, 200, number === 1 ? body : { ...body, ...changes });
      });
      const reading = await readAll();
      assert.ok(reading.error instanceof ProtocolError);
      assert.deepEqual(reading.error.progress, { at: { offset: 100 }, pages: 1, entries: 100 });
      assert.equal(reading.entries.length, 100);
      assert.deepEqual(offsets(), [0, 100]);
    });
  }

  it('OF11 has_more alone decides while the total wanders; the last one is told', async () => {
    const { read: readAll } = await serve((_, response, number) => {
      const total = [250, 260, 240][number - 1] ?? 0;
      sendJson(response, 200, page(numbered(0, 1), { total_count: total, has_more: number < 3 }));
    });
    const reading = await readAll();
    assert.deepEqual([reading.pages, reading.total], [3, 240]);
  });

  it('OF12 a 429 in the middle leaves no gap and doubles nothing', async () => {
    const serveAll = listOf(250);
    const { read: readAll } = await serve((request, response, number) => {
      if (number === 3) {
        sendText(response, 429, '', { 'Retry-After': '2' });
        return undefined;
      }
      return serveAll(request, response, number);
    });
    assert.deepEqual((await readAll()).entries, numbered(0, 250));
    assert.deepEqual(offsets(), [0, 100, 200, 200]);
    assert.ok(clock.waits.some((wait) => wait >= 2000));
  });

  it('OF13 asks for nothing that is not wanted', async () => {
    const { client } = await serve(listOf(5000));
    const first = await findingsPages(client, query());
    let count = 0;
    for await (const _ of first.entries()) {
      count += 1;
      if (count === 50) {
        break;
      }
    }
    assert.deepEqual(offsets(), [0]);
    assert.equal(client.budget().used, 1);
  });

  it('OF14 an error keeps what came before, and the list is taken up behind it', async () => {
    let isBroken = true;
    const serveAll = listOf(250);
    const { read: readAll } = await serve((request, response, number) => {
      if (isBroken && request.query.get('offset') === '200') {
        sendText(response, 500);
        return undefined;
      }
      return serveAll(request, response, number);
    });
    const reading = await readAll();
    assert.ok(reading.error instanceof ServerError);
    assert.deepEqual(reading.entries, numbered(0, 200));
    assert.deepEqual(stoppedAt(reading), { offset: 200 });
    isBroken = false;
    server.requests.length = 0;
    const rest = await readAll(stoppedAt(reading));
    assert.deepEqual(rest.entries, numbered(200, 50));
    assert.deepEqual(offsets(), [200]);
  });

  it('OF14 the page before a failure can lead on once more', async () => {
    const serveAll = listOf(150);
    const { client } = await serve((request, response, number) => {
      if (number === 2) {
        sendText(response, 400);
        return undefined;
      }
      return serveAll(request, response, number);
    });
    const first = await findingsPages(client, query());
    await assert.rejects(first.next());
    const second = await first.next();
    assert.deepEqual(second.items, numbered(100, 50));
    assert.deepEqual((await first.next()).items, second.items);
    await assert.rejects(second.next(), RangeError);
  });

  it('AU9 a key revoked between two pages ends the list there', async () => {
    const serveAll = listOf(1000);
    const { read: readAll } = await serve((request, response, number) => {
      if (number === 3) {
        sendJson(response, 401, { error: { message: 'Unauthorized' } });
        return undefined;
      }
      return serveAll(request, response, number);
    });
    const reading = await readAll();
    assert.ok(reading.error instanceof AuthError);
    assert.deepEqual(reading.entries, numbered(0, 200));
    assert.deepEqual(stoppedAt(reading), { offset: 200 });
    assert.equal(server.requests.length, 3);
  });

  it('OF16 a finding that comes on two pages comes twice: the list may have moved', async () => {
    const { read: readAll } = await serve((_, response, number) => {
      const entries = number === 1 ? numbered(0, 3) : numbered(2, 3);
      sendJson(response, 200, page(entries, { has_more: number === 1 }));
    });
    assert.deepEqual((await readAll()).entries, [...numbered(0, 3), ...numbered(2, 3)]);
  });

  it('LK12 a Link header decides nothing here', async () => {
    const { read: readAll } = await serve((_, response, number) => {
      const link = number === 1 ? {} : { Link: '<https://elsewhere.example/>; rel="next"' };
      sendJson(response, 200, page(numbered(0, 1), { has_more: number === 1 }), link);
    });
    assert.equal((await readAll()).pages, 2);
    assert.deepEqual(offsets(), [0, 100]);
  });

  it('OF17 lets go of each page when the next one is there', async () => {
    const held: WeakRef<object>[] = [];
    const api = {
      findingsPage: ({ offset, limit }: FindingsQuery) => {
        const entries = numbered(offset, limit).map((entry) => ({ ...entry, t: 'x'.repeat(1000) }));
        held.push(new WeakRef(entries));
        return Promise.resolve({ entries, offset, limit, hasMore: offset + limit < 100_000 });
      },
    };
    let count = 0;
    let mostHeld = 0;
    for await (const entry of (await findingsPages(api, query({ limit: 500 }))).entries()) {
      assert.equal(entry.n, count);
      count += 1;
      if (count % 20_000 === 0) {
        // A reference that was looked at is held until the turn ends.
        await new Promise((resolve) => setImmediate(resolve));
        collectGarbage();
        mostHeld = Math.max(mostHeld, held.filter((page) => page.deref() !== undefined).length);
      }
    }
    assert.equal(count, 100_000);
    assert.equal(held.length, 200);
    assert.ok(mostHeld <= 10, `${mostHeld} pages were held`);
  });
});
