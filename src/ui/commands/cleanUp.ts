import * as vscode from 'vscode';
import { HumanError } from '../../common/humanError';
import { cleanUpCandidates, totalBytes } from '../../model/reports/cleanUp';
import { isUnfinished } from '../../model/reports/reportRecord';
import type { Reports } from '../../model/reports/reports';
import { dismissed, type CommandCall, type CommandRunner } from '../commandRunner';
import { formatAge, formatBytes } from '../format';
import { showInformation } from '../messages';
import { endOf } from '../../model/reports/reportDays';
import { reportLimits } from '../settings';

const { t } = vscode.l10n;

/** What was removed. */
interface CleanUp {
  removed: number;
  bytes: number;
}

/**
 * Registers Clean Up Reports, and offers it when a report has become ready with which a limit of the
 * settings is broken. Nothing is ever removed that somebody has not seen and confirmed.
 */
export function registerCleanUp(runner: CommandRunner, reports: Reports): vscode.Disposable {
  return vscode.Disposable.from(
    runner.register('scorecard.cleanUpReports', (call) => cleanUp(reports, call)),
    reports.onDidEnd(({ report, drivenHere }) => {
      if (drivenHere && report.state === 'ready') {
        offer(reports);
      }
    }),
  );
}

function offer(reports: Reports): void {
  const candidates = candidatesOf(reports);
  const bytes = totalBytes(candidates.map(({ report }) => report));
  if (candidates.length > 0) {
    const message =
      candidates.length === 1
        ? t(
            '1 report of {0} is beyond the limits that the settings give reports.',
            formatBytes(bytes),
          )
        : t(
            '{0} reports of {1} are beyond the limits that the settings give reports.',
            candidates.length,
            formatBytes(bytes),
          );
    showInformation(message, [{ title: t('Clean Up\u2026'), command: 'scorecard.cleanUpReports' }]);
  }
}

/** @throws HumanError when a program does not confirm it. */
async function cleanUp(reports: Reports, call: CommandCall): Promise<CleanUp | undefined> {
  if (call.by === 'program' && call.args.confirm !== true) {
    throw new HumanError(
      t('Cleaning up reports must be confirmed: pass { "confirm": true }.'),
      'badRequest',
    );
  }
  reports.resume();
  const candidates = candidatesOf(reports);
  if (candidates.length === 0) {
    if (call.by === 'person') {
      tellNothing(reports);
    }
    return { removed: 0, bytes: 0 };
  }
  const ids =
    call.by === 'program' ? candidates.map(({ report }) => report.id) : await pickIds(candidates);
  if (!ids || ids.length === 0) {
    return dismissed;
  }
  const done: CleanUp = { removed: 0, bytes: 0 };
  for (const id of ids) {
    // Another window may have removed it meanwhile, or begun it anew.
    const report = reports.list().find((each) => each.id === id);
    if (report && !isUnfinished(report)) {
      await reports.remove(id);
      done.removed += 1;
      done.bytes += report.bytes ?? 0;
    }
  }
  if (call.by === 'person') {
    showInformation(t('Removed: {0}. Freed: {1}.', done.removed, formatBytes(done.bytes)));
  }
  return done;
}

function tellNothing(reports: Reports): void {
  const { maxTotalBytes, maxAgeMs } = reportLimits();
  const size = formatBytes(totalBytes(reports.list()));
  showInformation(
    maxTotalBytes === 0 && maxAgeMs === 0
      ? t(
          'Reports take {0}. Set a limit in scorecard.reports.maxTotalSizeMB or scorecard.reports.maxAgeDays to clean them up.',
          size,
        )
      : t('Reports take {0}, and none is beyond the limits of the settings.', size),
    [
      {
        title: t('Open Settings'),
        run: async () => {
          await vscode.commands.executeCommand(
            'workbench.action.openSettings',
            'scorecard.reports.max',
          );
        },
      },
    ],
  );
}

/** Shows what would go, all of it chosen; `undefined` when dismissed. */
async function pickIds(candidates: ReturnType<typeof candidatesOf>): Promise<string[] | undefined> {
  const bytes = totalBytes(candidates.map(({ report }) => report));
  const picked = await vscode.window.showQuickPick(
    candidates.map(({ report, reason }) => ({
      label: report.title,
      description: `${formatBytes(report.bytes ?? 0)} \u00b7 ${formatAge(endOf(report))}`,
      detail: reason === 'age' ? t('Older than the limit') : t('Beyond the total size'),
      picked: true,
      id: report.id,
    })),
    {
      title: t('Clean Up Reports: {0}', formatBytes(bytes)),
      placeHolder: t('The chosen reports are removed with their files'),
      canPickMany: true,
      ignoreFocusOut: true,
      matchOnDescription: true,
    },
  );
  return picked?.map(({ id }) => id);
}

function candidatesOf(reports: Reports) {
  return cleanUpCandidates(reports.list(), reportLimits(), Date.now());
}
