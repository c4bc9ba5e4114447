import type { Clock } from '../../base/clock';

/**
 * Limits each of many waits, one after the other. One timer serves them all: it is set again only
 * when it has run, for a body of a gigabyte is thousands of waits and each is over at once.
 */
export class WaitTimer {
  /** When the wait began that continues, of the monotonic clock. */
  private since: number | undefined;
  private stopTimer: (() => void) | undefined;

  /**
   * @param timeoutMs the longest that one wait may last.
   * @param onTimeout is called when one lasts longer.
   */
  constructor(
    private readonly clock: Clock,
    private readonly timeoutMs: number,
    private readonly onTimeout: () => void,
  ) {}

  begin(): void {
    this.since = this.clock.monotonic();
    if (!this.stopTimer) {
      this.set(this.timeoutMs);
    }
  }

  end(): void {
    this.since = undefined;
  }

  /** Ends the wait that continues and the timer; a later `begin` starts over. */
  stop(): void {
    this.since = undefined;
    this.stopTimer?.();
    this.stopTimer = undefined;
  }

  private set(delayMs: number): void {
    this.stopTimer = this.clock.setTimeout(() => {
      this.stopTimer = undefined;
      if (this.since === undefined) {
        return;
      }
      const leftMs = this.since + this.timeoutMs - this.clock.monotonic();
      if (leftMs > 0) {
        this.set(Math.ceil(leftMs));
      } else {
        this.onTimeout();
      }
    }, delayMs);
  }
}
