import { type Clock, longestTimerMs } from '../../base/events/clock';
import { CancelledError, RateLimitedError } from '../http/errors';
import type { Ledger, Gate } from './ledger';
import { type AbortListener, listen, stopListening } from '../http/signals';
import type { Route } from '../paths';
import type { CallOptions, Wait } from '../types';

/** The most requests in flight, from their start to the end of their response. */
export const maxInFlight = 6;

/** The time between two attempts while another window has locked the ledger, in milliseconds. */
const lockedMs = 10;

/** The smallest change of a wait that is reported, in milliseconds. */
const minReportedChangeMs = 1000;

export interface Admission extends Omit<QueueItem, 'order'> {
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

/** A waiting attempt. Each is one plain object, because thousands may wait. */
class Entry implements QueueItem, AbortListener {
  readonly route: Route;
  readonly priority: Admission['priority'];
  readonly isRepeat: boolean;
  readonly maxWaitMs: number;
  readonly onWait: CallOptions['onWait'];
  /** The wait that `onWait` was last called with. */
  reported: Wait | undefined;
  /** The slot of the attempt, while the gate still delays it. */
  slot: Slot | undefined;
  private readonly signal: AbortSignal | undefined;
  private settled = false;

  constructor(
    admission: Admission,
    readonly order: number,
    readonly since: number,
    private readonly queue: RequestQueue,
    private readonly resolve: (slot: Slot) => void,
    private readonly reject: (error: Error) => void,
  ) {
    this.route = admission.route;
    this.priority = admission.priority;
    this.isRepeat = admission.isRepeat;
    this.maxWaitMs = admission.maxWaitMs;
    this.onWait = admission.onWait;
    this.signal = admission.signal;
    if (this.signal) {
      listen(this.signal, this);
    }
  }

  /** Whether the length of the wait matters: it is reported or limited. */
  get tracksWait(): boolean {
    return this.onWait !== undefined || this.maxWaitMs < Infinity;
  }

  onAbort(): void {
    this.settle(this.signal ? cancelled(this.signal) : new CancelledError());
    this.queue.remove(this);
  }

