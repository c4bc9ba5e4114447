import { rmSync } from 'node:fs';
import { endpoints } from '../../src/api/paths';
import { maxInFlight, RequestQueue } from '../../src/api/budget/requestQueue';
import { windowMs, type Gate, throttleGate } from '../../src/api/budget/ledger';
import { runChild, sendResult } from '../child';
import { sharedLedgers } from './ledgers';
import { SimulatedTime } from './simulatedTime';

/** The result of a simulated day. */
export interface DayResult {
  readonly sent: number;
  /** The most requests in any 60 minutes. */
  readonly maxInAnHour: number;
}

const limit = 5000;
const windows = 3;
const day = 24 * windowMs;

/** The delay of each response, in milliseconds of the simulated clock. */
const answerMs = 200;

/** How often a window is reloaded: its queue ends, and a new queue opens its ledger again. */
const reloadEvery = 5 * windowMs;

/*
 * Simulates a day of three windows that always want more than the budget allows: each loads everything, all
 * day, and is reloaded from time to time. Runs in a separate process, because its time is not the real one.
 */
runChild(async () => {
  const time = new SimulatedTime();
  time.install();
  const ledgers = sharedLedgers(limit, time);
  const times: number[] = [];
  const openWindow = (window: number) => {
    const { signal } = new AbortController();
    const throttle = throttleGate();
    const gate: Gate = (start) => {
      throttle(() => {
        // Recorded here, not where the call continues: its promise settles after the step of the clock.
        times.push(time.monotonic());
        start();
      });
    };
    const queue = new RequestQueue(ledgers.open(window), gate, time);
    const entered = { route: endpoints.findings, priority: 'bulk', isRepeat: false } as const;
    const callForEver = async () => {
      for (;;) {
        const call = { ...entered, maxWaitMs: Infinity, signal, onWait: undefined };
        const slot = await queue.enter(call);
        await new Promise<void>((resolve) => time.setTimeout(resolve, answerMs));
        slot.release();
      }
    };
    for (let call = 0; call <= maxInFlight; call += 1) {
      // Ends when the window does.
      callForEver().catch(() => undefined);
    }
    return queue;
  };
  const open = Array.from({ length: windows }, (_, window) => openWindow(window));
  for (let reloads = 0; time.monotonic() < day; reloads += 1) {
    await time.runUntil(Math.min(day, time.monotonic() + reloadEvery), answerMs / 2);
    const window = reloads % windows;
    open[window]?.dispose();
    open[window] = openWindow(window);
  }
  open.forEach((queue) => {
    queue.dispose();
  });
  rmSync(ledgers.folder, { recursive: true });
  sendResult({ sent: times.length, maxInAnHour: maxWithin(times, windowMs) } satisfies DayResult);
});

/** The largest number of ascending times in any window of a length. The end of the window is exclusive. */
function maxWithin(times: readonly number[], length: number): number {
  let first = 0;
  let most = 0;
  times.forEach((time, index) => {
    while ((times[first] ?? 0) <= time - length) {
      first += 1;
    }
    most = Math.max(most, index - first + 1);
  });
  return most;
}
