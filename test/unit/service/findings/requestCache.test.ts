import assert from 'node:assert/strict';
import nodeFetch from 'node-fetch';
import { CancelledError } from '../../../../src/base/cancelledError';
import type { SharedOptions } from '../../../../src/api/http/sharedRequest';
import { NotFoundError, ServerError } from '../../../../src/api/http/errors';
import { RequestCache } from '../../../../src/service/findings/requestCache';
import { sendJson } from '../../../helpers/testServer';
import { failure, Harness, page, query, tick } from '../../api/support';

/** A request that a test answers. */
class Asked {
  readonly shared: SharedOptions[] = [];
  answer: (value: number) => void = () => undefined;
  readonly request = (shared: SharedOptions) => {
    this.shared.push(shared);
    return new Promise<number>((resolve, reject) => {
      this.answer = resolve;
      shared.signal.addEventListener('abort', () => {
        reject(new CancelledError());
      });
    });
  };
}

describe('A cache of requests', () => {
  it('A cache of requests goes on for the others when the first one who asked is cancelled', async () => {
    const cache = new RequestCache<number>(() => 0);
    const asked = new Asked();
    const waits: unknown[] = [];
    const abort = new AbortController();
    const onWait = (wait: unknown) => waits.push(wait);
    const first = cache.load('a', asked.request, { signal: abort.signal, onWait });
    const second = cache.load('a', asked.request, { signal: new AbortController().signal });
    asked.shared[0]?.onWait({ reason: 'limit', until: 1 });
    abort.abort();
    await assert.rejects(first, CancelledError);
    asked.shared[0]?.onWait(undefined);
    assert.equal(waits.length, 1, 'who is cancelled hears no more');
    asked.answer(7);
    assert.equal(await second, 7);
    assert.deepEqual([asked.shared.length, asked.shared[0]?.signal.aborted], [1, false]);
  });

  it('A cache of requests cancels a request with the last one who waits for it, and sends another one for the next', async () => {
    const cache = new RequestCache<number>(() => 0);
    const asked = new Asked();
    const abort = new AbortController();
    const { signal } = abort;
    const waiting = [1, 2].map(() => cache.load('a', asked.request, { signal }));
    abort.abort();
    const next = cache.load('a', asked.request);
    for (const each of waiting) {
      await assert.rejects(each, CancelledError);
    }
    assert.deepEqual(
      asked.shared.map((shared) => shared.signal.aborted),
      [true, false],
    );
    asked.answer(8);
    assert.equal(await next, 8);
  });

  it('A cache of requests sends none for one who is cancelled already, and one for the next', async () => {
    const cache = new RequestCache<number>(() => 0);
    const asked = new Asked();
    const cancelled = cache.load('a', asked.request, { signal: AbortSignal.abort() });
    await assert.rejects(cancelled, CancelledError);
    assert.deepEqual([asked.shared.length, cache.isDue('a')], [0, true]);
    const next = cache.load('a', asked.request);
    await assert.rejects(cache.load('a', asked.request, { signal: AbortSignal.abort() }));
    asked.answer(9);
    assert.equal(await next, 9);
    assert.equal(asked.shared.length, 1);
  });

  it('A cache of requests puts nothing on the wire after all have cancelled, whatever the request had come to', async () => {
    const harness = new Harness();
    const server = await harness.serve((_, response) => {
      sendJson(response, 200, page());
    });
    let sent = 0;
    const client = harness.client(server.baseUrl, {
      fetch: (url, init) => {
        sent += 1;
        return nodeFetch(url, init);
      },
    });
    const unsent: number[] = [];
    for (let steps = 0; steps < 60; steps += 1) {
      const cache = new RequestCache<unknown>(() => 0);
      const abort = new AbortController();
      const request = (shared: SharedOptions) => client.findingsPage(query(), shared);
      const waiting = [1, 2].map(() => cache.load('a', request, { signal: abort.signal }));
      for (let step = 0; step < steps; step += 1) {
        await Promise.resolve();
      }
      const before = sent;
      abort.abort();
      await Promise.all(waiting.map((each) => failure(each, CancelledError)));
      await tick();
      assert.equal(sent, before, `${steps} steps`);
      unsent.push(...(sent === 0 ? [steps] : []));
    }
    assert.ok(unsent.length > 0, 'it was cancelled before it was sent');
    assert.ok(sent > 0, 'and after that');
    await harness.close();
  });

  it('A cache of requests keeps a value when a later request for it fails', async () => {
    let now = 0;
    const cache = new RequestCache<number>(() => now);
    const load = (request: () => Promise<number>) => cache.loadIfDue('a', request);
    assert.equal(await load(() => Promise.reject(new NotFoundError('none'))), undefined);
    assert.equal(await load(() => Promise.resolve(1)), undefined, 'not yet due');
    now += 3_600_000;
    assert.equal(await load(() => Promise.resolve(2)), 2);
    now += 3_600_000;
    assert.equal(await load(() => Promise.reject(new ServerError('down'))), 2);
    assert.equal(cache.get('a'), 2);
    now += 60_000;
    assert.equal(await load(() => Promise.resolve(3)), 3, 'due soon after a failure that may pass');
  });
});
