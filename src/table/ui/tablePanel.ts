import * as path from 'node:path';
import { getDotPath, isValiError } from 'valibot';
import * as vscode from 'vscode';
import type { Disposable } from '../../base/events/disposable';
import type { TableExportFormat } from '../../base/exportFormats';
import { UserError } from '../../base/userError';
import type { CommandId } from '../../contributions';
import type { TableCallOptions, TableHandle } from '../../engine/engine';
import { type CallFailure, RpcServer } from '../../engine/rpc';
import { type ColumnId, type FormChoice, type TableInfo, wholeFile } from '../../engine/types';
import { tableCauseOf } from '../../engine/values/tableError';
import {
  type ExportedTable,
  type FileAbout,
  type HostMessage,
  type LabeledFilter,
  pageMessage,
  type PageRequest,
  type ProblemsState,
  type RecordLinks,
  refusedId,
  type RelayedCalls,
  type TableTab,
} from '../../webview/protocol';
import { localizedTexts, showPage } from '../../workbench/webviewPage';
import type { LocalTable, WithReport } from '../localTable';
import { uriOfRow } from './rowUri';
import { copyToClipboard, isClipboardRequest } from './tableClipboard';
import { describeFailure, describeTableError } from './tableErrors';

const { t } = vscode.l10n;

/** Dependencies of a page. */
export interface TablePanelDeps {
  /** The folder of the bundles. */
  readonly bundles: vscode.Uri;
  /** The names of the known scorecards, by UUID in lower case. */
  readonly scorecardNames: () => Readonly<Record<string, string>>;
  /** What an issue type means and what to do, if that is known. */
  readonly meaningOf: (issueType: string) => Promise<string | undefined>;
  readonly log: (message: string) => void;
  /** Shows an error as a notification. */
  readonly showError: (error: unknown) => void;
  readonly withReport: WithReport;
  readonly workspace: PageWorkspace;
}

/** What a page shows of the workspace. */
export interface PageWorkspace {
  /** Whether a folder is open. */
  readonly isOpen: () => boolean;
  /** Where a record leads in it. */
  readonly linksOf: (
    table: TableHandle,
    record: number,
    report: vscode.Uri,
  ) => Promise<RecordLinks>;
  /** Whether the findings of a file are listed in the Problems view. */
  readonly isInProblems: (report: vscode.Uri) => boolean;
}

/** Actions of the editor that a page can request. */
export interface PageActions {
  /** Shows a record as a document. */
  readonly showRecord: (uri: vscode.Uri, record: number) => Promise<void>;
  /** Exports what the page shows. Never rejects. */
  readonly exportShown: (
    uri: vscode.Uri,
    shown: ExportedTable,
    format: TableExportFormat | undefined,
  ) => Promise<void>;
}

/** A table that is open, and its file. */
export interface OpenTable {
  readonly table: TableHandle;
  readonly file: LocalTable;
}

/** A tab to show, and the rows to show in it. */
export interface TabRequest {
  readonly tab: TableTab;
  readonly chosen?: LabeledFilter | undefined;
}

/** What a page needs of its document. */
interface PanelDocument {
  readonly uri: vscode.Uri;
  readonly name: string;
  readonly firstTab: TableTab;
  /** Whether secret-like values are shown. */
  readonly revealed: boolean;
  open(): Promise<OpenTable>;
  /** Opens the file again. */
  reload(): Promise<OpenTable>;
  reveal(on: boolean): void;
  /** A page has shown this list of the file before. */
  restoreList(list: string): void;
  /** Chooses the list to show when the file is opened again. */
  chooseList(list: string): void;
  /** Chooses the order of day and month in dates with slashes when the file is opened again. */
  setForm(column: ColumnId, form: FormChoice | undefined): void;
  /** The tab to show first, if one was requested before there was a page. It is returned once. */
  claimRequestedTab(): TabRequest | undefined;
  /** The text for an error on the page. */
  describe(error: unknown): string;
}

