import assert from 'node:assert/strict';
import { allFindings } from '../../../../src/api/paging/allFindings';
import { CancelledError } from '../../../../src/base/cancelledError';
import { AuthError, ProtocolError, ServerError } from '../../../../src/api/http/errors';
import { onAbort } from '../../../../src/api/http/signals';
import type { Api } from '../../../../src/api/client';
import type { CallOptions, FindingsPage, Wait } from '../../../../src/api/types';
import type { JsonObject } from '../../../../src/base/json/json';
import { memoryInUse } from '../../../helpers/memory';
import {
  type Handler,
  type ReceivedRequest,
  sendJson,
  sendText,
} from '../../../helpers/testServer';
import { Harness, failure, page, query, tick, WaitClock } from '../support';

const upTo = (length: number) => Array.from({ length }, (_, number) => number);

const offsetOf = (request: ReceivedRequest) => Number(request.query.get('offset'));

const ascending = (numbers: number[]) => [...numbers].sort((a, b) => a - b);

/** A page of a list of `length` entries, as the service answers it. */
function listPage(length: number, offset: number, limit: number, changes: JsonObject = {}) {
  const count = Math.max(0, Math.min(limit, length - offset));
  const entries = upTo(count).map((index) => ({ number: offset + index }));
  const hasMore = offset + limit < length;
  return page(entries, { total_count: length, has_more: hasMore, offset, limit, ...changes });
}

/** Collects the numbers of the entries of all pages. */
async function collect(pages: AsyncIterable<FindingsPage>, into: number[] = []) {
  for await (const { entries } of pages) {
    into.push(...entries.map(({ number }) => number as number));
  }
  return into;
}

/** An API whose pages arrive when a test says so. It records the requests that have no response yet. */
class ManualApi implements Pick<Api, 'findingsPage'> {
  readonly offsets: number[] = [];
  readonly pending = new Map<number, (page: Partial<FindingsPage> | Error) => void>();
  readonly options: CallOptions[] = [];

  constructor(private readonly total?: number) {}

  findingsPage({ offset, limit }: { offset: number; limit: number }, options: CallOptions = {}) {
    this.offsets.push(offset);
    this.options.push(options);
    const total = this.total === undefined ? {} : { totalCount: this.total };
    return new Promise<FindingsPage>((resolve, reject) => {
      const settle = (answer: Partial<FindingsPage> | Error) => {
        this.pending.delete(offset);
        unlink();
        if (answer instanceof Error) {
          reject(answer);
        } else {
          resolve({ entries: [{}], hasMore: true, offset, limit, ...total, ...answer });
        }
      };
      const { signal = new AbortController().signal } = options;
      this.pending.set(offset, settle);
      const unlink = onAbort(signal, () => {
        settle(signal.reason as Error);
      });
    });
  }

  async answer(offset: number, answer: Partial<FindingsPage> | Error = {}) {
    this.pending.get(offset)?.(answer);
    await tick();
  }
}

