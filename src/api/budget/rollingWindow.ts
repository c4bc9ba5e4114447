import type { Clock } from '../../base/clock';

/** One hour: the window of the general limit (spec section 8). */
export const windowMs = 3_600_000;

/** One request that was sent, as the count knows it. */
export interface Sent {
  /** When, on the clock that only goes forward, in milliseconds. */
  readonly at: number;
  /** Identifies the request, to take it back if it was not sent; 0 where that never happens. */
  readonly id: number;
  /** See endpointId. */
  readonly endpoint: number;
}

/**
 * The requests of the last hour, on a clock that only goes forward: a changed system time frees
 * nothing.
 */
export class RollingWindow {
  /** By time, oldest first, from `start` on; what lies before `start` has left the window. */
  private entries: Sent[] = [];
  private start = 0;

  /** @param limit requests allowed in any window; may be changed while requests wait. */
  constructor(
    public limit: number,
    protected readonly clock: Clock,
    private readonly lengthMs = windowMs,
  ) {}

  /** Requests in the window that ends now. */
  used(): number {
    this.forget();
    return this.entries.length - this.start;
  }

  /**
   * Milliseconds until the `position`-th waiting request (from 1) may be sent; 0 when it may be
   * sent now. If that depends on requests that are not sent yet, the result is the length of the
   * window, as a lower bound.
   */
  waitMs(position: number): number {
    // The request may go when this many of those in the window have left it.
    const leaving = this.used() + position - this.limit;
    if (leaving <= 0) {
      return 0;
    }
    const last = this.entries[this.start + leaving - 1];
    return last === undefined ? this.lengthMs : last.at + this.lengthMs - this.clock.monotonic();
  }

  /** Counts a request. Those of several windows come nearly, not quite, in the order of time. */
  record(sent: Partial<Sent> = {}): void {
    const entry = { at: this.clock.monotonic(), id: 0, endpoint: 0, ...sent };
    let index = this.entries.length;
    while (index > this.start && (this.entries[index - 1]?.at ?? 0) > entry.at) {
      index -= 1;
    }
    if (index === this.entries.length) {
      this.entries.push(entry);
    } else {
      this.entries.splice(index, 0, entry);
    }
  }

  /** Takes back a request that was not sent; it is among the latest. */
  takeBack(id: number): void {
    const index = this.entries.findLastIndex((entry) => entry.id === id);
    if (index >= this.start) {
      this.entries.splice(index, 1);
    }
  }

  /** The requests in the window that ends now, oldest first. */
  sent(): readonly Sent[] {
    this.forget();
    return this.entries.slice(this.start);
  }

  private forget(): void {
    const edge = this.clock.monotonic() - this.lengthMs;
    while (this.start < this.entries.length && (this.entries[this.start]?.at ?? 0) <= edge) {
      this.start += 1;
    }
    // Cut only now and then: shifting an array at every request would cost its whole length.
    if (this.start > 1024 && this.start * 2 > this.entries.length) {
      this.entries = this.entries.slice(this.start);
      this.start = 0;
    }
  }
}
