import type { Clock } from '../../base/events/clock';
import { isJsonNumber, type JsonObject } from '../../base/json/json';
import { type SharedOptions, SharedRequest } from '../http/sharedRequest';
import { allEntries } from '../paging/collectionPages';
import type { CallOptions, CollectionSource } from '../types';

/** The path of the list. */
export const recentReportsPath = '/reports/recent';

/** The oldest answer that serves a report, in milliseconds; a report that is awaited for a short time needs a newer one. */
const longestKeptMs = 30_000;

/** How long the address of a report may be missing after the report is complete, in milliseconds. */
const longestWithoutAddressMs = 60_000;

/**
 * The reports that the service has made lately. All running reports of a window share its requests: an answer also serves those who
 * ask within an eighth of the time that they have been awaited.
 */
export class RecentReports {
  /** Since when reports are awaited, by their IDs. */
  private readonly awaitedSince = new Map<string, number>();
  private entries = new Map<string, JsonObject>();
  /** When reports without an address were first seen as complete, by their IDs. */
  private readonly completeSince = new Map<string, number>();
  private askedAt = -Infinity;
  private shared: SharedRequest<void> | undefined;

  constructor(
    private readonly api: CollectionSource,
    private readonly clock: Clock,
  ) {}

  /**
   * The entry of a report; `undefined` if the list does not have it.
   * @throws ApiError; CancelledError as soon as the signal aborts.
   */
  async find(id: string, options: CallOptions): Promise<JsonObject | undefined> {
    const now = this.clock.monotonic();
    const since = this.awaitedSince.get(id) ?? now;
    this.awaitedSince.set(id, since);
    if (now - this.askedAt >= Math.min((now - since) / 8, longestKeptMs)) {
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

  private ask(caller: CallOptions): Promise<void> {
    const shared = (this.shared ??= new SharedRequest(
      (options) => this.read(options),
      () => {
        this.shared = this.shared === shared ? undefined : this.shared;
      },
    ));
    return shared.wait(caller);
  }

  private async read(shared: SharedOptions): Promise<void> {
    const options: CallOptions = { ...shared, priority: 'bulk' };
    const startedAt = this.clock.monotonic();
    const entries = new Map<string, JsonObject>();
    for (const entry of await allEntries(this.api, recentReportsPath, options)) {
      if (typeof entry.id === 'string' || isJsonNumber(entry.id)) {
        entries.set(String(entry.id), entry);
      }
    }
    this.entries = entries;
    this.askedAt = startedAt;
  }
}
