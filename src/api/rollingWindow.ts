import type { Clock } from '../common/clock';

/** One hour: the window of the general limit (spec section 8). */
export const windowMs = 3_600_000;

/**
 * The count of what was sent. The queue asks it before each request; one that several windows
 * share can take the place of the one below.
 */
export interface Ledger {
  /** Requests allowed in any window; may be changed while requests wait. */
  limit: number;
  /** Requests in the window that ends now. */
  used(): number;
  /**
   * Milliseconds until the `position`-th of the requests that are waiting (from 1) may be sent; 0
   * when it may be now. For one so far back that it depends on requests not yet sent, a whole
   * window: a lower bound.
   */
  waitMs(position: number): number;
  /** Notes that a request is sent now. */
  record(): void;
}

/** A ledger in memory, on a clock that only goes forward: a changed system time frees nothing. */
export class RollingWindow implements Ledger {
  /** Send times, oldest first, from `start` on; what lies before `start` has left the window. */
  private times: number[] = [];
  private start = 0;

  constructor(
    public limit: number,
    private readonly clock: Clock,
    private readonly lengthMs = windowMs,
  ) {}

  used(): number {
    this.forget();
    return this.times.length - this.start;
  }

  waitMs(position: number): number {
    // The request may go when this many of those in the window have left it.
    const leaving = this.used() + position - this.limit;
    if (leaving <= 0) {
      return 0;
    }
    const last = this.times[this.start + leaving - 1];
    return last === undefined ? this.lengthMs : last + this.lengthMs - this.clock.monotonic();
  }

  record(): void {
    this.times.push(this.clock.monotonic());
  }

  private forget(): void {
    const edge = this.clock.monotonic() - this.lengthMs;
    while (this.start < this.times.length && (this.times[this.start] ?? 0) <= edge) {
      this.start += 1;
    }
    // Cut only now and then: shifting an array at every request would cost its whole length.
    if (this.start > 1024 && this.start * 2 > this.times.length) {
      this.times = this.times.slice(this.start);
      this.start = 0;
    }
  }
}
