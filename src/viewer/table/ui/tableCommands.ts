import { stat } from 'node:fs/promises';
import * as path from 'node:path';
import * as vscode from 'vscode';
import { DownloadError } from '../../../api/http/errors';
import { plainText } from '../../../base/text/plainText';
import { UserError } from '../../../base/userError';
import { issueTypeTitle } from '../../../vocabulary/issueTypes';
import type { Logger } from '../../../base/logger';
import { reportTableId } from '../../../contributions';
import type { Exporter } from '../../../service/export/exporter';
import { ExportRunningError } from '../../../service/export/exportErrors';
import { type Findings, completeListPages } from '../../../service/findings/findings';
import type { FindingRow, FindingsList } from '../../../service/findings/findingsList';
import { loadedAgo } from '../../../service/lists/ui/listTree';
import { formatNumber } from '../../../workbench/format';
import { showInformation } from '../../../workbench/messages';
import type { FindingsFiles } from '../findingsFiles';
import type { Encoding } from '../encodings';
import type { FileChoices } from './fileChoices';
import { chosenEncoding } from './pickEncoding';
import type { StoredReport } from '../../../service/reports/reportRecord';
import type { Reports } from '../../../service/reports/reports';
import type { Scorecards } from '../../../service/findings/scorecards';
import type { Session } from '../../../service/account/session';
import {
  type CommandCall,
  type Commands,
  dismissed,
  flagArg,
  textArg,
} from '../../../workbench/commandRunner';
import { withExportProgress } from '../../../service/export/ui/exportProgress';
import type { FindingsView } from '../../../service/findings/ui/findingsView';
import { ReportNode } from '../../../service/reports/ui/reportsView';
import { pickOne } from '../../../workbench/pick';
import { isPrettyUri, localPath, storedFileUri } from '../../../workbench/storedFiles';
import { parseWholeNumber } from '../../../workbench/wholeNumber';
import { localizedMessage } from '../../../workbench/describe';
import { causeOf } from '../../../workbench/workbenchErrors';
import { reportFile } from '../../../service/reports/ui/reportFiles';
import type { TableSize } from '../localTable';
import type { TableTab } from '../../../protocol/tableProtocol';
import { formatOverview } from '../../../summary/overviewValues';
import { rowOfUri } from './rowUri';
import type { TableDocument } from './tableDocument';
import type { TableEditor } from './tableEditor';
import { exportTable } from './tableExports';
import { refreshAction } from '../../../service/findings/ui/refreshAction';
import { chosenList } from '../../../service/findings/ui/chosenList';
import { reportById, reportChoices } from '../../../service/reports/ui/reportsCommands';

const { t } = vscode.l10n;

/** Dependencies of the commands that open tables. */
interface ReportTableDeps {
  session: Session;
  scorecards: Scorecards;
  findings: Findings;
  view: FindingsView;
  reports: Reports;
  editor: TableEditor;
  findingsFiles: FindingsFiles;
  choices: FileChoices;
  exporter: Exporter;
  log: Logger;
}

/** The commands that open tables and export them. */
export function reportTableCommands(deps: ReportTableDeps) {
  return {
    'scorecard.openReportTable': async (call) => {
      const uri = await chosenTable(deps, call, t('Open as Table'));
      return uri ? showTable(deps, uri, call) : dismissed;
    },
    'scorecard.reportOverview': async (call) => {
      const scope = flagArg(call, 'all') === false ? 'open' : 'all';
      const uri = await chosenTable(deps, call, t('Open Overview'));
      return uri
        ? show(deps, uri, call, 'overview', (document) =>
            document.readOverview(scope, formatOverview),
          )
        : dismissed;
    },
    'scorecard.openFindingsFile': async (call) => {
      const isNamed = call.uri !== undefined || call.args.path !== undefined;
      const title = t('Open Findings File');
      const uri = isNamed ? await chosenFile(deps, call, title) : (await askForFiles({ title }))[0];
      return uri ? showTable(deps, uri, call) : dismissed;
    },
    'scorecard.openFindingsTable': (call) => openFindings(deps, call),
    'scorecard.exportTable': async (call) => {
      const uri = await shownTable(deps, call, t('Export Table'));
      if (!uri || (call.by === 'user' && deps.editor.find(uri)?.send({ type: 'requestExport' }))) {
        // The page says what it shows.
        return dismissed;
      }
      const list = textArg(call, 'list');
      return deps.editor.withTable(uri, (document) => exportTable(deps, call, document), list);
    },
    'scorecard.reopenTableWithEncoding': async (call) => {
      const uri = await shownTable(deps, call, t('Reopen with Encoding'));
      const encoding = uri && (await chosenEncoding(deps, call, uri));
      return encoding ? reopen(deps, call, uri, encoding) : dismissed;
    },
  } satisfies Commands;
}

