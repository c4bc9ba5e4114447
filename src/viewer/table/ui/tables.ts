import type * as vscode from 'vscode';
import { systemClock } from '../../../base/events/clock';
import type { Disposable } from '../../../base/events/disposable';
import type { Logger } from '../../../base/logger';
import { localProcesses } from '../../../files/processes';
import { TempCopies } from '../../../files/tempCopies';
import { type CveListFile, type KnownFinding, sqlOfFile, type TableHandle } from '../../../engine';
import { localPath } from '../../../workbench/storedFiles';
import { hasWorkspace } from '../../../workbench/workspaceFiles';
import { shownLinks } from '../../../workbench/workspaceLinks';
import type { FileSource, WithTable } from './fileSource';
import { ChangeDecorations } from './changeDecorations';
import { FileKinds, type KindState } from '../fileKinds';
import { FileStates } from '../fileStates';
import { FileFollower } from './fileFollower';
import { LocalFiles } from './localFiles';
import type { CompareFiles } from './userFiles';
import { linksOfRow } from './rowLinks';
import type { ProblemPaths } from './problemPaths';
import type { KnownTables } from './knownTables';
import type { FindingNames, TableActions } from './tableActions';
import { TableDocument } from './tableDocument';
import { saveSummary } from './summaryFile';
import { exportShown } from './tableExports';
import { TableProblems } from './tableProblems';

/** Dependencies of the Report Table. */
interface ReportTablesDeps extends FindingNames {
  /** The folder of our bundles. */
  readonly bundles: vscode.Uri;
  /** The folder of unpacked and converted copies; contains nothing else. */
  readonly folder: string;
  readonly log: Logger;
  /** See `LocalFiles`. */
  readonly sources: readonly FileSource[];
  readonly actions: TableActions;
  readonly known: KnownTables;
  /** The paths of the workspace that are left out of Problems. */
  readonly paths: Pick<ProblemPaths, 'matcher'>;
  /** The lists of CVEs that mark rows. */
  readonly cveLists: () => Promise<readonly CveListFile[]>;
  /** The folder of what files contained before; contains nothing else. */
  readonly statesFolder: string;
  readonly compareFiles: CompareFiles;
  readonly kindState: KindState;
}

/** The tables that are open, and their files. */
export class ReportTables implements Disposable {
  private readonly tempCopies: TempCopies;
  readonly files: LocalFiles;
  /** What the files of users contained when they were opened before. */
  readonly states: FileStates;
  /** How users arrange and filter tables. */
  readonly kinds: FileKinds;
  /** What has come and gone in open files of users. */
  readonly decorations = new ChangeDecorations();
  /** The findings of open tables that are listed in the Problems view. */
  readonly problems: TableProblems;

  constructor(private readonly deps: ReportTablesDeps) {
    this.problems = new TableProblems(deps.names, deps.paths);
    this.kinds = new FileKinds(deps.kindState);
    this.tempCopies = new TempCopies(deps.folder, localProcesses);
    this.states = new FileStates({
      folder: deps.statesFolder,
      knownFindings: () => this.knownFindings(),
      log: deps.log,
    });
    this.files = new LocalFiles(this.tempCopies, deps.sources, this.states, deps.compareFiles);
  }

  /** The folder of unpacked and converted copies, which exist while they are read. */
  get cacheFolder(): string {
    return this.tempCopies.ownFolder;
  }

