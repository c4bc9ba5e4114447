import assert from 'node:assert/strict';
import * as fs from 'node:fs';
import * as os from 'node:os';
import * as path from 'node:path';
import { CancelledError } from '../../../../src/base/cancelledError';
import { RateLimitedError } from '../../../../src/api/http/errors';
import { endpoints } from '../../../../src/api/paths';
import {
  type Admission,
  maxInFlight,
  RequestQueue,
  type Slot,
} from '../../../../src/api/budget/requestQueue';
import { windowMs } from '../../../../src/api/budget/ledger';
import { marginMs, SharedLedger } from '../../../../src/api/budget/sharedLedger';
import { FileLock } from '../../../../src/files/fileLock';
import { localProcesses } from '../../../../src/files/processes';
import { silentLogger } from '../../../../src/base/logger';
import { FakeClock } from '../../../helpers/fakeClock';
import { failure, tick } from '../support';

describe('The queues of windows that share a ledger', () => {
  let root: string;
  let clock: FakeClock;
  let ledgers: SharedLedger[];
  /** What was sent, by which window, and when. */
  let sent: { window: number; name: string; at: number }[];

  beforeEach(() => {
    root = fs.mkdtempSync(path.join(os.tmpdir(), 'queues-'));
    clock = new FakeClock();
    ledgers = [];
    sent = [];
  });
  afterEach(() => {
    fs.rmSync(root, { recursive: true, force: true });
  });

  function window(limit = 5000) {
    const number = ledgers.length;
    const folder = path.join(root, 'key');
    const ledger = new SharedLedger({ folder, limit, clock, logger: silentLogger });
    ledgers.push(ledger);
    const pass = (start: () => void) => {
      start();
    };
    const queue = new RequestQueue(ledger, pass, clock);
    const slots: Slot[] = [];
    const enter = (name: string, changes: Partial<Admission> = {}) =>
      queue
        .enter({
          route: endpoints.findings,
          priority: 'bulk',
          isRepeat: false,
          maxWaitMs: Infinity,
          signal: new AbortController().signal,
          onWait: undefined,
          ...changes,
        })
        .then((slot) => {
          sent.push({ window: number, name, at: clock.monotonic() });
          slots.push(slot);
        });
    const answer = async () => {
      for (const slot of slots.splice(0)) {
        slot.release();
      }
      await tick();
    };
    return { ledger, queue, enter, answer };
  }

  /** Advances time in small steps. Every response arrives at once. */
  async function pass(ms: number, windows: { answer: () => Promise<void> }[], stepMs = 50) {
    for (let passed = 0; passed < ms; passed += stepMs) {
      clock.advance(stepMs);
      await tick();
      for (const { answer } of windows) {
        await answer();
      }
    }
  }

  it('The queues of windows that share a ledger send the waiting calls of both windows when a pause that one window received ends', async () => {
    const windows = [window(), window()];
    const [one, two] = windows as [(typeof windows)[0], (typeof windows)[0]];
    one.queue.pause(endpoints.findings, 20_000);
    const pausedUntil = clock.monotonic() + 20_000;
    const calls = windows.flatMap(({ enter }) =>
      Array.from({ length: 20 }, (_, number) => enter(String(number))),
    );
    await pass(30_000, windows);
    await Promise.all(calls);
    assert.equal(sent.length, 40);
    const first = sent.slice(0, 2 * maxInFlight);
    assert.ok(first.every(({ at }) => at === pausedUntil));
    assert.deepEqual(new Set(first.map(({ window: number }) => number)), new Set([0, 1]));
    one.ledger.refresh();
    two.ledger.refresh();
    assert.deepEqual([one.ledger.used(), two.ledger.used(), clock.pending], [40, 40, 0]);
  });

  it('The queues of windows that share a ledger wait longer when another window prolongs the pause meanwhile', async () => {
    const [one, two] = [window(), window()];
    one.queue.pause(endpoints.findings, 10_000);
    const call = two.enter('x');
    clock.advance(5000);
    one.queue.pause(endpoints.findings, 10_000);
    clock.advance(9999);
    await tick();
    assert.deepEqual(sent, []);
    clock.advance(1);
    await call;
    assert.equal(sent.length, 1);
  });

  it('The queues of windows that share a ledger check before they send whether another window was paused meanwhile', async () => {
    const [one, two] = [window(), window()];
    const first = Array.from({ length: maxInFlight }, (_, number) => two.enter(String(number)));
    await Promise.all(first);
    const next = two.enter('next');
    const impatient = failure(two.enter('impatient', { maxWaitMs: 5000 }), RateLimitedError);
    one.queue.pause(endpoints.findings, 10_000);
    await two.answer();
    await impatient;
    assert.equal(sent.length, maxInFlight);
    clock.advance(10_000);
    await next;
  });

  it('The queues of windows that share a ledger send as soon as another window has unlocked the ledger, and report no wait', async () => {
    const one = window();
    await one.enter('first');
    const times = { heartbeatMs: 1_000, goneMs: 2_500, silentMs: 10_000 };
    const lock = new FileLock(path.join(root, 'key', 'lock'), {
      clock,
      processes: localProcesses,
      times,
    });
    assert.ok(lock.tryAcquire());
    const waits: unknown[] = [];
    const second = one.enter('second', { onWait: (wait) => waits.push(wait), maxWaitMs: 1 });
    await pass(5_000, [one]);
    assert.equal(sent.length, 1);
    lock.release();
    await pass(10, [one], 1);
    await second;
    assert.deepEqual(waits, []);
    assert.equal(clock.pending, 0);
  });

  for (const [where, machine, ms] of [
    ['here', localProcesses.machine, 10],
    ['on another machine', 'there', 4_000],
  ] as const) {
    it(`The queues of windows that share a ledger send although a window has ended in the moment in which it had locked the ledger (${where})`, async () => {
      const one = window();
      await one.enter('first');
      const left = path.join(root, 'key', 'lock', `999999999@${machine} 0123456789ab`);
      fs.mkdirSync(left, { recursive: true });
      void one.enter('second');
      await pass(ms, [one], 10);
      assert.equal(sent.length, 2);
      assert.equal(fs.existsSync(left), false);
    });
  }

  it('The queues of windows that share a ledger leave no record of a cancelled call', async () => {
    const [one, two] = [window(1), window(1)];
    one.queue.pause(endpoints.findings, 1000);
    const controller = new AbortController();
    const cancelled = failure(one.enter('x', { signal: controller.signal }), CancelledError);
    controller.abort();
    await cancelled;
    clock.advance(1000);
    await two.enter('y');
    assert.deepEqual([sent.length, two.ledger.used()], [1, 1]);
  });

  it('The queues of windows that share a ledger hold bulk calls while interactive calls use the places that the hour frees', async () => {
    const windows = [window(2), window(2)];
    const [one, two] = windows as [(typeof windows)[0], (typeof windows)[0]];
    await Promise.all([one.enter('a'), two.enter('b', { route: endpoints.reportUrl })]);
    const bulk = [one.enter('bulk'), one.enter('bulk')];
    const interactive = one.enter('interactive', { priority: 'interactive' });
    await one.answer();
    await two.answer();
    clock.advance(windowMs + marginMs);
    await interactive;
    await bulk[0];
    assert.deepEqual(
      sent.slice(2).map(({ name }) => name),
      ['interactive', 'bulk'],
    );
    await one.answer();
    clock.advance(windowMs + marginMs);
    await Promise.all(bulk);
    assert.equal(clock.pending, 0);
  });

  for (const hours of [-2, 2]) {
    it(`The queues of windows that share a ledger neither stall nor burst when the system time jumps by ${hours} h`, async () => {
      const windows = [window(2), window(2)];
      const [one, two] = windows as [(typeof windows)[0], (typeof windows)[0]];
      await Promise.all([one.enter('a'), two.enter('b')]);
      const waiting = [one.enter('c'), two.enter('d')];
      clock.advance(1_800_000);
      clock.jump(hours * 3_600_000);
      clock.advance(1_800_000 + marginMs - 1);
      await tick();
      assert.equal(sent.length, 2);
      clock.advance(1);
      await Promise.all(waiting);
      assert.equal(sent.length, 4);
    });
  }
});