/** The host's side of a table page. */
export class TablePanel implements vscode.Disposable {
  private readonly server = new RpcServer<PageRequest>(
    (reply) => {
      this.post(reply);
    },
    async (request, options) => {
      const { table, file } = await this.document.open();
      // A file with masked values needs no second mask.
      const reveal = this.document.revealed || file.isMasked;
      if (request.type === 'meaning') {
        return (await this.deps.meaningOf(request.issueType)) ?? null;
      }
      if (request.type === 'links') {
        return this.deps.workspace.linksOf(table, request.record, this.document.uri);
      }
      return isClipboardRequest(request)
        ? copyToClipboard(table, this.sourceOf(file), request, { ...options, reveal })
        : relay(table, request, { ...options, reveal });
    },
    (error) => this.failureOf(error),
  );
  private readonly listeners: vscode.Disposable[] = [];
  private tableDisposables: Disposable[] = [];
  /** The facts about the file that took longer, once they are known. */
  private moreAbout: FileAbout | undefined;
  /** Incremented when the page starts over. Results of an earlier generation are dropped. */
  private generation = 0;
  /** Whether the page has started and receives messages: VS Code removes the page of a hidden editor. */
  private isLive = false;

  constructor(
    private readonly document: PanelDocument,
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
    showPage(panel, deps.bundles, 'table', document.name);
  }

  /** @returns whether there is a page that shows it */
  showTab(tab: TableTab, chosen?: LabeledFilter): boolean {
    if (this.isLive) {
      this.post({ type: 'show', tab, chosen });
    }
    return this.isLive;
  }

  showProblems(state: ProblemsState): void {
    if (this.isLive) {
      this.post({ type: 'problems', ...state });
    }
  }

  /** Requests that the page export what it shows. @returns whether there is a page */
  requestExport(): boolean {
    if (this.isLive) {
      this.post({ type: 'requestExport' });
    }
    return this.isLive;
  }

  /** Opens the file again. A hidden page is drawn when it is shown. Never rejects: the page shows an error. */
  async reopen(): Promise<void> {
    const { document, panel } = this;
    await (panel.visible
      ? this.begin(() => document.reload())
      : document.reload().catch(() => undefined));
  }

  dispose(): void {
    this.generation += 1;
    this.stop();
    vscode.Disposable.from(...this.listeners).dispose();
  }

