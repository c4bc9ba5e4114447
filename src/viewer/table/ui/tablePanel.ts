import * as path from 'node:path';
import { getDotPath, isValiError } from 'valibot';
import { CancelledError } from '../../../base/cancelledError';
import type { Disposable } from '../../../base/events/disposable';
import type { TableExportFormat } from '../../../base/exportFormats';
import { defined } from '../../../base/defined';
import { type CallFailure, RpcServer } from '../../../base/rpc';
import { UserError } from '../../../base/userError';
import {
  type ColumnId,
  type FormChoice,
  type SincePrevious,
  type TableCallOptions,
  findTableCause,
  type TableHandle,
  type TableInfo,
  wholeFile,
} from '../../../engine';
import type { FileKinds } from '../fileKinds';
import {
  generationOf,
  type HostMessage,
  isAboutRows,
  type PageMessage,
  pageMessage,
  type PageRequest,
  type ProblemsState,
  refusedId,
  type RelayedCalls,
  type SummaryParams,
  type TableTab,
  type ToldTable,
} from '../../../protocol/tableProtocol';
import type { FileAbout, StatedFindings } from '../../../summary/fileAbout';
import {
  isCopyable,
  type RecordLinks,
  type SecretState,
  type ShownRecord,
} from '../../../summary/shownRecord';
import { columnTitle } from '../../../summary/columnTitles';
import { Texts } from '../../../summary/texts';
import { describeError } from '../../../workbench/describe';
import { showError, showInformation } from '../../../workbench/messages';
import { type ReadField, type RecordHost, runRecordAction } from '../../../workbench/recordActions';
import { localizedTexts, showPage } from '../../../workbench/webviewPage';
import type { MarkedRows } from '../knownFindings';
import type { LocalTable } from '../localTable';
import type { FileChoices } from './fileChoices';
import type { SqlQuestion } from './fileSource';
import { uriOfRow } from './rowUri';
import type { FindingNames, TableActions } from './tableActions';
import { type CopiedFile, copyToClipboard } from './tableClipboard';
import type { SavedSummary } from './summaryFile';
import { readSummary } from './tableSummary';
import { describeFailedTable, describeFailure, describeTableError } from './tableErrors';
import { shownRow } from '../shownRow';
import type { Ratings } from '../../../vocabulary/grade';
import * as vscode from 'vscode';

const { t } = vscode.l10n;

/** Dependencies of a page. */
export interface TablePanelDeps extends FindingNames {
  /** The folder of the bundles. */
  readonly bundles: vscode.Uri;
  /** The tab to show unless the page remembers one. */
  readonly firstTab: TableTab;
  /** What was chosen for the file; absent if the table is open at a list that has to be there. */
  readonly choices?: FileChoices;
  readonly actions: TableActions;
  readonly log: (message: string) => void;
  /** The arrangement and the filters that were last chosen for files of this kind. */
  readonly kinds: Pick<FileKinds, 'find' | 'keepLayout' | 'keepFilters'>;
  /** How the file differs from the one before it; `undefined` if that is unknown. */
  readonly findChanges: () => Promise<SincePrevious | undefined>;
  /** Shows them. */
  readonly showChanges: () => Promise<unknown>;
  readonly writeSql: (
    opened: OpenedTable,
    question: SqlQuestion,
    options: TableCallOptions,
  ) => Promise<string>;
  /** Exports what the page shows. Never rejects. */
  readonly exportShown: (shown: ToldTable, format: TableExportFormat | undefined) => Promise<void>;
  /** Saves an overview as HTML. */
  readonly saveSummary: (read: (signal: AbortSignal) => Promise<SavedSummary>) => Promise<void>;
  /** Whether a folder is open. */
  readonly hasWorkspace: () => boolean;
  /** Where a record leads in it. */
  readonly linksOf: (table: TableHandle, record: number) => Promise<RecordLinks>;
  /** Whether the findings of the file are listed in the Problems view, and which. */
  readonly problems: () => ProblemsState;
  /** Lists the findings in excluded paths, too, or no longer. */
  readonly toggleExcluded: () => Promise<unknown>;
  /** The path of the file with the known issues. */
  readonly knownFile: () => string;
  /** Marks rows as known, after asking why, or no longer. */
  readonly markKnown: (
    rows: MarkedRows,
    options: { readonly on: boolean; readonly table: TableHandle },
  ) => Promise<void>;
  /** What documents beside the file state about the open findings of a table. */
  readonly findStated: (table: TableHandle) => Promise<readonly StatedFindings[]>;
  /** Marks what one of them states. */
  readonly markStated: (name: string, table: TableHandle) => Promise<void>;
}