/** The file of a call; where a user names none, that of the active table. */
export async function shownTable(
  deps: Pick<ReportTableDeps, 'reports'>,
  call: CommandCall,
  title: string,
): Promise<vscode.Uri | undefined> {
  const isOfTable = call.by === 'user' && !call.uri && !call.node;
  return (isOfTable ? activeTable() : undefined) ?? chosenFile(deps, call, title);
}

/** Opens a table again in an encoding. A user stays on the tab of the page that is shown. */
async function reopen(
  deps: ReportTableDeps,
  call: CommandCall,
  uri: vscode.Uri,
  encoding: Encoding,
): Promise<TableSize | undefined> {
  deps.choices.choose(uri, { encoding });
  const open = deps.editor.find(uri);
  await open?.reopen();
  return open && call.by === 'user' ? dismissed : showTable(deps, uri, call);
}

/**
 * The file of a call, at the list that a program asks for; a table of it that is open is opened again.
 * @throws UserError if the document has no such list
 */
async function chosenTable(
  deps: ReportTableDeps,
  call: CommandCall,
  title: string,
): Promise<vscode.Uri | undefined> {
  const { editor, choices } = deps;
  const uri = await chosenFile(deps, call, title);
  const list = textArg(call, 'list');
  if (uri && list !== undefined) {
    // This throws before anything changes that is shown.
    await editor.withTable(uri, (document) => document.forProgram(() => Promise.resolve()), list);
    choices.choose(uri, { list });
    await editor.find(uri)?.reopen();
  }
  return uri;
}

/** The file of the table in the active tab. */
function activeTable(): vscode.Uri | undefined {
  const input = vscode.window.tabGroups.activeTabGroup.activeTab?.input;
  return input instanceof vscode.TabInputCustom && input.viewType === reportTableId
    ? input.uri
    : undefined;
}

/** Opens a table. A program gets the result of the work, or an error. */
async function show<T>(
  { editor }: ReportTableDeps,
  uri: vscode.Uri,
  call: CommandCall,
  tab: TableTab,
  work: (document: TableDocument) => Promise<T>,
): Promise<T | undefined> {
  const document = await editor.open(uri, tab);
  try {
    return await work(document);
  } catch (error) {
    if (call.by === 'user') {
      // The editor shows the error.
      return dismissed;
    }
    throw error;
  }
}

function showTable(
  deps: ReportTableDeps,
  uri: vscode.Uri,
  call: CommandCall,
): Promise<TableSize | undefined> {
  return show(deps, uri, call, 'table', (document) => document.size());
}

/** The file of a call: its argument, the selected report, or one that a user picks. */
async function chosenFile(
  { reports }: Pick<ReportTableDeps, 'reports'>,
  call: CommandCall,
  title: string,
): Promise<vscode.Uri | undefined> {
  if (call.uri) {
    return call.uri;
  }
  if (call.node instanceof ReportNode) {
    return fileOfReport(reports.get(call.node.report.id));
  }
  const id = textArg(call, 'id');
  const filePath = textArg(call, 'path');
  if (id !== undefined && filePath !== undefined) {
    throw new UserError(
      t('Enter the ID of a report or the path of a file, not both.'),
      'badRequest',
    );
  }
  if (id !== undefined) {
    return fileOfReport(reportById(reports, id));
  }
  return filePath === undefined ? pickFile(reports, title) : namedFile(filePath);
}

