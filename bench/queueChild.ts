import { runChild, settledMb, tell } from './child';
import { time } from './measure';
import { prepareOurs, preparePThrottle, queueAndCancel } from './queueWork';

/** What a queue costs. */
export interface QueueResult {
  readonly milliseconds: number;
  /** By how much resident memory has grown when everything is queued. */
  readonly growthMb: number;
}

/* One run in a process of its own, warmed up: `queueChild.js ours` or `queueChild.js p-throttle`. */
runChild(async ([which]) => {
  const prepare = which === 'ours' ? prepareOurs : preparePThrottle;
  await queueAndCancel(await prepare());
  const queue = await prepare();
  const milliseconds = await time(() => queueAndCancel(queue));
  const held = await prepare();
  const before = settledMb();
  const { calls, cancel } = held();
  const growthMb = process.memoryUsage().rss / 1024 ** 2 - before;
  cancel();
  await Promise.allSettled(calls);
  tell({ milliseconds, growthMb } satisfies QueueResult);
});
