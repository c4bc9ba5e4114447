import type nodeFetch from 'node-fetch';
import type { Clock } from '../../base/clock';
import { longestTimerMs } from '../../base/delay';
import { failureOf } from './failures';
import { HttpResponse, type LimitBody } from './httpResponse';
import { CancelledError, TimeoutError } from './errors';
import { linkSignals } from './linkSignals';
import { onAbort } from './onAbort';
import { WaitTimer } from './waitTimer';

/** The shape of node-fetch, which is replaced in tests that need no wire. */
export type Fetch = typeof nodeFetch;

/** One request on the wire: one hop of one attempt. */
export interface OutgoingRequest {
  method: 'GET' | 'POST';
  url: URL;
  headers: Record<string, string>;
  body: string | undefined;
}

export interface SendOptions {
  fetch: Fetch;
  clock: Clock;
  /** The longest the service may take for the headers, and between two pieces of the body. */
  timeoutMs: number;
  /** Whatever ends the call; each abort is a CancelledError. */
  signals: readonly (AbortSignal | undefined)[];
}

/**
 * Sends one request and resolves with its response, whatever its status, once the headers are here.
 * Redirects are not followed: each hop is a request of its own, which the queue has to count.
 *
 * node-fetch stands on node:http and node:https, which VS Code patches for proxies and the
 * certificates of the system; an agent of our own would step around both.
 *
 * @throws NetworkError, TimeoutError, CancelledError, ProtocolError (no HTTP answer)
 */
export async function send(request: OutgoingRequest, options: SendOptions): Promise<HttpResponse> {
  const { clock, timeoutMs } = options;
  const { host } = request.url;
  const controller = linkSignals(options.signals, () => new CancelledError());
  const timer = new WaitTimer(clock, timeoutMs, () => {
    controller.abort(new TimeoutError(host, timeoutMs));
  });
  onAbort(controller.signal, () => {
    timer.stop();
  });
  const limitBody: LimitBody = (timeouts) => {
    const limitMs = Math.min(timeouts * timeoutMs, longestTimerMs);
    return clock.setTimeout(() => {
      controller.abort(new TimeoutError(host, limitMs, 'whole'));
    }, limitMs);
  };
  timer.begin();
  try {
    controller.signal.throwIfAborted();
    const response = await options.fetch(request.url.href, {
      method: request.method,
      headers: request.headers,
      ...(request.body === undefined ? {} : { body: request.body }),
      redirect: 'manual',
      // Decoding is ours: node-fetch would take a gzip stream that was cut for a complete one.
      compress: false,
      signal: controller.signal,
    });
    return new HttpResponse(response, request.url, controller, timer, limitBody);
  } catch (error) {
    controller.unlink();
    throw controller.signal.aborted ? (controller.signal.reason as Error) : failureOf(error, host);
  } finally {
    timer.stop();
  }
}