/**
 * The row of a call: that of its URI, or the file and the row that its arguments name.
 * @throws UserError if a program names no row.
 */
export async function chosenRow(
  deps: Pick<ReportTableDeps, 'reports'>,
  call: CommandCall,
  title: string,
): Promise<{ readonly file: vscode.Uri; readonly row: number } | undefined> {
  const { file, row } = call.uri
    ? rowOfUri(call.uri)
    : { file: await chosenFile(deps, call, title), row: rowArg(call) };
  if (!file) {
    return undefined;
  }
  if (row === undefined) {
    throw new UserError(
      t('The argument row must be a positive integer: the number of the row in the file.'),
      'badRequest',
    );
  }
  return { file, row };
}

function rowArg({ args }: CommandCall): number | undefined {
  return typeof args.row === 'number' ? parseWholeNumber(String(args.row)) : undefined;
}

export async function fileOfReport(report: StoredReport): Promise<vscode.Uri> {
  return storedFileUri((await reportFile(report)).path);
}

/** @throws UserError unless it is the absolute path of a file. */
export async function namedFile(filePath: string): Promise<vscode.Uri> {
  if (!path.isAbsolute(filePath) || filePath.includes('\0')) {
    throw new UserError(
      t(
        '"{0}" is not an absolute path. Enter the absolute path of a file on this machine.',
        filePath,
      ),
      'badRequest',
    );
  }
  const isFile = await stat(filePath).then(
    (found) => found.isFile(),
    () => undefined,
  );
  if (isFile !== true) {
    throw isFile === undefined
      ? new UserError(t('File "{0}" not found. Check the path.', filePath), 'notFound')
      : new UserError(t('"{0}" is not a file. Enter the path of a file.', filePath), 'badRequest');
  }
  return vscode.Uri.file(path.normalize(filePath));
}

/** The file of the active tab, if its name is that of a file which can be shown as a table. */
export function activeFile(): vscode.Uri | undefined {
  const input = vscode.window.tabGroups.activeTabGroup.activeTab?.input;
  const uri =
    input instanceof vscode.TabInputText || input instanceof vscode.TabInputCustom
      ? input.uri
      : undefined;
  const file = uri && localPath(uri);
  return uri &&
    file !== undefined &&
    /\.(csv|tsv|json|ndjson|jsonl|sarif)(\.gz)?$|\.zip$/i.test(uri.path)
    ? isPrettyUri(uri)
      ? storedFileUri(file)
      : uri
    : undefined;
}

/** Lets the user pick the file of the active tab, a ready report, or any file. */
async function pickFile(reports: Reports, title: string): Promise<vscode.Uri | undefined> {
  const ready = reports.list().filter(({ state }) => state === 'ready');
  const active = activeFile();
  const picked =
    ready.length === 0 && !active
      ? 'file'
      : await pickOne<StoredReport | vscode.Uri | 'file'>(
          [
            ...(active
              ? [
                  {
                    label: path.basename(active.path),
                    description: t('In the active editor'),
                    value: active,
                  },
                ]
              : []),
            ...reportChoices(reports, ready),
            { label: t('Choose a File\u2026'), value: 'file' },
          ],
          { title, placeHolder: t('Which report or file?') },
        );
  if (picked !== 'file') {
    return picked instanceof vscode.Uri ? picked : picked && fileOfReport(picked);
  }
  return (await askForFiles({ title }))[0];
}

/** Asks for any files, in the dialog of the system. */
export async function askForFiles(
  options: Pick<vscode.OpenDialogOptions, 'title' | 'canSelectMany'>,
): Promise<readonly vscode.Uri[]> {
  const filters = {
    [t('Tables')]: ['sarif', 'csv', 'tsv', 'json', 'ndjson', 'jsonl', 'gz', 'zip'],
    [t('All Files')]: ['*'],
  };
  return (await vscode.window.showOpenDialog({ ...options, filters })) ?? [];
}

