import { stat } from 'node:fs/promises';
import { defined } from '../../../base/defined';
import { UserError } from '../../../base/userError';
import type { Logger } from '../../../base/logger';
import { reportTableId } from '../../../contributions';
import type { Encoding } from '../encodings';
import type { FileChoices } from './fileChoices';
import { chosenEncoding } from './pickEncoding';
import { type CommandCall, type Commands, dismissed } from '../../../workbench/commandRunner';
import { withProgressNotification } from '../../../workbench/progressNotification';
import { pickOne } from '../../../workbench/pick';
import { isPrettyUri, localPath, storedFileUri } from '../../../workbench/storedFiles';
import { listsNotShown } from '../../../summary/documentLists';
import { formatOverview } from '../../../summary/overviewValues';
import type { CountScope } from '../../../engine';
import type { TableSize } from '../localTable';
import type { ProblemsState, TableTab } from '../../../protocol/tableProtocol';
import { rowOfUri } from './rowUri';
import type { KnownFiles } from './knownFiles';
import { readPatterns } from '../pathPatterns';
import { describeKnownIssue, type ListedDecision, withOtherLists } from '../knownFindings';
import { chooseToRemove } from './removeKnown';
import type { ProblemPaths } from './problemPaths';
import type { KnownTables } from './knownTables';
import type { CveTables } from './cveTables';
import type { DecidableFinding } from '../../../known/decision';
import type { TreeNode } from '../../../workbench/views';
import type { StoredFile, StoredFiles } from './storedFile';
import type { TableDocument } from './tableDocument';
import type { TableEditor } from './tableEditor';
import { exportShown, exportTable } from './tableExports';
import type { TableProblems } from './tableProblems';
import type { ArgumentOf, FileArgument, RowArgument } from '../../../commands';
import * as path from 'node:path';
import * as vscode from 'vscode';

const { t } = vscode.l10n;

/** Dependencies of the commands that open tables. */
interface TableCommandsDeps {
  readonly editor: TableEditor;
  readonly choices: FileChoices;
  readonly problems: TableProblems;
  readonly paths: ProblemPaths;
  readonly stored: StoredFiles;
  readonly log: Logger;
  readonly known: KnownTables;
  readonly knownFiles: KnownFiles;
  readonly cves: CveTables;
  /** The finding that a row of a tree shows, if it can be decided about. */
  readonly findingOf: (node: TreeNode) => DecidableFinding | undefined;
}