  /**
   * @param list JSON: the list to show, whatever was chosen.
   * @param onClosed for the table of an editor: called when that is closed.
   */
  open(
    uri: vscode.Uri,
    { list, onClosed }: { readonly list?: string | undefined; readonly onClosed?: () => void } = {},
  ): TableDocument {
    const { bundles, log, actions, known, cveLists } = this.deps;
    const { names, scorecardNames, ratings, meaningOf } = this.deps;
    const { files, problems, decorations } = this;
    const source = files.sourceOf(uri);
    let follower: FileFollower | undefined;
    let isClosed = false;
    const shownList = async () => (await document.open()).table.info.list;
    const findChanges = async () => {
      const since = await source.findChanges?.(uri, await shownList());
      if (files.isOfUser(uri) && !isClosed) {
        decorations.set(uri, since);
      }
      return since;
    };
    let hasOpened = false;
    const document: TableDocument = new TableDocument(uri, {
      bundles,
      cacheFolder: this.cacheFolder,
      firstTab: source.firstTab,
      fileOf: async (of, signal) => ({
        ...(await files.open(of, signal)),
        ...(list !== undefined && { list }),
      }),
      ...(list === undefined && { choices: files.choices }),
      names,
      scorecardNames,
      ratings,
      meaningOf,
      actions,
      log: (message) => {
        log.warn(message);
      },
      kinds: this.kinds,
      findChanges,
      showChanges: async () =>
        source.showChanges
          ? source.showChanges(uri, (await document.open()).table)
          : actions.compareWithPrevious(uri),
      writeSql: async ({ table, file: { path } }, question, options) =>
        source.writeSql
          ? source.writeSql({ uri, path, table }, question, options, this.withTable)
          : sqlOfFile(question.dialect, await table.call('sql', { ...question, path }, options)),
      exportShown: (shown, format) => exportShown({ log }, document, shown, format),
      saveSummary: (read) => saveSummary(document.name, read),
      hasWorkspace,
      linksOf: async (table, record) =>
        hasWorkspace() ? shownLinks(await linksOfRow(table, record, { report: uri })) : {},
      problems: () => problems.stateOf(uri),
      toggleExcluded: () => problems.toggleExcluded(document),
      knownFile: () => known.file,
      knownFindings: () => known.findings(),
      cveLists,
      recount: async (signal) => {
        const recount = await source.recount?.(uri, signal);
        return recount ?? (source.recount && source.about?.(uri));
      },
      markKnown: (rows, { on, table }) =>
        on ? known.markShown(document, rows, table) : known.unmarkShown(document, rows, table),
      findStated: async (table) => {
        const stated = await known.findStated(document, table);
        return stated.map(({ name, decisions }) => ({
          document: name,
          findings: decisions.length,
        }));
      },
      markStated: (name, table) => known.markStated(document, name, table),
      onOpened: ({ table }) => {
        // It may have been closed while known findings were looked for.
        if (onClosed && !isClosed) {
          source.opened?.(uri, table);
          // A page that is hidden does not ask for them, and its tab has their number.
          if (files.isOfUser(uri)) {
            findChanges().catch(() => undefined);
          }
          if (!hasOpened) {
            hasOpened = true;
            // Known issues may have changed while it was closed.
            document.recount().catch(() => undefined);
          }
          follower ??= this.follow(uri, document);
        }
      },
      onKnown: (table) => {
        if (onClosed && !isClosed) {
          source.knownChanged?.(uri, table);
        }
      },
      onReloaded: () => {
        if (problems.isShown(uri)) {
          // The page shows why a file cannot be read.
          problems.showAgain(uri).catch(() => undefined);
        }
      },
      onClosed: () => {
        if (onClosed) {
          isClosed = true;
          decorations.set(uri, undefined);
          follower?.dispose();
          onClosed();
          problems.remove(uri);
          source.closed?.(uri);
        }
      },
    });
    return document;
  }

  /** Reads the file of a user again when a program has written it; `undefined` for other files. */
  private follow(uri: vscode.Uri, document: TableDocument): FileFollower | undefined {
    const file = localPath(uri);
    return file === undefined || !this.files.isOfUser(uri)
      ? undefined
      : new FileFollower(file, {
          clock: systemClock,
          isComplete: () => this.isComplete(uri),
          reopen: () => document.reopen(),
        });
  }

  private async isComplete(uri: vscode.Uri): Promise<boolean> {
    try {
      return await this.withTable(
        uri,
        async (table) => (await table.call('checked', {})).truncated === undefined,
        new AbortController().signal,
      );
    } catch {
      return false;
    }
  }

  /** The findings that are known. */
  knownFindings(): Promise<readonly KnownFinding[]> {
    return this.deps.known.findings();
  }

  private readonly withTable: WithTable = async <T>(
    uri: vscode.Uri,
    work: (table: TableHandle, path: string) => Promise<T>,
    signal: AbortSignal,
  ) => {
    const document = this.open(uri);
    const close = () => {
      document.dispose();
    };
    signal.addEventListener('abort', close, { once: true });
    try {
      signal.throwIfAborted();
      const { table, file } = await document.open();
      return await work(table, file.path);
    } finally {
      signal.removeEventListener('abort', close);
      close();
    }
  };

  /** Removes all unpacked and converted copies, and what is remembered of files. @returns the paths that are left. */
  async removeAll(): Promise<string[]> {
    await this.kinds.clear();
    return [...(await this.tempCopies.removeAll()), ...(await this.states.removeAll())];
  }

  dispose(): void {
    this.problems.dispose();
    this.decorations.dispose();
    this.tempCopies.removeOwn();
  }
}
