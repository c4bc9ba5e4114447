import { heapMb, runChild, tell } from '../child';
import { median, time } from '../measure';
import { preparations, queueAndCancel } from './queueWork';

/** What a way to queue costs. */
export interface QueueResult {
  readonly milliseconds: number;
  /** How many megabytes of memory are held while everything is queued. */
  readonly heldMb: number;
}

/** By the name of the way. */
export type QueueResults = Record<keyof typeof preparations, QueueResult>;

const runs = 5;

/* All ways to queue in turn: a warm-up, five runs, and one that weighs what is held. */
runChild(async () => {
  const ways = Object.entries(preparations).map(([name, prepare]) => ({
    name,
    prepare,
    times: [] as number[],
  }));
  for (let run = 0; run <= runs; run += 1) {
    for (const { prepare, times } of ways) {
      const queue = await prepare();
      // Nobody pays for what the one before has left behind.
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
  tell(Object.fromEntries(results));
});
