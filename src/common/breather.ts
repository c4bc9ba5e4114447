/** The longest that work goes on without a turn of the event loop, in milliseconds. */
const sliceMs = 10;

/** Lets others run in the midst of long work. */
export type Breathe = () => Promise<void>;

/**
 * Makes what long work awaits between two of its steps: it goes on at once, and lets the event loop
 * turn when the last turn was a while ago.
 * @param monotonic milliseconds of a clock that only goes forward.
 */
export function breather(monotonic: () => number = () => performance.now()): Breathe {
  let since = monotonic();
  return async () => {
    if (monotonic() - since >= sliceMs) {
      await new Promise((resolve) => setImmediate(resolve));
      since = monotonic();
    }
  };
}
