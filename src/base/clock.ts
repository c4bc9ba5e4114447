/**
 * Time as a parameter: everything that waits or reads the time takes a clock, so that tests can
 * run a day in a millisecond.
 */
export interface Clock {
  /** Wall-clock time in milliseconds since the epoch, as `Date.now()`. May jump. */
  now(): number;
  /**
   * Milliseconds of a clock that only goes forward, from some moment that is the same for every
   * process of this machine until it is started again (`process.hrtime`, which reads the machine's
   * clock; `performance.now()` begins with the process). The time in which the machine sleeps may
   * be left out.
   */
  monotonic(): number;
  /**
   * Calls `callback` once after `delayMs` milliseconds (0 to 2^31 - 1; a longer wait is the
   * caller's to split) and returns a function that cancels the call.
   */
  setTimeout(callback: () => void, delayMs: number): () => void;
}

const machineClock: Clock = {
  now: () => Date.now(),
  monotonic: () => Number(process.hrtime.bigint()) / 1e6,
  setTimeout: (callback, delayMs) => {
    const timer = setTimeout(callback, delayMs);
    return () => {
      clearTimeout(timer);
    };
  },
};

/**
 * Set by esbuild: `undefined` in what is shipped. In a test build the time of that build, in
 * milliseconds since the epoch; from then on its clocks run faster.
 */
declare const testClockSince: number | undefined;

/** The clock that everything uses unless it is given another one. */
export const systemClock: Clock =
  testClockSince === undefined
    ? machineClock
    : fasterClock(machineClock, testClockSince, Number(process.env.SCORECARD_CLOCK_RATE ?? 5));

/**
 * A clock `rate` times as fast as another. All processes of a test build agree on it: wall-clock times
 * spread from one moment, and monotonic ones from their common origin.
 */
function fasterClock(clock: Clock, since: number, rate: number): Clock {
  return {
    now: () => Math.round(since + (clock.now() - since) * rate),
    monotonic: () => clock.monotonic() * rate,
    setTimeout: (callback, delayMs) => clock.setTimeout(callback, delayMs / rate),
  };
}

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
