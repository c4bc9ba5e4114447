import { type Clock, longestTimerMs } from '../../base/events/clock';
import { CancelledError } from '../../base/cancelledError';
import { RateLimitedError } from '../http/errors';
import type { Ledger, Gate } from './ledger';
import { listen, stopListening } from '../http/signals';
import type { CallOptions, Wait } from '../types';

/**
 * The most requests of a client in flight, from their start to the end of their response; for the download of a report,
 * to its headers, or to its first 64 KiB where only these tell that it is one.
 */
export const maxInFlight = 6;

/** The time between two attempts while another window has locked the ledger, in milliseconds. */
const lockedMs = 10;

/** The smallest change of a wait that is reported, in milliseconds. */
const minReportedChangeMs = 1000;

export interface Admission {
  /** See findEndpoint. */
  readonly route: string;
  readonly priority: NonNullable<CallOptions['priority']>;
  /** Whether the call was sent before (a retry, a redirect): it goes to the front of its priority. */
  readonly isRepeat: boolean;
  /** The longest this attempt may still wait, in milliseconds. */
  readonly maxWaitMs: number;
  readonly signal: AbortSignal | undefined;
  readonly onWait: CallOptions['onWait'];
}

/** The right to send one request. */
export interface Slot {
  /** How long the attempt waited in the queue, in milliseconds. */
  readonly waitedMs: number;
  /** Frees the slot; a second call does nothing. */
  readonly release: () => void;
}

/** A waiting attempt. It makes one function at most, because thousands may wait. */
class Entry {
  /** The wait that `onWait` was last called with. */
  reported: Wait | undefined;
  /** The slot of the attempt, while the gate still delays it. */
  slot: Slot | undefined;
  private settled = false;
  private readonly cancel: (() => void) | undefined;

  /** @param order increases with every entry. */
  constructor(
    readonly admission: Admission,
    readonly order: number,
    readonly since: number,
    private readonly resolve: (slot: Slot) => void,
    private readonly reject: (error: Error) => void,
    queue: RequestQueue,
  ) {
    const { signal } = admission;
    if (signal) {
      this.cancel = () => {
        this.settle(cancelled);
        queue.remove(this);
      };
      listen(signal, this.cancel);
    }
  }

  /** Whether the length of the wait matters: it is reported or limited. */
  get tracksWait(): boolean {
    const { onWait, maxWaitMs } = this.admission;
    return onWait !== undefined || maxWaitMs < Infinity;
  }

  /** Entries with the same name differ only in when they were added. */
  get group(): string {
    const { priority, isRepeat, route } = this.admission;
    return `${priority} ${isRepeat} ${route}`;
  }

  /** Settles the attempt; only the first outcome counts. @returns whether this was the first. */
  settle(outcome: Slot | Error): boolean {
    if (this.settled) {
      return false;
    }
    this.settled = true;
    const { signal } = this.admission;
    if (signal && this.cancel) {
      stopListening(signal, this.cancel);
    }
    if (outcome instanceof Error) {
      this.reject(outcome);
    } else {
      this.resolve(outcome);
    }
    return true;
  }
}

/**
 * One error for all attempts that are cancelled. Thousands may end at once, and the stack is the most
 * expensive part of an error.
 */
const cancelled = new CancelledError();

/**
 * The one queue that every attempt passes, retries, redirects and polls included. It sends
 * interactive requests before bulk ones and keeps the order within an endpoint. It holds requests
 * that are paused or over the budget. A cancelled request leaves at once and costs nothing.
 */
export class RequestQueue {
  private readonly waiting = new WaitingEntries();
  private readonly atGate = new Set<Entry>();
  private inFlight = 0;
  private enteredCount = 0;
  private disposed = false;
  private timer: { at: number; cancel: () => void } | undefined;

  constructor(
    private readonly ledger: Ledger,
    private readonly gate: Gate,
    private readonly clock: Clock,
  ) {}

