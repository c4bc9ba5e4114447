import { heapMb, runChild, sendResult } from '../child';
import { median, time } from '../measure';
import { preparations, queueAndCancel } from './queueWork';

/** The cost of a way to queue. */
export interface QueueResult {
  readonly milliseconds: number;
  /** Megabytes of memory in use while everything is queued. */
  readonly heldMb: number;
}

/** Results by the name of the way to queue. */
export type QueueResults = Record<keyof typeof preparations, QueueResult>;

const runs = 5;

/* Runs all ways to queue in turn: a warm-up, five timed runs, and one that measures the memory that is held. */
runChild(async () => {
  const ways = Object.entries(preparations).map(([name, prepare]) => ({
    name,
    prepare,
    times: [] as number[],
  }));
  for (let run = 0; run <= runs; run += 1) {
    for (const { prepare, times } of ways) {
      const queue = await prepare();
      // Otherwise a run would pay for the garbage of the one before.
      globalThis.gc?.();
      const milliseconds = await time(() => queueAndCancel(queue));
      if (run > 0) {
        times.push(milliseconds);
      }
    }
  }
  const results: [string, QueueResult][] = [];
  for (const { name, prepare, times } of ways) {
    const queue = await prepare();
    const before = heapMb();
    const { calls, cancel } = queue();
    const heldMb = heapMb() - before;
    cancel();
    await Promise.allSettled(calls);
    results.push([name, { milliseconds: median(times), heldMb }]);
  }
  sendResult(Object.fromEntries(results));
});
