import * as path from 'node:path';
import * as vscode from 'vscode';
import { CancelledError } from '../../api/http/errors';
import { systemClock } from '../../base/events/clock';
import type { Disposable } from '../../base/events/disposable';
import type { ExportFormat } from '../../base/exportFormats';
import { UserError } from '../../base/userError';
import type { Logger } from '../../base/logger';
import { severityScale } from '../../base/text/orderedWords';
import { localProcesses } from '../../base/processes';
import { reportScheme } from '../../contributions';
import type { Exporter } from '../../export/exporter';
import type { Scorecards } from '../../findings/scorecards';
import type { ReportSeverities } from '../../findings/severity';
import type { ReportsOfFiles } from '../../reports/ui/reportFiles';
import { describeError } from '../../workbench/describe';
import { describeForLog } from '../../workbench/describeForLog';
import { showError } from '../../workbench/messages';
import { setting } from '../../workbench/settingsCommands';
import type { TableCallOptions, TableHandle } from '../../engine/engine';
import { openTable, sizeOf } from '../../engine/openTable';
import { plainOverview, type TableOverview } from '../../engine/overview/plainOverview';
import type { Overview } from '../../engine/overviewTypes';
import { CheckError } from '../../webview/checks';
import { recordDocument } from '../../engine/read/recordDocument';
import { tableCauseOf, TableError } from '../../engine/values/tableError';
import { type TableErrorCode, type TableInfo, wholeFile } from '../../engine/types';
import {
  type HostMessage,
  type LabeledFilter,
  pageMessage,
  type PageQuestion,
  refusedId,
  type RelayedCalls,
  type ShownTable,
  type TableTab,
} from '../../webview/protocol';
import { type CallFailure, RpcServer } from '../../engine/rpc';
import { FindingsFiles } from './findingsFiles';
import { type FileInfoProvider, type LocalTable, type TableSize, uriOfRow } from './localTable';
import { copyToClipboard, isClipboardQuestion } from './tableClipboard';
import { TempCopies } from './tempCopies';
import type { TableEvents } from './tableEditor';
import { describeTableError, publicCode } from './tableErrors';
import { LocalFiles } from './localFiles';
import { localizedTexts, showPage } from '../../workbench/webviewPage';

const { t } = vscode.l10n;

/** Dependencies of the Report Table. */
interface ReportTablesDeps extends ReportsOfFiles {
  /** The folder of our bundles. */
  readonly bundles: vscode.Uri;
  /** The folder of temporary files of tables; contains nothing else. */
  readonly folder: string;
  readonly log: Logger;
  readonly exporter: Exporter;
  /** Stores the severities that a full report contains. */
  readonly reported: Pick<ReportSeverities, 'store'>;
  readonly scorecards: Scorecards;
  readonly knowledge: () => FileInfoProvider | undefined;
}

/** The tables that are open, and their files. */
export class ReportTables implements Disposable {
  readonly findingsTables: FindingsFiles;
  private readonly copies: TempCopies;
  readonly files: LocalFiles;

  constructor(private readonly deps: ReportTablesDeps) {
    const { folder, exporter, reports, unpacked, knowledge } = deps;
    this.findingsTables = new FindingsFiles(path.join(folder, 'findings'), exporter, () =>
      systemClock.now(),
    );
    this.copies = new TempCopies(path.join(folder, 'unpacked'), localProcesses);
    const { copies, findingsTables } = this;
    this.files = new LocalFiles({ copies, reports, unpacked, findingsTables, knowledge });
  }

  /** Where copies of unpacked files are kept while they are read. */
  get cacheFolder(): string {
    return this.copies.own;
  }

