import { defined } from '../../base/defined';
import { type Clock, delay } from '../../base/events/clock';
import type { Logger } from '../../base/logger';
import { normalizeApiKey } from '../http/apiKey';
import { message } from '../../base/message';
import { CancelledError } from '../../base/cancelledError';
import { ApiError, ProtocolError, RateLimitedError } from '../http/errors';
import { readErrorBody } from '../http/errorBody';
import { responseError } from '../http/failures';
import { type Fetch, type HttpResponse, send } from '../http/transport';
import { linkSignals } from '../http/signals';
import { longestPauseMs, windowMs } from '../budget/ledger';
import { Redactor } from '../http/redact';
import { type Hop, isRedirect, nextHop, checkRedirects } from '../http/addresses';
import type { RequestQueue, Slot } from '../budget/requestQueue';
import { parseRetryAfter } from '../http/waits';
import { decideRetry, type Operation } from './retryPolicy';
import type { CallOptions, Wait } from '../types';

/** How long an interactive call waits for the service's limit by default, in milliseconds. */
const interactiveWaitMs = 30_000;

/** One call: what is sent and how its response is read. */
interface Call<T> {
  operation: Operation;
  /** The endpoint, while the call is at the service's own origin; see findEndpoint. */
  route: string;
  /** Whether the request is sent without the API key, even to the service's own origin. */
  keyless?: true;
  /**
   * Creates the request again for each use: thousands of calls may wait, and a stored URL would be the
   * largest part of each.
   */
  request: () => Hop;
  acceptEncoding: string;
  /** Additional headers. They are sent with each hop, so they must not contain secrets. */
  headers?: Record<string, string>;
  /** Whether `receive` handles a response. Default: a response with a success status. */
  accepts?: (response: HttpResponse) => boolean;
  /** A redirect to the same address that names a time to wait (Retry-After) is no redirect: `receive` handles it. */
  isPoll?: true;
  receive: (response: HttpResponse) => Promise<T>;
  /** Whether a result shows that the service accepts the key. Without it, the call shows nothing about the key. */
  provesKey?(result: T): boolean;
}

interface Progress {
  readonly options: CallOptions;
  /** How long the call may still wait, in milliseconds. */
  patienceMs: number;
  /** The endpoint of the current or last request; a redirect changes it. */
  route: string;
  /** How often the request was sent, not counting redirects. */
  attempts: number;
  /** Whether a redirect was followed. */
  isRedirected: boolean;
  /** Failures because of the service's limit, and other failures: each kind has its own growing wait. */
  limits: number;
  failures: number;
}

/** See ApiClientOptions. */
interface CallerOptions {
  base: URL;
  apiKey: () => string;
  requestTimeoutMs: () => number;
  queue: RequestQueue;
  clock: Clock;
  random: () => number;
  logger: Logger;
  fetch: Fetch;
  /** See ApiClientOptions. */
  onKeyUsed: (failure?: ApiError) => void;
  /** For the log: how many requests are left in the window. */
  remaining: () => number;
}

interface Permit {
  readonly slot: Slot;
  /** Whether the request carries the key. */
  readonly keyed: boolean;
}

/** Makes calls: queues them, sends them, follows redirects, and retries. */
export class Caller {
  private readonly redactor = new Redactor();
  private readonly disposal = new AbortController();

  constructor(private readonly context: CallerOptions) {}

  /**
   * Makes one call. Every request goes through here. Not an async function: the suspended frames of one
   * would be most of the memory of a waiting call. So the async part starts when the call leaves the queue.
   */
  request<T>(call: Call<T>, options: CallOptions): Promise<T> {
    const { maxWaitMs, priority } = options;
    const progress: Progress = {
      options,
      patienceMs: maxWaitMs ?? (priority === 'bulk' ? Infinity : interactiveWaitMs),
      route: call.route,
      attempts: 0,
      isRedirected: false,
      limits: 0,
      failures: 0,
    };
    return this.enterQueue(call.request(), call, progress).then(
      (permit) => this.run(call, progress, permit),
      async (error: unknown) => {
        await this.recover(call, progress, error);
        return this.run(call, progress);
      },
    );
  }

  /** See Redactor. */
  redact(text: string): string {
    return this.redactor.redact(text);
  }

  /**
   * Refuses an address of the service that contains the API key. Addresses are stored, and sent to other
   * hosts; a host name even in plain text (DNS).
   * @throws ProtocolError
   */
  refuseSecret(url: URL): void {
    try {
      this.authorization();
    } catch {
      // An invalid key is never sent.
    }
    if (this.redactor.hasSecret(url.href)) {
      throw new ProtocolError(message('The service sent an address with the API key in it.'));
    }
  }

  /** Ends every call, and every body that is still on the wire, with CancelledError. */
  dispose(): void {
    this.disposal.abort();
  }

