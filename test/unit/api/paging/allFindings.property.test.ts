import assert from 'node:assert/strict';
import { inspect } from 'node:util';
import { Response } from 'node-fetch';
import { allFindings } from '../../../../src/api/paging/allFindings';
import { ApiClient } from '../../../../src/api/client';
import { CancelledError } from '../../../../src/base/cancelledError';
import { ApiError } from '../../../../src/api/http/errors';
import { onAbort } from '../../../../src/api/http/signals';
import type { Fetch } from '../../../../src/api/http/transport';
import { delay } from '../../../../src/base/events/clock';
import { fc } from '../../../helpers/property';
import { page, query, WaitClock } from '../support';

/** Faults of a request for a page. */
const recoverable = ['429', '500', 'reset'] as const;
const final = ['401', 'garbled', 'otherPage'] as const;

/** One service, one consumer, and everything that happens between them. */
const scenario = fc.record({
  length: fc.integer({ min: 0, max: 60 }),
  limit: fc.integer({ min: 1, max: 20 }),
  start: fc.integer({ min: 0, max: 30 }),
  concurrency: fc.integer({ min: 1, max: 8 }),
  /** The error of the count, by request; `null` sends no count. */
  lies: fc.array(fc.oneof(fc.integer({ min: -40, max: 400 }), fc.constant(null)), { maxLength: 6 }),
  /** After which requests the list loses its first entry, or gains one. */
  shifts: fc.array(fc.constantFrom(-1, 0, 0, 0, 1), { maxLength: 12 }),
  /** The fault of the first request, by page. */
  faults: fc.array(
    fc.oneof(
      { weight: 4, arbitrary: fc.constant(undefined) },
      fc.constantFrom(...recoverable, ...final),
    ),
    { maxLength: 12 },
  ),
  latencies: fc.array(fc.integer({ min: 0, max: 300 }), { minLength: 1, maxLength: 7 }),
  /** Milliseconds after which the signal aborts. */
  cancelAt: fc.option(fc.integer({ min: 0, max: 3000 }), { freq: 3, nil: undefined }),
  /** Milliseconds that the consumer needs for a page. */
  pauses: fc.array(fc.integer({ min: 0, max: 600 }), { minLength: 1, maxLength: 5 }),
});

type Scenario = typeof scenario extends fc.Arbitrary<infer T> ? T : never;

/** A transport that serves one list and records what it served. */
class FakeService {
  /** The entries of the successful response for an offset. */
  readonly served = new Map<number, unknown[]>();
  readonly moreAfter = new Map<number, boolean>();
  requests = 0;
  inFlight = 0;
  maxInFlight = 0;
  private readonly entries: unknown[];
  private readonly faulty = new Set<number>();
  private born: number;

  constructor(
    private readonly plan: Scenario,
    private readonly clock: WaitClock,
  ) {
    this.born = plan.length;
    this.entries = Array.from({ length: plan.length }, (_, number) => ({ number }));
  }

  readonly fetch = (async (url, init) => {
    const { latencies } = this.plan;
    const number = this.requests;
    this.requests += 1;
    this.inFlight += 1;
    this.maxInFlight = Math.max(this.maxInFlight, this.inFlight);
    const controller = new AbortController();
    const unlink = onAbort(init?.signal as AbortSignal, () => {
      controller.abort(new Error('aborted'));
    });
    try {
      const offset = Number(new URL(url as string).searchParams.get('offset'));
      await delay(latencies[number % latencies.length] ?? 0, this.clock, controller.signal);
      return this.answer(number, offset);
    } finally {
      unlink();
      this.inFlight -= 1;
    }
  }) as Fetch;

