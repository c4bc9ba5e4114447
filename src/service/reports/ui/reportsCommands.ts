import * as vscode from 'vscode';
import { UserError } from '../../../base/userError';
import type { ReportKind } from '../../../api/types';
import {
  isUnfinished,
  toPublicReport,
  type ReportRequest,
  type StoredReport,
  isRequestSent,
} from '../storedReport';
import type { Reports } from '../reports';
import type { ReportStore } from '../reportStore';
import { fillBody, needsScorecard, type Scorecards } from '../../findings/scorecards';
import type { Session } from '../../account/session';
import { SignedOutError } from '../../account/signedOutError';
import { type CommandCall, type Commands, dismissed } from '../../../workbench/commandRunner';
import { ScorecardNode } from '../../findings/ui/findingItems';
import { ReportNode, UnreadableReportNode } from './reportsView';
import { confirm } from '../../../workbench/messages';
import { pickMany, pickOne } from '../../../workbench/pick';
import { pickScorecard } from '../../findings/ui/pickScorecard';
import { isFileMissing, reportFile, saveFileWithDialog, saveReportTo } from './reportFiles';
import { revealFile } from '../../../workbench/saving/revealFile';
import type { ReportNotices, ReportProgress } from './reportNotices';
import type { OpenReport } from './reportOpener';
import {
  reportBody,
  reportScope,
  requestOfAll,
  requestOfScorecard,
  scorecardBody,
} from './reportScope';
import { pickReport, reportById } from './pickReport';
import { kindName, reportName } from './reportTexts';
import { reportsFolder } from '../../../workbench/settings';
import { removeFinishedReports, removeReport } from './reportRemoval';
import type {
  ArgumentOf,
  ReportArgument,
  Report,
  Scorecard,
  ScorecardArgument,
} from '../../../commands';

const { t } = vscode.l10n;

interface ReportDeps {
  session: Session;
  scorecards: Scorecards;
  reports: Reports;
  store: ReportStore;
  openReport: OpenReport;
  progress: ReportProgress;
  notices: ReportNotices;
}

export function reportCommands(deps: ReportDeps) {
  const { reports, progress } = deps;
  const withReport =
    <T, A extends ReportArgument>(
      title: string,
      fits: (report: StoredReport) => boolean,
      act: (report: StoredReport, call: CommandCall<A>) => T,
    ) =>
    async (call: CommandCall<A>): Promise<Awaited<T> | undefined> => {
      const report = await chosenReport(reports, call, title, fits);
      return report ? await act(report, call) : dismissed;
    };
  const isReady = (report: StoredReport) => report.state === 'ready';
  const isWithoutFile = (report: StoredReport) =>
    !isUnfinished(report) && (!isReady(report) || isFileMissing(report));
  return {
    'scorecard.startReport': async (call) => {
      const kind = await pickKind(deps.session);
      return kind === undefined ? dismissed : start(deps, call, kind);
    },
    'scorecard.startFullReport': (call) => start(deps, call, 'full'),
    // Their titles name what they are about, so they do not ask.
    'scorecard.startFullReportOfAll': (call) => start(deps, call, 'full'),
    'scorecard.startDetailedReport': (call) => start(deps, call, 'detailed'),
    'scorecard.startDetailedReportOfAll': (call) => start(deps, call, 'detailed'),
    'scorecard.startIssuesReport': (call) => start(deps, call, 'issues'),
    'scorecard.continueInBackground': (call) => {
      progress.continueInBackground(call.args.id);
    },
    'scorecard.listReports': () => {
      reports.resume();
      return reports.listShown().map(toPublicReport);
    },
    'scorecard.openReport': withReport(t('Open Report'), isReady, async (report, { by }) => {
      if (by === 'user' && isWithoutFile(report)) {
        deps.notices.explain(report);
        return;
      }
      await deps.openReport(report, { preserveFocus: false, isProgram: by === 'api' });
      reports.markSeen(report);
    }),
    'scorecard.cancelReport': withReport(t('Cancel Report'), isUnfinished, async (report) =>
      toPublicReport(await reports.cancel(report.id)),
    ),
    'scorecard.retryReport': withReport(t('Retry Report'), isWithoutFile, (report, call) =>
      retry(deps, report, call),
    ),
    'scorecard.requestReportAgain': withReport(
      t('Request Report Again'),
      isWithoutFile,
      ({ id }, call) => {
        const { report, done } = reports.retry(id, { isNew: true });
        return follow(deps, report, done, call);
      },
    ),
    'scorecard.removeReport': withReport(
      t('Remove Report'),
      () => true,
      (report, call) => removeReport(deps, report, call),
    ),
    'scorecard.removeFinishedReports': (call) => removeFinishedReports(reports, call),
    'scorecard.revealReport': (call) =>
      call.node instanceof UnreadableReportNode
        ? revealFile(deps.store.folderOf(call.node.reportId))
        : withReport(t('Reveal Report'), isReady, async (report) => {
            await revealFile((await reportFile(report)).path);
          })(call),
    'scorecard.copyReportPath': withReport(t('Copy Report Path'), isReady, async (report) => {
      const { path: file } = await reportFile(report);
      await vscode.env.clipboard.writeText(file);
      return file;
    }),
    'scorecard.saveReportAs': withReport(t('Save Report As'), isReady, saveAs),
  } satisfies Commands;
}

