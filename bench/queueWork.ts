import { Response } from 'node-fetch';
import pThrottle from 'p-throttle';
import { ApiClient } from '../src/api/client';
import { windowMs } from '../src/api/rollingWindow';

/** Calls that are queued behind a budget that is used up. */
export const queuedCalls = 20_000;

/** The budget; the same for both, or p-throttle would count its delays beyond what a timer holds. */
const limit = 5000;

/** A way to queue calls and to cancel them all; nothing is sent. */
export interface Queued {
  readonly calls: Promise<unknown>[];
  readonly cancel: () => void;
}

/** Uses the budget up; what comes then is queued. */
export type Prepare = () => Promise<() => Queued>;

/** Whole calls of our client, as somebody who loads everything makes them. */
export const prepareOurs: Prepare = async () => {
  const client = new ApiClient({
    baseUrl: 'http://127.0.0.1',
    apiKey: () => 'key',
    requestsPerHour: limit,
    requestTimeoutMs: 30_000,
    // Nothing is on the wire: each request that the budget allows ends at once, and is counted.
    fetch: () => Promise.resolve(new Response('', { status: 404 })),
  });
  const query = { scorecardId: 'ed270fb8-61e7-5450-a0bc-e7402f16aa52', issueType: 'open_port' };
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
export const preparePThrottle: Prepare = async () => {
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
