/**
 * A window that sends as much as a shared ledger lets it, as a process of its own:
 * `node ledgerUser.process.js FOLDER LIMIT SPEED MILLISECONDS`. Its clock is SPEED times as fast as
 * the machine's. For each attempt to reserve a place, it writes a line with the time before, the time
 * after, and how long it has to wait: 0 if the place is reserved.
 */
import { writeSync } from 'node:fs';
import { findingsRoute } from '../../../../src/api/paths';
import { SharedLedger } from '../../../../src/api/budget/sharedLedger';
import { type Clock, systemClock } from '../../../../src/base/events/clock';
import { silentLogger } from '../../../../src/base/logger';

const [folder = '', limit, speed, forMs] = process.argv.slice(2);
const clock: Clock = {
  now: () => systemClock.monotonic() * Number(speed),
  monotonic: () => systemClock.monotonic() * Number(speed),
  setTimeout: (callback, delayMs) => systemClock.setTimeout(callback, delayMs / Number(speed)),
};
const ledger = new SharedLedger({
  folder,
  limit: Number(limit),
  clock,
  logger: { ...silentLogger, warn: (line) => writeSync(2, line) },
  largeBytes: 15_000,
  // Locks do not become faster with the clock.
  lockTimes: {
    heartbeatMs: 20 * Number(speed),
    goneMs: 50 * Number(speed),
    silentMs: 200 * Number(speed),
  },
});
const end = systemClock.monotonic() + Number(forMs);

function send(): void {
  do {
    const before = clock.monotonic();
    const isReserved = ledger.tryReserve(findingsRoute);
    const waitMs = isReserved ? 0 : Math.max(Number.MIN_VALUE, ledger.waitMs(1));
    writeSync(1, `${before} ${clock.monotonic()} ${waitMs}\n`);
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
