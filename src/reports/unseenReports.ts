import type { Disposable } from '../base/disposable';
import { Emitter } from '../base/emitter';
import type { StoredReport } from './reportRecord';
import type { Reports } from './reports';
import type { ReportStore } from './reportStore';

/**
 * The reports that became ready or failed and that nobody has seen since, in whichever window; kept
 * beside the records, so that it outlives the window.
 */
export class UnseenReports implements Disposable {
  private readonly changed = new Emitter<void>();

  /** Fires when reports were seen in this window. */
  readonly onDidChange = this.changed.event;

  constructor(
    private readonly reports: Pick<Reports, 'list'>,
    private readonly store: Pick<ReportStore, 'isSeen' | 'markSeen'>,
  ) {}

  /** The newest first. One that somebody cancelled is no news. */
  list(): StoredReport[] {
    return this.reports
      .list()
      .filter(
        ({ id, state }) => (state === 'ready' || state === 'failed') && !this.store.isSeen(id),
      );
  }

  /** Notes that reports were seen, all of them or one. */
  see(report?: StoredReport): void {
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
