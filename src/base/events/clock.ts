/**
 * Time as a parameter: everything that waits or reads the time takes a clock, so that tests can
 * run a day in a millisecond.
 */
export interface Clock {
  /** Wall-clock time in milliseconds since the epoch, as `Date.now()`. May jump. */
  now(): number;
  /**
   * Milliseconds of a clock that never goes backward. Its origin is the same for all processes of this
   * machine until the machine restarts (`process.hrtime` reads the machine's clock; `performance.now()`
   * starts with the process). Time that the machine sleeps may not be counted.
   */
  monotonic(): number;
  /**
   * Calls `callback` once after `delayMs` milliseconds (0 to 2^31 - 1; the caller splits a longer wait) and
   * returns a function that cancels the call.
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
 * Set by esbuild. In the shipped bundle it is `undefined`. In a test build it is the time of that build, in
 * milliseconds since the epoch; the clocks run faster from that time on.
 */
declare const testClockSince: number | undefined;

export const systemClock: Clock =
  testClockSince === undefined
    ? machineClock
    : fasterClock(machineClock, testClockSince, Number(process.env.SCORECARD_CLOCK_RATE ?? 5));

/**
 * A clock that runs `rate` times as fast as `clock`. All processes of a test build agree on its time:
 * wall-clock time is scaled from `since`, monotonic time from its common origin.
 */
function fasterClock(clock: Clock, since: number, rate: number): Clock {
  return {
    now: () => Math.round(since + (clock.now() - since) * rate),
    monotonic: () => clock.monotonic() * rate,
    setTimeout: (callback, delayMs) => clock.setTimeout(callback, delayMs / rate),
  };
}

/** The longest delay of a JavaScript timer; a longer one would fire at once. */
export const longestTimerMs = 2 ** 31 - 1;

/**
 * Resolves after `ms` milliseconds. If the signal aborts first, clears the timer and rejects with the
 * signal's reason. `ms` may exceed the longest delay of one timer.
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