  open(uri: vscode.Uri, events: TableEvents): TableDocument {
    const { bundles, log, scorecards } = this.deps;
    const isReport = uri.scheme === reportScheme && setting('reports.openAs') !== 'table';
    const isComparison =
      uri.scheme === 'file' && this.deps.knowledge()?.isComparison(uri.fsPath) === true;
    return new TableDocument(uri, {
      ...events,
      bundles,
      cacheFolder: this.copies.own,
      firstTab: isReport || isComparison ? 'overview' : 'table',
      fileOf: (file, signal) => this.files.of(file, signal),
      describe: (error) =>
        error instanceof CancelledError
          ? t('Unpacking was cancelled. Try again to show the rows.')
          : describeError(error),
      scorecardNames: () => Object.fromEntries(scorecards.list().map(({ id, name }) => [id, name])),
      log: (message) => {
        log.warn(message);
      },
      showError,
      onCounted: (report, { typeSeverities = [] }) => {
        const positions = typeSeverities.flatMap(({ type, severity }) => {
          const position = severityScale.positionOf(severity);
          return position === undefined ? [] : [[type, position] as const];
        });
        this.deps.reported.store({ ...report, positions: Object.fromEntries(positions) });
      },
      onClosed: () => {
        const isEditorClosed = events.onClosed(uri);
        if (isEditorClosed && uri.scheme === 'file') {
          this.findingsTables.remove(uri.fsPath).catch((error: unknown) => {
            log.warn(`Could not delete the file of a findings table: ${describeForLog(error)}`);
          });
        }
        return isEditorClosed;
      },
    });
  }

  /** Removes all files of tables. @returns the paths that are left. */
  removeAll(): string[] {
    return [...this.copies.removeAll(), ...this.findingsTables.removeAll()];
  }

  dispose(): void {
    this.copies.removeOwn();
  }
}

/** Dependencies of a table. */
export interface TableDocumentDeps extends TablePanelDeps {
  /** Where files are unpacked to. */
  readonly cacheFolder: string;
  /** The tab to show unless the page remembers one. */
  readonly firstTab: TableTab;
  /** The file of a document; the signal cancels. */
  readonly fileOf: (uri: vscode.Uri, signal: AbortSignal) => Promise<LocalTable>;
  /** The text for an error that does not come from the table. */
  readonly describe: (error: unknown) => string;
  /** Called when records change: secrets are shown or masked, or the file is opened again. */
  readonly onRecordsChanged: (uri: vscode.Uri) => void;
  /** Called when all rows of a full report are counted for its overview. */
  readonly onCounted: (report: NonNullable<LocalTable['fullReport']>, overview: Overview) => void;
  /**
   * Called when nothing uses the document any more.
   * @returns whether its editor was closed; false for a table that only a command worked on.
   */
  readonly onClosed: (uri: vscode.Uri) => boolean;
}

/** A file that is shown as a table; a thread reads it until its editor is closed. */
export class TableDocument implements vscode.CustomDocument {
  private isRevealed = false;
  private opening: Promise<OpenTable> | undefined;
  private readonly abort = new AbortController();
  private panel: TablePanel | undefined;
  private asked:
    { readonly tab: TableTab; readonly chosen?: LabeledFilter | undefined } | undefined;

  constructor(
    readonly uri: vscode.Uri,
    private readonly deps: TableDocumentDeps,
  ) {}

  /**
   * Whether secret-like values are shown. Only in this window, and until the document is closed.
   */
  get revealed(): boolean {
    return this.isRevealed;
  }

  get firstTab(): TableTab {
    return this.deps.firstTab;
  }

  /**
   * Shows a tab: now, or as soon as there is a page.
   * @param chosen the rows to show in the table; the first one is also shown as a record.
   */
  showTab(tab: TableTab, chosen?: LabeledFilter): void {
    if (this.panel?.showTab(tab, chosen) !== true) {
      this.asked = { tab, chosen };
    }
  }

  /** Lets the page export what it shows. @returns whether there is a page */
  askExport(): boolean {
    return this.panel?.askExport() === true;
  }

  takeAskedTab(): TableDocument['asked'] {
    const { asked } = this;
    this.asked = undefined;
    return asked;
  }

  reveal(on: boolean): void {
    this.isRevealed = on;
    this.deps.onRecordsChanged(this.uri);
  }

  get name(): string {
    return path.basename(this.uri.path);
  }

  /** The open table; a failure stays until `reload`. */
  open(): Promise<OpenTable> {
    this.opening ??= this.begin();
    return this.opening;
  }