async function start(
  deps: ReportDeps,
  call: CommandCall<ScorecardArgument>,
  kind: ReportKind,
): Promise<Report | undefined> {
  const { reports: offered } = deps.session.requireSignedIn().api.service;
  if (offered[kind] === undefined) {
    throw new UserError(
      t('{0}: the service you are signed in to does not make this kind of report.', kindName(kind)),
      'badRequest',
    );
  }
  // Fails before the request when the setting is no absolute path; what the disk refuses, the download tells.
  reportsFolder();
  const requests = await createRequests(deps, call, kind);
  const started = await Promise.all(
    requests.map(async (request) => {
      const { report, done, joined } = await deps.reports.start(request);
      if (joined && call.by === 'user') {
        vscode.window.setStatusBarMessage(t('This report is already in progress.'), 5_000);
      }
      return follow(deps, report, done, call);
    }),
  );
  return started.length === 1 ? started[0] : dismissed;
}

/** Lets the user choose the kind of report, and explains the difference. */
function pickKind(session: Session): Promise<ReportKind | undefined> {
  const scope = (kind: ReportKind) =>
    reportScope(kind, session) === 'scorecard' ? t('One or more scorecards') : t('All findings');
  const offered = session.requireSignedIn().api.service.reports;
  return pickOne<ReportKind>(
    [
      {
        label: t('Issues report'),
        description: scope('issues'),
        detail: t('A table of all issues, with their severities and dates.'),
        value: 'issues' as const,
      },
      {
        label: t('Full report'),
        description: scope('full'),
        detail: t('The findings as the service stores them, in one file.'),
        value: 'full' as const,
      },
      {
        label: t('Detailed report'),
        description: scope('detailed'),
        detail:
          offered.issues === undefined
            ? t(
                'The same findings, each with more fields; the service allows fewer of these reports.',
              )
            : t('A document to read; the service allows fewer of these reports.'),
        value: 'detailed' as const,
      },
    ].filter(({ value }) => offered[value] !== undefined),
    { title: t('Start Report'), placeHolder: t('Which report?') },
  );
}

/**
 * The requests for reports: one, unless the user chooses several scorecards; none when dismissed. A scorecard is asked
 * for only if the body needs one. Without a body, a report is about all findings, or about the scorecards in whose menu
 * it is started.
 */
async function createRequests(
  { scorecards, session }: ReportDeps,
  call: CommandCall<ScorecardArgument>,
  kind: ReportKind,
): Promise<ReportRequest[]> {
  const body = reportBody(kind, session);
  // Checked even if no scorecard is needed: an invalid argument of a program is an error where a valid one has no use.
  const { scorecardId } = call.args;
  const selected = (call.nodes ?? [call.node]).filter((node) => node instanceof ScorecardNode);
  const isChosen = call.by === 'user' && (selected.length > 0 || scorecardId !== undefined);
  if (!needsScorecard(body) && !(body === null && isChosen)) {
    return [requestOfAll(kind, body)];
  }
  const subjects: readonly ReportSubject[] =
    selected.length > 0
      ? selected.map(({ scorecard }) => scorecard)
      : scorecardId !== undefined
        ? [{ id: scorecardId }]
        : await pickSubjects(scorecards, kindName(kind));
  return subjects.map(({ id }) =>
    requestOfScorecard(kind, body, { id, name: scorecards.nameOf(id) }),
  );
}

type ReportSubject = Pick<Scorecard, 'id'>;

