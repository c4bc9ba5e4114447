import { basename } from 'node:path';
import * as vscode from 'vscode';
import type { FindingsFeature } from '../service/findings/ui/findingsFeature';
import { chosenScorecard } from '../service/findings/ui/pickScorecard';
import type { Reports } from '../service/reports/reports';
import { hasAllFindings, reportsLike, type StoredReport } from '../service/reports/storedReport';
import { reportById } from '../service/reports/ui/pickReport';
import { type ReportLookup, reportOfFile } from '../service/reports/ui/reportFiles';
import { ReportNode } from '../service/reports/ui/reportsView';
import { reportName } from '../service/reports/ui/reportTexts';
import { WatchedNode } from '../service/watch/ui/watchedNodes';
import type { ArgumentOf, CommandId, Scorecard } from '../commands';
import { defined } from '../base/defined';
import { plainText } from '../base/text/plainText';
import { UserError } from '../base/userError';
import { type CommandCall, type Commands, dismissed } from '../workbench/commandRunner';
import { localPath } from '../workbench/storedFiles';
import { describeTrend, type ReportTrends } from './reportTrends';
import { activeTable, namedFile } from '../viewer/table/ui/tableCommands';
import type { TableEditor } from '../viewer/table/ui/tableEditor';
import type { ReportTables } from '../viewer/table/ui/tables';
import { trendAbout, type TrendAbout } from '../protocol/trendProtocol';
import type { TrendPanels, TrendSubject } from './trendPanel';

const { t } = vscode.l10n;

export interface TrendsDeps
  extends ReportLookup, Pick<FindingsFeature, 'session' | 'scorecards' | 'counts'> {
  readonly reports: Reports;
  readonly trends: ReportTrends;
  readonly panels: TrendPanels;
  readonly editor: Pick<TableEditor, 'withTable'>;
  readonly tables: () => Promise<Pick<ReportTables, 'states'>>;
  /** Resolves when the session of this window is known; a restored tab may be shown before that. */
  readonly started: Promise<void>;
}

/** The command that shows how findings develop. */
export function trendCommands(deps: TrendsDeps) {
  return {
    'scorecard.reportTrend': async (call) => {
      const subject = await chosenSubject(deps, call);
      if (!subject) {
        return dismissed;
      }
      if (call.by === 'user') {
        deps.panels.show(subject);
        return dismissed;
      }
      return describeTrend((await subject.read()).points);
    },
  } satisfies Commands;
}

/**
 * The tabs of trends, which come back when the window is reloaded. One about a report or a scorecard that is gone is
 * closed, and one that a user closes meanwhile stays closed.
 */
export function trendTabs(deps: TrendsDeps): vscode.WebviewPanelSerializer {
  return {
    deserializeWebviewPanel: async (panel, state) => {
      const about = trendAbout(state);
      const subject = about && (await findSubject(deps, about));
      if (subject && isOpen(panel)) {
        deps.panels.restore(panel, subject);
      } else {
        panel.dispose();
      }
    },
  };
}

/** Whether a tab is there: VS Code throws at each use of one that a user has closed, also before it came here. */
function isOpen(panel: vscode.WebviewPanel): boolean {
  try {
    return panel.webview.html.length >= 0;
  } catch {
    return false;
  }
}

async function findSubject(deps: TrendsDeps, about: TrendAbout): Promise<TrendSubject | undefined> {
  await deps.started;
  if ('path' in about) {
    return subjectOfFile(deps, about.path);
  }
  if ('id' in about) {
    await deps.reports.load();
    const report = deps.reports.listOfAllAccounts().find(({ id }) => id === about.id);
    return report && subjectOfReport(deps, report);
  }
  const scorecard = deps.scorecards.find(about.scorecardId);
  return scorecard && subjectOfScorecard(deps, scorecard);
}

/** @throws UserError if what is named is not there */
async function chosenSubject(
  deps: TrendsDeps,
  call: CommandCall<ArgumentOf<'scorecard.reportTrend'>>,
): Promise<TrendSubject | undefined> {
  const { by, node, args } = call;
  if ([args.scorecardId, args.id, args.path].filter((each) => each !== undefined).length > 1) {
    throw new UserError(
      t('Name a scorecard, a report or a file, not several of them.'),
      'badRequest',
    );
  }
  // In the palette, the active table is meant.
  const uri = call.uri ?? (by === 'user' && !node ? activeTable() : undefined);
  const file =
    args.path === undefined ? uri && localPath(uri) : (await namedFile(args.path)).fsPath;
  const report = await chosenReport(deps, call, file);
  if (report) {
    return subjectOfReport(deps, report);
  }
  // Files of this extension that are no reports, such as differences, have no past.
  if (file !== undefined && (args.path !== undefined || uri?.scheme === 'file')) {
    return subjectOfFile(deps, file);
  }
  const scorecard =
    call.node instanceof WatchedNode
      ? deps.scorecards.find(call.node.scorecardId)
      : await chosenScorecard(deps.scorecards, call, t('Show Trend'));
  return scorecard && subjectOfScorecard(deps, scorecard);
}

