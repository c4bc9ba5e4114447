import type { Pace } from './pace';

/** Counts the work that is going on, so that what is less urgent can wait for the end of it. */
export class Turns {
  private running = 0;
  private resolveIdle: () => void = () => undefined;
  private whenIdle = Promise.resolve();

  async take<T>(work: () => Promise<T>): Promise<T> {
    if (this.running === 0) {
      this.whenIdle = new Promise((resolve) => {
        this.resolveIdle = resolve;
      });
    }
    this.running += 1;
    try {
      return await work();
    } finally {
      this.running -= 1;
      if (this.running === 0) {
        this.resolveIdle();
      }
    }
  }

  /** Resolves when nothing is going on. @throws TableError when the one who waits is ended. */
  async idle(pace: Pace): Promise<void> {
    while (this.running > 0) {
      await pace.wait(this.whenIdle);
    }
  }
}
