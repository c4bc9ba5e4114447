import assert from 'node:assert/strict';
import { ApiClient, type ApiClientOptions } from '../../../src/api/client';
import type { FindingsQuery } from '../../../src/api/types';
import type { JsonObject } from '../../../src/base/json/json';
import type { Logger } from '../../../src/base/logger';
import { FakeClock } from '../../helpers/fakeClock';
import { type FaultServer, startFaultServer } from '../../helpers/faultServer';
import { type Handler, startTestServer, type TestServer } from '../../helpers/testServer';

export const scorecardId = '7d1c4f52-9a3e-4c86-b0f1-2e5a6d8c9b04';

/** A timeout longer than every wait in a test, so that WaitClock can tell timeouts from waits. */
const neverMs = 1e9;

/** A fake clock that lets each wait pass as soon as it starts, and records it. */
export class WaitClock extends FakeClock {
  /** The waits that have passed, in milliseconds. */
  readonly waits: number[] = [];
  private readonly waiting = new Set<{ due: number; delayMs: number }>();

  override setTimeout(callback: () => void, delayMs: number): () => void {
    if (delayMs >= neverMs) {
      return super.setTimeout(callback, delayMs);
    }
    const wait = { due: this.monotonic() + delayMs, delayMs };
    this.waiting.add(wait);
    const cancel = super.setTimeout(() => {
      this.waiting.delete(wait);
      this.waits.push(delayMs);
      callback();
    }, delayMs);
    return () => {
      this.waiting.delete(wait);
      cancel();
    };
  }

  /** Runs until the promise settles; real input and output continue, waits pass at once. */
  async run<T>(promise: Promise<T>): Promise<T> {
    let settled = false as boolean;
    const done = () => {
      settled = true;
    };
    promise.then(done, done);
    for (;;) {
      await tick();
      if (settled) {
        return promise;
      }
      const next = Math.min(...[...this.waiting].map(({ due }) => due));
      if (next !== Infinity) {
        this.advance(next - this.monotonic());
      }
    }
  }
}

/** Lets pending input, output and promises run. */
export function tick(): Promise<void> {
  return new Promise((resolve) => setImmediate(resolve));
}

/** Waits, in real time, until input and output have made a condition true. */
export async function until(condition: () => boolean): Promise<void> {
  while (!condition()) {
    await new Promise((resolve) => setTimeout(resolve, 1));
  }
}

/** Servers and clients of one test, closed together. */
export class Harness {
  readonly logLines: string[] = [];
  private readonly closing: (() => unknown)[] = [];

  /** @param certificate of a server with TLS. */
  async serve(
    handler: Handler,
    certificate?: Parameters<typeof startTestServer>[2],
  ): Promise<TestServer> {
    const server = await startTestServer(handler, 0, certificate);
    this.closing.push(() => server.close());
    return server;
  }

  async serveFaults(): Promise<FaultServer> {
    const server = await startFaultServer();
    this.closing.push(() => server.close());
    return server;
  }

  client(baseUrl: string, options: Partial<ApiClientOptions> = {}): ApiClient {
    const client = new ApiClient({
      baseUrl,
      apiKey: () => 'k1',
      requestsPerHour: 5000,
      requestTimeoutMs: neverMs,
      random: () => 0,
      logger: this.logger(),
      ...options,
    });
    this.closing.push(() => {
      client.dispose();
    });
    return client;
  }

  logger(): Logger {
    const write = (line: string) => {
      this.logLines.push(line);
    };
    return { trace: write, debug: write, info: write, warn: write, error: write };
  }

  async close(): Promise<void> {
    this.logLines.length = 0;
    for (const close of this.closing.splice(0).reverse()) {
      await close();
    }
  }
}

export function query(changes: Partial<FindingsQuery> = {}): FindingsQuery {
  return { scorecardId, issueType: 'open_port', offset: 0, limit: 100, ...changes };
}

/** A page of findings as the service sends it. */
export function page(entries: JsonObject[] = [], changes: JsonObject = {}): JsonObject {
  return { entries, total_count: entries.length, has_more: false, ...changes };
}

/** Asserts that a call fails with a class of error, and returns the error. */
export async function failure<E extends Error>(
  promise: Promise<unknown>,
  expected: abstract new (...args: never[]) => E,
): Promise<E> {
  const outcome: unknown = await promise.then(
    () => 'no error',
    (error: unknown) => error,
  );
  assert.ok(outcome instanceof expected, `expected ${expected.name}, got ${String(outcome)}`);
  return outcome;
}
