import { setImmediate } from 'node:timers/promises';
import { Signal } from '../../base/events/signal';
import { TableError } from '../data/tableError';

/** Bytes of work between two pauses, in which the thread handles other calls. */
const bytesBetween = 4 * 1024 ** 2;

/**
 * Lets long work be ended and the thread pause. The work calls it often, and it pauses from time to
 * time.
 */
export class YieldBudget {
  private left: number;
  private ending: 'cancelled' | 'superseded' | 'closed' | undefined;
  private resolveEnded: () => void = () => undefined;
  private readonly whenEnded = new Promise<void>((resolve) => {
    this.resolveEnded = resolve;
  });

  /**
   * @param bytes the bytes to process between two pauses.
   * @param urgent more urgent work, which a pause waits for.
   */
  constructor(
    private readonly onProgress?: (share: number) => void,
    private readonly bytes = bytesBetween,
    private readonly urgent?: RunningWork,
  ) {
    this.left = bytes;
  }

  /** Makes the work reject at its next pause. */
  end(code: 'cancelled' | 'superseded' | 'closed'): void {
    this.ending ??= code;
    this.resolveEnded();
  }

  /** Waits for other work. @throws TableError when this work is cancelled first */
  async wait<T>(other: Promise<T>): Promise<T> {
    const result = await Promise.race([other, this.whenEnded]);
    this.throwIfEnded();
    return result as T;
  }

  /** Whether a pause is due after this many more bytes. */
  shouldYield(bytes: number): boolean {
    return (this.left -= bytes) <= 0;
  }

  /** Yields the thread. @throws TableError when the work was cancelled */
  async pause(share?: number): Promise<void> {
    this.left = this.bytes;
    if (share !== undefined) {
      this.onProgress?.(share);
    }
    await setImmediate();
    this.throwIfEnded();
    await this.urgent?.idle(this);
  }

  throwIfEnded(): void {
    if (this.ending !== undefined) {
      throw new TableError(this.ending, `The work was cancelled: ${this.ending}.`);
    }
  }
}

/** Counts running work, so that less urgent work can wait until it ends. */
export class RunningWork {
  private running = 0;
  private readonly ended = new Signal();

  async run<T>(work: () => Promise<T>): Promise<T> {
    this.running += 1;
    try {
      return await work();
    } finally {
      this.running -= 1;
      this.ended.fire();
    }
  }

  /** Resolves when no work runs. @throws TableError when the waiting work is cancelled */
  async idle(budget: YieldBudget): Promise<void> {
    while (this.running > 0) {
      await budget.wait(this.ended.next());
    }
  }
}
