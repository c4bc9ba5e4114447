import type { Clock } from '../../base/events/clock';
import { hasOwnLimit } from '../paths';
import pThrottle from 'p-throttle';

/** One hour: the window of the general limit (spec section 8). */
export const windowMs = 3_600_000;

interface SentRequest {
  /** When it was sent, on the monotonic clock, in milliseconds. */
  readonly at: number;
  readonly endpoint: string;
}

/** The longest pause of an endpoint, in milliseconds. A longer one is treated as a refusal. */
export const longestPauseMs = 24 * 3_600_000;

/** A pause that the service has ordered for an endpoint. */
interface Pause {
  readonly endpoint: string;
  /** When the service ordered it, on the monotonic clock, in milliseconds. */
  readonly at: number;
  /** Its length, in milliseconds. */
  readonly ms: number;
}

/**
 * The pauses that the service has ordered. They are stored by endpoint, not by address, because all
 * pages of an endpoint share its limit.
 */
class Pauses {
  /** Until when, on the monotonic clock. */
  private readonly byEndpoint = new Map<string, number>();
  private allUntil = -Infinity;

  constructor(private readonly clock: Clock) {}

  /**
   * Pauses an endpoint. If another endpoint that shares the general limit is paused already, the
   * general limit is used up. Then everything waits, because each further endpoint would only get
   * its own 429.
   */
  add({ endpoint, at, ms }: Pause): void {
    const until = at + ms;
    const sharedByAnother = [...this.byEndpoint].some(
      ([other, otherUntil]) => other !== endpoint && !hasOwnLimit(other) && otherUntil > at,
    );
    if (sharedByAnother && !hasOwnLimit(endpoint)) {
      this.allUntil = Math.max(this.allUntil, until);
    }
    this.byEndpoint.set(endpoint, Math.max(this.byEndpoint.get(endpoint) ?? until, until));
  }

  /** In milliseconds. */
  endpointMs(endpoint: string): number {
    return this.remainingMs(this.byEndpoint.get(endpoint) ?? -Infinity);
  }

  allMs(): number {
    return this.remainingMs(this.allUntil);
  }

  /** Milliseconds of the longest pause that applies to the whole client. */
  sharedMs(): number {
    const shared = [...this.byEndpoint].filter(([endpoint]) => !hasOwnLimit(endpoint));
    return this.remainingMs(Math.max(this.allUntil, ...shared.map(([, until]) => until)));
  }

  endpoints(): string[] {
    return [...this.byEndpoint.keys()].filter((endpoint) => this.endpointMs(endpoint) > 0);
  }

  private remainingMs(until: number): number {
    return Math.max(0, until - this.clock.monotonic());
  }
}

/**
 * The requests of one API key in the last hour, and the pauses that the service has ordered. The queue asks
 * the ledger before each request. This one is in memory, for one client alone; SharedLedger is shared by all
 * windows of a profile. It reads the monotonic clock, so that a change of the system time does not free any
 * request.
 */
export class Ledger {
  readonly pauses: Pauses;
  /** By time, oldest first. */
  private readonly entries: SentRequest[] = [];

  /** @param limit requests allowed in any window; may be changed while requests wait. */
  constructor(
    public limit: number,
    protected readonly clock: Clock,
    private readonly lengthMs = windowMs,
  ) {
    this.pauses = new Pauses(clock);
  }

  /** Requests in the window that ends now. */
  used(): number {
    this.dropExpired();
    return this.entries.length;
  }

  /**
   * Milliseconds until the `position`-th waiting request (from 1) may be sent; 0 when it may be
   * sent now. If that depends on requests that are not sent yet, the result is the length of the
   * window, as a lower bound.
   */
  waitMs(position: number): number {
    // The request may be sent when this many requests have left the window.
    const excess = this.used() + position - this.limit;
    if (excess <= 0) {
      return 0;
    }
    const last = this.entries[excess - 1];
    return last === undefined ? this.lengthMs : last.at + this.lengthMs - this.clock.monotonic();
  }

  /**
   * Counts a request. The requests of several VS Code windows arrive nearly, but not exactly, in the order
   * of time.
   */
  record(sent: Partial<SentRequest> = {}): void {
    const entry = { at: this.clock.monotonic(), endpoint: '', ...sent };
    const index = this.entries.findLastIndex(({ at }) => at <= entry.at) + 1;
    this.entries.splice(index, 0, entry);
  }

  /** The requests in the window that ends now, oldest first. */
  sent(): readonly SentRequest[] {
    this.dropExpired();
    return this.entries;
  }

  private dropExpired(): void {
    const edge = this.clock.monotonic() - this.lengthMs;
    while (this.entries[0] && this.entries[0].at <= edge) {
      this.entries.shift();
    }
  }

  /** Reads what other windows have added; true if there was anything. */
  refresh(): boolean {
    return false;
  }

  hasCapacity(endpoint: string): boolean {
    return this.waitMs(1) <= 0 && this.pauses.allMs() <= 0 && this.pauses.endpointMs(endpoint) <= 0;
  }

  /**
   * Counts a request, which must then be sent at once. Returns false if the budget has no room any more because
   * another window was faster, or while another window has locked the ledger.
   */
  tryReserve(endpoint: string): boolean {
    if (!this.hasCapacity(endpoint)) {
      return false;
    }
    this.record({ endpoint });
    return true;
  }

  /** Pauses an endpoint as the service requested, in milliseconds. */
  pause(endpoint: string, ms: number): void {
    this.pauses.add({ endpoint, at: this.clock.monotonic(), ms });
  }
}

export type Gate = (start: () => void) => void;

/** The most requests that start in any second. */
const startsPerSecond = 200;

/**
 * The last gate before the wire: p-throttle with at most 200 starts in any second, so that a loop that nobody has
 * thought of is seen, and can be cancelled, before it has used up the hour. The hour is the ledger's. At most
 * `maxInFlight` requests queue in here: p-throttle can only cancel all of its calls at once.
 *
 * Strict mode, because the default lets nearly twice the limit through around the edge of a second. With weights,
 * because without them strict mode also counts requests that have left the second.
 */
export function throttleGate(): Gate {
  const options = { limit: startsPerSecond, interval: 1000, strict: true, weight: () => 1 };
  const throttled = pThrottle(options)((start: () => void) => {
    start();
  });
  return (start) => {
    throttled(start);
  };
}
