import { FakeClock } from '../../test/helpers/fakeClock';

/** A clock that runs through a day in seconds. */
export class SimulatedTime extends FakeClock {
  /** Advances to a time in steps. After each step, the work that it started continues. */
  async runUntil(end: number, stepMs: number): Promise<void> {
    while (this.monotonic() < end) {
      this.advance(stepMs);
      await new Promise((resolve) => setImmediate(resolve));
    }
  }
}