  /** Never rejects, because nothing awaits it. */
  private async receive(raw: unknown): Promise<void> {
    try {
      const message = pageMessage(raw);
      switch (message.type) {
        case 'ready':
          if (message.list !== undefined) {
            this.document.restoreList(message.list);
          }
          await this.begin(() => this.document.open());
          break;
        case 'reload':
          await this.begin(() => this.document.reload());
          break;
        case 'showList':
          this.document.chooseList(message.list);
          await this.begin(() => this.document.reload());
          break;
        case 'setForm':
          this.document.setForm(message.column, message.form);
          await this.begin(() => this.document.reload());
          break;
        case 'reveal':
          this.document.reveal(message.on);
          await this.begin(() => this.document.open());
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
          await this.runOnRow('scorecard.showInFindings', message.record);
          break;
        case 'openFile':
          await this.runOnRow('scorecard.openFile', message.record);
          break;
        case 'findAsset':
          await this.runOnRow('scorecard.findAsset', message.record);
          break;
        case 'toggleProblems':
          await vscode.commands.executeCommand('scorecard.toggleProblems', this.document.uri);
          break;
        case 'reopenWithEncoding':
          await vscode.commands.executeCommand(
            'scorecard.reopenTableWithEncoding',
            this.document.uri,
          );
          break;
        case 'compare':
          await vscode.commands.executeCommand('scorecard.compareWithPrevious', this.document.uri);
          break;
        case 'swap':
          await this.swap().catch((error: unknown) => {
            this.showError(error);
          });
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
      const isInvalid = isValiError(error);
      // Not its message, which quotes what a user has typed.
      const reason = isInvalid ? (getDotPath(error.issues[0]) ?? 'its type') : String(error);
      this.deps.log(`Invalid message of a table page: ${reason}`);
      const id = isInvalid ? refusedId(raw) : undefined;
      if (id !== undefined) {
        const code = 'badRequest';
        this.post({ type: 'response', id, ok: false, code, message: describeTableError(code) });
      }
    }
  }

  /** Runs a command as a user does on a row. */
  private async runOnRow(command: CommandId, record: number): Promise<void> {
    await vscode.commands.executeCommand(command, uriOfRow(this.document.uri, record + 1));
  }

  /** Compares the files of a comparison the other way round, in place of this one. */
  private async swap(): Promise<void> {
    const { swapped } = (await this.document.open()).file;
    if (swapped && (await vscode.commands.executeCommand('scorecard.compareReports', swapped))) {
      this.panel.dispose();
    }
  }

  /** Initializes the page; earlier calls are dropped. */
  private async begin(open: () => Promise<OpenTable>): Promise<void> {
    this.stop();
    this.generation += 1;
    const { generation } = this;
    try {
      const { table, file } = await open();
      if (generation !== this.generation) {
        return;
      }
      if (table.ended) {
        throw table.ended;
      }
      const visible = (info: TableInfo) => (file.isMasked ? withoutSecrets(info) : info);
      this.tableDisposables = [
        table.onInfo((info) => {
          this.post({ type: 'info', info: visible(info) });
        }),
        table.onEnded((error) => {
          this.fail(error);
        }),
        watch(file.path, table),
      ];
      this.moreAbout = undefined;
      const about = this.aboutOf(file);
      if (file.tabTitle !== undefined) {
        this.panel.title = file.tabTitle;
      }
      const requested = this.document.claimRequestedTab();
      this.isLive = true;
      this.post({
        type: 'init',
        info: visible(table.info),
        revealed: this.document.revealed,
        texts: localizedTexts(),
        locale: vscode.env.language,
        scorecards: this.deps.scorecardNames(),
        about,
        hasWorkspace: this.deps.workspace.isOpen(),
        inProblems: this.deps.workspace.isInProblems(this.document.uri),
        tab: {
          name: requested?.tab ?? this.document.firstTab,
          isRequested: requested !== undefined,
          chosen: requested?.chosen,
        },
      });
      await this.sendMoreAbout(file, generation);
    } catch (error) {
      if (generation === this.generation) {
        this.fail(error);
      }
    }
  }

  private aboutOf({ about = { title: this.document.name } }: LocalTable): FileAbout {
    return about;
  }

  private sourceOf(file: LocalTable) {
    const about = this.moreAbout ?? this.aboutOf(file);
    return {
      path: file.path,
      about,
      scorecardNames: this.deps.scorecardNames(),
      reportsOfKind: file.reportsOfKind,
      withReport: this.deps.withReport,
    };
  }

  /** Sends the page the facts about the file that take longer. */
  private async sendMoreAbout({ loadMoreAbout }: LocalTable, generation: number): Promise<void> {
    const about = await loadMoreAbout?.().catch(() => undefined);
    if (about && generation === this.generation) {
      this.moreAbout = about;
      this.post({ type: 'about', about });
    }
  }

  private failureOf(error: unknown): CallFailure {
    const code = tableCauseOf(error) ?? 'internal';
    if (code === 'internal') {
      this.deps.log(`A call of a table failed: ${String(error)}`);
    }
    return { code, message: describeFailure(error, code) };
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
    const isMissing =
      tableCauseOf(error) === 'notFound' ||
      (error instanceof UserError && error.code === 'notFound');
    this.post({
      type: 'failed',
      message: this.document.describe(error),
      tryAgain: t('Try Again'),
      ...(!isMissing && { openText: t('Open as Text') }),
    });
  }

  private stop(): void {
    this.server.stop();
    for (const item of this.tableDisposables) {
      item.dispose();
    }
    this.tableDisposables = [];
  }

  private post(message: HostMessage): void {
    void this.panel.webview.postMessage(message);
  }
}

/** Relays a call to the thread. */
function relay<Name extends keyof RelayedCalls>(
  table: TableHandle,
  request: PageRequest<Name>,
  options: TableCallOptions,
): Promise<unknown> {
  return table.call(request.type, request, options);
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
  const check = () =>
    void table.call('rows', { view: wholeFile, from: 0, count: 1 }).catch(() => undefined);
  watcher.onDidChange(check);
  watcher.onDidCreate(check);
  watcher.onDidDelete(check);
  return watcher;
}
