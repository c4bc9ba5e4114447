import * as path from 'node:path';
import { getDotPath, isValiError } from 'valibot';
import * as vscode from 'vscode';
import type { Disposable } from '../../../base/events/disposable';
import type { TableExportFormat } from '../../../base/exportFormats';
import { UserError } from '../../../base/userError';
import {
  type TableCallOptions,
  type TableHandle,
  type CallFailure,
  RpcServer,
  type ColumnId,
  type FormChoice,
  type TableInfo,
  type TableRecord,
  wholeFile,
  type SincePrevious,
  tableCauseOf,
} from '../../../engine';
import {
  type ExportedTable,
  type HostMessage,
  pageMessage,
  type PageMessage,
  type PageRequest,
  type RecordLinks,
  refusedId,
  type RelayedCalls,
  type ShownRecord,
  type TableTab,
} from '../../../protocol/tableProtocol';
import type { FileAbout } from '../../../summary/fileAbout';
import { showError } from '../../../workbench/messages';
import { localizedTexts, showPage } from '../../../workbench/webviewPage';
import type { StoredReport } from '../../../service/reports/reportRecord';
import type { LocalTable, WithReport } from '../localTable';
import type { FileChoices } from './fileChoices';
import { uriOfRow } from './rowUri';
import { copyToClipboard } from './tableClipboard';
import { describeFailedTable, describeFailure, describeTableError } from './tableErrors';

const { t } = vscode.l10n;

/** Dependencies of a page. */
export interface TablePanelDeps {
  /** The folder of the bundles. */
  readonly bundles: vscode.Uri;
  /** The tab to show unless the page remembers one. */
  readonly firstTab: TableTab;
  /** What was chosen for the file; absent if the table is open at a list that has to be there. */
  readonly choices?: FileChoices;
  /** The names of the known scorecards, by UUID in lower case. */
  readonly scorecardNames: () => Readonly<Record<string, string>>;
  /** What an issue type means and what to do, if that is known. */
  readonly meaningOf: (issueType: string) => Promise<string | undefined>;
  readonly log: (message: string) => void;
  /** How a report differs from the one before it; `undefined` if that is unknown. */
  readonly sincePrevious: (report: StoredReport) => Promise<SincePrevious | undefined>;
  /** The other downloaded reports of its kind. */
  readonly reportsLike: (report: StoredReport) => readonly StoredReport[];
  readonly withReport: WithReport;
  /** Exports what the page shows. Never rejects. */
  readonly exportShown: (
    shown: ExportedTable,
    format: TableExportFormat | undefined,
  ) => Promise<void>;
  /** Whether a folder is open. */
  readonly hasWorkspace: () => boolean;
  /** Where a record leads in it. */
  readonly linksOf: (table: TableHandle, record: number) => Promise<RecordLinks>;
  /** Whether the findings of the file are listed in the Problems view. */
  readonly isInProblems: () => boolean;
}

/** A table that is open, and its file. */
export interface OpenTable {
  readonly table: TableHandle;
  readonly file: LocalTable;
}

/** The document of a page. */
interface PanelDocument {
  readonly uri: vscode.Uri;
  readonly name: string;
  isRevealed: boolean;
  readonly forms: Map<ColumnId, FormChoice>;
  open(): Promise<OpenTable>;
  reload(): Promise<OpenTable>;
  claimRequestedTab(): Extract<HostMessage, { type: 'show' }> | undefined;
}

/** The commands that a page runs on its file, and on a row. */
const fileCommands = {
  toggleProblems: 'scorecard.toggleProblems',
  reopenWithEncoding: 'scorecard.reopenTableWithEncoding',
  compare: 'scorecard.compareWithPrevious',
} as const;
const rowCommands = {
  showFinding: 'scorecard.showInFindings',
  openFile: 'scorecard.openFile',
  findAsset: 'scorecard.findAsset',
} as const;

/** The host's side of a table page. */
export class TablePanel implements vscode.Disposable {
  private readonly server = new RpcServer<PageRequest>(
    (reply) => {
      this.post(reply);
    },
    (request, options) => this.answer(request, options),
    (error) => this.failureOf(error),
  );
  private readonly listeners: vscode.Disposable[] = [];
  private tableDisposables: Disposable[] = [];
  /** What is known of the file. */
  private about: FileAbout;
  /** Incremented when the page starts over. Results of an earlier generation are dropped. */
  private generation = 0;
  /** Whether the page has started and receives messages: VS Code removes the page of a hidden editor. */
  private isLive = false;

  constructor(
    private readonly document: PanelDocument,
    private readonly panel: vscode.WebviewPanel,
    private readonly deps: TablePanelDeps,
  ) {
    this.about = { title: document.name };
    const { webview } = panel;
    this.listeners.push(
      webview.onDidReceiveMessage((message) => void this.receive(message)),
      panel.onDidChangeViewState(() => {
        this.isLive &&= panel.visible;
      }),
    );
    showPage(panel, deps.bundles, 'table', document.name);
  }