  /**
   * Waits until the attempt may be sent. It is then counted, and must be sent or released.
   * @throws CancelledError, RateLimitedError when the wait would be longer than `maxWaitMs`.
   */
  enter(admission: Admission): Promise<Slot> {
    return new Promise((resolve, reject) => {
      if (this.disposed || admission.signal?.aborted) {
        reject(cancelled);
        return;
      }
      const since = this.clock.monotonic();
      const entry = new Entry(admission, (this.enteredCount += 1), since, resolve, reject, this);
      this.waiting.add(entry);
      if (entry.tracksWait) {
        this.updateWait(entry, this.waiting.lastPosition(entry));
      }
      // If another request of the same kind is ahead, this one has to wait for it anyway.
      if (this.waiting.isFirst(entry)) {
        this.pump();
      }
    });
  }

  remove(entry: Entry): void {
    this.waiting.delete(entry);
    // The gate is normally open whenever the ledger is. If it delayed the entry for a moment, this frees
    // the slot.
    entry.slot?.release();
    // While others wait, the timer stays; at worst it finds nothing to send. Resetting it for each
    // of thousands of requests that are cancelled together would take seconds.
    if (this.waiting.size === 0) {
      this.schedule();
    }
  }

  /**
   * Pauses an endpoint for as long as the service requested, in this window and in every window that shares the
   * ledger.
   */
  pause(route: string, ms: number): void {
    this.ledger.pause(route, ms);
    this.updateAllWaits();
    this.schedule();
  }

  /** Milliseconds until the client as a whole continues: the limit of a single endpoint does not count. */
  pausedForMs(): number {
    return Math.max(this.ledger.pauses.sharedMs(), this.ledger.waitMs(1));
  }

  /** Call it after the limit was changed. Sends what may be sent, and reports the new wait to the rest. */
  applyLimit(): void {
    this.pump();
    this.updateAllWaits();
  }

  /** Rejects all waiting attempts with CancelledError and clears the timer. */
  dispose(): void {
    this.disposed = true;
    for (const entry of [...this.waiting.all(), ...this.atGate]) {
      this.waiting.delete(entry);
      entry.settle(cancelled);
    }
    this.atGate.clear();
    this.schedule();
  }

  /** Sends what may be sent. */
  private pump(): void {
    const isOpen = (route: string) => this.endpointMs(route) === 0;
    if (this.waiting.size > 0 && this.ledger.refresh()) {
      // Another window may have sent requests, or may have received a Retry-After.
      this.updateAllWaits();
    }
    let entry: Entry | undefined;
    while (
      this.inFlight < maxInFlight &&
      this.generalWaitMs() <= 0 &&
      (entry = this.waiting.first(isOpen))
    ) {
      if (!this.ledger.tryReserve(entry.admission.route)) {
        // Another window was faster. Now the wait is known, and entries that may not wait so long are
        // rejected. Or that window has locked the ledger for a moment.
        this.updateAllWaits();
        break;
      }
      this.admit(entry);
    }
    this.schedule();
  }

  private admit(entry: Entry): void {
    this.waiting.delete(entry);
    this.inFlight += 1;
    this.atGate.add(entry);
    let isOccupied = true;
    const slot: Slot = {
      waitedMs: this.clock.monotonic() - entry.since,
      release: () => {
        if (isOccupied) {
          isOccupied = false;
          this.inFlight -= 1;
          this.atGate.delete(entry);
          this.pump();
        }
      },
    };
    entry.slot = slot;
    this.gate(() => {
      this.atGate.delete(entry);
      entry.slot = undefined;
      if (entry.settle(slot) && entry.reported) {
        entry.admission.onWait?.(undefined);
      }
    });
  }

  /** The wait that applies to every endpoint, because of the general limit or the budget. */
  private generalWaitMs(): number {
    return Math.max(this.ledger.pauses.allMs(), this.ledger.waitMs(1));
  }

  private endpointMs(route: string): number {
    return this.ledger.pauses.endpointMs(route);
  }

  private updateAllWaits(): void {
    for (const [index, entry] of this.waiting.all().entries()) {
      if (entry.tracksWait) {
        this.updateWait(entry, index + 1);
      }
    }
  }

