import { type Clock, delay, systemClock } from '../base/events/clock';

/** How long a step is tried again while another program has its file open, in milliseconds. */
export const patienceMs = 10_000;
const firstWaitMs = 2;
const longestWaitMs = 50;

/** The waits of a step that must not return before it is done, in milliseconds: a window stands still meanwhile. */
const briefWaitsMs = [1, 2, 4, 8, 16] as const;

/** Where files are that other programs have open, and what the waits for them use; a parameter for tests. */
export interface Patience {
  readonly platform: NodeJS.Platform;
  readonly clock: Clock;
  /** Stops the thread for so many milliseconds. */
  readonly stop: (ms: number) => void;
}

export const systemPatience: Patience = {
  platform: process.platform,
  clock: systemClock,
  stop: (ms) => {
    Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, ms);
  },
};

/** The failures of steps whose file stayed open until the end of all waits. */
const failuresInUse = new WeakSet<Error>();

/** Whether a step has failed because another program had a file open for as long as it was waited for. */
export function isLastingUse(error: unknown): error is NodeJS.ErrnoException {
  return error instanceof Error && failuresInUse.has(error);
}

/**
 * Whether a step may have failed only because a file is open. Windows neither replaces a file that any process has open,
 * our other windows and scanners for viruses included, nor renames or removes a folder with such a file.
 */
export function isInUse(error: unknown, { platform }: Pick<Patience, 'platform'>): boolean {
  const { code } = error as NodeJS.ErrnoException;
  // A folder stays for a moment that contains a file which is removed as soon as it is closed.
  return platform === 'win32' && /^(EPERM|EACCES|EBUSY|ENOTEMPTY)$/.test(code ?? '');
}

/**
 * Replaces, moves or removes something. On Windows the step is tried again while a file is in use, with growing waits,
 * for `patienceMs`; elsewhere an open file is in nobody's way. The first attempt is made before this returns.
 * @throws what the step throws; see `isLastingUse`
 */
export async function whenFree<T>(
  step: () => T | Promise<T>,
  patience: Patience = systemPatience,
): Promise<T> {
  if (patience.platform !== 'win32') {
    return step();
  }
  const { clock } = patience;
  const end = clock.monotonic() + patienceMs;
  for (let waitMs = firstWaitMs; ; waitMs = Math.min(2 * waitMs, longestWaitMs)) {
    try {
      return await step();
    } catch (error) {
      const leftMs = end - clock.monotonic();
      if (!isInUse(error, patience)) {
        throw error;
      }
      if (leftMs <= 0) {
        failuresInUse.add(error as Error);
        throw error;
      }
      await delay(Math.min(waitMs, leftMs), clock);
    }
  }
}

/**
 * As `whenFree`, where nothing may happen before the step is done: for the few milliseconds that another window needs to
 * read a small file. @throws what the step throws
 */
export function whenFreeNow<T>(step: () => T, patience: Patience = systemPatience): T {
  for (const waitMs of patience.platform === 'win32' ? briefWaitsMs : []) {
    try {
      return step();
    } catch (error) {
      if (!isInUse(error, patience)) {
        throw error;
      }
      patience.stop(waitMs);
    }
  }
  return step();
}
