import type { Clock } from '../common/clock';
import type { Gate, GateFactory } from './throttleGate';

/**
 * How far the wall clock may part from the one that only goes forward, in milliseconds. Far less
 * than what the shared ledger keeps beside the hour: a request that has its place there is not
 * held here for so long that it would no longer be covered by it.
 */
export const mostPartingMs = 5000;

/** How often the clocks are compared while the gate holds something, in milliseconds. */
const checkMs = 1000;

/**
 * The last gate, made anew when the system time jumps. It tells the time by the wall clock: set
 * back, it would hold everything for as long as that; set forward, it has forgotten what was sent.
 *
 * A new gate is empty. That lets no burst through, as the ledger in front of it goes by the other
 * clock and hands out no place that the old gate would have refused. What the old gate holds goes
 * through the new one.
 */
export class RenewedGate {
  private readonly held = new Set<() => void>();
  private gate: Gate;
  private parting: number;
  private cancelCheck: (() => void) | undefined;

  constructor(
    private readonly factory: GateFactory,
    private limit: number,
    private readonly clock: Clock,
  ) {
    this.gate = factory(limit);
    this.parting = clock.now() - clock.monotonic();
  }

  enter(start: () => void): void {
    this.check();
    // Wrapped, so that one function that enters twice is started twice.
    const held = () => {
      start();
    };
    this.held.add(held);
    this.pass(held);
    this.watch();
  }

  /** Goes on with a gate for another limit. */
  renew(limit: number): void {
    this.limit = limit;
    this.parting = this.clock.now() - this.clock.monotonic();
    this.gate = this.factory(limit);
    for (const held of [...this.held]) {
      this.pass(held);
    }
  }

  /** Gives up what is held, and leaves no timer of its own. */
  dispose(): void {
    this.held.clear();
    this.cancelCheck?.();
    this.cancelCheck = undefined;
  }

  /** Makes the gate anew when the clocks have parted. */
  private check(): void {
    if (Math.abs(this.clock.now() - this.clock.monotonic() - this.parting) > mostPartingMs) {
      this.renew(this.limit);
    }
  }

  /** What is held must not wait for the next request to find out that the time has jumped. */
  private watch(): void {
    if (this.held.size > 0) {
      this.cancelCheck ??= this.clock.setTimeout(() => {
        this.cancelCheck = undefined;
        this.check();
        this.watch();
      }, checkMs);
    }
  }

  /** The first gate to let it through starts it; the one before it comes too late. */
  private pass(held: () => void): void {
    this.gate(() => {
      if (this.held.delete(held)) {
        held();
      }
    });
  }
}
