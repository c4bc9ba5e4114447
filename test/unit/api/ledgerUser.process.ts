/**
 * A window that sends as much as a shared ledger lets it, as a process of its own:
 * `node ledgerUser.process.js FOLDER LIMIT SPEED MILLISECONDS`. Its clock is SPEED times as fast as
 * the machine's. For each place it writes a line with the time before and after it was taken.
 */
import { writeSync } from 'node:fs';
import { findingsRoute } from '../../../src/api/paths';
import { SharedLedger } from '../../../src/api/sharedLedger';
import { type Clock, systemClock } from '../../../src/common/clock';
import { silentLogger } from '../../../src/common/logger';

const [folder = '', limit, speed, forMs] = process.argv.slice(2);
const clock: Clock = {
  now: () => systemClock.now(),
  monotonic: () => systemClock.monotonic() * Number(speed),
  setTimeout: (callback, delayMs) => systemClock.setTimeout(callback, delayMs / Number(speed)),
};
const ledger = new SharedLedger({
  folder,
  limit: Number(limit),
  clock,
  logger: { ...silentLogger, warn: (line) => writeSync(2, line) },
  fileRecords: 300,
});
const end = systemClock.monotonic() + Number(forMs);

function send(): void {
  for (;;) {
    const before = clock.monotonic();
    if (!ledger.take(findingsRoute)) {
      break;
    }
    writeSync(1, `${before} ${clock.monotonic()}\n`);
  }
  if (systemClock.monotonic() < end) {
    clock.setTimeout(send, Math.max(0, ledger.waitMs(1)));
  }
}

send();
