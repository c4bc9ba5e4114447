import type { Clock } from '../common/clock';
import { CancelledError, RateLimitedError } from './errors';
import { onAbort } from './onAbort';
import type { Route } from './paths';
import type { Ledger } from './rollingWindow';
import type { Gate } from './throttleGate';
import type { CallOptions, Wait } from './types';

/** The most requests between their start and the end of their answer. */
export const mostInFlight = 6;

/** The longest delay a JavaScript timer keeps; a longer wait takes several. */
const longestTimerMs = 2 ** 31 - 1;

/** A change of a wait that is worth telling, in milliseconds. */
const noticeableMs = 1000;

/** One attempt that wants to be sent. */
export interface Admission {
  route: Route;
  priority: NonNullable<CallOptions['priority']>;
  /** Whether the call was sent before (a retry, a redirect): it goes ahead of those that were not. */
  again: boolean;
  /** The longest this attempt may still wait, in milliseconds. */
  maxWaitMs: number;
  signal: AbortSignal;
  onWait: CallOptions['onWait'];
}

/** The right to send one request. */
export interface Slot {
  /** How long the attempt stood in the queue, in milliseconds. */
  readonly waitedMs: number;
  /** Gives the place in flight back; a second call does nothing. */
  readonly release: () => void;
}

interface Entry extends Admission {
  /** Counts up over the whole queue. */
  order: number;
  since: number;
  /** The wait that `onWait` was last told about. */
  told: Wait | undefined;
  settle(outcome: Slot | Error): void;
}

interface Pause {
  until: number;
  route: Route;
}

/** Entries of one priority by endpoint, each in the order they came. */
type Lane = Map<string, Set<Entry>>;

/**
 * The one queue that every attempt passes: retries, redirects and polls too. It sends the
 * interactive before the bulk, keeps the order within an endpoint, holds what is paused or beyond
 * the budget, and lets a cancelled call go at once and for nothing.
 */
export class RequestQueue {
  private readonly lanes: readonly Lane[] = [new Map(), new Map(), new Map(), new Map()];
  private readonly pauses = new Map<string, Pause>();
  private allPausedUntil = 0;
  private inFlight = 0;
  private entered = 0;
  private disposed = false;
  private timer: { at: number; cancel: () => void } | undefined;

  /** @param onChange told when the count, or what is paused, has changed. */
  constructor(
    private readonly ledger: Ledger,
    private readonly gate: Gate,
    private readonly clock: Clock,
    private readonly onChange: () => void,
  ) {}

  /**
   * Waits until the attempt may be sent; it is counted then, and must be sent or released.
   * @throws CancelledError, RateLimitedError when the wait would be longer than `maxWaitMs`.
   */
  enter(admission: Admission): Promise<Slot> {
    return new Promise((resolve, reject) => {
      if (this.disposed || admission.signal.aborted) {
        reject(cancelled(admission.signal));
        return;
      }
      let settled = false;
      const entry: Entry = {
        ...admission,
        order: (this.entered += 1),
        since: this.clock.monotonic(),
        told: undefined,
        settle: (outcome) => {
          if (settled) {
            return;
          }
          settled = true;
          unlink();
          if (outcome instanceof Error) {
            reject(outcome);
          } else {
            resolve(outcome);
          }
        },
      };
      const unlink = onAbort(admission.signal, () => {
        this.remove(entry);
        entry.settle(cancelled(admission.signal));
        this.schedule();
      });
      this.add(entry);
      this.review(entry, this.countUpTo(laneOf(entry)));
      this.pump();
    });
  }

  /**
   * Holds back an endpoint after the service said so. When a second endpoint that shares the
   * general limit is refused while a first one is paused, it is that limit that is used up, and
   * everything waits: each further endpoint would only fetch its own 429.
   */
  pause(route: Route, ms: number): void {
    const now = this.clock.monotonic();
    const until = now + ms;
    const shared = [...this.pauses.values()].some(
      (other) => other.route.label !== route.label && !other.route.ownLimit && other.until > now,
    );
    if (shared && !route.ownLimit) {
      this.allPausedUntil = Math.max(this.allPausedUntil, until);
    }
    const earlier = this.pauses.get(route.label)?.until ?? 0;
    this.pauses.set(route.label, { route, until: Math.max(earlier, until) });
    this.reviewAll();
    this.schedule();
    this.onChange();
  }

  /** Milliseconds until the client as a whole goes on: a limit of one endpoint alone is not counted. */
  pausedForMs(): number {
    const now = this.clock.monotonic();
    const shared = [...this.pauses.values()].filter((pause) => !pause.route.ownLimit);
    const until = Math.max(this.allPausedUntil, ...shared.map((pause) => pause.until));
    return Math.max(0, until - now, this.ledger.waitMs(1));
  }

  /** Looks again at what may be sent; for a ledger whose limit or count was changed from outside. */
  pump(): void {
    let entry: Entry | undefined;
    while (this.inFlight < mostInFlight && this.generalWaitMs(1) <= 0 && (entry = this.next())) {
      this.admit(entry);
    }
    this.schedule();
  }

