import type { Clock } from '../../base/events/clock';
import type { JsonObject } from '../../base/json/json';
import { CancelledError } from '../http/errors';
import { onAbort } from '../http/signals';
import { allEntries } from '../paging/collectionPages';
import type { CallOptions, CollectionSource } from '../types';

/** The path of the list. */
export const recentReportsPath = '/reports/recent';

/** How often the list is asked for while reports are made, in milliseconds: from the first to the last. */
const firstIntervalMs = 1_000;
const longestIntervalMs = 60_000;
const intervalGrowth = 1.5;

/** How long the address of a report may be missing after the report is complete, in milliseconds. */
const longestWithoutAddressMs = 60_000;

/**
 * The reports that the service has made lately. All running reports share its requests: an answer also serves those who
 * ask within half the time after which the next request is due.
 */
export class RecentReports {
  private readonly awaited = new Set<string>();
  private entries = new Map<string, JsonObject>();
  /** When reports without an address were first seen as complete, by their IDs. */
  private readonly completeSince = new Map<string, number>();
  private askedAt = -Infinity;
  private intervalMs = firstIntervalMs;
  private shared: Promise<void> | undefined;
  private readonly callers = new Set<CallOptions>();

  constructor(
    private readonly api: CollectionSource,
    private readonly clock: Clock,
  ) {}

  /**
   * The entry of a report; `undefined` if the list does not have it.
   * @throws ApiError; CancelledError as soon as the signal aborts.
   */
  async find(id: string, options: CallOptions): Promise<JsonObject | undefined> {
    if (!this.awaited.has(id)) {
      // A report that was just requested may soon be ready, however long others take.
      this.awaited.add(id);
      this.intervalMs = firstIntervalMs;
      this.forget();
    }
    if (this.clock.monotonic() - this.askedAt >= this.intervalMs / 2) {
      await this.ask(options);
    }
    return this.entries.get(id);
  }

  /** Whether a complete report without an address will get none. */
  isOverdue(id: string): boolean {
    const now = this.clock.monotonic();
    const since = this.completeSince.get(id) ?? now;
    this.completeSince.set(id, since);
    return now - since >= longestWithoutAddressMs;
  }

  /** The next call asks the service: an address in the list has not led to its file. */
  forget(): void {
    this.askedAt = -Infinity;
  }

  /** Waits for the request that all callers share. It goes on when one of them is cancelled, who hears no more of it. */
  private ask(caller: CallOptions): Promise<void> {
    const { callers } = this;
    callers.add(caller);
    const shared = (this.shared ??= this.read().finally(() => {
      this.shared = undefined;
    }));
    return new Promise((resolve, reject) => {
      const unlink =
        caller.signal &&
        onAbort(caller.signal, () => {
          callers.delete(caller);
          reject(new CancelledError());
        });
      shared.then(resolve, reject).finally(() => {
        callers.delete(caller);
        unlink?.();
      });
    });
  }

  private async read(): Promise<void> {
    const options: CallOptions = {
      priority: 'bulk',
      onWait: (wait) => {
        this.callers.forEach(({ onWait }) => onWait?.(wait));
      },
    };
    const startedAt = this.clock.monotonic();
    const entries = new Map<string, JsonObject>();
    for (const entry of await allEntries(this.api, recentReportsPath, options)) {
      if (typeof entry.id === 'string' || typeof entry.id === 'number') {
        entries.set(String(entry.id), entry);
      }
    }
    this.entries = entries;
    this.askedAt = startedAt;
    this.intervalMs = Math.min(this.intervalMs * intervalGrowth, longestIntervalMs);
  }
}