  /** Opens the file again. */
  reload(): Promise<OpenTable> {
    this.close();
    const opening = this.open();
    this.deps.onRecordsChanged(this.uri);
    return opening;
  }

  /** Resolves when all records were checked. @throws the error for a program */
  size(): Promise<TableSize> {
    return this.forProgram(async (table) => sizeOf(await table.call('checked', {})));
  }

  /** Resolves when every row is counted; secret-like values are masked. @throws the error for a program */
  overview(): Promise<TableOverview> {
    return this.forProgram(async (table) =>
      plainOverview(await table.call('counted', { now: systemClock.now() }), table.info.columns),
    );
  }

  /** Runs work on the table. @throws the error for a program */
  async forProgram<T>(work: (table: TableHandle, file: LocalTable) => Promise<T>): Promise<T> {
    try {
      const { table, file } = await this.open();
      return await work(table, file);
    } catch (error) {
      if (!(error instanceof TableError)) {
        throw error;
      }
      const message = t('"{0}": {1}', this.name, describeTableError(error.code));
      throw new UserError(message, publicCode(error.code), { cause: error });
    }
  }

  /** A record as a document; secret-like values are masked unless shown. */
  async recordText(record: number): Promise<string> {
    const { table } = await this.open();
    const shown = await table.call('record', { record }, { reveal: this.revealed });
    return recordDocument(shown, table.info.format, t('Only the beginning of the text is shown.'));
  }

  /** The text for an error on the page, without paths. */
  describe(error: unknown): string {
    const code = tableCauseOf(error);
    return code === undefined ? this.deps.describe(error) : describeTableError(code);
  }

  /** Draws the table in an editor. */
  show(editor: vscode.WebviewPanel, actions: PageActions): void {
    const panel = new TablePanel(this, editor, this.deps, actions);
    this.panel = panel;
    editor.onDidDispose(() => {
      panel.dispose();
    });
  }

  dispose(): void {
    this.abort.abort();
    this.close();
    this.deps.onClosed(this.uri);
    if (this.revealed) {
      this.reveal(false);
    }
  }

  private async begin(): Promise<OpenTable> {
    const { cacheFolder, bundles, fileOf } = this.deps;
    const { scheme, authority } = this.uri;
    // Windows reads `file://server/share` (RFC 8089) as a UNC path; elsewhere it has no path.
    if (scheme === 'file' && authority !== '' && process.platform !== 'win32') {
      throw new UserError(
        t(
          '"{0}" is on another computer ({1}). Mount its folder or copy the file to this machine, then open it there.',
          this.name,
          authority,
        ),
        'badRequest',
      );
    }
    const file = await fileOf(this.uri, this.abort.signal);
    try {
      const script = vscode.Uri.joinPath(bundles, 'tableWorker.js').fsPath;
      const table = await openTable(script, file.path, { cacheFolder }, this.abort.signal);
      if (file.fullReport && this.firstTab === 'overview') {
        void this.follow(table, file.fullReport);
      }
      return { table, file };
    } catch (error) {
      await file.release();
      throw error;
    }
  }

  /** Reports the counts of a full report. The overview counts anyway, and the page shows its errors. */
  private async follow(
    table: TableHandle,
    report: NonNullable<LocalTable['fullReport']>,
  ): Promise<void> {
    const counted = table.call('counted', { now: systemClock.now() }).catch(() => undefined);
    const overview = await counted;
    if (overview) {
      this.deps.onCounted(report, overview);
    }
  }

  private close(): void {
    const { opening } = this;
    this.opening = undefined;
    opening?.then(
      ({ table, file }) => {
        table.dispose();
        void file.release();
      },
      () => undefined,
    );
  }
}

/** Dependencies of a page. */
interface TablePanelDeps {
  /** The folder of the bundles. */
  readonly bundles: vscode.Uri;
  /** The names of the known scorecards, by UUID in lower case. */
  readonly scorecardNames: () => Readonly<Record<string, string>>;
  readonly log: (message: string) => void;
  /** Shows an error as a notification. */
  readonly showError: (error: unknown) => void;
}