/** Lets the user choose one scorecard or several. @returns nothing when dismissed. */
async function pickSubjects(
  scorecards: Scorecards,
  title: string,
): Promise<readonly ReportSubject[]> {
  const list = scorecards.list();
  if (list.length < 2) {
    // Without any, it says how to add one.
    const only = await pickScorecard(scorecards, title);
    return only ? [only] : [];
  }
  const choices = list.map((scorecard) => ({
    label: scorecards.nameOf(scorecard.id),
    description: scorecard.id,
    value: scorecard,
  }));
  const several = { label: t('Several scorecards\u2026'), value: 'several' as const };
  const picked = await pickOne<ReportSubject | 'several'>([...choices, several], {
    title,
    placeHolder: t('Which scorecard?'),
    ignoreFocusOut: true,
  });
  if (picked !== 'several') {
    return picked === undefined ? [] : [picked];
  }
  const picks = choices.map((choice) => ({ ...choice, picked: false }));
  const placeHolder = t('Which scorecards? One report about each.');
  return (await pickMany(picks, { title, placeHolder })) ?? [];
}

/** Retries a report. A request that was refused is made as another report if the settings have another body by now. */
async function retry(
  deps: ReportDeps,
  report: StoredReport,
  call: CommandCall<ReportArgument>,
): Promise<Report | undefined> {
  // A user confirms the second one.
  const isSent = isRequestSent(report);
  const isRefused =
    !isSent && report.error?.code === 'badRequest' && report.reportUrl === undefined;
  if (call.by === 'user' && isRefused && isBodyChanged(report, deps.session)) {
    // The state file has the body that was refused. The user has changed the setting since.
    const { kind, scorecardId } = report;
    return scorecardId === undefined
      ? start(deps, { ...call, args: {} }, kind)
      : start(deps, { ...call, args: { scorecardId } }, kind);
  }
  if (call.by === 'user' && isSent) {
    const isConfirmed = await confirm(
      t('Request "{0}" again?', reportName(report)),
      t('If the service accepted the first request, it may generate and count the report twice.'),
      t('Request Again'),
    );
    if (!isConfirmed) {
      return dismissed;
    }
  }
  const retried = deps.reports.retry(report.id);
  return follow(deps, retried.report, retried.done, call);
}

/** Whether the body in the settings differs from the body of a report's request. */
function isBodyChanged({ kind, scorecardId, body }: StoredReport, session: Session): boolean {
  const current =
    reportBody(kind, session) ??
    (scorecardId === undefined ? null : scorecardBody(kind, scorecardId));
  const filled = current === null ? undefined : fillBody(current, scorecardId ?? '');
  return JSON.stringify(filled) !== JSON.stringify(body);
}

/** Shows the progress of a report, and returns it when it is ready. */
async function follow(
  deps: ReportDeps,
  report: StoredReport,
  done: Promise<StoredReport>,
  call: CommandCall,
): Promise<Report | undefined> {
  deps.progress.show(report, done);
  if (call.by === 'api') {
    deps.notices.leaveFailureToCommand(report.id);
  } else {
    deps.notices.showFailureAnyway(report.id);
  }
  try {
    const finished = await done;
    return finished.state === 'cancelled' ? dismissed : toPublicReport(finished);
  } catch (error) {
    const isShown = deps.reports
      .listShown()
      .some(({ id, state }) => id === report.id && state === 'failed');
    if (call.by === 'user' && (isShown || error instanceof SignedOutError)) {
      // The notification of the failure offers Retry; the view shows a report that waits for its account.
      return dismissed;
    }
    throw error;
  }
}

async function saveAs(
  report: StoredReport,
  call: CommandCall<ArgumentOf<'scorecard.saveReportAs'>>,
): Promise<Report | undefined> {
  const target = call.args.path;
  const saved =
    target === undefined
      ? await saveFileWithDialog(report, (await reportFile(report)).path)
      : await saveReportTo(report, target);
  return saved === undefined ? dismissed : toPublicReport(report);
}

/**
 * The report of a call: from its row, by its id, or one that the user picks among those that fit.
 */
async function chosenReport(
  reports: Reports,
  call: CommandCall<ReportArgument>,
  title: string,
  fits: (report: StoredReport) => boolean,
): Promise<StoredReport | undefined> {
  if (call.node instanceof ReportNode) {
    return reports.get(call.node.report.id);
  }
  const id = call.args.id;
  if (id !== undefined) {
    return reportById(reports, id);
  }
  const fitting = reports.listShown().filter(fits);
  if (fitting.length === 0) {
    throw new UserError(t('{0}: no report is available.', title), 'notFound');
  }
  return pickReport(reports, fitting, { title, placeHolder: t('Which report?') });
}