  /** Settles the attempt; only the first outcome counts. @returns whether this was the first. */
  settle(outcome: Slot | Error): boolean {
    if (this.settled) {
      return false;
    }
    this.settled = true;
    if (this.signal) {
      stopListening(this.signal, this);
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
 * The one queue that every attempt passes, retries, redirects and polls included. It sends
 * interactive requests before bulk ones and keeps the order within an endpoint. It holds requests
 * that are paused or over the budget. A cancelled request leaves at once and costs nothing.
 */
export class RequestQueue {
  private readonly waiting = new WaitingItems<Entry>();
  private readonly atGate = new Set<Entry>();
  private inFlight = 0;
  private enteredCount = 0;
  private disposed = false;
  private timer: { at: number; cancel: () => void } | undefined;

  /** @param onChange called when the count or a pause has changed. */
  constructor(
    private readonly ledger: Ledger,
    private readonly gate: Gate,
    private readonly clock: Clock,
    private readonly onChange: () => void,
  ) {}

  /**
   * Waits until the attempt may be sent. It is then counted, and must be sent or released.
   * @throws CancelledError, RateLimitedError when the wait would be longer than `maxWaitMs`.
   */
  enter(admission: Admission): Promise<Slot> {
    return new Promise((resolve, reject) => {
      const { signal } = admission;
      if (this.disposed || signal?.aborted) {
        reject(signal?.aborted ? cancelled(signal) : new CancelledError());
        return;
      }
      const since = this.clock.monotonic();
      const entry = new Entry(admission, (this.enteredCount += 1), since, this, resolve, reject);
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
  pause(route: Route, ms: number): void {
    this.ledger.pause(route, ms);
    this.updateAllWaits();
    this.schedule();
    this.onChange();
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

  /** Sends what may be sent. Call it also after the count of the ledger was changed from outside. */
  pump(): void {
    const isOpen = (label: string) => this.endpointMs(label) === 0;
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
      if (!this.ledger.tryReserve(entry.route)) {
        // Another window was faster. Now the wait is known, and entries that may not wait so long are
        // rejected. Or that window has locked the ledger for a moment.
        this.updateAllWaits();
        break;
      }
      this.admit(entry);
    }
    this.schedule();
  }

  /** Rejects all waiting attempts with CancelledError and clears the timer. */
  dispose(): void {
    this.disposed = true;
    const error = new CancelledError();
    for (const entry of [...this.waiting.all(), ...this.atGate]) {
      this.waiting.delete(entry);
      entry.settle(error);
    }
    this.atGate.clear();
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
        entry.onWait?.(undefined);
      }
    });
    this.onChange();
  }

  /** The wait that applies to every endpoint, because of the general limit or the budget. */
  private generalWaitMs(): number {
    return Math.max(this.ledger.pauses.allMs(), this.ledger.waitMs(1));
  }

  private endpointMs(label: string): number {
    return this.ledger.pauses.endpointMs(label);
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
    const limitMs = Math.max(this.ledger.pauses.allMs(), this.endpointMs(entry.route.label));
    const waitMs = Math.max(limitMs, this.ledger.waitMs(position));
    // A listener that was called for an earlier entry may have ended this one.
    if (waitMs <= 0 || !this.waiting.has(entry)) {
      return;
    }
    const until = this.clock.now() + waitMs;
    if (this.clock.monotonic() - entry.since + waitMs > entry.maxWaitMs) {
      this.waiting.delete(entry);
      entry.settle(new RateLimitedError(until, { endpoint: entry.route.label }));
      return;
    }
    if (Math.abs((entry.reported?.until ?? 0) - until) > minReportedChangeMs) {
      entry.reported = { reason: limitMs >= waitMs ? 'limit' : 'budget', until };
      entry.onWait?.(entry.reported);
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
          this.onChange();
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
    const endpoints = [...this.waiting.labels()].map((label) => this.endpointMs(label));
    const waitMs = Math.max(this.generalWaitMs(), Math.min(...endpoints));
    // What may be sent now is still here because another window has locked the ledger.
    return waitMs > 0 ? waitMs : lockedMs;
  }
}

/** The errors of signals whose abort reason is not a CancelledError. */
const cancellations = new WeakMap<AbortSignal, CancelledError>();

/**
 * One error for all attempts that a signal cancels. Thousands may end at once, and the stack is the most
 * expensive part of an error.
 */
function cancelled(signal: AbortSignal): CancelledError {
  if (signal.reason instanceof CancelledError) {
    return signal.reason;
  }
  const error = cancellations.get(signal) ?? new CancelledError();
  cancellations.set(signal, error);
  return error;
}

interface QueueItem {
  readonly route: Route;
  readonly priority: NonNullable<CallOptions['priority']>;
  /** Whether the call was sent before (a retry, a redirect): it goes to the front of its priority. */
  readonly isRepeat: boolean;
  /** Increases with every addition. */
  readonly order: number;
}

function compareOrder(first: QueueItem, second: QueueItem): number {
  return (
    Number(second.priority === 'interactive') - Number(first.priority === 'interactive') ||
    Number(second.isRepeat) - Number(first.isRepeat) ||
    first.order - second.order
  );
}

/**
 * The waiting items, in the order in which they are sent. Those that differ only in when they were added form a
 * group, so adding an item, removing any item, and finding the first whose endpoint is open takes the same time
 * however many items wait.
 */
class WaitingItems<T extends QueueItem> {
  private readonly groups = new Map<string, Set<T>>();
  private count = 0;

  get size(): number {
    return this.count;
  }

  add(item: T): void {
    const group = this.groupOf(item);
    if (group) {
      group.add(item);
    } else {
      this.groups.set(groupName(item), new Set([item]));
    }
    this.count += 1;
  }

  has(item: T): boolean {
    return this.groupOf(item)?.has(item) ?? false;
  }

  delete(item: T): void {
    const group = this.groupOf(item);
    if (group?.delete(item)) {
      this.count -= 1;
      if (group.size === 0) {
        this.groups.delete(groupName(item));
      }
    }
  }

  first(isOpen: (label: string) => boolean): T | undefined {
    return this.heads().find(({ route }) => isOpen(route.label));
  }

  isFirst(item: T): boolean {
    const [head] = this.groupOf(item) ?? [];
    return head === item;
  }

  /** The position of an item that was just added, from 1. */
  lastPosition(item: T): number {
    let count = 0;
    for (const group of this.groups.values()) {
      const [head = item] = group;
      count += compareOrder(head, item) > 0 ? 0 : group.size;
    }
    return count;
  }

  labels(): Set<string> {
    return new Set(this.heads().map(({ route }) => route.label));
  }

  all(): T[] {
    return this.heads().flatMap((head) => [...(this.groupOf(head) ?? [])]);
  }

  /** The first item of each group, in order. */
  private heads(): T[] {
    return [...this.groups.values()].flatMap(([head]) => head ?? []).sort(compareOrder);
  }

  private groupOf(item: T): Set<T> | undefined {
    return this.groups.get(groupName(item));
  }
}

function groupName({ priority, isRepeat, route }: QueueItem): string {
  return `${priority} ${isRepeat} ${route.label}`;
}