describe('All findings', () => {
  const harness = new Harness();
  afterEach(() => harness.close());

  /** A service with one list; `special` answers some offsets with a status or with other members. */
  async function serveList(length: number, special?: (offset: number) => number | JsonObject) {
    const server = await harness.serve((request, response) => {
      const offset = offsetOf(request);
      const answer = special?.(offset) ?? {};
      if (typeof answer === 'number') {
        sendText(response, answer);
      } else {
        const limit = Number(request.query.get('limit'));
        sendJson(response, 200, listPage(length, offset, limit, answer));
      }
    });
    return { server, offsets: () => ascending(server.requests.map(offsetOf)) };
  }

  for (const [length, limit, offset] of [
    [250, 100, 0],
    [200, 100, 0],
    [65, 20, 30],
    [1200, 500, 0],
    [5000, 100, 0],
    [0, 100, 0],
  ] as const) {
    it(`All findings arrive in order with one request per page: ${length} entries by ${limit} from ${offset}`, async () => {
      const { server, offsets } = await serveList(length);
      const client = harness.client(server.baseUrl);
      assert.deepEqual(
        await collect(allFindings(client, query({ limit, offset }))),
        upTo(length).slice(offset),
      );
      const pages = Math.max(1, Math.ceil((length - offset) / limit));
      assert.deepEqual(
        offsets(),
        upTo(pages).map((number) => offset + number * limit),
      );
    });
  }

  it('All findings cost one request when the consumer stops after the first page', async () => {
    const { server, offsets } = await serveList(250);
    const client = harness.client(server.baseUrl);
    for await (const { entries } of allFindings(client, query({ limit: 50 }))) {
      assert.equal(entries.length, 50);
      break;
    }
    assert.deepEqual([offsets(), client.budget().used], [[0], 1]);
  });

  it('All findings leave no request in flight when the consumer stops later', async () => {
    const api = new ManualApi(1000);
    const pages = allFindings(api, query({ limit: 10 }));
    const requested = [pages.next(), pages.next()];
    await tick();
    await api.answer(0);
    await api.answer(10);
    await Promise.all(requested);
    assert.deepEqual([...api.pending.keys()], [20, 30, 40, 50, 60]);
    await pages.return();
    assert.deepEqual([api.pending.size, api.offsets.length], [0, 7]);
  });

  it('All findings can be resumed at the offset where an error stopped them', async () => {
    const clock = new WaitClock();
    let broken = true;
    const { server } = await serveList(450, (offset) => (broken && offset === 200 ? 500 : {}));
    const client = harness.client(server.baseUrl, { clock });
    const delivered: number[] = [];
    await clock.run(failure(collect(allFindings(client, query()), delivered), ServerError));
    assert.deepEqual(delivered, upTo(200));

    broken = false;
    const before = server.requests.length;
    const offset = delivered.length;
    await clock.run(collect(allFindings(client, query({ offset })), delivered));
    assert.deepEqual(delivered, upTo(450));
    assert.deepEqual(ascending(server.requests.slice(before).map(offsetOf)), [200, 300, 400]);
  });

  describe('requested page by page', () => {
    /** Reads the findings of a service one page after the other. */
    async function readAll(handler: Handler) {
      const clock = new WaitClock();
      const server = await harness.serve(handler);
      const client = harness.client(server.baseUrl, { clock });
      const numbers: number[] = [];
      const pages = allFindings(client, query(), { concurrency: 1 });
      const error: unknown = await clock.run(
        collect(pages, numbers).then(
          () => undefined,
          (reason: unknown) => reason,
        ),
      );
      return { numbers, error, offsets: server.requests.map(offsetOf), waits: clock.waits };
    }

    /** A service with so many findings, which may answer a request in its own way. */
    const listOf =
      (length: number, special?: (...args: Parameters<Handler>) => boolean): Handler =>
      (request, response, number) => {
        if (special?.(request, response, number) !== true) {
          const [offset, limit] = [offsetOf(request), Number(request.query.get('limit'))];
          sendJson(response, 200, listPage(length, offset, limit));
        }
      };

    it('All findings requested page by page advance the offset by the requested limit after a short page', async () => {
      const { numbers, offsets } = await readAll((request, response, number) => {
        const offset = offsetOf(request);
        const changes = { has_more: number === 1 };
        sendJson(response, 200, listPage(offset + 40, offset, 100, changes));
      });
      assert.deepEqual([numbers.length, offsets], [80, [0, 100]]);
    });

    for (const changes of [{ has_more: 'false' }, { has_more: undefined }, { entries: {} }]) {
      it(`All findings requested page by page end with a ProtocolError at a second page with ${JSON.stringify(changes)}`, async () => {
        const { numbers, error, offsets } = await readAll((request, response, number) => {
          const body = listPage(1000, offsetOf(request), 100);
          sendJson(response, 200, number === 1 ? body : { ...body, ...changes });
        });
        assert.ok(error instanceof ProtocolError);
        assert.deepEqual([numbers, offsets], [upTo(100), [0, 100]]);
      });
    }

    it('All findings requested page by page have no gap and no duplicate after a 429 in the middle', async () => {
      const { numbers, offsets, waits } = await readAll(
        listOf(250, (_, response, number) => {
          if (number === 3) {
            sendText(response, 429, '', { 'Retry-After': '2' });
          }
          return number === 3;
        }),
      );
      assert.deepEqual([numbers, offsets], [upTo(250), [0, 100, 200, 200]]);
      assert.ok(waits.some((wait) => wait >= 2000));
    });

    it('All findings requested page by page end with an AuthError when the key is revoked between two pages', async () => {
      const { numbers, error, offsets } = await readAll(
        listOf(1000, (_, response, number) => {
          if (number === 3) {
            sendJson(response, 401, { error: { message: 'Unauthorized' } });
          }
          return number === 3;
        }),
      );
      assert.ok(error instanceof AuthError);
      assert.equal(error.offset, 200);
      assert.deepEqual(numbers, upTo(200));
      assert.equal(offsets.length, 3);
    });

    it('All findings requested page by page contain a finding twice when the service returns it on two pages', async () => {
      const { numbers } = await readAll((_, response, number) => {
        const entries = (number === 1 ? [0, 1, 2] : [2, 3, 4]).map((of) => ({ number: of }));
        sendJson(response, 200, page(entries, { has_more: number === 1 }));
      });
      assert.deepEqual(numbers, [0, 1, 2, 2, 3, 4]);
    });

    it('All findings requested page by page ignore a Link header', async () => {
      const { offsets } = await readAll((_, response, number) => {
        const link = number === 1 ? {} : { Link: '<https://elsewhere.example/>; rel="next"' };
        sendJson(response, 200, page([{ number }], { has_more: number === 1 }), link);
      });
      assert.deepEqual(offsets, [0, 100]);
    });
  });

  it('All findings request nothing after a page that has failed', async () => {
    const api = new ManualApi(10_000);
    const pages = allFindings(api, query({ limit: 10 }), { concurrency: 3 });
    const requested = [pages.next(), pages.next(), pages.next()];
    await tick();
    await api.answer(0);
    await api.answer(30, new ServerError('broken'));
    await api.answer(10);
    await api.answer(20);
    assert.equal((await Promise.all(requested)).length, 3);
    await failure(pages.next(), ServerError);
    assert.deepEqual(api.offsets, [0, 10, 20, 30]);
  });

  it('All findings end at the first page without has_more, and drop the pages beyond it', async () => {
    const api = new ManualApi(10_000);
    const pages = collect(allFindings(api, query({ limit: 10 }), { concurrency: 4 }));
    await tick();
    await api.answer(0, { entries: [{ number: 0 }] });
    await api.answer(30, { entries: [{ number: 30 }] });
    await api.answer(20, { entries: [{ number: 20 }], hasMore: false });
    await api.answer(10, { entries: [{ number: 10 }] });
    assert.deepEqual(await pages, [0, 10, 20]);
    assert.deepEqual([api.pending.size, api.offsets], [0, [0, 10, 20, 30, 40]]);
  });

  for (const [what, total] of [
    ['counts too few', 20],
    ['counts nothing', undefined],
  ] as const) {
    it(`All findings are requested page by page until has_more is false when the service ${what}`, async () => {
      const api = new ManualApi(total);
      const pages = collect(allFindings(api, query({ limit: 10 })));
      await tick();
      for (const offset of [0, 10, 20, 30, 40]) {
        assert.deepEqual([...api.pending.keys()], [offset]);
        await api.answer(offset, { entries: [{ number: offset }], hasMore: offset < 40 });
      }
      assert.deepEqual(await pages, [0, 10, 20, 30, 40]);
    });
  }

  it('All findings are requested further ahead when the total count grows', async () => {
    const api = new ManualApi();
    const pages = collect(allFindings(api, query({ limit: 10 })));
    await tick();
    await api.answer(0, { totalCount: 20 });
    await api.answer(10, { totalCount: 40 });
    assert.deepEqual([...api.pending.keys()], [20, 30]);
    await api.answer(30, { hasMore: false });
    await api.answer(20);
    assert.equal((await pages).length, 4);
  });

  it('All findings continue after an empty page, but fail after 20 empty pages', async () => {
    const api = new ManualApi();
    const pages = failure(collect(allFindings(api, query({ limit: 10 }))), ProtocolError);
    await tick();
    for (let number = 0; number < 20; number += 1) {
      await api.answer(number * 10, { entries: [] });
    }
    await pages;
    assert.equal(api.offsets.length, 20);
  });

  it('All findings fail after the last entries when only empty pages follow, whatever the total count', async () => {
    const api = new ManualApi(1_000_000);
    const delivered: number[] = [];
    const pages = failure(
      collect(allFindings(api, query({ limit: 10 })), delivered),
      ProtocolError,
    );
    await tick();
    await api.answer(0, { entries: [{ number: 7 }] });
    while (api.pending.size > 0) {
      const [offset = 0] = api.pending.keys();
      await api.answer(offset, { entries: [] });
    }
    await pages;
    assert.deepEqual(delivered, [7]);
    assert.ok(api.offsets.length <= 1 + 20 + 5, `${api.offsets.length} requests`);
  });

  it('All findings continue after 19 empty pages in a row', async () => {
    const api = new ManualApi();
    const pages = collect(allFindings(api, query({ limit: 10 })));
    await tick();
    for (let number = 0; number <= 40; number += 1) {
      const entries = number % 20 === 0 ? [{ number }] : [];
      await api.answer(number * 10, { entries, hasMore: number < 40 });
    }
    assert.deepEqual(await pages, [0, 20, 40]);
  });

  it('All findings fail when the service repeats one page beyond the total count', async () => {
    const api = new ManualApi(10);
    const pages = failure(collect(allFindings(api, query({ limit: 10 }))), ProtocolError);
    await tick();
    for (let number = 0; api.pending.size > 0; number += 1) {
      await api.answer(number * 10, { entries: [{ number: 1 }] });
    }
    await pages;
    assert.equal(api.offsets.length, 21);
  });

  it('All findings fail when the service repeats pages in rotation beyond the total count', async () => {
    const api = new ManualApi(10);
    const pages = failure(collect(allFindings(api, query({ limit: 10 }))), ProtocolError);
    await tick();
    for (let number = 0; number < 100 && api.pending.size > 0; number += 1) {
      await api.answer(number * 10, { entries: [{ number: number % 3 }] });
    }
    // The first three behind the count are new.
    assert.equal(api.offsets.length, 1 + 3 + 20);
    await pages;
  });

  it('All findings continue with identical pages within the total count', async () => {
    const api = new ManualApi(1_000);
    const pages = collect(allFindings(api, query({ limit: 10 }), { concurrency: 1 }));
    await tick();
    for (let offset = 0; offset < 1_000; offset += 10) {
      await api.answer(offset, { entries: [{ number: 1 }], hasMore: offset < 990 });
    }
    assert.equal((await pages).length, 100);
  });

  it('All findings are fetched no further ahead while the consumer pauses', async () => {
    const api = new ManualApi(10_000);
    const pages = allFindings(api, query({ limit: 10 }), { concurrency: 3 });
    const first = pages.next();
    await tick();
    await api.answer(0);
    await first;
    for (let requested = 2; requested < 10; requested += 1) {
      const next = pages.next();
      await tick();
      for (const offset of [...api.pending.keys()]) {
        await api.answer(offset);
      }
      await next;
      assert.equal(api.offsets.length, requested + 2);
    }
    await pages.return();
  });

  it('All findings are requested with bulk priority, and report the wait of the next page', async () => {
    const api = new ManualApi(10_000);
    const waits: (Wait | undefined)[] = [];
    const onWait = (wait: Wait | undefined) => waits.push(wait);
    const pages = allFindings(api, query({ limit: 10 }), { concurrency: 2, onWait });
    const requested = [pages.next(), pages.next()];
    await tick();
    await api.answer(0);
    const wait = { reason: 'limit', until: 1 } as const;
    const later = { reason: 'limit', until: 2 } as const;
    api.options[2]?.onWait?.(later);
    api.options[1]?.onWait?.(wait);
    await api.answer(10);
    await Promise.all(requested);
    api.options[2]?.onWait?.(undefined);
    assert.deepEqual(waits, [wait, later, undefined]);
    assert.ok(api.options.every(({ priority }) => priority === 'bulk'));
    await pages.return();
  });

  it('All findings stop their requests when the signal aborts in the middle', async () => {
    const { server } = await serveList(1000);
    const client = harness.client(server.baseUrl);
    const controller = new AbortController();
    const delivered: number[] = [];
    const run = async () => {
      const pages = allFindings(client, query({ limit: 10 }), { signal: controller.signal });
      for await (const { entries, offset } of pages) {
        delivered.push(...entries.map(({ number }) => number as number));
        if (offset === 200) {
          controller.abort();
        }
      }
    };
    await failure(run(), CancelledError);
    assert.deepEqual(delivered, upTo(210));
    const { used } = client.budget();
    await tick();
    assert.equal(client.budget().used, used);
  });

  it('All findings end only when the requests in flight have ended', async () => {
    let ended = 0;
    const api: Pick<Api, 'findingsPage'> = {
      findingsPage: async ({ offset, limit }, options) => {
        while (offset > 0 && options?.signal?.aborted === false) {
          await tick();
        }
        await tick();
        ended += 1;
        return { entries: [{}], totalCount: 100, hasMore: true, offset, limit };
      },
    };
    const controller = new AbortController();
    const options = { signal: controller.signal };
    const pages = allFindings(api, query({ limit: 10 }), options);
    await pages.next();
    const second = failure(pages.next(), CancelledError);
    await tick();
    controller.abort();
    await second;
    assert.equal(ended, 7);
  });

  it('All findings are cancelled by the signal while a page is pending, and before the first request', async () => {
    const api = new ManualApi(1000);
    const controller = new AbortController();
    const options = { signal: controller.signal };
    const pages = allFindings(api, query({ limit: 10 }), options);
    const first = failure(pages.next(), CancelledError);
    await tick();
    controller.abort();
    await first;
    assert.equal(api.pending.size, 0);
    await failure(allFindings(api, query({ offset: 30 }), options).next(), CancelledError);
    assert.deepEqual(api.offsets, [0]);
  });

  it('All findings use memory only for the pages ahead, with 100,000 entries of 1 KB', async () => {
    const api: Pick<Api, 'findingsPage'> = {
      findingsPage: ({ offset, limit }) =>
        Promise.resolve({
          entries: upTo(limit).map((index) => ({ text: `${offset + index} `.padEnd(1024, 'x') })),
          totalCount: 100_000,
          hasMore: offset + limit < 100_000,
          offset,
          limit,
        }),
    };
    const before = memoryInUse();
    let count = 0;
    let most = 0;
    for await (const { entries, offset } of allFindings(api, query({ limit: 500 }))) {
      count += entries.length;
      if (offset % 10_000 === 0) {
        most = Math.max(most, memoryInUse() - before);
      }
    }
    assert.equal(count, 100_000);
    // Seven pages of half a megabyte, and as much again for whatever else happens in the meantime.
    assert.ok(most < 7_000_000, `${most} bytes`);
  });
});
