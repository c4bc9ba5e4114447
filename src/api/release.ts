/** How long after its end a pause still spaces what follows it, in milliseconds. */
const recoveryMs = 60_000;

/**
 * The end of a pause, at which nobody storms: the first request goes alone, as a probe; a second
 * later the next, and from then on twice as many in each second as in the one before, so that the
 * spacing is gone after some ten seconds. A service that is still closed is thus asked by one
 * request and not by all that waited; its 429 begins a new pause, and the count begins again.
 *
 * Spacing by time and count, not by answers: the count is in the ledger, which every window reads,
 * so that all of them together keep to it without a message between them. The time runs from the
 * first request and not from the end of the pause, so that a late timer finds no backlog to let go.
 */
export class Release {
  /** When the pause ends, on the clock that only goes forward. */
  until = -Infinity;
  private sent = 0;
  private firstAt = 0;

  /** Prolongs the pause; one that ends earlier changes nothing. */
  extend(until: number): void {
    if (until > this.until) {
      this.until = until;
      this.sent = 0;
    }
  }

  note(at: number): void {
    if (at >= this.until && at < this.until + recoveryMs) {
      this.firstAt = this.sent === 0 ? at : Math.min(at, this.firstAt);
      this.sent += 1;
    }
  }

  takeBack(at: number): void {
    if (at >= this.until && at < this.until + recoveryMs && this.sent > 0) {
      this.sent -= 1;
    }
  }

  /** Milliseconds from `now` until one more request may be sent. */
  waitMs(now: number): number {
    if (now < this.until) {
      return this.until - now;
    }
    if (this.sent === 0 || now >= this.until + recoveryMs) {
      return 0;
    }
    return Math.max(0, this.firstAt + 1000 * Math.log2(this.sent + 1) - now);
  }
}
