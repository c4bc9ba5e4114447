import * as vscode from 'vscode';
import { HumanError } from '../../common/humanError';
import { isUnfinished, type StoredReport } from '../../model/reports/reportRecord';
import type { Reports } from '../../model/reports/reports';
import type { ReportStore } from '../../model/reports/reportStore';
import { dismissed, type CommandCall } from '../commandRunner';
import { showInformation } from '../messages';

const { t } = vscode.l10n;

/** Removes a report with its file; a person is asked first. */
export async function removeReport(
  reports: Reports,
  report: StoredReport,
  call: CommandCall,
): Promise<void> {
  const detail =
    report.path === undefined
      ? t('It is removed from the list.')
      : t('It is removed from the list, and its file is deleted: {0}', report.path);
  if (await isConfirmed(call, t('Remove "{0}"?', report.title), detail)) {
    await reports.remove(report.id);
  }
}

/** Removes what there is of a report whose record cannot be read; a person is asked first. */
export async function removeUnreadable(
  { reports, store }: { reports: Reports; store: ReportStore },
  id: string,
  call: CommandCall,
): Promise<void> {
  const question = t('Remove the report that cannot be read?');
  const detail = t('Its folder is deleted with everything in it: {0}', store.folderOf(id));
  if (await isConfirmed(call, question, detail)) {
    store.remove(id);
    reports.resume();
  }
}

/**
 * Removes all reports that have ended, with their files; a person is asked once.
 * @returns how many were removed.
 * @throws HumanError when a program does not confirm it.
 */
export async function removeFinishedReports(
  reports: Reports,
  call: CommandCall,
): Promise<{ removed: number } | undefined> {
  if (call.by === 'program' && call.args.confirm !== true) {
    throw new HumanError(
      t('Removing all finished reports must be confirmed: pass { "confirm": true }.'),
      'badRequest',
    );
  }
  reports.resume();
  const finished = reports.list().filter((report) => !isUnfinished(report));
  if (finished.length === 0) {
    if (call.by === 'person') {
      showInformation(t('There are no finished reports to remove.'));
    }
    return { removed: 0 };
  }
  const question =
    finished.length === 1
      ? t('Remove 1 finished report?')
      : t('Remove {0} finished reports?', finished.length);
  const detail = t('They are removed from the list, and their files are deleted.');
  if (!(await isConfirmed(call, question, detail))) {
    return dismissed;
  }
  for (const { id } of finished) {
    // Another window may have removed one meanwhile, or begun it anew.
    const now = reports.list().find((report) => report.id === id);
    if (now && !isUnfinished(now)) {
      await reports.remove(id);
    }
  }
  return { removed: finished.length };
}

async function isConfirmed(call: CommandCall, question: string, detail: string): Promise<boolean> {
  if (call.by === 'program') {
    return true;
  }
  const confirm = t('Remove');
  const answer = await vscode.window.showWarningMessage(question, { modal: true, detail }, confirm);
  return answer === confirm;
}
