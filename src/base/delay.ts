import type { Clock } from './clock';

/** The longest delay a JavaScript timer keeps; a longer one would fire at once. */
export const longestTimerMs = 2 ** 31 - 1;

/**
 * Resolves after `ms` milliseconds, or rejects with the signal's reason as soon as it aborts; the
 * timer is cleared then. Any length is kept, also beyond what one timer can hold.
 */
export async function delay(ms: number, clock: Clock, signal?: AbortSignal): Promise<void> {
  let left = Math.max(0, ms);
  do {
    const step = Math.min(left, longestTimerMs);
    await singleDelay(step, clock, signal);
    left -= step;
  } while (left > 0);
}

function singleDelay(ms: number, clock: Clock, signal: AbortSignal | undefined): Promise<void> {
  return new Promise((resolve, reject) => {
    if (signal?.aborted) {
      reject(signal.reason as Error);
      return;
    }
    const onAbort = () => {
      cancel();
      reject(signal?.reason as Error);
    };
    const cancel = clock.setTimeout(() => {
      signal?.removeEventListener('abort', onAbort);
      resolve();
    }, ms);
    signal?.addEventListener('abort', onAbort, { once: true });
  });
}
