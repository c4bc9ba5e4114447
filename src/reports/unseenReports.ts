import type { Disposable } from '../base/events/disposable';
import { Emitter } from '../base/events/emitter';
import type { StoredReport } from './reportRecord';
import type { ReportStore } from './reportStore';

/**
 * The reports that became ready or failed and that no user has seen since, in any window. The state
 * is stored next to the records, so it outlives the window.
 */
export class UnseenReports implements Disposable {
  private readonly changed = new Emitter<void>();

  /** Fires when reports were seen in this window. */
  readonly onDidChange = this.changed.event;

  constructor(
    private readonly reports: { list(): StoredReport[] },
    private readonly store: Pick<ReportStore, 'isSeen' | 'markSeen'>,
  ) {}

  /** The unseen reports, newest first. A cancelled report does not count. */
  list(): StoredReport[] {
    return this.reports
      .list()
      .filter(
        ({ id, state }) => (state === 'ready' || state === 'failed') && !this.store.isSeen(id),
      );
  }

  /** Marks all unseen reports as seen, or only one. */
  markSeen(report?: StoredReport): void {
    const unseen = this.list().filter(({ id }) => report === undefined || id === report.id);
    unseen.forEach(({ id }) => {
      this.store.markSeen(id);
    });
    if (unseen.length > 0) {
      this.changed.fire();
    }
  }

  dispose(): void {
    this.changed.dispose();
  }
}