/** What a page asks of its editor. */
export interface PageActions {
  /** Shows a record as a document. */
  readonly showRecord: (uri: vscode.Uri, record: number) => Promise<void>;
  /** Exports what the page shows. Never rejects. */
  readonly exportShown: (
    uri: vscode.Uri,
    shown: ShownTable,
    format: ExportFormat | undefined,
  ) => Promise<void>;
}

/** A table that is open, and its file. */
interface OpenTable {
  readonly table: TableHandle;
  readonly file: LocalTable;
}

/** The host's side of a table page. */
class TablePanel implements vscode.Disposable {
  private readonly server = new RpcServer<PageQuestion>(
    (reply) => {
      this.post(reply);
    },
    async (question, options) => {
      const { table, file } = await this.document.open();
      // A file with masked values needs no second mask.
      const reveal = this.document.revealed || file.isMasked;
      return isClipboardQuestion(question)
        ? copyToClipboard(table, this.aboutOf(file), question, { ...options, reveal })
        : relay(table, question, { ...options, reveal });
    },
    (error) => this.refusal(error),
  );
  private readonly listeners: vscode.Disposable[] = [];
  private ofTable: Disposable[] = [];
  /** Incremented when the page starts over: results for an earlier turn are dropped. */
  private turn = 0;
  /** Whether the page has started and receives messages: VS Code removes the page of a hidden editor. */
  private isLive = false;

  constructor(
    private readonly document: TableDocument,
    private readonly panel: vscode.WebviewPanel,
    private readonly deps: TablePanelDeps,
    private readonly actions: PageActions,
  ) {
    const { webview } = panel;
    this.listeners.push(
      webview.onDidReceiveMessage((message) => void this.receive(message)),
      panel.onDidChangeViewState(() => {
        this.isLive &&= panel.visible;
      }),
    );
    showPage(panel, deps.bundles, 'table.js', document.name);
  }

  /** @returns whether there is a page that shows it */
  showTab(tab: TableTab, chosen?: LabeledFilter): boolean {
    if (this.isLive) {
      this.post({ type: 'show', tab, chosen });
    }
    return this.isLive;
  }

  /** Lets the page export what it shows. @returns whether there is a page */
  askExport(): boolean {
    if (this.isLive) {
      this.post({ type: 'askExport' });
    }
    return this.isLive;
  }

  dispose(): void {
    this.turn += 1;
    this.stop();
    vscode.Disposable.from(...this.listeners).dispose();
  }

  /** Never rejects, because nothing awaits it. */
  private async receive(raw: unknown): Promise<void> {
    try {
      const message = pageMessage(raw);
      switch (message.type) {
        case 'ready':
          await this.begin(() => this.document.open());
          break;
        case 'reload':
          await this.begin(() => this.document.reload());
          break;
        case 'reveal':
          this.document.reveal(message.on);
          await this.begin(() => this.document.open());
          break;
        case 'cancel':
          this.server.cancel(message.id);
          break;
        case 'openRecord':
          await this.actions
            .showRecord(this.document.uri, message.record)
            .catch((error: unknown) => {
              this.showError(error);
            });
          break;
        case 'export':
          await this.actions.exportShown(this.document.uri, message, message.format);
          break;
        case 'showFinding':
          await vscode.commands.executeCommand(
            'scorecard.showInFindings',
            uriOfRow(this.document.uri, message.record + 1),
          );
          break;
        case 'compare':
          await vscode.commands.executeCommand('scorecard.compareWithPrevious', this.document.uri);
          break;
        case 'openText':
          await vscode.commands
            .executeCommand('vscode.openWith', this.document.uri, 'default')
            .then(undefined, (error: unknown) => {
              this.showError(error);
            });
          break;
        default:
          await this.server.receive(message);
      }
    } catch (error) {
      this.deps.log(`Invalid message of a table page: ${String(error)}`);
      const id = error instanceof CheckError ? refusedId(raw) : undefined;
      if (id !== undefined) {
        this.post({ type: 'response', id, ok: false, ...refusal('badRequest') });
      }
    }
  }

