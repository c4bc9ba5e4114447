import type { HttpResponse } from './httpResponse';
import type { Route } from '../paths';
import type { Hop } from './redirect';
import type { Operation } from './retryPolicy';
import type { CallOptions } from '../types';

/** How long an interactive call waits for the service's limit unless it says so, in milliseconds. */
const interactiveWaitMs = 30_000;

/** One call: what is sent and how its answer is read. */
export interface Call<T> {
  operation: Operation;
  /** The endpoint, while the call is at the service's own origin. */
  route: Route;
  /** Makes the request anew: thousands of calls may wait, and a URL is the largest part of each. */
  request: () => Hop;
  acceptEncoding: string;
  /** Further headers; each hop gets them, so nothing secret belongs here. */
  headers?: Record<string, string>;
  /** Whether an answer is for `receive`; where absent, one with a status of success. */
  accepts?: (response: HttpResponse) => boolean;
  receive: (response: HttpResponse) => Promise<T>;
}

/** A call on its way. */
export interface Progress {
  readonly options: CallOptions;
  /** What is left of the time that the call may wait for limits, in milliseconds. */
  patienceMs: number;
  /** The endpoint that is asked, or was asked last; after a redirect it is another. */
  route: Route;
  /** How often the request was sent, not counting redirects. */
  attempts: number;
  /** Failures by the service's limit, and others: each kind has its own growing wait. */
  limits: number;
  failures: number;
}

/** The progress of a call that begins. */
export function begin(call: Call<unknown>, options: CallOptions): Progress {
  return {
    options,
    patienceMs: options.maxWaitMs ?? (options.priority === 'bulk' ? Infinity : interactiveWaitMs),
    route: call.route,
    attempts: 0,
    limits: 0,
    failures: 0,
  };
}
