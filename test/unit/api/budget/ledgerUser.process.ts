/**
 * A window that sends as much as a shared ledger lets it, as a process of its own:
 * `node ledgerUser.process.js FOLDER LIMIT SPEED MILLISECONDS PATIENCE [SIGNAL STEP]`. Its clock is SPEED times
 * as fast as the machine's. Locks change hands PATIENCE times as slowly as in a fifth of the usual time. For each attempt to reserve a place, it writes a line with the time before, the time
 * after, and how long it has to wait: 0 if the place is reserved. With a SIGNAL, it sends that to itself when
 * it adds its 20th line to the log, at a STEP: `before` or `after`.
 */
import fs from 'node:fs';
import { endpoints } from '../../../../src/api/paths';
import { SharedLedger } from '../../../../src/api/budget/sharedLedger';
import { type Clock, systemClock } from '../../../../src/base/events/clock';
import { silentLogger } from '../../../../src/base/logger';

const [folder = '', limit, speedText, forMs, patienceText, signal, step] = process.argv.slice(2);
const speed = Number(speedText);
/** Locks do not become faster with the clock. */
const lockSpeed = speed * Number(patienceText);
const clock: Clock = {
  now: () => Math.floor(systemClock.monotonic() * speed),
  monotonic: () => systemClock.monotonic() * speed,
  setTimeout: (callback, delayMs) => systemClock.setTimeout(callback, delayMs / speed),
};
const ledger = new SharedLedger({
  folder,
  limit: Number(limit),
  clock,
  logger: { ...silentLogger, warn: (line) => fs.writeSync(2, line) },
  // One that sends a signal must add lines, also where others have made the log long before it began.
  largeBytes: signal ? Infinity : 15_000,
  lockTimes: {
    heartbeatMs: 200 * lockSpeed,
    goneMs: 500 * lockSpeed,
    silentMs: 2_000 * lockSpeed,
  },
});
const end = systemClock.monotonic() + Number(forMs);

if (signal) {
  const { appendFileSync } = fs;
  let lines = 0;
  fs.appendFileSync = (...line) => {
    lines += 1;
    if (lines === 20 && step === 'before') {
      process.kill(process.pid, signal);
    }
    appendFileSync(...line);
    if (lines === 20 && step === 'after') {
      process.kill(process.pid, signal);
    }
  };
}

function send(): void {
  do {
    const before = clock.monotonic();
    const isReserved = ledger.tryReserve(endpoints.findings);
    const waitMs = isReserved ? 0 : ledger.waitMs(1);
    if (!isReserved && waitMs <= 0) {
      // Another process has the lock.
      systemClock.setTimeout(send, 1);
      return;
    }
    fs.writeSync(1, `${before} ${clock.monotonic()} ${waitMs}\n`);
    if (!isReserved) {
      if (systemClock.monotonic() < end) {
        clock.setTimeout(send, waitMs);
      }
      return;
    }
    // Without a time limit, the process reserves all places at once.
  } while (Number(forMs) === 0 || systemClock.monotonic() < end);
}

send();
