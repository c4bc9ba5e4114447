import type { Clock } from '../../base/clock';

/** The longest pause of an endpoint, in milliseconds. A longer one is treated as a refusal. */
export const longestPauseMs = 24 * 3_600_000;

/** A pause that the service has ordered for an endpoint. */
export interface Pause {
  /** See endpointId. */
  readonly endpoint: number;
  /** See Route. */
  readonly ownLimit: boolean;
  /** When it was said, on the clock that only goes forward, in milliseconds. */
  readonly at: number;
  /** For how long, in milliseconds. */
  readonly ms: number;
}

/**
 * The pauses that the service has ordered. They are kept by endpoint, not by address, because all
 * pages of an endpoint share its limit.
 */
export class Pauses {
  /** The times when they end are of the monotonic clock. */
  private readonly byEndpoint = new Map<number, { until: number; ownLimit: boolean }>();
  private allUntil = -Infinity;

  constructor(private readonly clock: Clock) {}

  /**
   * Pauses an endpoint. If another endpoint that shares the general limit is paused already, the
   * general limit is used up. Then everything waits, because each further endpoint would only get
   * its own 429.
   */
  add({ endpoint, ownLimit, at, ms }: Pause): void {
    const until = at + ms;
    const sharedByAnother = [...this.byEndpoint].some(
      ([other, pause]) => other !== endpoint && !pause.ownLimit && pause.until > at,
    );
    if (sharedByAnother && !ownLimit) {
      this.allUntil = Math.max(this.allUntil, until);
    }
    const known = this.byEndpoint.get(endpoint) ?? { until, ownLimit };
    known.until = Math.max(known.until, until);
    this.byEndpoint.set(endpoint, known);
  }

  /** Milliseconds that the endpoint is paused for, 0 when it is not. */
  endpointMs(endpoint: number): number {
    return this.left(this.byEndpoint.get(endpoint)?.until ?? -Infinity);
  }

  allMs(): number {
    return this.left(this.allUntil);
  }

  /** Milliseconds of the longest pause that applies to the whole client. */
  sharedMs(): number {
    const shared = [...this.byEndpoint.values()].filter(({ ownLimit }) => !ownLimit);
    return this.left(Math.max(this.allUntil, ...shared.map(({ until }) => until)));
  }

  endpoints(): number[] {
    return [...this.byEndpoint.keys()].filter((endpoint) => this.endpointMs(endpoint) > 0);
  }

  private left(until: number): number {
    return Math.max(0, until - this.clock.monotonic());
  }
}
