import * as vscode from 'vscode';
import { systemClock } from '../../../base/events/clock';
import {
  type CleanUpCandidate,
  cleanUpCandidates,
  type ReportLimits,
  sizedReports,
  type SizedReport,
  totalBytes,
} from '../cleanUp';
import { isUnfinished } from '../storedReport';
import type { Reports } from '../reports';
import type { ReportStore } from '../reportStore';
import { type CommandCall, type Commands, dismissed } from '../../../workbench/commandRunner';
import { formatBytes } from '../../../workbench/format';
import { showInformation } from '../../../workbench/messages';
import { pickMany } from '../../../workbench/pick';
import { numberSetting } from '../../../workbench/settings';
import { removeEach, requireConfirmation } from './reportRemoval';
import { reportTitle } from './reportTexts';
import type { ArgumentOf } from '../../../commands';

const { t } = vscode.l10n;

interface CleanUpDeps {
  reports: Reports;
  store: Pick<ReportStore, 'folderOf'>;
}

/**
 * The command Clean Up Reports, and the notification that offers it when a new report exceeds a
 * limit of the settings. It is offered once, and again only after a clean-up, or after no limit was
 * exceeded. A report is removed only after a user has seen and confirmed it.
 */
export function createCleanUp(deps: CleanUpDeps) {
  let isOffered = false;
  return {
    offerOnce: async () => {
      const candidates = await findCandidates(deps);
      if (candidates.length > 0 && !isOffered) {
        offer(candidates);
      }
      isOffered = candidates.length > 0;
    },
    commands: {
      'scorecard.cleanUpReports': (call) => {
        isOffered = false;
        return cleanUp(deps, call);
      },
    } satisfies Commands,
  };
}

function offer(candidates: readonly CleanUpCandidate[]): void {
  const size = formatBytes(totalBytes(candidates));
  const message =
    candidates.length === 1
      ? t('1 report ({0}) exceeds your limits.', size)
      : t('{0} reports ({1}) exceed your limits.', candidates.length, size);
  showInformation(message, [{ title: t('Clean Up\u2026'), command: 'scorecard.cleanUpReports' }]);
}

/**
 * Removes reports that have ended: for a program, those that exceed the limits; for a user, those
 * that the user chooses.
 * @throws UserError when a program does not confirm it.
 */
async function cleanUp(
  deps: CleanUpDeps,
  call: CommandCall<ArgumentOf<'scorecard.cleanUpReports'>>,
): Promise<{ removed: number; bytes: number } | undefined> {
  const { reports } = deps;
  requireConfirmation(call);
  reports.resume();
  const chosen = call.by === 'api' ? await findCandidates(deps) : await pickFinished(deps);
  if (!chosen || (call.by === 'user' && chosen.length === 0)) {
    return dismissed;
  }
  const removed = await removeEach(reports, chosen, call);
  const done = { removed: removed.length, bytes: totalBytes(removed) };
  if (call.by === 'user' && done.removed > 0) {
    showInformation(t('Removed: {0}. Freed: {1}.', done.removed, formatBytes(done.bytes)));
  }
  return done;
}

/**
 * Lets the user choose the finished reports to remove. Those that exceed a limit of the settings
 * are preselected. Returns `undefined` when dismissed.
 */
async function pickFinished(deps: CleanUpDeps): Promise<SizedReport[] | undefined> {
  const { reports } = deps;
  const sized = await readSizes(deps);
  const finished = sized.filter(({ report }) => !isUnfinished(report));
  if (finished.length === 0) {
    showInformation(t('There are no finished reports to remove.'));
    return dismissed;
  }
  const reasons = new Map(
    cleanUpCandidates(sized, reportLimits(), systemClock.now()).map(({ report, reason }) => [
      report.id,
      reason,
    ]),
  );
  return pickMany(
    finished.map((each) => {
      const { report, bytes } = each;
      const reason = reasons.get(report.id);
      const details = [
        ...(reason === undefined ? [] : [exceeded(reason)]),
        ...(reports.isOfSignedIn(report) ? [] : [t('Belongs to another account')]),
      ];
      return {
        label: reportTitle(report),
        description: formatBytes(bytes),
        ...(details.length === 0 ? {} : { detail: details.join('. ') }),
        picked: reason !== undefined,
        value: each,
      };
    }),
    {
      title: t('Clean Up Reports: {0}', formatBytes(totalBytes(sized))),
      placeHolder: t('The selected reports are removed, and their files are deleted'),
    },
  );
}

function exceeded(reason: CleanUpCandidate['reason']): string {
  return reason === 'age' ? t('Exceeds the age limit') : t('Exceeds the size limit');
}

/** The limits in the settings; 0 means no limit. */
function reportLimits(): ReportLimits {
  const bounds = { min: 0, max: 10_000_000, fallback: 0 };
  return {
    maxTotalBytes: 1_000_000 * numberSetting('reports.maxTotalSizeMB', bounds),
    maxAgeMs: 24 * 3_600_000 * numberSetting('reports.maxAgeDays', bounds),
  };
}

async function findCandidates(deps: CleanUpDeps): Promise<CleanUpCandidate[]> {
  const limits = reportLimits();
  if (limits.maxTotalBytes === 0 && limits.maxAgeMs === 0) {
    return [];
  }
  return cleanUpCandidates(await readSizes(deps), limits, systemClock.now());
}

function readSizes({ reports, store }: CleanUpDeps): Promise<SizedReport[]> {
  return sizedReports(reports.listShown(), (id) => store.folderOf(id));
}
