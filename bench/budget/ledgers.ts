import { randomUUID } from 'node:crypto';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Ledger } from '../../src/api/budget/ledger';
import { endpoints } from '../../src/api/paths';
import { SharedLedger } from '../../src/api/budget/sharedLedger';
import { type Clock, systemClock } from '../../src/base/events/clock';
import { silentLogger } from '../../src/base/logger';

/** Opens the ledger of one window; called again when the window is reloaded. */
export type LedgerFactory = (window: number) => Ledger;

/** One account for all windows: each opens it separately, as the processes of real windows do. */
export function sharedLedgers(
  limit: number,
  clock: Clock,
): { open: LedgerFactory; folder: string } {
  const folder = join(tmpdir(), `scorecard-bench-${randomUUID()}`);
  return {
    folder,
    open: () => new SharedLedger({ folder, limit, clock, logger: silentLogger }),
  };
}

/** A ledger whose budget has just been used up. */
export function usedUpLedger(limit: number): Ledger {
  const ledger = new Ledger(limit, systemClock);
  while (ledger.tryReserve(endpoints.findings)) {
    // Reserves requests until none is left.
  }
  return ledger;
}