  /** Rejects everything that waits with CancelledError and leaves no timer. */
  dispose(): void {
    this.disposed = true;
    for (const lane of this.lanes) {
      for (const entries of lane.values()) {
        for (const entry of entries) {
          entry.settle(new CancelledError());
        }
      }
      lane.clear();
    }
    this.schedule();
  }

  private admit(entry: Entry): void {
    this.remove(entry);
    this.inFlight += 1;
    this.ledger.record();
    let held = true;
    const slot: Slot = {
      waitedMs: this.clock.monotonic() - entry.since,
      release: () => {
        if (held) {
          held = false;
          this.inFlight -= 1;
          this.pump();
        }
      },
    };
    // The gate is open whenever the ledger is; should it hold the entry back for a moment
    // nevertheless, a call cancelled meanwhile has been told so and its place is free again.
    const unlink = onAbort(entry.signal, slot.release);
    this.gate(() => {
      unlink();
      if (entry.told) {
        entry.onWait?.(undefined);
      }
      entry.settle(slot);
    });
    this.onChange();
  }

  /** The entry to send next, of those whose endpoint is not paused. */
  private next(): Entry | undefined {
    for (const lane of this.lanes) {
      let first: Entry | undefined;
      for (const [label, entries] of lane) {
        const [head] = entries;
        if (head && this.endpointWaitMs(label) <= 0 && head.order < (first?.order ?? Infinity)) {
          first = head;
        }
      }
      if (first) {
        return first;
      }
    }
    return undefined;
  }

  private add(entry: Entry): void {
    const lane = this.lanes[laneOf(entry)];
    const entries = lane?.get(entry.route.label);
    if (entries) {
      entries.add(entry);
    } else {
      lane?.set(entry.route.label, new Set([entry]));
    }
  }

  private remove(entry: Entry): void {
    const lane = this.lanes[laneOf(entry)];
    const entries = lane?.get(entry.route.label);
    if (entries?.delete(entry) && entries.size === 0) {
      lane?.delete(entry.route.label);
    }
  }

  private countUpTo(lastLane: number): number {
    let count = 0;
    for (const lane of this.lanes.slice(0, lastLane + 1)) {
      for (const entries of lane.values()) {
        count += entries.size;
      }
    }
    return count;
  }

  private endpointWaitMs(label: string): number {
    const pause = this.pauses.get(label);
    return pause ? pause.until - this.clock.monotonic() : 0;
  }

  /** What holds every endpoint back: the general limit and the budget. */
  private generalWaitMs(position: number): number {
    return Math.max(this.allPausedUntil - this.clock.monotonic(), this.ledger.waitMs(position));
  }

  /** Tells every waiting entry its wait, and rejects those that may not wait so long. */
  private reviewAll(): void {
    let position = 0;
    for (const lane of this.lanes) {
      for (const entries of [...lane.values()]) {
        for (const entry of [...entries]) {
          position += 1;
          this.review(entry, position);
        }
      }
    }
  }

  private review(entry: Entry, position: number): void {
    if (!this.lanes[laneOf(entry)]?.get(entry.route.label)?.has(entry)) {
      return;
    }
    const limitMs = Math.max(
      this.allPausedUntil - this.clock.monotonic(),
      this.endpointWaitMs(entry.route.label),
    );
    const waitMs = Math.max(limitMs, this.ledger.waitMs(position));
    if (waitMs <= 0) {
      return;
    }
    const until = this.clock.now() + waitMs;
    if (this.clock.monotonic() - entry.since + waitMs > entry.maxWaitMs) {
      this.remove(entry);
      entry.settle(new RateLimitedError(until, { endpoint: entry.route.label }));
      return;
    }
    if (Math.abs((entry.told?.until ?? 0) - until) > noticeableMs) {
      entry.told = { reason: limitMs >= waitMs ? 'limit' : 'budget', until };
      entry.onWait?.(entry.told);
    }
  }

  /** Sets the one timer to the next moment at which something that waits may be sent. */
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
          this.reviewAll();
          this.onChange();
        },
        Math.min(Math.ceil(waitMs), longestTimerMs),
      );
      this.timer = { at, cancel };
    }
  }

  /** Undefined when nothing waits, or when an answer has to end first. */
  private nextWaitMs(): number | undefined {
    const labels = new Set(this.lanes.flatMap((lane) => [...lane.keys()]));
    if (labels.size === 0 || this.inFlight >= mostInFlight) {
      return undefined;
    }
    const endpoints = [...labels].map((label) => this.endpointWaitMs(label));
    return Math.max(0, this.generalWaitMs(1), Math.min(...endpoints));
  }
}

/** The error a signal was aborted with, if it is ours: thousands may be cancelled in one go. */
function cancelled(signal: AbortSignal): CancelledError {
  return signal.reason instanceof CancelledError ? signal.reason : new CancelledError();
}

/** Interactive before bulk; within each, calls that were sent before ahead of new ones. */
function laneOf(admission: Admission): number {
  return (admission.priority === 'interactive' ? 0 : 2) + (admission.again ? 0 : 1);
}