/** The commands that open tables and export them. */
export function tableCommands(deps: TableCommandsDeps) {
  return {
    'scorecard.openReportTable': async (call) => {
      const uri = await chosenTable(deps, call, t('Open as Table'));
      return uri ? showTable(deps, uri, call) : dismissed;
    },
    'scorecard.reportOverview': async (call) => {
      const scope = countScope(call.args);
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
    'scorecard.exportTable': async (call) => {
      const uri = await findShownTable(deps, call, t('Export Table'));
      const open = uri && deps.editor.find(uri);
      const shown = call.by === 'user' ? await open?.findShownTable() : undefined;
      if (open && shown) {
        await exportShown(deps, open, shown);
        return dismissed;
      }
      if (!uri) {
        return dismissed;
      }
      const list = call.args.list;
      return deps.editor.withTable(uri, (document) => exportTable(deps, call, document), list);
    },
    'scorecard.reopenTableWithEncoding': async (call) => {
      const uri = await findShownTable(deps, call, t('Reopen with Encoding'));
      const encoding = uri && (await chosenEncoding(deps, call, uri));
      return encoding ? reopen(deps, call, uri, encoding) : dismissed;
    },
    'scorecard.markKnown': (call) =>
      markTable(deps, call, t('Mark as Known'), {
        on: true,
        run: (document) => deps.known.markNamed(document, call.args),
      }),
    'scorecard.unmarkKnown': (call) =>
      markTable(deps, call, t('No Longer Known'), {
        on: false,
        run: (document) => deps.known.unmarkNamed(document, call.args),
      }),
    'scorecard.listKnown': async (call) => {
      const isNamed = call.args.id !== undefined || call.args.path !== undefined;
      const uri = isNamed ? await chosenFile(deps, call, t('Known Issues')) : undefined;
      const list = call.args.list;
      const listed = uri
        ? await deps.editor.withTable(uri, (document) => deps.known.list(document), list)
        : await deps.known.listAll();
      return listed.map(describeKnownIssue);
    },
    'scorecard.removeKnown': async () => {
      const active = activeTable();
      const listed = active ? await listInFile(deps, active) : await deps.known.list();
      const chosen = await chooseToRemove(listed);
      return chosen ? { removed: await deps.known.removeDecisions(chosen) } : dismissed;
    },
    'scorecard.keepKnownIssuesIn': () => deps.knownFiles.choose(),
    'scorecard.openKnownIssues': async () => {
      await deps.knownFiles.show();
    },
    'scorecard.markCves': async (call) => {
      const title = t('Mark CVEs From a List');
      const { path: named } = call.args;
      const uri =
        named === undefined
          ? (call.uri ?? (await askForFiles({ title }))[0])
          : await namedFile(named);
      if (!uri) {
        return dismissed;
      }
      const list = await deps.cves.mark(deps.editor, uri);
      if (call.by === 'user') {
        deps.cves.tell(list);
      }
      return { name: list.name, cves: list.cves };
    },
    'scorecard.unmarkCves': async (call) => {
      const removed =
        call.by === 'user'
          ? await deps.cves.chooseToUnmark()
          : await deps.cves.unmark(call.args.name);
      return removed === undefined ? dismissed : { removed };
    },
    'scorecard.toggleProblems': (call) => toggleProblems(deps, call),
    'scorecard.excludeProblemPaths': async (call) => {
      const paths =
        call.args.paths?.flatMap(readPatterns) ??
        (call.by === 'user' ? await deps.paths.ask() : deps.paths.patterns);
      if (!paths) {
        return dismissed;
      }
      await deps.paths.set(paths);
      await deps.problems.showAllAgain();
      return { paths };
    },
  } satisfies Commands;
}

/** The decisions, by all lists of a file that have findings: its table shows only one of them. */
async function listInFile(
  { editor, known }: TableCommandsDeps,
  uri: vscode.Uri,
): Promise<readonly ListedDecision[]> {
  const { listed, others } = await editor.withTable(uri, async (document) => ({
    listed: await known.list(document),
    others: await document.forProgram(async (table) =>
      listsNotShown(await table.call('checked', {})),
    ),
  }));
  if (others.length === 0) {
    return listed;
  }
  let done = 0;
  const progress = () => ({ done, total: others.length });
  return withProgressNotification(t('Remove Known Issues'), progress, async (signal) => {
    let all: readonly ListedDecision[] = listed;
    for (const other of others) {
      const list = (document: TableDocument) => listUntil(signal, known, document);
      all = withOtherLists(all, await editor.withTable(uri, list, other));
      done += 1;
    }
    return all;
  });
}

/** The decisions by a table that is closed when the signal cancels. @throws its reason */
async function listUntil(
  signal: AbortSignal,
  known: TableCommandsDeps['known'],
  document: TableDocument,
): Promise<readonly ListedDecision[]> {
  const close = () => {
    document.dispose();
  };
  signal.addEventListener('abort', close, { once: true });
  try {
    signal.throwIfAborted();
    return await known.list(document);
  } catch (error) {
    signal.throwIfAborted();
    throw error;
  } finally {
    signal.removeEventListener('abort', close);
  }
}

/** Which rows an overview of a program counts; by default all. */
function countScope({
  all = true,
  known = true,
}: ArgumentOf<'scorecard.reportOverview'>): CountScope {
  if (all) {
    return known ? 'all' : 'notKnown';
  }
  return known ? 'openOrKnown' : 'open';
}

/** Marks what a program names, or what is selected in the table that a user sees. */
async function markTable<T>(
  deps: TableCommandsDeps,
  call: CommandCall<FileArgument & { readonly list?: string | undefined }>,
  title: string,
  { on, run }: { readonly on: boolean; readonly run: (document: TableDocument) => Promise<T> },
): Promise<T | undefined> {
  if (call.by === 'user' && call.nodes) {
    const found = call.nodes.flatMap((node) => deps.findingOf(node) ?? []);
    await (on ? deps.known.markFindings(found) : deps.known.unmarkFindings(found));
    return dismissed;
  }
  if (call.by === 'user') {
    const active = activeTable();
    if (!active || deps.editor.find(active)?.send({ type: 'markSelected', on }) !== true) {
      throw new UserError(
        t('Open a table of findings and select the rows, then run this command again.'),
        'badRequest',
      );
    }
    return dismissed;
  }
  const uri = await chosenFile(deps, call, title);
  return uri ? deps.editor.withTable(uri, run, call.args.list) : dismissed;
}

/** The file of a call; where a user names none, that of the active table. */
async function findShownTable(
  deps: Pick<TableCommandsDeps, 'stored'>,
  call: CommandCall<FileArgument>,
  title: string,
): Promise<vscode.Uri | undefined> {
  const isOfTable = call.by === 'user' && !call.uri && !call.node;
  return (isOfTable ? activeTable() : undefined) ?? chosenFile(deps, call, title);
}

/** Opens a table again in an encoding. A user stays on the tab of the page that is shown. */
async function reopen(
  deps: TableCommandsDeps,
  call: CommandCall<FileArgument>,
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
  deps: TableCommandsDeps,
  call: CommandCall<ArgumentOf<'scorecard.openReportTable'>>,
  title: string,
): Promise<vscode.Uri | undefined> {
  const { editor, choices } = deps;
  const uri = await chosenFile(deps, call, title);
  const list = call.args.list;
  if (uri && list !== undefined) {
    // This throws before anything changes that is shown.
    await editor.withTable(uri, (document) => document.forProgram(() => Promise.resolve()), list);
    choices.choose(uri, { list });
    await editor.find(uri)?.reopen();
  }
  return uri;
}

/** The file of the table in the active tab. */
export function activeTable(): vscode.Uri | undefined {
  const input = vscode.window.tabGroups.activeTabGroup.activeTab?.input;
  return input instanceof vscode.TabInputCustom && input.viewType === reportTableId
    ? input.uri
    : undefined;
}

/** Opens a table. A program gets the result of the work, or an error. */
async function show<T>(
  { editor }: Pick<TableCommandsDeps, 'editor'>,
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

/** Shows the rows of a file. @returns their number, when all are read */
export function showTable(
  deps: Pick<TableCommandsDeps, 'editor'>,
  uri: vscode.Uri,
  call: CommandCall,
): Promise<TableSize | undefined> {
  return show(deps, uri, call, 'table', (document) => document.size());
}

/** The file of a call: its argument, the selected row, or one that a user picks. */
async function chosenFile(
  { stored }: Pick<TableCommandsDeps, 'stored'>,
  call: CommandCall<FileArgument>,
  title: string,
): Promise<vscode.Uri | undefined> {
  if (call.uri) {
    return call.uri;
  }
  const selected = call.node && stored.idOf(call.node);
  const id = selected ?? call.args.id;
  const filePath = call.args.path;
  if (id !== undefined && filePath !== undefined) {
    throw new UserError(
      t('Enter the ID of a report or the path of a file, not both.'),
      'badRequest',
    );
  }
  if (id !== undefined) {
    return (await stored.get(id)).uri;
  }
  return filePath === undefined ? pickFile(stored, title) : namedFile(filePath);
}

/**
 * The row of a call: that of its URI, or the file and the row that its arguments name.
 * @throws UserError if a program names no row.
 */
export async function chosenRow(
  deps: Pick<TableCommandsDeps, 'stored'>,
  call: CommandCall<RowArgument>,
  title: string,
): Promise<{ readonly file: vscode.Uri; readonly row: number } | undefined> {
  const { file, row } = call.uri
    ? rowOfUri(call.uri)
    : { file: await chosenFile(deps, call, title), row: call.args.row };
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

/** Lets the user pick the file of the active tab, a report that is ready, or any file. */
async function pickFile(stored: StoredFiles, title: string): Promise<vscode.Uri | undefined> {
  const files = stored.list();
  const active = activeFile();
  const picked =
    files.length === 0 && !active
      ? 'file'
      : await pickOne<StoredFile | vscode.Uri | 'file'>(
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
            ...createChoices(files),
            { label: t('Choose a File\u2026'), value: 'file' },
          ],
          { title, placeHolder: t('Which report or file?') },
        );
  if (picked !== 'file') {
    return picked instanceof vscode.Uri ? picked : picked && (await stored.get(picked.id)).uri;
  }
  return (await askForFiles({ title }))[0];
}

/** The choices of a quick pick for stored files. */
export function createChoices(files: readonly StoredFile[]) {
  return files.map((file) => ({ label: file.label, description: file.description, value: file }));
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

/** Lists the findings of an open table in the Problems view, or no longer. */
async function toggleProblems(
  deps: TableCommandsDeps,
  call: CommandCall<ArgumentOf<'scorecard.toggleProblems'>>,
): Promise<ProblemsState | undefined> {
  const { editor, problems } = deps;
  const uri = await findShownTable(deps, call, t('Toggle Findings in Problems'));
  if (!uri) {
    return dismissed;
  }
  const on = call.args.on ?? !problems.isShown(uri);
  const document = editor.find(uri);
  if (!on) {
    problems.remove(uri);
    document?.send({ type: 'problems', on });
    return { on };
  }
  // What a user sees is what is listed.
  const shown = call.by === 'user' ? await document?.findShownTable() : undefined;
  const state = await problems.show(
    document ?? (await editor.open(uri, 'table')),
    defined({ filter: shown?.query.filter }),
  );
  if (call.by === 'user' && state.on) {
    await vscode.commands.executeCommand('workbench.panel.markers.view.focus');
  }
  return state;
}