  /** Initializes the page; earlier calls are dropped. */
  private async begin(open: () => Promise<OpenTable>): Promise<void> {
    this.stop();
    this.turn += 1;
    const { turn } = this;
    try {
      const { table, file } = await open();
      if (turn !== this.turn) {
        return;
      }
      if (table.ended) {
        throw table.ended;
      }
      const visible = (info: TableInfo) => (file.isMasked ? withoutSecrets(info) : info);
      this.ofTable = [
        table.onInfo((info) => {
          this.post({ type: 'info', info: visible(info) });
        }),
        table.onEnded((error) => {
          this.fail(error);
        }),
        watch(file.path, table),
      ];
      const { about } = this.aboutOf(file);
      if (file.tabTitle !== undefined) {
        this.panel.title = file.tabTitle;
      }
      const asked = this.document.takeAskedTab();
      this.isLive = true;
      this.post({
        type: 'init',
        info: visible(table.info),
        revealed: this.document.revealed,
        texts: localizedTexts(),
        locale: vscode.env.language,
        scorecards: this.deps.scorecardNames(),
        about,
        tab: {
          name: asked?.tab ?? this.document.firstTab,
          isAsked: asked !== undefined,
          chosen: asked?.chosen,
        },
      });
      await this.learn(file, turn);
    } catch (error) {
      if (turn === this.turn) {
        this.fail(error);
      }
    }
  }

  private aboutOf({ path: file, about = { title: this.document.name } }: LocalTable) {
    return { path: file, about };
  }

  /** Sends the page the facts about the file that take longer to find out. */
  private async learn({ learn }: LocalTable, turn: number): Promise<void> {
    const abort = new AbortController();
    this.ofTable.push({
      dispose: () => {
        abort.abort();
      },
    });
    const about = await learn?.(abort.signal).catch(() => undefined);
    if (about && turn === this.turn) {
      this.post({ type: 'about', about });
    }
  }

  private refusal(error: unknown): CallFailure {
    const code = tableCauseOf(error) ?? 'internal';
    if (code === 'internal') {
      this.deps.log(`A call of a table failed: ${String(error)}`);
    }
    return refusal(code);
  }

  /** Shows an error as a notification: the page has no call that could be rejected. */
  private showError(error: unknown): void {
    const { deps, document } = this;
    deps.log(`Could not open a document of a table: ${String(error)}`);
    deps.showError(new UserError(document.describe(error), 'protocol', { cause: error }));
  }

  /** Shows the failure instead of the table. */
  private fail(error: unknown): void {
    this.stop();
    this.deps.log(`Could not show a table: ${String(error)}`);
    this.post({
      type: 'failed',
      message: this.document.describe(error),
      tryAgain: t('Try Again'),
      openText: t('Open as Text'),
    });
  }

  private stop(): void {
    this.server.stop();
    for (const item of this.ofTable) {
      item.dispose();
    }
    this.ofTable = [];
  }

  private post(message: HostMessage): void {
    void this.panel.webview.postMessage(message);
  }
}

/** Relays a call to the thread. */
function relay<Name extends keyof RelayedCalls>(
  table: TableHandle,
  question: PageQuestion<Name>,
  options: TableCallOptions,
): Promise<unknown> {
  return table.call(question.type, question, options);
}

function refusal(code: TableErrorCode): CallFailure {
  return { code, message: describeTableError(code) };
}

function withoutSecrets(info: TableInfo): TableInfo {
  return { ...info, columns: info.columns.map((column) => ({ ...column, secret: false })) };
}

/** Makes the table check its file whenever it changes. The table reports what it finds. */
function watch(file: string, table: TableHandle): vscode.Disposable {
  const pattern = new vscode.RelativePattern(
    vscode.Uri.file(path.dirname(file)),
    path.basename(file).replace(/[*?{}[\]]/g, '[$&]'),
  );
  const watcher = vscode.workspace.createFileSystemWatcher(pattern);
  const look = () =>
    void table.call('rows', { view: wholeFile, from: 0, count: 1 }).catch(() => undefined);
  watcher.onDidChange(look);
  watcher.onDidCreate(look);
  watcher.onDidDelete(look);
  return watcher;
}
