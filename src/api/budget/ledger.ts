import type { Clock } from '../../base/clock';
import type { Disposable } from '../../base/disposable';
import { endpointId, type Route } from '../paths';
import { Pauses } from './pauses';
import { RollingWindow, type Sent } from './rollingWindow';

/**
 * The account of one API key: what was sent in the last hour, and what the service has paused. The
 * queue asks it before each request. One client may have it for itself (MemoryLedger), or share it
 * with every window of the machine (SharedLedger).
 */
export interface Ledger extends Disposable {
  /** Requests allowed in any window; may be changed while requests wait. */
  limit: number;
  /** Reads what other windows have added; true if there was anything. */
  refresh(): boolean;
  /** Requests in the window that ends now. */
  used(): number;
  sent(): readonly Sent[];
  /** Milliseconds until the budget has room for the `position`-th of those waiting; see RollingWindow. */
  waitMs(position: number): number;
  readonly pauses: Pauses;
  /**
   * Takes a place for a request, which must then be sent at once. Returns false, and counts
   * nothing, when no place is free any more because another window was faster.
   */
  take(route: Route): boolean;
  /** Pauses an endpoint as the service requested, in milliseconds. */
  pause(route: Route, ms: number): void;
}

/** A ledger in memory: of one client alone, and what one window knows of a shared one. */
export class MemoryLedger extends RollingWindow implements Ledger {
  readonly pauses: Pauses;

  constructor(limit: number, clock: Clock, lengthMs?: number) {
    super(limit, clock, lengthMs);
    this.pauses = new Pauses(clock);
  }

  refresh(): boolean {
    return false;
  }

  /** Whether one more request to an endpoint may be sent now. */
  hasCapacity(endpoint: number): boolean {
    return this.waitMs(1) <= 0 && this.pauses.allMs() <= 0 && this.pauses.endpointMs(endpoint) <= 0;
  }

  take(route: Route): boolean {
    const endpoint = endpointId(route.label);
    if (!this.hasCapacity(endpoint)) {
      return false;
    }
    this.record({ endpoint });
    return true;
  }

  pause({ label, ownLimit }: Route, ms: number): void {
    this.pauses.add({ endpoint: endpointId(label), ownLimit, at: this.clock.monotonic(), ms });
  }

  dispose(): void {
    // Holds no resource.
  }
}
