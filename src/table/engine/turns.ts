import type { Pace } from './pace';

/** Counts running work, so that less urgent work can wait until it ends. */
export class Turns {
  private running = 0;
  private resolveIdle: () => void = () => undefined;
  private whenIdle = Promise.resolve();
  private resolveBusy: () => void = () => undefined;
  private whenBusy = this.nextWork();

  async take<T>(work: () => Promise<T>): Promise<T> {
    if (this.running === 0) {
      this.whenIdle = new Promise((resolve) => {
        this.resolveIdle = resolve;
      });
      this.resolveBusy();
    }
    this.running += 1;
    try {
      return await work();
    } finally {
      this.running -= 1;
      if (this.running === 0) {
        this.whenBusy = this.nextWork();
        this.resolveIdle();
      }
    }
  }

  /** Resolves when work runs. */
  busy(): Promise<void> {
    return this.whenBusy;
  }

  /** Resolves when no work runs. @throws TableError when the waiting work is cancelled */
  async idle(pace: Pace): Promise<void> {
    while (this.running > 0) {
      await pace.wait(this.whenIdle);
    }
  }

  private nextWork(): Promise<void> {
    return new Promise((resolve) => {
      this.resolveBusy = resolve;
    });
  }
}
