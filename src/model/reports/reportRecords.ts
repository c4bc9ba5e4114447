import { ConfigError, RateLimitedError } from '../../api/errors';
import type { Disposable } from '../../common/disposable';
import { Emitter } from '../../common/emitter';
import { HumanError } from '../../common/humanError';
import { message } from '../../common/message';
import { SignedOutError } from '../signedOutError';
import { isUnfinished, type ReportFailure, type StoredReport } from './reportRecord';
import type { ReportStore, UnreadableReport } from './reportStore';

/** A report has come to its end: driven here, or seen to end in another window. */
export interface ReportEnd {
  report: StoredReport;
  drivenHere: boolean;
}

/**
 * The records of this machine's reports as they were last read or written, with the events that
 * tell of them. What is on disk is the truth; this is the copy that is shown.
 */
export class ReportRecords implements Disposable {
  private readonly changed = new Emitter<StoredReport | undefined>();
  private readonly ended = new Emitter<ReportEnd>();
  private known = new Map<string, StoredReport>();
  private unreadableReports: readonly UnreadableReport[] = [];

  /** Fires a report that changed, or `undefined` when any number of them may have. */
  readonly onDidChange = this.changed.event;

  /** Fires when a report has become ready, failed or was cancelled. */
  readonly onDidEnd = this.ended.event;

  constructor(private readonly store: ReportStore) {}

  /**
   * Reads all records anew.
   * @returns those that another window has brought to their end since the last time.
   */
  read(): StoredReport[] {
    const before = this.known;
    const { reports, unreadable } = this.store.readAll();
    // What the disk does not give out in this moment, such as too many open files, is not gone.
    const kept = unreadable.flatMap(({ id, reason }) =>
      reason === 'unavailable' ? (before.get(id) ?? []) : [],
    );
    this.known = new Map([...reports, ...kept].map((report) => [report.id, report]));
    this.unreadableReports = unreadable.filter(({ id }) => !this.known.has(id));
    return [...this.known.values()].filter((report) => {
      const earlier = before.get(report.id);
      return earlier && isUnfinished(earlier) && !isUnfinished(report);
    });
  }

  /** All that are known, the newest request first. */
  all(): StoredReport[] {
    return [...this.known.values()].sort(
      (a, b) => b.requestedAt.localeCompare(a.requestedAt) || b.id.localeCompare(a.id),
    );
  }

  find(id: string): StoredReport | undefined {
    return this.known.get(id);
  }

  /** Those whose record could not be read the last time. */
  get unreadable(): readonly UnreadableReport[] {
    return this.unreadableReports;
  }

  /** @throws ConfigError when there is no report with this id. */
  get(id: string): StoredReport {
    const report = this.find(id);
    if (!report) {
      throw new ConfigError(message('There is no report with the id {0}.', id));
    }
    return report;
  }

  /**
   * Settles as a report does, whoever drives it: with its record, or the reason why it failed.
   * Rejects when it is removed, or is not followed any more because its account is gone.
   */
  whenEnded(id: string, isFollowed: (report: StoredReport) => boolean): Promise<StoredReport> {
    return new Promise((resolve, reject) => {
      let followed = id;
      const look = () => {
        const report = this.find(followed);
        if (report?.sameAs !== undefined && report.sameAs !== followed) {
          followed = report.sameAs;
          look();
          return;
        }
        if (report && isUnfinished(report) && isFollowed(report)) {
          return;
        }
        listener.dispose();
        if (!report) {
          reject(new ConfigError(message('The report was removed in another window.')));
        } else if (isUnfinished(report)) {
          reject(new SignedOutError());
        } else if (report.error) {
          reject(failureOf(report.error));
        } else {
          resolve(report);
        }
      };
      const listener = this.onDidChange(look);
      look();
    });
  }

  /**
   * Writes a record down, on disk first.
   * @returns the record as it is now.
   * @throws LeaseLostError, or an error of the file system; the record is as it was then.
   */
  save(report: StoredReport): StoredReport {
    const saved = this.store.write(report);
    this.known.set(saved.id, saved);
    this.changed.fire(saved);
    return saved;
  }

  /** Puts a new report on disk, for whoever drives those of its account. */
  create(report: StoredReport): void {
    this.store.create(report);
    this.known.set(report.id, report);
    this.changed.fire(report);
  }

  /** Drops a report that was removed from disk. */
  forget(id: string): void {
    this.known.delete(id);
    this.fireChange();
  }

  /** Tells that what a report is doing has changed, or, without one, anything. */
  fireChange(report?: StoredReport): void {
    this.changed.fire(report);
  }

  fireEnd(end: ReportEnd): void {
    this.ended.fire(end);
  }

  dispose(): void {
    this.changed.dispose();
    this.ended.dispose();
  }
}

/** The error that a record tells of: one of the limit bears the time from which on to try again. */
function failureOf({ code, message: words, retryAt = '' }: ReportFailure): Error {
  const retryAtMs = Date.parse(retryAt);
  return code === 'rateLimited' && !Number.isNaN(retryAtMs)
    ? new RateLimitedError(retryAtMs)
    : new HumanError(words, code);
}
