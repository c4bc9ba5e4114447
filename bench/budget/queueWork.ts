import { Response } from 'node-fetch';
import pThrottle from 'p-throttle';
import { ApiClient } from '../../src/api/client';
import { endpoints } from '../../src/api/paths';
import { RequestQueue } from '../../src/api/budget/requestQueue';
import { windowMs, throttleGate } from '../../src/api/budget/ledger';
import { systemClock } from '../../src/base/events/clock';
import { usedUpLedger } from './ledgers';

/** Calls that are queued behind a budget that is used up. */
const queuedCalls = 20_000;

/** The budget, the same for all: otherwise p-throttle would compute delays that are too long for a timer. */
const limit = 5000;

/** A way to queue calls and to cancel them all; nothing is sent. */
interface Queued {
  readonly calls: Promise<unknown>[];
  readonly cancel: () => void;
}

/** Uses up the budget, so that later calls are queued. */
type Prepare = () => Promise<() => Queued>;

/** Our queue: the part of the client that p-throttle is an alternative to. */
const prepareQueue: Prepare = () => {
  const queue = new RequestQueue(usedUpLedger(limit), throttleGate(), systemClock);
  return Promise.resolve(() => {
    const controller = new AbortController();
    const { signal } = controller;
    const entered = { route: endpoints.findings, priority: 'bulk', isRepeat: false } as const;
    return {
      calls: Array.from({ length: queuedCalls }, () =>
        queue.enter({ ...entered, maxWaitMs: Infinity, signal, onWait: undefined }),
      ),
      cancel: () => {
        controller.abort();
      },
    };
  });
};

/** Whole calls of our client, as it makes them when a user loads everything. */
const prepareCalls: Prepare = async () => {
  const client = new ApiClient({
    baseUrl: 'http://127.0.0.1',
    apiKey: () => 'key',
    requestsPerHour: limit,
    requestTimeoutMs: 30_000,
    // Nothing is sent: each request that the budget allows ends at once, and is counted.
    fetch: () => Promise.resolve(new Response('', { status: 404 })),
  });
  const query = { scorecardId: '7d1c4f52-9a3e-4c86-b0f1-2e5a6d8c9b04', issueType: 'open_port' };
  const call = (offset: number, signal?: AbortSignal) =>
    client.findingsPage(
      { ...query, offset, limit: 500 },
      { priority: 'bulk', ...(signal ? { signal } : {}) },
    );
  await Promise.allSettled(Array.from({ length: limit }, (_, number) => call(number)));
  return () => {
    const controller = new AbortController();
    return {
      calls: Array.from({ length: queuedCalls }, (_, number) => call(number, controller.signal)),
      cancel: () => {
        controller.abort();
      },
    };
  };
};

/** p-throttle alone. */
const preparePThrottle: Prepare = async () => {
  const controller = new AbortController();
  const { signal } = controller;
  const throttled = pThrottle({ limit, interval: windowMs, strict: true, signal })(() =>
    Promise.resolve(),
  );
  await Promise.all(Array.from({ length: limit }, () => throttled()));
  return () => ({
    calls: Array.from({ length: queuedCalls }, () => throttled()),
    cancel: () => {
      controller.abort();
    },
  });
};

/** Queues, cancels, and waits until every call has ended. */
export async function queueAndCancel(queue: () => Queued): Promise<void> {
  const { calls, cancel } = queue();
  cancel();
  const outcomes = await Promise.allSettled(calls);
  if (outcomes.some(({ status }) => status === 'fulfilled')) {
    throw new Error('A call got through.');
  }
}

/** What is compared, by name. */
export const preparations = {
  queue: prepareQueue,
  calls: prepareCalls,
  'p-throttle': preparePThrottle,
} as const;