  /** Reports the wait to an entry, or rejects it if the wait is too long. */
  private updateWait(entry: Entry, position: number): void {
    const { route, maxWaitMs, onWait } = entry.admission;
    const limitMs = Math.max(this.ledger.pauses.allMs(), this.endpointMs(route));
    const waitMs = Math.max(limitMs, this.ledger.waitMs(position));
    // A listener that was called for an earlier entry may have ended this one.
    if (waitMs <= 0 || !this.waiting.has(entry)) {
      return;
    }
    const until = this.clock.now() + waitMs;
    if (this.clock.monotonic() - entry.since + waitMs > maxWaitMs) {
      this.waiting.delete(entry);
      entry.settle(new RateLimitedError(until, { endpoint: route }));
      return;
    }
    if (Math.abs((entry.reported?.until ?? 0) - until) > minReportedChangeMs) {
      entry.reported = { reason: limitMs >= waitMs ? 'limit' : 'budget', until };
      onWait?.(entry.reported);
    }
  }

  /** Sets the timer to the next time at which a waiting attempt may be sent. */
  private schedule(): void {
    const waitMs = this.nextWaitMs();
    const at = waitMs === undefined ? undefined : this.clock.monotonic() + waitMs;
    if (this.timer?.at === at) {
      return;
    }
    this.timer?.cancel();
    this.timer = undefined;
    if (at !== undefined && waitMs !== undefined) {
      const cancel = this.clock.setTimeout(
        () => {
          this.timer = undefined;
          this.pump();
          this.updateAllWaits();
        },
        Math.min(Math.ceil(waitMs), longestTimerMs),
      );
      this.timer = { at, cancel };
    }
  }

  /** Undefined when nothing waits, or when a response has to end first. */
  private nextWaitMs(): number | undefined {
    if (this.waiting.size === 0 || this.inFlight >= maxInFlight) {
      return undefined;
    }
    const endpoints = [...this.waiting.routes()].map((route) => this.endpointMs(route));
    const waitMs = Math.max(this.generalWaitMs(), Math.min(...endpoints));
    // What may be sent now is still here because another window has locked the ledger.
    return waitMs > 0 ? waitMs : lockedMs;
  }
}

function compareOrder(first: Entry, second: Entry): number {
  const [one, other] = [first.admission, second.admission];
  return (
    Number(other.priority === 'interactive') - Number(one.priority === 'interactive') ||
    Number(other.isRepeat) - Number(one.isRepeat) ||
    first.order - second.order
  );
}

/**
 * The waiting entries, in the order in which they are sent. Adding an entry, removing any entry, and finding the
 * first whose endpoint is open takes the same time however many entries wait.
 */
class WaitingEntries {
  size = 0;
  private readonly groups = new Map<string, Set<Entry>>();

  add(entry: Entry): void {
    this.groups.set(entry.group, this.groupOf(entry).add(entry));
    this.size += 1;
  }

  has(entry: Entry): boolean {
    return this.groupOf(entry).has(entry);
  }

  delete(entry: Entry): void {
    this.size -= this.groupOf(entry).delete(entry) ? 1 : 0;
  }

  first(isOpen: (route: string) => boolean): Entry | undefined {
    return this.heads().find(({ admission }) => isOpen(admission.route));
  }

  isFirst(entry: Entry): boolean {
    const [head] = this.groupOf(entry);
    return head === entry;
  }

  /** The position of an entry that was just added, from 1. */
  lastPosition(entry: Entry): number {
    let count = 0;
    for (const group of this.groups.values()) {
      const [head = entry] = group;
      count += compareOrder(head, entry) > 0 ? 0 : group.size;
    }
    return count;
  }

  /** The endpoints of the waiting entries. */
  routes(): Set<string> {
    return new Set(this.heads().map(({ admission }) => admission.route));
  }

  all(): Entry[] {
    return this.heads().flatMap((head) => [...this.groupOf(head)]);
  }

  /** The first entry of each group, in order. */
  private heads(): Entry[] {
    return [...this.groups.values()].flatMap(([head]) => head ?? []).sort(compareOrder);
  }

  private groupOf(entry: Entry): Set<Entry> {
    return this.groups.get(entry.group) ?? new Set();
  }
}
