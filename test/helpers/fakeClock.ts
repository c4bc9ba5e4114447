import type { Clock } from '../../src/base/events/clock';

/** A clock that stands still until a test moves it. */
export class FakeClock implements Clock {
  private readonly timers = new Set<{ readonly due: number; readonly callback: () => void }>();
  private elapsed = 0;

  /** @param start the initial wall-clock time, in milliseconds since the epoch. */
  constructor(private start = Date.UTC(2025, 5, 17, 12, 0, 0)) {}

  now(): number {
    return this.start + this.elapsed;
  }

  monotonic(): number {
    return this.elapsed;
  }

  setTimeout(callback: () => void, delayMs: number): () => void {
    const timer = { due: this.elapsed + Math.max(0, delayMs), callback };
    this.timers.add(timer);
    return () => {
      this.timers.delete(timer);
    };
  }

  /** The number of pending timers. */
  get pending(): number {
    return this.timers.size;
  }

  /** Moves time forward and runs the timers that become due, in order, including those that they start. */
  advance(ms: number): void {
    const end = this.elapsed + ms;
    for (let next = this.nextDue(end); next; next = this.nextDue(end)) {
      this.timers.delete(next);
      this.elapsed = next.due;
      next.callback();
    }
    this.elapsed = end;
  }

  /** Sets the wall clock alone, as a user or a time server does. */
  jump(ms: number): void {
    this.start += ms;
  }

  private nextDue(end: number) {
    return [...this.timers]
      .filter((timer) => timer.due <= end)
      .sort((first, second) => first.due - second.due)[0];
  }
}