async function openFindings(
  deps: ReportTableDeps,
  call: CommandCall,
): Promise<TableSize | undefined> {
  deps.session.requireSignedIn();
  const title = t('Open Findings as Table');
  const list = await chosenList(deps, call, title);
  const isFiltered = call.by === 'user' && list?.isFiltered === true;
  const rows = isFiltered ? await chosenRows(list, title) : [];
  return list && rows ? showFindings(deps, list, call, rows) : dismissed;
}

/**
 * A user who has filtered a list gets the rows that are shown. If the rest of the list is not loaded, the user chooses.
 * @returns none for all findings; `undefined` if the user has not chosen
 */
async function chosenRows(
  list: FindingsList,
  title: string,
): Promise<readonly FindingRow[] | undefined> {
  const rows = [...(await list.searchAll())];
  if (rows.length === 0 || list.complete) {
    return rows;
  }
  const { total } = list.result;
  return pickOne<readonly FindingRow[]>(
    [
      {
        label: t('Filtered findings ({0})', formatNumber(rows.length)),
        description: plainText(list.filter.text, 100),
        value: rows,
      },
      {
        label:
          total === undefined ? t('All findings') : t('All findings ({0})', formatNumber(total)),
        value: [],
      },
    ],
    { title, placeHolder: t('Which findings?') },
  );
}

/** Shows findings of a list. @param rows those that a filter shows; none for all of the list */
async function showFindings(
  deps: ReportTableDeps,
  list: FindingsList,
  call: CommandCall,
  rows: readonly FindingRow[] = [],
): Promise<TableSize | undefined> {
  const { findings, findingsFiles, scorecards, session } = deps;
  const { scorecardId, issueType, complete } = list;
  const isFiltered = rows.length > 0;
  const scorecard = scorecards.find(scorecardId)?.name ?? scorecardId;
  const name = [
    scorecard,
    issueTypeTitle(issueType),
    ...(isFiltered ? [list.filter.text] : []),
  ].join(' - ');
  const load = () => {
    const { account, api } = session.requireSignedIn();
    const body = scorecards.bodyOf(scorecardId, issueType);
    return withExportProgress(t('Loading {0}', name), (follow) =>
      findingsFiles.make({
        api: complete ? completeListPages(complete) : api,
        name,
        query: { accountId: account.id, scorecardId, issueType, body },
        ...follow,
      }),
    );
  };
  const entries = rows.map(({ entry }) => entry);
  const making = isFiltered ? findingsFiles.makeOf(name, entries) : load();
  const file = await making.catch((error: unknown) => {
    throw loadError(causeOf(error));
  });
  const uri = storedFileUri(file);
  const size = await showTable(deps, uri, call);
  if (!isFiltered && complete && call.by === 'user') {
    const count = complete.rows.length;
    const what = count === 1 ? t('1 finding.') : t('{0} findings.', formatNumber(count));
    showInformation(`${what} ${loadedAgo(complete.loadedAt)}`, [
      refreshAction(findings, list, async (refreshed) => {
        await showFindings(deps, refreshed, call);
        await closeTable(uri);
      }),
    ]);
  }
  return size;
}

/** Closes the tab of a table. */
async function closeTable(uri: vscode.Uri): Promise<void> {
  const tabs = vscode.window.tabGroups.all
    .flatMap((group) => group.tabs)
    .filter(
      ({ input }) =>
        input instanceof vscode.TabInputCustom && input.uri.toString() === uri.toString(),
    );
  await vscode.window.tabGroups.close(tabs);
}

/** The error to show. A user has chosen no file, and loading resumes by itself: nothing is said of both. */
function loadError(cause: unknown): unknown {
  if (cause instanceof ExportRunningError) {
    return new UserError(
      t(
        'These findings are already being loaded for a table. Wait until loading finishes, then try again.',
      ),
      'badRequest',
      { cause },
    );
  }
  return cause instanceof DownloadError
    ? new UserError(
        t(
          'Could not save the findings for the table: {0} Free some disk space, then try again. Loading resumes where it stopped.',
          localizedMessage(cause),
        ),
        'download',
        { cause },
      )
    : cause;
}
