import { type Ledger, RollingWindow } from '../src/api/rollingWindow';
import { systemClock, type Clock } from '../src/common/clock';

/** Opens the ledger of one window; it is asked again when the window is reloaded. */
export type LedgerFactory = (window: number) => Ledger;

/** One account for all windows: those of one process, which share it in memory. */
export function sharedLedgers(limit: number, clock: Clock): LedgerFactory {
  const ledger = new RollingWindow(limit, clock);
  return () => ledger;
}

/** A ledger whose budget was used up just now. */
export function usedUpLedger(limit: number): Ledger {
  const ledger = new RollingWindow(limit, systemClock);
  for (let number = 0; number < limit; number += 1) {
    ledger.record();
  }
  return ledger;
}