  private async run<T>(call: Call<T>, progress: Progress, first?: Permit): Promise<T> {
    for (let permit = first; ; permit = undefined) {
      try {
        permit ??= await this.enterQueue(call.request(), call, progress);
        const result = await this.attempt(call, progress, permit);
        if (call.provesKey?.(result)) {
          this.tellKeyUsed();
        }
        return result;
      } catch (error) {
        await this.recover(call, progress, error);
      }
    }
  }

  /** Sends the request and follows its redirects; each hop passes the queue and is counted. */
  private async attempt<T>(call: Call<T>, progress: Progress, first: Permit): Promise<T> {
    const before: Hop[] = [];
    for (let permit = first, hop = call.request(); ;) {
      let waitMs = 0;
      try {
        const response = await this.exchange(hop, permit, call, progress);
        const isAnswer = !isRedirect(response.status) || (call.isPoll && asksToWait(response));
        if (isAnswer) {
          return await this.receive(call, response, progress.route);
        }
        progress.isRedirected = true;
        await response.drain();
        before.push(hop);
        const location = response.headers.get('location');
        hop = nextHop(hop, response.status, location, this.context.base);
        this.refuseSecret(hop.url);
        checkRedirects(before, hop);
        waitMs = parseRetryAfter(response.headers, this.context.clock.now()) ?? 0;
      } finally {
        permit.slot.release();
      }
      await this.awaitTarget(waitMs, progress);
      permit = await this.enterQueue(hop, call, progress, permit);
    }
  }

  /**
   * Waits as long as a redirect says before the request to its target (RFC 9110 section 10.2.3).
   * @throws RateLimitedError if that is longer than the call may wait, or than a day; CancelledError
   */
  private async awaitTarget(waitMs: number, progress: Progress): Promise<void> {
    if (waitMs === 0) {
      return;
    }
    const until = this.context.clock.now() + waitMs;
    if (waitMs > Math.min(progress.patienceMs, longestPauseMs)) {
      throw new RateLimitedError(until);
    }
    await this.wait(waitMs, { reason: 'limit', until, isRedirected: true }, progress);
  }

  /** A wait of this call alone. @throws CancelledError */
  private async wait(waitMs: number, told: Wait, progress: Progress): Promise<void> {
    progress.patienceMs -= waitMs;
    progress.options.onWait?.(told);
    const link = linkSignals(this.signalsOf(progress));
    try {
      await delay(waitMs, this.context.clock, link.signal);
    } catch {
      throw new CancelledError();
    } finally {
      link.unlink();
    }
    progress.options.onWait?.(undefined);
  }

  /**
   * Waits until the queue lets a request through.
   * @param before the permit of the request that was redirected to this one.
   */
  private enterQueue(
    { method, url }: Hop,
    call: Call<unknown>,
    progress: Progress,
    before?: Permit,
  ): Promise<Permit> {
    const { options } = progress;
    const isServiceOrigin = this.isServiceOrigin(url);
    // After a redirect has left the service's origin, the key is no longer sent, even if a later
    // redirect leads back: another host must not choose what is requested with our key.
    const keyed = isServiceOrigin && !call.keyless && before?.keyed !== false;
    try {
      // An invalid key must not use up a request of the budget. This call also makes the redactor mask the
      // key, even if the key is not sent.
      this.authorization();
    } catch (error) {
      if (keyed) {
        return Promise.reject(error instanceof Error ? error : new Error(String(error)));
      }
    }
    progress.route = isServiceOrigin ? call.route : `${method} ${url.origin}`;
    return this.context.queue
      .enter({
        route: progress.route,
        priority: options.priority ?? 'interactive',
        isRepeat: before !== undefined || progress.attempts > 0,
        maxWaitMs: progress.patienceMs,
        signal: options.signal,
        onWait: before
          ? (wait) => options.onWait?.(wait && { ...wait, isRedirected: true })
          : options.onWait,
      })
      .then((slot) => {
        progress.patienceMs -= slot.waitedMs;
        progress.attempts += before ? 0 : 1;
        return { slot, keyed };
      });
  }

  /** Resolves with the headers. */
  private async exchange(
    hop: Hop,
    { keyed }: Pick<Permit, 'keyed'>,
    call: Call<unknown>,
    progress: Progress,
  ): Promise<HttpResponse> {
    const { clock, fetch, requestTimeoutMs } = this.context;
    const startedAt = clock.monotonic();
    const log = (level: 'info' | 'debug', outcome: string) => {
      const milliseconds = Math.round(clock.monotonic() - startedAt);
      const line = `${progress.route} -> ${outcome} (${milliseconds} ms, attempt ${progress.attempts}, ${this.context.remaining()} requests left)`;
      this.context.logger[level](this.redactor.redact(line));
    };
    try {
      const headers: Record<string, string> = {
        Accept: '*/*',
        'Accept-Encoding': call.acceptEncoding,
        'User-Agent': 'scorecard-explorer',
        ...call.headers,
        ...(keyed ? { Authorization: this.authorization() } : {}),
        ...(hop.body === undefined ? {} : { 'Content-Type': 'application/json' }),
      };
      const response = await send(
        { ...hop, headers },
        {
          fetch,
          clock,
          timeoutMs: requestTimeoutMs(),
          signals: this.signalsOf(progress),
        },
      );
      log(response.status >= 400 ? 'info' : 'debug', String(response.status));
      return response;
    } catch (error) {
      const isOwn = error instanceof ApiError || error instanceof CancelledError;
      log('info', isOwn ? error.message.replace(/\.$/, '') : 'failed');
      throw error;
    }
  }