  /** @returns whether there is a page that gets the message */
  send(message: HostMessage): boolean {
    if (this.isLive) {
      this.post(message);
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
    let message: PageMessage;
    try {
      message = pageMessage(raw);
    } catch (error) {
      this.refuse(raw, error);
      return;
    }
    await this.run(message).catch((error: unknown) => {
      this.showError(error);
    });
  }

  private refuse(raw: unknown, error: unknown): void {
    // Not the message of the error, which quotes what a user has typed.
    const reason = isValiError(error) ? getDotPath(error.issues[0]) : undefined;
    this.deps.log(`Invalid message of a table page: ${reason ?? 'its type'}`);
    const id = refusedId(raw);
    if (id !== undefined) {
      const code = 'badRequest';
      this.post({ type: 'response', id, ok: false, code, message: describeTableError(code) });
    }
  }

  private async run(message: PageMessage): Promise<void> {
    const { document, deps } = this;
    const { uri } = document;
    switch (message.type) {
      case 'ready':
        if (message.list !== undefined && deps.choices?.of(uri).list === undefined) {
          // A page of an earlier window has shown this list.
          deps.choices?.choose(uri, { list: message.list });
        }
        await this.begin(() => document.open());
        break;
      case 'reload':
        await this.begin(() => document.reload());
        break;
      case 'showList':
        deps.choices?.choose(uri, { list: message.list });
        await this.begin(() => document.reload());
        break;
      case 'setForm':
        if (message.form) {
          document.forms.set(message.column, message.form);
        } else {
          document.forms.delete(message.column);
        }
        await this.begin(() => document.reload());
        break;
      case 'reveal':
        document.isRevealed = message.on;
        await this.begin(() => document.open());
        break;
      case 'export':
        await deps.exportShown(message, message.format);
        break;
      case 'showFinding':
      case 'openFile':
      case 'findAsset':
        await vscode.commands.executeCommand(
          rowCommands[message.type],
          uriOfRow(uri, message.record + 1),
        );
        break;
      case 'toggleProblems':
      case 'reopenWithEncoding':
      case 'compare':
        await vscode.commands.executeCommand(fileCommands[message.type], uri);
        break;
      case 'swap':
        await this.swap();
        break;
      case 'openText':
        await vscode.commands.executeCommand('vscode.openWith', uri, 'default');
        break;
      default:
        await this.server.receive(message);
    }
  }

  private async answer(request: PageRequest, callOptions: TableCallOptions): Promise<unknown> {
    const { document, deps } = this;
    const { table, file } = await document.open();
    // A file with masked values needs no second mask.
    const options = { ...callOptions, reveal: document.isRevealed || file.isMasked };
    switch (request.type) {
      case 'record':
        return this.withMeaning(await table.call('record', request, options), table.info);
      case 'links':
        return deps.linksOf(table, request.record);
      case 'copy':
      case 'copyRecord':
      case 'copySummary':
      case 'copySql':
        return copyToClipboard(table, this.sourceOf(file), request, options);
      default:
        return relay(table, request, options);
    }
  }

  private async withMeaning(record: TableRecord, { columns }: TableInfo): Promise<ShownRecord> {
    const id = columns.find(({ role }) => role === 'issueType')?.id;
    const issueType = record.fields.find(({ column }) => column === id)?.cell.text;
    const meaning = issueType && (await this.deps.meaningOf(issueType));
    return { ...record, ...(meaning && { meaning }) };
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
      this.about = file.about ?? { title: this.document.name };
      if (file.tabTitle !== undefined) {
        this.panel.title = file.tabTitle;
      }
      const requested = this.document.claimRequestedTab();
      this.isLive = true;
      this.post({
        type: 'init',
        info: visible(table.info),
        revealed: this.document.isRevealed,
        texts: localizedTexts(),
        locale: vscode.env.language,
        scorecards: this.deps.scorecardNames(),
        about: this.about,
        hasWorkspace: this.deps.hasWorkspace(),
        inProblems: this.deps.isInProblems(),
        tab: {
          name: requested?.tab ?? this.deps.firstTab,
          isRequested: requested !== undefined,
          chosen: requested?.chosen,
        },
      });
      await this.addChanges(file, generation);
    } catch (error) {
      if (generation === this.generation) {
        this.fail(error);
      }
    }
  }

  /** Adds what has changed since the report before it. Without that, the table stays as it is. */
  private async addChanges({ report }: LocalTable, generation: number): Promise<void> {
    const sincePrevious = report && (await this.deps.sincePrevious(report).catch(() => undefined));
    if (sincePrevious && generation === this.generation) {
      this.about = { ...this.about, sincePrevious };
      this.post({ type: 'about', about: this.about });
    }
  }

  private sourceOf({ path: file, report }: LocalTable) {
    const { scorecardNames, reportsLike, withReport } = this.deps;
    const others = report ? reportsLike(report) : [];
    const names = scorecardNames();
    return { path: file, about: this.about, scorecardNames: names, report, others, withReport };
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
    this.deps.log(`An action of a table failed: ${String(error)}`);
    showError(new UserError(describeFailedTable(error), 'protocol', { cause: error }));
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
      message: describeFailedTable(error),
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
