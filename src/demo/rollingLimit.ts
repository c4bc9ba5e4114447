import type { Clock } from '../base/clock';

/**
 * At most `limit` requests in any window of `windowMs` (spec section 8). Exact, and as large as
 * `limit` numbers however many requests come: the ring holds the times of the last accepted ones.
 */
export class RollingLimit {
  private readonly times: Float64Array;
  private next = 0;

  constructor(
    private readonly limit: number,
    private readonly windowMs: number,
    private readonly clock: Clock,
  ) {
    this.times = new Float64Array(limit).fill(-Infinity);
  }

  /**
   * Counts a request if it is allowed.
   * @returns 0 if it is, else the whole seconds to wait, at least 1. A refused request does not count.
   */
  take(): number {
    const now = this.clock.monotonic();
    const oldest = this.times[this.next] ?? -Infinity;
    const waitMs = oldest + this.windowMs - now;
    if (waitMs > 0) {
      return Math.max(1, Math.ceil(waitMs / 1000));
    }
    this.times[this.next] = now;
    this.next = (this.next + 1) % this.limit;
    return 0;
  }
}