/** A table that is open, and its file. */
export interface OpenedTable {
  readonly table: TableHandle;
  readonly file: LocalTable;
}

/** The document of a page. */
interface PanelDocument {
  readonly uri: vscode.Uri;
  readonly name: string;
  isRevealed: boolean;
  readonly forms: Map<ColumnId, FormChoice>;
  /** Settles when the table that is shown knows what is known. */
  readonly refreshing: Promise<unknown>;
  open(): Promise<OpenedTable>;
  reload(replace?: () => Promise<void>): Promise<OpenedTable>;
  claimRequestedTab(): Extract<HostMessage, { type: 'show' }> | undefined;
}

/** The commands that a page runs on its file. */
const fileCommands = {
  toggleProblems: 'scorecard.toggleProblems',
  reopenWithEncoding: 'scorecard.reopenTableWithEncoding',
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
  private texts: Texts | undefined;
  private readonly recordHost: RecordHost = {
    run: (action, record) => this.deps.actions[action](uriOfRow(this.document.uri, record + 1)),
    readField: (record, id) => this.readField(record, id),
    setSecretsShown: async (on) => {
      this.document.isRevealed = on;
      await this.begin(() => this.document.open());
    },
  };
  private readonly listeners: vscode.Disposable[] = [];
  private tableDisposables: Disposable[] = [];
  /** What is known of the file. */
  private about: FileAbout;
  /** What the page knows of the ratings of scorecards. */
  private ratings: Ratings = {};
  /** Incremented when the page starts over. Results of an earlier generation are dropped. */
  private generation = 0;
  /** What the page shows, as it has told last since the file was opened; `undefined` after a failure. */
  private shown: ToldTable | 'awaited' | undefined = 'awaited';
  /** Settle when the page has told, or will not. */
  private readonly awaiting: {
    readonly resolve: (shown: ToldTable | undefined) => void;
    readonly reject: (error: CancelledError) => void;
  }[] = [];
  /** Whether the page has started and receives messages: VS Code removes the page of a hidden editor. */
  private isLive = false;
  /** The table of the last `init`. */
  private begun: TableHandle | undefined;
  /** Its number. */
  private tableGeneration = 0;

  constructor(
    private readonly document: PanelDocument,
    private readonly panel: vscode.WebviewPanel,
    private readonly deps: TablePanelDeps,
  ) {
    this.about = { title: document.name };
    const { webview } = panel;
    this.listeners.push(
      webview.onDidReceiveMessage((message) => {
        this.receive(message).catch((error: unknown) => {
          this.deps.log(`A message of a table page failed: ${String(error)}`);
        });
      }),
      panel.onDidChangeViewState(() => {
        this.isLive &&= panel.visible;
      }),
      deps.ratings.onDidChange(() => {
        const ratings = deps.ratings.read();
        if (JSON.stringify(ratings) !== JSON.stringify(this.ratings)) {
          this.ratings = ratings;
          this.send({ type: 'ratings', ratings });
        }
      }),
    );
    showPage(panel, deps.bundles, 'table', document.name);
  }

  /**
   * What the page shows, as soon as it has told; `undefined` without a page, or if the table fails.
   * @throws CancelledError if the page is closed before
   */
  findShown(): Promise<ToldTable | undefined> {
    const { shown, awaiting, isLive } = this;
    return shown === 'awaited' && isLive
      ? new Promise((resolve, reject) => awaiting.push({ resolve, reject }))
      : Promise.resolve(shown === 'awaited' || !isLive ? undefined : shown);
  }

  /** @returns whether there is a page that gets the message */
  send(message: HostMessage): boolean {
    if (this.isLive) {
      this.post(message);
    }
    return this.isLive;
  }

  /** Opens the file again. A hidden page is drawn when it is shown. Never rejects: the page shows an error. */
  async reopen(replace?: () => Promise<void>): Promise<void> {
    const { document, panel } = this;
    await (panel.visible
      ? this.begin(() => document.reload(replace))
      : document.reload(replace).catch(() => undefined));
  }

  /** Shows other facts about the file. */
  showAbout(about: FileAbout): void {
    const { sincePrevious, stated } = this.about;
    this.about = { ...about, ...defined({ sincePrevious, stated }) };
    this.send({ type: 'about', about: this.about });
  }

  /** Draws the table again, because other rows are known. */
  async refresh(): Promise<void> {
    if (this.isLive) {
      await this.begin(() => this.document.open());
    }
  }

  dispose(): void {
    this.generation += 1;
    this.stop();
    this.awaiting.splice(0).forEach(({ reject }) => {
      reject(new CancelledError());
    });
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
    if (isAboutRows(message)) {
      // A call looks itself: what cancels it may follow at once.
      const isOfShown =
        generationOf(raw) === this.tableGeneration &&
        ('id' in message || (await this.isShownTableOpen()));
      if (!isOfShown) {
        this.refuseStale(message);
        return;
      }
    }
    await this.run(message).catch((error: unknown) => {
      // The table was closed meanwhile, or a user has cancelled.
      if (!(error instanceof CancelledError) && findTableCause(error) !== 'cancelled') {
        this.showError(error);
      }
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

  /** Whether the table that the page shows is the one that is open now. */
  private async isShownTableOpen(): Promise<boolean> {
    const opened = await this.document.open().catch(() => undefined);
    return opened === undefined || opened.table === this.begun;
  }

  /** The rows that a user meant are those of another content of the file. */
  private refuseStale(message: PageMessage): void {
    const id = refusedId(message);
    if (id !== undefined) {
      const code = 'cancelled';
      this.post({ type: 'response', id, ok: false, code, message: describeTableError(code) });
      return;
    }
    if (message.type === 'markKnown') {
      this.post({ type: 'marked' });
    }
    showInformation(t('The file has changed meanwhile. Choose the row again.'));
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
      case 'shown':
        this.hasShown(message);
        break;
      case 'arranged':
      case 'filtered':
        await this.rememberKind(message);
        break;
      case 'export': {
        const shown = await this.findShown();
        if (shown) {
          await deps.exportShown(shown, message.format);
        }
        break;
      }
      case 'saveSummary':
        await this.saveSummary(message);
        break;
      case 'markKnown':
        try {
          if (this.begun) {
            await deps.markKnown(message, { on: message.on, table: this.begun });
            await document.refreshing;
          }
        } finally {
          this.post({ type: 'marked' });
        }
        break;
      case 'markStated':
        await (this.begun && deps.markStated(message.document, this.begun));
        break;
      case 'showFinding':
        await deps.actions.showFinding(uriOfRow(uri, message.record + 1));
        break;
      case 'compare':
        await deps.showChanges();
        break;
      case 'trend':
        await deps.actions.showTrend(uri);
        break;
      case 'openFile':
      case 'findAsset':
      case 'copyField':
      case 'openCve':
      case 'secrets':
        await runRecordAction(message, this.recordHost);
        break;
      case 'toggleProblems':
      case 'reopenWithEncoding':
        await vscode.commands.executeCommand(fileCommands[message.type], uri);
        break;
      case 'toggleExcluded':
        await deps.toggleExcluded();
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

  private hasShown(shown: ToldTable | undefined): void {
    this.shown = shown;
    this.awaiting.splice(0).forEach(({ resolve }) => {
      resolve(shown);
    });
  }

  private async answer(request: PageRequest, callOptions: TableCallOptions): Promise<unknown> {
    const { document, deps } = this;
    const opened = await document.open();
    const { table, file } = opened;
    if (isAboutRows(request) && table !== this.begun) {
      throw new CancelledError();
    }
    // A file with masked values needs no second mask.
    const options = { ...callOptions, reveal: document.isRevealed || file.isMasked };
    switch (request.type) {
      case 'record':
        return this.shownRecord({ table, file }, request.record, options);
      case 'links':
        return deps.linksOf(table, request.record);
      case 'copy':
      case 'copyRecord':
      case 'copySummary':
      case 'copySql':
        return copyToClipboard(table, this.copiedFile(opened, options), request, options);
      default:
        return relay(table, request, options);
    }
  }

  private async shownRecord(
    { table, file }: OpenedTable,
    number: number,
    options: TableCallOptions,
  ): Promise<ShownRecord> {
    const { info } = table;
    const record = await table.call('record', { record: number }, options);
    const id = info.columns.find(({ role }) => role === 'issueType')?.id;
    const issueType = record.fields.find(({ column }) => column === id)?.cell.text;
    const about = {
      info,
      comparison: file.about?.comparison,
      secrets: record.masked ? 'masked' : await this.shownSecrets(table, file, number),
      meaning: issueType ? await this.deps.meaningOf(issueType) : undefined,
    } as const;
    return shownRow(record, about, this.recordTexts);
  }

  private get recordTexts(): Texts {
    this.texts ??= new Texts(localizedTexts(), vscode.env.language, {}, this.deps.names);
    return this.texts;
  }

  /** Whether a record that has nothing masked would have: its secret-like values are then shown. */
  private async shownSecrets(
    table: TableHandle,
    file: LocalTable,
    record: number,
  ): Promise<SecretState> {
    if (!this.document.isRevealed || file.isMasked) {
      return 'none';
    }
    const { masked } = await table.call('record', { record }, { reveal: false });
    return masked ? 'shown' : 'none';
  }

  private async readField(record: number, id: ColumnId): Promise<ReadField | undefined> {
    const { table, file } = await this.document.open();
    const options = { reveal: this.document.isRevealed || file.isMasked };
    const { fields } = await table.call('record', { record }, options);
    const field = fields.find(({ column }) => column === id);
    const column = table.info.columns.find((one) => one.id === id);
    return field && isCopyable(field.cell)
      ? { name: columnTitle(column ?? field, this.recordTexts), text: field.cell.text }
      : undefined;
  }

  /** Compares the files of a comparison the other way round, in place of this one. */
  private async swap(): Promise<void> {
    const { swap } = (await this.document.open()).file;
    if (swap && (await swap())) {
      this.panel.dispose();
    }
  }

  /** Initializes the page; earlier calls are dropped. */
  private async begin(open: () => Promise<OpenedTable>): Promise<void> {
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
      this.shown ??= 'awaited';
      const kind = this.about.comparison ? undefined : this.deps.kinds.find(table.info.columns);
      this.ratings = this.deps.ratings.read();
      this.tableGeneration += table === this.begun ? 0 : 1;
      this.post({
        type: 'init',
        generation: this.tableGeneration,
        info: visible(table.info),
        revealed: this.document.isRevealed,
        isSameTable: table === this.begun,
        texts: localizedTexts(),
        locale: vscode.env.language,
        scorecards: this.deps.scorecardNames(),
        ratings: this.ratings,
        about: this.about,
        columns: kind?.layout,
        filters: kind?.filters,
        hasWorkspace: this.deps.hasWorkspace(),
        problems: this.deps.problems(),
        knownFile: this.deps.knownFile(),
        tab: {
          name: requested?.tab ?? this.deps.firstTab,
          isRequested: requested !== undefined,
          chosen: requested?.chosen,
        },
      });
      this.begun = table;
      // Not awaited: it may take long, and the table is there.
      this.addChanges(generation).catch(() => undefined);
      this.addStated(generation, table).catch(() => undefined);
    } catch (error) {
      if (generation === this.generation) {
        this.fail(error);
      }
    }
  }

  /** Keeps what a user has done for the next file of this kind. The order of a comparison is that of its changes. */
  private async rememberKind(
    message: Extract<PageMessage, { type: 'arranged' | 'filtered' }>,
  ): Promise<void> {
    if (this.about.comparison) {
      return;
    }
    const { table } = await this.document.open();
    const { columns } = table.info;
    const { kinds } = this.deps;
    await (message.type === 'arranged'
      ? kinds.keepLayout(columns, message.columns)
      : kinds.keepFilters(columns, message.filters));
  }

  /** Adds what has changed since the file before it. Without that, the table stays as it is. */
  private async addChanges(generation: number): Promise<void> {
    const sincePrevious = await this.deps.findChanges().catch(() => undefined);
    if (sincePrevious && generation === this.generation) {
      this.about = { ...this.about, sincePrevious };
      this.post({ type: 'about', about: this.about });
    }
  }

  /** Adds what documents beside the file state. Without that, the table stays as it is. */
  private async addStated(generation: number, table: TableHandle): Promise<void> {
    const stated = this.about.comparison ? [] : await this.deps.findStated(table);
    if (stated.length > 0 && generation === this.generation) {
      this.about = { ...this.about, stated };
      this.post({ type: 'about', about: this.about });
    }
  }

  private async saveSummary(params: SummaryParams): Promise<void> {
    await this.deps.saveSummary(async (signal) => {
      const opened = await this.document.open();
      const { table, file } = opened;
      // Like an export of the menu, and unlike a copy, whatever is shown.
      const options = { reveal: file.isMasked, signal };
      const read = await readSummary(table, this.copiedFile(opened, options), params, options);
      return {
        ...read,
        hasMasked: !file.isMasked && table.info.columns.some(({ secret }) => secret),
      };
    });
  }

  private copiedFile(opened: OpenedTable, options: TableCallOptions): CopiedFile {
    const { scorecardNames, ratings, names, writeSql } = this.deps;
    return {
      about: this.about,
      scorecardNames: scorecardNames(),
      ratings: ratings.read(),
      names,
      writeSql: (question) => writeSql(opened, question, options),
    };
  }

  private failureOf(error: unknown): CallFailure {
    const code = findTableCause(error) ?? 'internal';
    if (code === 'internal') {
      this.deps.log(`A call of a table failed: ${String(error)}`);
    }
    return { code, message: describeFailure(error, code) };
  }

  /** Shows an error as a notification: the page has no call that could be rejected. */
  private showError(error: unknown): void {
    this.deps.log(`An action of a table failed: ${String(error)}`);
    showError({ ...describeError(error), text: describeFailedTable(error) });
  }

  /** Shows the failure instead of the table. */
  private fail(error: unknown): void {
    this.stop();
    this.hasShown(undefined);
    this.deps.log(`Could not show a table: ${String(error)}`);
    const isMissing =
      findTableCause(error) === 'notFound' ||
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
    this.panel.webview.postMessage(message).then(undefined, (error: unknown) => {
      this.deps.log(`A table page could not be told: ${String(error)}`);
    });
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
    table.call('rows', { view: wholeFile, from: 0, count: 1 }).catch(() => undefined);
  watcher.onDidChange(check);
  watcher.onDidCreate(check);
  watcher.onDidDelete(check);
  return watcher;
}