  private answer(number: number, offset: number): Response {
    const { limit, start, faults, lies } = this.plan;
    const fault = faults[(offset - start) / limit];
    if (fault !== undefined && !this.faulty.has(offset)) {
      this.faulty.add(offset);
      switch (fault) {
        case '429':
          return new Response('', { status: 429, headers: { 'Retry-After': '1' } });
        case '500':
        case '401':
          return new Response('', { status: Number(fault) });
        case 'garbled':
          return new Response('{"entries":[');
        case 'otherPage':
          return new Response(JSON.stringify(page([], { offset: offset + 1, limit })));
        case 'reset':
          throw Object.assign(new Error('reset'), { code: 'ECONNRESET' });
      }
    }
    this.shift(this.plan.shifts[number]);
    const entries = this.entries.slice(offset, offset + limit);
    const hasMore = offset + limit < this.entries.length;
    const lie = number < lies.length ? lies[number] : 0;
    const count = { total_count: Math.max(0, this.entries.length + (lie ?? 0)) };
    this.served.set(offset, entries);
    this.moreAfter.set(offset, hasMore);
    return new Response(
      JSON.stringify({ entries, has_more: hasMore, offset, limit, ...(lie === null ? {} : count) }),
    );
  }

  private shift(by: number | undefined): void {
    if (by === -1) {
      this.entries.shift();
    } else if (by === 1) {
      this.entries.unshift({ number: (this.born += 1) });
    }
  }
}

/** Runs a scenario and compares what was delivered with what was served. */
async function check(plan: Scenario): Promise<void> {
  const { limit, start, concurrency, pauses, cancelAt } = plan;
  const clock = new WaitClock();
  const controller = new AbortController();
  const { signal } = controller;
  if (cancelAt !== undefined) {
    clock.setTimeout(() => {
      controller.abort();
    }, cancelAt);
  }
  const service = new FakeService(plan, clock);
  const client = new ApiClient({
    baseUrl: 'http://127.0.0.1',
    apiKey: () => 'k1',
    requestsPerHour: 5000,
    requestTimeoutMs: 1e9,
    random: () => 0,
    clock,
    fetch: service.fetch,
  });
  const offsets: number[] = [];
  let error: unknown;
  await clock.run(
    (async () => {
      try {
        const all = query({ offset: start, limit });
        const pages = allFindings(client, all, { concurrency, signal });
        for await (const { offset, entries } of pages) {
          assert.deepEqual(entries, service.served.get(offset), 'entries as they were served');
          offsets.push(offset);
          await delay(pauses[offsets.length % pauses.length] ?? 0, clock);
          const ahead = [...service.served.keys()].filter((other) => other > offset).length;
          assert.ok(ahead + service.inFlight <= concurrency, 'held by a slow consumer');
        }
      } catch (thrown) {
        error = thrown;
      }
    })(),
  );
  assert.equal(service.inFlight, 0, 'nothing is left on its way');
  client.dispose();
  judge(plan, service, offsets, error);
}

function judge(plan: Scenario, service: FakeService, offsets: number[], error: unknown): void {
  const { limit, start, faults, lies, shifts, concurrency, cancelAt } = plan;
  const fault = faults[offsets.length];
  assert.deepEqual(
    offsets,
    offsets.map((_, index) => start + index * limit),
    'every page, once, in order',
  );
  assert.ok(service.maxInFlight <= Math.min(concurrency, 6), 'bounded on the wire');
  const isFinal = (fault: string | undefined) => final.some((name) => name === fault);
  if (error !== undefined) {
    const isCancelled = error instanceof CancelledError;
    assert.ok(isCancelled || error instanceof ApiError, inspect(error));
    const isDue = isCancelled ? cancelAt !== undefined : isFinal(fault);
    assert.ok(isDue, 'only what cannot be repeated ends it');
  } else {
    const more = offsets.map((offset) => service.moreAfter.get(offset));
    assert.deepEqual(more, [...offsets.slice(1).map(() => true), false], 'has_more alone ends it');
    const isHonest = lies.every((lie) => lie === 0) && shifts.every((by) => by === 0);
    if (isHonest && faults.every((met) => met === undefined)) {
      assert.equal(service.requests, offsets.length, 'as many requests as pages');
    }
  }
}

describe('All findings, for any behavior of the service and the consumer,', () => {
  it('All findings, for any behavior of the service and the consumer, are delivered once and in order, or end with an error where they stop', () =>
    fc.assert(fc.asyncProperty(scenario, check)));

  it('All findings, for any behavior of the service and the consumer, cost one request per page when the total count is right', () =>
    fc.assert(
      fc.asyncProperty(scenario, (plan) =>
        check({ ...plan, lies: [], faults: [], shifts: [], cancelAt: undefined }),
      ),
    ));
});
