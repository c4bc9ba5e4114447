import { randomUUID } from 'node:crypto';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { type Ledger, MemoryLedger } from '../../src/api/budget/ledger';
import { findingsRoute } from '../../src/api/paths';
import { SharedLedger } from '../../src/api/budget/sharedLedger';
import { type Clock, systemClock } from '../../src/base/clock';
import { silentLogger } from '../../src/base/logger';

/** Opens the ledger of one window; it is asked again when the window is reloaded. */
export type LedgerFactory = (window: number) => Ledger;

/** One account for all windows: each opens it by its own, as the processes of real ones do. */
export function sharedLedgers(
  limit: number,
  clock: Clock,
): { open: LedgerFactory; folder: string } {
  const folder = join(tmpdir(), `scorecard-bench-${randomUUID()}`);
  return {
    folder,
    open: () => new SharedLedger({ folder, limit, clock, boot: 1, logger: silentLogger }),
  };
}

/** A ledger whose budget was used up just now. */
export function usedUpLedger(limit: number): Ledger {
  const ledger = new MemoryLedger(limit, systemClock);
  while (ledger.take(findingsRoute)) {
    // Until there is no place.
  }
  return ledger;
}
