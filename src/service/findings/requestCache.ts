import { RateLimitedError, ServerError } from '../../api/http/errors';
import { type SharedOptions, SharedRequest } from '../../api/http/sharedRequest';
import type { CallOptions } from '../../api/types';
import { affectsAll } from './affectsAll';

/** The minimum time between two background requests for a value, in milliseconds. */
const freshMs = 3_600_000;

/** The same after a failure that may pass: not at each redraw. */
const pauseMs = 60_000;

interface Cached<T> {
  dueAt: number;
  /** When the value was requested; absent without a value. */
  requestedAt?: number;
  value: T | undefined;
  request: SharedRequest<T> | undefined;
}

/** Values of the service, by key. A value stays while it is requested again, and if that fails. */
export class RequestCache<T> {
  private readonly cached = new Map<string, Cached<T>>();

  /** @param now wall-clock time in milliseconds since the epoch. */
  constructor(private readonly now: () => number) {}

  get(key: string): T | undefined {
    return this.cached.get(key)?.value;
  }

  /** The value, if it was requested in the last hour. */
  getFresh(key: string): T | undefined {
    const { requestedAt = -Infinity, value } = this.cached.get(key) ?? {};
    return this.now() < requestedAt + freshMs ? value : undefined;
  }

  /** Whether a value was ever requested. */
  has(key: string): boolean {
    return this.cached.has(key);
  }

  /** Whether a value may be requested in the background. */
  isDue(key: string): boolean {
    return this.now() >= (this.cached.get(key)?.dueAt ?? -Infinity);
  }

  set(key: string, value: T): void {
    const requestedAt = this.now();
    this.cached.set(key, { dueAt: requestedAt + freshMs, requestedAt, value, request: undefined });
  }

  /**
   * Requests a value; calls for one that is being requested share the request.
   * @param caller what this call waits with; the request takes the signal and the listener of all.
   */
  load(
    key: string,
    request: (shared: SharedOptions) => Promise<T>,
    caller: Pick<CallOptions, 'signal' | 'onWait'> = {},
  ): Promise<T> {
    const cached = this.cached.get(key) ?? { dueAt: 0, value: undefined, request: undefined };
    this.cached.set(key, cached);
    const shared = (cached.request ??= new SharedRequest(
      (options) => this.requested(cached, () => request(options)),
      () => {
        cached.request = cached.request === shared ? undefined : cached.request;
      },
    ));
    return shared.wait(caller);
  }

  /** A value, requested if that is due. Never rejects: without a response, it is the value of before. */
  async loadIfDue(key: string, request: () => Promise<T>): Promise<T | undefined> {
    try {
      await (this.isDue(key) ? this.load(key, request) : this.cached.get(key)?.request?.wait());
    } catch {
      // It stays as it was.
    }
    return this.get(key);
  }

  private async requested(cached: Cached<T>, request: () => Promise<T>): Promise<T> {
    // Before the response, so that a failure is not repeated again and again.
    const requestedAt = this.now();
    cached.dueAt = requestedAt + freshMs;
    try {
      cached.value = await request();
      cached.requestedAt = requestedAt;
      return cached.value;
    } catch (error) {
      if (affectsAll(error) || error instanceof ServerError) {
        const until = error instanceof RateLimitedError ? Date.parse(error.retryAt) : 0;
        cached.dueAt = Math.max(until, this.now() + pauseMs);
      }
      throw error;
    }
  }
}
