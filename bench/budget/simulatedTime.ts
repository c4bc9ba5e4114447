import type { Clock } from '../../src/base/events/clock';
import { FakeClock } from '../../test/helpers/fakeClock';

const realSetImmediate = setImmediate;

/**
 * A clock that runs through a day in seconds. The global date and timers follow it as well, because
 * p-throttle has no clock parameter. So use it only in a separate process.
 */
export class SimulatedTime extends FakeClock implements Clock {
  private next = 0;
  private readonly cancels = new Map<number, () => void>();

  /** Makes `Date.now`, `setTimeout` and `clearTimeout` of this process use this time. */
  install(): void {
    Date.now = () => this.now();
    Object.assign(globalThis, {
      setTimeout: (callback: () => void, delayMs = 0) => {
        const id = (this.next += 1);
        const run = () => {
          this.cancels.delete(id);
          callback();
        };
        this.cancels.set(id, this.setTimeout(run, delayMs));
        return id;
      },
      clearTimeout: (id: number) => {
        this.cancels.get(id)?.();
        this.cancels.delete(id);
      },
    });
  }

  /** Advances to a time in steps. After each step, the work that it started continues. */
  async runUntil(end: number, stepMs: number): Promise<void> {
    while (this.monotonic() < end) {
      this.advance(stepMs);
      await new Promise((resolve) => realSetImmediate(resolve));
    }
  }
}