/** The report of a call: by its row, its id or its file; `undefined` if it is about a scorecard or another file. */
async function chosenReport(
  deps: TrendsDeps,
  { node, args: { id } }: CommandCall<ArgumentOf<'scorecard.reportTrend'>>,
  file: string | undefined,
): Promise<StoredReport | undefined> {
  if (node instanceof ReportNode) {
    return deps.reports.get(node.report.id);
  }
  if (id !== undefined) {
    return reportById(deps.reports, id);
  }
  return file === undefined ? undefined : reportOfFile(deps, file);
}

function subjectOfReport(deps: TrendsDeps, report: StoredReport): TrendSubject {
  const { reports, trends } = deps;
  return {
    about: { id: report.id },
    title: plainText(reportName(report)),
    read: async (options) => ({
      points: await trends.readPoints(
        [report, ...reportsLike(report, reports.listOfAllAccounts())],
        options,
      ),
      days: 'local',
    }),
    ...rowActions(reports),
  };
}

/** What a file of a user contained when it was opened. */
function subjectOfFile({ reports, tables, editor }: TrendsDeps, file: string): TrendSubject {
  return {
    about: { path: file },
    title: plainText(basename(file), 100),
    read: async () => {
      const { states } = await tables();
      const list = await editor.withTable(vscode.Uri.file(file), (document) =>
        document.forProgram(async (table) => {
          await states.record(file, table);
          return table.info.list;
        }),
      );
      return { points: await states.readPoints({ file, list }), days: 'local' };
    },
    ...rowActions(reports),
  };
}

/** What the service knows of the past of a company, or what its reports say. */
function subjectOfScorecard(deps: TrendsDeps, { id }: Scorecard): TrendSubject {
  const { counts, scorecards, trends } = deps;
  return {
    about: { scorecardId: id },
    title: plainText(scorecards.nameOf(id), 100),
    read: async (options) =>
      counts.companies.isAvailable
        ? {
            points: await counts.companies.trend(id, {
              maxWaitMs: 30_000,
              ...defined({ signal: options?.signal }),
            }),
            days: 'utc',
          }
        : {
            points: await trends.readPoints(reportsAbout(deps, id), {
              ...options,
              scorecardId: id,
            }),
            days: 'local',
          },
    ...rowActions(deps.reports),
  };
}

/** As a user does on the row of the report: errors of the commands are shown. */
function rowActions(reports: Reports): Pick<TrendSubject, 'open' | 'compare'> {
  const run = (command: CommandId) => async (id: string) => {
    const report = reports.listOfAllAccounts().find((each) => each.id === id);
    if (!report) {
      throw new UserError(
        t('The report was removed. Show the trend again to see the reports that are left.'),
        'notFound',
      );
    }
    return vscode.commands.executeCommand(command, new ReportNode(report, reports));
  };
  return { open: run('scorecard.openReport'), compare: run('scorecard.compareWithPrevious') };
}

/**
 * The reports that are ready and count the findings of a scorecard: its own ones or those of all, whichever are more.
 * They are of one kind, whose fields are the same.
 */
function reportsAbout({ reports, session }: TrendsDeps, scorecardId: string): StoredReport[] {
  const accountId = session.signedIn?.account.id;
  const ready = reports
    .listShown()
    .filter(
      (report) => report.state === 'ready' && report.accountId === accountId && report.bytes !== 0,
    );
  const own = ready.filter((report) => report.scorecardId === scorecardId);
  const ofAll = ready.filter((report) => report.scorecardId === undefined);
  const heads = [
    own.find(({ kind }) => hasAllFindings(kind)),
    ofAll.find(({ kind }) => hasAllFindings(kind)),
  ].filter((report) => report !== undefined);
  const [newest] = heads.length > 0 ? heads : own;
  const series = (newest ? [newest, ...heads.slice(1)] : []).map((head) => [
    head,
    ...reportsLike(head, ready),
  ]);
  return series.toSorted((one, other) => other.length - one.length)[0] ?? [];
}
