import assert from 'node:assert/strict';
import { CancelledError } from '../../../../src/base/cancelledError';
import { RateLimitedError } from '../../../../src/api/http/errors';
import { Ledger, windowMs } from '../../../../src/api/budget/ledger';
import { endpoints } from '../../../../src/api/paths';
import {
  type Admission,
  maxInFlight,
  RequestQueue,
  type Slot,
} from '../../../../src/api/budget/requestQueue';
import type { Wait } from '../../../../src/api/types';
import { FakeClock } from '../../../helpers/fakeClock';
import { memoryInUse } from '../../../helpers/memory';
import { failure, tick } from '../support';

describe('The request queue', () => {
  function setup(limit = 5000) {
    const clock = new FakeClock();
    const neverAborted = new AbortController().signal;
    const ledger = new Ledger(limit, clock);
    let gated = 0;
    const queue = new RequestQueue(
      ledger,
      (start) => {
        gated += 1;
        start();
      },
      clock,
    );
    const sent: string[] = [];
    const slots: Slot[] = [];
    const enter = (name: string, changes: Partial<Admission> = {}) => {
      const entered = queue.enter({
        route: endpoints.findings,
        priority: 'interactive',
        isRepeat: false,
        maxWaitMs: Infinity,
        signal: neverAborted,
        onWait: undefined,
        ...changes,
      });
      return entered.then((slot) => {
        sent.push(name);
        slots.push(slot);
        return slot;
      });
    };
    /** Answers the oldest request in flight. */
    const answer = async () => {
      slots.shift()?.release();
      await tick();
    };
    return { clock, ledger, queue, enter, answer, sent, gated: () => gated };
  }

  it('The request queue never has more than six requests in flight, and sends them first in, first out', async () => {
    const { enter, answer, sent } = setup();
    for (let number = 0; number < 20; number += 1) {
      void enter(String(number));
    }
    await tick();
    assert.equal(sent.length, maxInFlight);
    for (let number = 0; number < 20; number += 1) {
      await answer();
      assert.ok(sent.length <= maxInFlight + number + 1);
    }
    assert.deepEqual(
      sent,
      Array.from({ length: 20 }, (_, number) => String(number)),
    );
  });

  it('The request queue sends interactive before bulk calls, and the retries of each kind before its new calls', async () => {
    const { enter, answer, sent } = setup();
    for (let number = 0; number < maxInFlight; number += 1) {
      void enter('first');
    }
    void enter('bulk', { priority: 'bulk' });
    void enter('bulk again', { priority: 'bulk', isRepeat: true });
    void enter('interactive');
    void enter('interactive again', { isRepeat: true });
    void enter('interactive poll', { isRepeat: true, route: endpoints.reportUrl });
    await tick();
    for (let number = 0; number < 5; number += 1) {
      await answer();
    }
    assert.deepEqual(sent.slice(maxInFlight), [
      'interactive again',
      'interactive poll',
      'interactive',
      'bulk again',
      'bulk',
    ]);
  });

  it('The request queue frees one place when a slot is released twice', async () => {
    const { enter, sent } = setup();
    const [first] = await Promise.all(
      Array.from({ length: maxInFlight }, (_, number) => enter(String(number))),
    );
    void enter('next');
    void enter('after');
    first?.release();
    first?.release();
    await tick();
    assert.deepEqual(sent.slice(maxInFlight), ['next']);
  });

  it('The request queue holds the calls of a paused endpoint while another endpoint continues', async () => {
    const { clock, queue, enter, sent } = setup();
    queue.pause(endpoints.detailedReport, 60_000);
    void enter('detailed', { route: endpoints.detailedReport });
    void enter('findings');
    await tick();
    assert.deepEqual(sent, ['findings']);
    clock.advance(59_999);
    await tick();
    assert.deepEqual(sent, ['findings']);
    clock.advance(1);
    await tick();
    assert.deepEqual(sent, ['findings', 'detailed']);
    assert.equal(clock.pending, 0);
  });

  it('The request queue pauses everything when a second endpoint under the general limit is refused', async () => {
    const { queue, enter, sent } = setup();
    queue.pause(endpoints.findings, 60_000);
    void enter('poll', { route: endpoints.reportUrl });
    await tick();
    assert.deepEqual(sent, ['poll']);
    queue.pause(endpoints.reportUrl, 50_000);
    void enter('full', { route: endpoints.fullReport });
    await tick();
    assert.deepEqual(sent, ['poll']);
  });

  for (const routes of [
    [endpoints.findings, endpoints.detailedReport],
    [endpoints.detailedReport, endpoints.findings],
  ]) {
    it(`The request queue never pauses other endpoints for one with a limit of its own: ${routes[0] ?? ''} first`, async () => {
      const { queue, enter, sent } = setup();
      for (const route of routes) {
        queue.pause(route, 60_000);
      }
      void enter('full', { route: endpoints.fullReport });
      await tick();
      assert.deepEqual(sent, ['full']);
      assert.equal(queue.pausedForMs(), 60_000);
    });
  }

  it('The request queue drops a cancelled call at once: it is never sent and uses no slot', async () => {
    const { clock, ledger, queue, enter, sent } = setup();
    queue.pause(endpoints.findings, 1000);
    const controller = new AbortController();
    void enter('a');
    const cancelled = failure(enter('b', { signal: controller.signal }), CancelledError);
    void enter('c');
    controller.abort();
    await cancelled;
    clock.advance(1000);
    await tick();
    assert.deepEqual([sent, ledger.used()], [['a', 'c'], 2]);
  });

  it('The request queue refuses a call that is cancelled before it enters', async () => {
    const { enter, gated } = setup();
    await failure(enter('x', { signal: AbortSignal.abort() }), CancelledError);
    assert.equal(gated(), 0);
  });

  it('The request queue cancels on dispose also the calls that the gate holds', async () => {
    const clock = new FakeClock();
    const ledger = new Ledger(5000, clock);
    const delayed: (() => void)[] = [];
    const queue = new RequestQueue(ledger, (start) => delayed.push(start), clock);
    const admission = { route: endpoints.findings, priority: 'bulk', isRepeat: false } as const;
    const entered = Array.from({ length: maxInFlight + 1 }, () =>
      failure(
        queue.enter({ ...admission, maxWaitMs: Infinity, signal: undefined, onWait: undefined }),
        CancelledError,
      ),
    );
    queue.dispose();
    await Promise.all(entered);
    assert.equal(delayed.length, maxInFlight);
    for (const start of delayed) {
      start();
    }
    assert.equal(clock.pending, 0);
  });

  it('The request queue frees the place of a call that is cancelled while the gate holds it', async () => {
    const clock = new FakeClock();
    const delayed: (() => void)[] = [];
    const queue = new RequestQueue(new Ledger(5000, clock), (start) => delayed.push(start), clock);
    const controllers = Array.from({ length: maxInFlight + 1 }, () => new AbortController());
    const entered = controllers.map(({ signal }) =>
      queue.enter({
        route: endpoints.findings,
        priority: 'bulk',
        isRepeat: false,
        maxWaitMs: Infinity,
        signal,
        onWait: undefined,
      }),
    );
    assert.equal(delayed.length, maxInFlight);
    const [first, ...others] = entered;
    assert.ok(first);
    const cancelled = failure(first, CancelledError);
    controllers[0]?.abort();
    await cancelled;
    assert.equal(delayed.length, maxInFlight + 1);
    for (const start of delayed) {
      start();
    }
    assert.equal((await Promise.all(others)).length, maxInFlight);
    queue.dispose();
  });

  it('The request queue rejects 100 queued calls on dispose and leaves no timer', async () => {
    const { clock, queue, enter } = setup();
    queue.pause(endpoints.findings, 1000);
    const calls = Array.from({ length: 100 }, () => failure(enter('x'), CancelledError));
    assert.equal(clock.pending, 1);
    queue.dispose();
    await Promise.all(calls);
    assert.equal(clock.pending, 0);
    await failure(enter('late'), CancelledError);
  });

  // How long they take is measured by the benchmark "queue".
  it('The request queue queues 20,000 calls in less than 50 MB, and cancels them', async () => {
    const { queue, enter } = setup();
    queue.pause(endpoints.findings, 1000);
    const controller = new AbortController();
    const before = memoryInUse();
    let rejected = 0;
    const calls = Array.from({ length: 20_000 }, () =>
      enter('x', { signal: controller.signal, priority: 'bulk' }).catch((error: unknown) => {
        assert.ok(error instanceof CancelledError);
        rejected += 1;
      }),
    );
    const bytes = memoryInUse() - before;
    assert.ok(bytes < 50_000_000, `${bytes} bytes`);
    controller.abort();
    await Promise.all(calls);
    assert.equal(rejected, calls.length);
  });

  it('The request queue holds calls beyond the budget until the window frees a place', async () => {
    const { clock, enter, answer, sent, gated } = setup(2);
    const waits: (Wait | undefined)[] = [];
    void enter('1');
    clock.advance(1000);
    void enter('2');
    void enter('3', { onWait: (wait) => waits.push(wait) });
    await tick();
    await answer();
    assert.deepEqual([sent, gated()], [['1', '2'], 2]);
    const until = clock.now() + windowMs - 1000;
    clock.advance(windowMs - 1001);
    await tick();
    assert.equal(sent.length, 2);
    clock.advance(1);
    await tick();
    assert.deepEqual(sent, ['1', '2', '3']);
    assert.deepEqual(waits, [{ reason: 'budget', until }, undefined]);
  });

  it('The request queue refuses a call at once when its wait would exceed its maximum, and says when to retry', async () => {
    const { clock, queue, enter } = setup(1);
    await enter('1');
    const budget = await failure(enter('2', { maxWaitMs: 30_000 }), RateLimitedError);
    assert.equal(budget.retryAt, new Date(clock.now() + windowMs).toISOString());
    assert.equal(clock.pending, 0);

    const other = setup();
    other.queue.pause(endpoints.findings, 30_001);
    const pause = await failure(other.enter('x', { maxWaitMs: 30_000 }), RateLimitedError);
    assert.equal(pause.endpoint, endpoints.findings);
    queue.dispose();
  });

  it('The request queue refuses calls that already wait when a later pause exceeds their maximum wait', async () => {
    const { clock, queue, enter } = setup();
    queue.pause(endpoints.findings, 10_000);
    const call = failure(enter('x', { maxWaitMs: 30_000 }), RateLimitedError);
    clock.advance(9000);
    queue.pause(endpoints.findings, 25_000);
    await call;
  });

  it('The request queue considers the place in the queue: it refuses the third call when only two places become free in time', async () => {
    const { clock, enter } = setup(2);
    await enter('1');
    clock.advance(20_000);
    await enter('2');
    clock.advance(windowMs - 30_000);
    const second = enter('a', { maxWaitMs: 30_000 });
    const third = enter('b', { maxWaitMs: 30_000 });
    await failure(enter('c', { maxWaitMs: 30_000 }), RateLimitedError);
    clock.advance(10_000);
    await second;
    clock.advance(20_000);
    await third;
  });

  it('The request queue never sends more than the limit within any hour, however calls arrive', async () => {
    const limit = 10;
    const { clock, enter, answer, ledger } = setup(limit);
    const times: number[] = [];
    for (let number = 0; number < 40; number += 1) {
      void enter(String(number), { priority: 'bulk' }).then(() => times.push(clock.monotonic()));
    }
    for (let step = 0; step < 400 && times.length < 40; step += 1) {
      await tick();
      await answer();
      clock.advance(120_000);
    }
    assert.equal(times.length, 40);
    for (const [index, time] of times.entries()) {
      const earlier = times[index - limit];
      assert.ok(earlier === undefined || time - earlier >= windowMs);
    }
    assert.ok(ledger.used() <= limit);
  });
});