  private async receive<T>(call: Call<T>, response: HttpResponse, route: string): Promise<T> {
    try {
      if (call.accepts?.(response) ?? response.ok) {
        return await call.receive(response);
      }
      const now = this.context.clock.now();
      throw responseError({
        ...(await readErrorBody(response, this.redactor)),
        endpoint: route,
        status: response.status,
        statusText: this.redactor.redact(response.statusText),
        retryAfterMs: parseRetryAfter(response.headers, now),
        isForeign: !this.isServiceOrigin(response.url),
        now,
      });
    } catch (error) {
      response.cancel();
      throw error;
    }
  }

  /**
   * Decides what follows a failure. Resolves when the call may be tried again, and throws if the failure is
   * final. It waits only for the call's own back-off. If the service ordered a wait, the queue makes all
   * calls to that endpoint wait.
   */
  private async recover(call: Call<unknown>, progress: Progress, error: unknown): Promise<void> {
    if (error instanceof CancelledError) {
      // A new error for each call, because the queue shares one among all calls with the same signal.
      throw new CancelledError();
    }
    if (!(error instanceof ApiError)) {
      throw error;
    }
    error.isRedirected = progress.isRedirected;
    const { clock, queue, random } = this.context;
    const attempt = error.code === 'rateLimited' ? ++progress.limits : ++progress.failures;
    const { priority, attemptsIfTooLarge } = progress.options;
    const decision = decideRetry({
      ...defined({ priority, attemptsIfTooLarge }),
      operation: call.operation,
      failure: error,
      attempt,
      random: random(),
    });
    if (decision.type === 'stop') {
      if (error.status === 429) {
        const retryAfterMs = error.retryAfterMs ?? 0;
        // An absurdly long wait is replaced by one window (an hour): all requests counted now have left it
        // by then.
        queue.pause(progress.route, retryAfterMs > longestPauseMs ? windowMs : retryAfterMs);
      }
      throw this.finalError(error, call, progress);
    }
    const { type, waitMs } = decision;
    if (type === 'limit') {
      queue.pause(progress.route, Math.min(waitMs, longestPauseMs));
    }
    const until = clock.now() + waitMs;
    if (waitMs > progress.patienceMs) {
      throw this.finalError(
        type === 'limit' ? new RateLimitedError(until, error) : error,
        call,
        progress,
      );
    }
    const seconds = (waitMs / 1000).toFixed(1);
    this.context.logger.info(`${progress.route}: again in ${seconds} s (${type})`);
    if (type === 'retry') {
      await this.wait(waitMs, { reason: 'retry', until }, progress);
    }
  }

  /** Whoever listens must not fail the call, whose answer may be the only one. */
  private tellKeyUsed(failure?: ApiError): void {
    try {
      this.context.onKeyUsed(failure);
    } catch (error) {
      const line = `What a key is worth could not be told: ${String(error)}`;
      this.context.logger.error(this.redactor.redact(line));
    }
  }

  /** Adds the endpoint and the number of attempts to an error, and masks secrets in it. */
  private finalError(error: ApiError, call: Call<unknown>, progress: Progress): ApiError {
    if (call.provesKey) {
      this.tellKeyUsed(error);
    }
    error.endpoint ??= progress.route;
    error.attempts = progress.attempts;
    const message = this.redactor.redact(error.message);
    if (message !== error.message) {
      error.message = message;
      error.stack = this.redactor.redact(error.stack ?? '');
    }
    return error;
  }

  private signalsOf({ options }: Progress): readonly (AbortSignal | undefined)[] {
    return [options.signal, this.disposal.signal];
  }

  private isServiceOrigin(url: URL): boolean {
    return url.origin === this.context.base.origin;
  }

  private authorization(): string {
    const key = normalizeApiKey(this.context.apiKey());
    this.redactor.addSecret(key);
    return `Token ${key}`;
  }
}

/** Whether a response redirects to where it came from, later. */
function asksToWait({ url, headers }: HttpResponse): boolean {
  const location = headers.get('location') ?? '';
  return (
    headers.has('retry-after') &&
    URL.canParse(location, url.href) &&
    new URL(location, url).href === url.href
  );
}
