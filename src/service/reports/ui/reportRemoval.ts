import * as vscode from 'vscode';
import { UserError } from '../../../base/userError';
import { findRemovedFiles } from '../removedFiles';
import type { ReportStore } from '../reportStore';
import { reportName, reportTitle } from './reportTexts';
import { isUnfinished, type StoredReport } from '../storedReport';
import type { Reports } from '../reports';
import { type CommandCall, dismissed } from '../../../workbench/commandRunner';
import { describeError } from '../../../workbench/describe';
import { confirm, showWarning } from '../../../workbench/messages';
import type { ArgumentOf } from '../../../commands';

const { t } = vscode.l10n;

/** Removes a report with its file, after a user has confirmed, who reads first what is deleted. */
export async function removeReport(
  { reports, store }: { readonly reports: Reports; readonly store: ReportStore },
  report: StoredReport,
  call: CommandCall,
): Promise<void> {
  const { id } = report;
  const name = reportName(report);
  if (call.by === 'user') {
    const detail = await describeRemoval(report, store);
    if (!(await confirm(t('Remove "{0}"?', reportTitle(report)), detail, t('Remove')))) {
      return;
    }
  }
  if (call.by === 'api' || isUnfinished(report)) {
    await reports.remove(id);
    return;
  }
  if (await reports.removeEnded(id)) {
    return;
  }
  const left = reports.listShown().find((each) => each.id === id);
  if (left) {
    throw new UserError(
      isUnfinished(left)
        ? t('The report "{0}" was started again. Cancel it before you remove it.', name)
        : t(
            'The report "{0}" is in use, perhaps in another window. Try again in a few seconds.',
            name,
          ),
      'badRequest',
    );
  }
}

/** What becomes of a report that is removed, and of its files: a line for each. */
async function describeRemoval(report: StoredReport, store: ReportStore): Promise<string> {
  const { id, path = '' } = report;
  const { file, hasPart, hasOthers } = await findRemovedFiles(report, store);
  const fates = {
    deleted: t('Its file is deleted: {0}', path),
    changed: t('Its file is deleted, although it was changed after the download: {0}', path),
    kept: t('Its file stays, because it was changed after the download: {0}', path),
  };
  return [
    isUnfinished(report)
      ? t('It is cancelled, and removed from the list.')
      : t('It is removed from the list.'),
    ...(file === undefined ? [] : [fates[file]]),
    ...(hasPart ? [t('What was downloaded of its file is deleted.')] : []),
    ...(hasOthers
      ? [t('The other files in its own folder are deleted: {0}', store.folderOf(id))]
      : []),
  ].join('\n');
}

/**
 * Removes finished reports, one after the other. A report that was restarted since the user
 * confirmed stays. If one cannot be removed, the others still are.
 */
export async function removeEach<T extends { report: StoredReport }>(
  reports: Reports,
  chosen: readonly T[],
  call: CommandCall,
): Promise<T[]> {
  const removed: T[] = [];
  const failures: unknown[] = [];
  for (const each of chosen) {
    try {
      if (await reports.removeEnded(each.report.id)) {
        removed.push(each);
      }
    } catch (error) {
      failures.push(error);
    }
  }
  if (failures.length > 0) {
    const text = t(
      'Removed: {0}. Not removed: {1}. {2}',
      removed.length,
      failures.length,
      describeError(failures[0]).text,
    );
    if (call.by === 'api') {
      throw new UserError(text, 'download', { cause: failures[0] });
    }
    showWarning(text, [{ title: t('Show Log'), command: 'scorecard.showLog' }]);
  }
  return removed;
}

/**
 * For a program, removes all reports that have ended, with their files. A user chooses them in
 * Clean Up Reports.
 * @returns how many were removed.
 * @throws UserError when a program does not confirm it.
 */
export async function removeFinishedReports(
  reports: Reports,
  call: CommandCall<ArgumentOf<'scorecard.cleanUpReports'>>,
): Promise<{ removed: number } | undefined> {
  if (call.by === 'user') {
    await vscode.commands.executeCommand('scorecard.cleanUpReports');
    return dismissed;
  }
  requireConfirmation(call);
  reports.resume();
  const finished = reports.listShown().filter((report) => !isUnfinished(report));
  const chosen = finished.map((report) => ({ report }));
  return { removed: (await removeEach(reports, chosen, call)).length };
}

/** @throws UserError when a program does not confirm that reports are removed. */
export function requireConfirmation(
  call: CommandCall<ArgumentOf<'scorecard.cleanUpReports'>>,
): void {
  if (call.by === 'api' && call.args.confirm !== true) {
    throw new UserError(
      t('Removing reports must be confirmed: pass { "confirm": true }.'),
      'badRequest',
    );
  }
}
