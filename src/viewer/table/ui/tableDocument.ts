import * as path from 'node:path';
import * as vscode from 'vscode';
import { systemClock } from '../../../base/events/clock';
import { UserError } from '../../../base/userError';
import {
  type TableHandle,
  openTable,
  checkedSize,
  type Column,
  type CountScope,
  type Overview,
  type ColumnId,
  type FormChoice,
  type CveListFile,
  type KnownFinding,
  TableError,
} from '../../../engine';
import type { ToldTable, HostMessage, TableTab } from '../../../protocol/tableProtocol';
import type { LabeledFilter } from '../../../summary/labeledFilter';
import type { FileFacts, LocalTable, TableSize } from '../localTable';
import type { Ratings } from '../../../vocabulary/grade';
import type { ShownNames } from '../../../vocabulary/shownNames';
import type { Recount } from './fileSource';
import { describeTableError, publicCode } from './tableErrors';
import { type OpenedTable, TablePanel, type TablePanelDeps } from './tablePanel';

const { t } = vscode.l10n;

/** Up to this size, a file is shown when its known findings are found: that takes less than is noticed. */
const maxAwaitedBytes = 32 * 1024 ** 2;

/** Dependencies of a table. */
export interface TableDocumentDeps extends TablePanelDeps {
  /** Where files are unpacked and converted to. */
  readonly cacheFolder: string;
  /** The file of a document; the signal cancels. */
  readonly fileOf: (uri: vscode.Uri, signal: AbortSignal) => Promise<LocalTable>;
  /** The findings that are known. */
  readonly knownFindings: () => Promise<readonly KnownFinding[]>;
  /** The lists of CVEs that mark rows. */
  readonly cveLists: () => Promise<readonly CveListFile[]>;
  /** See `FileSource.recount`; where rows stay, what is known of the file now. */
  readonly recount: (signal: AbortSignal) => Promise<Recount | FileFacts | undefined>;
  /** Called when the file is open. */
  readonly onOpened: (opened: OpenedTable) => void;
  /** Called when other findings of the open file are known. */
  readonly onKnown: (table: TableHandle) => void;
  /** Called when the file is opened again. */
  readonly onReloaded: () => void;
  /** Called when nothing uses the document any more. */
  readonly onClosed: () => void;
}

/** A file that is shown as a table; a thread reads it until its editor is closed. */
export class TableDocument implements vscode.CustomDocument {
  /** Whether secret-like values are shown. Only in this window, and until the document is closed. */
  isRevealed = false;
  /** How columns are read that a user chose a form for. */
  readonly forms = new Map<ColumnId, FormChoice>();
  private opening: Promise<OpenedTable> | undefined;
  private readonly abort = new AbortController();
  private panel: TablePanel | undefined;
  /** Whether a table was told of known findings, and of lists of CVEs. */
  private hasTold = false;
  private hasToldLists = false;
  /** Incremented when it is read which findings are known, and which lists there are: an earlier answer is stale. */
  private knownGeneration = 0;
  private listGeneration = 0;
  /** Settles when the last table that was opened knows of them, as they are now. */
  private telling: Promise<unknown> = Promise.resolve();
  /** Settles when the table is drawn with what is known. */
  refreshing: Promise<unknown> = Promise.resolve();
  private recounting = new AbortController();
  /** Exports that read the table. */
  private readonly exports = new Set<Promise<unknown>>();
  private requestedTab: Extract<HostMessage, { type: 'show' }> | undefined;

  constructor(
    readonly uri: vscode.Uri,
    private readonly deps: TableDocumentDeps,
  ) {}

  get name(): string {
    return path.basename(this.uri.path);
  }

  /** The names of the known scorecards, by UUID in lower case. */
  scorecardNames(): Readonly<Record<string, string>> {
    return this.deps.scorecardNames();
  }

  /** How the companies of scorecards are rated, as far as that is known. */
  ratings(): Ratings {
    return this.deps.ratings.read();
  }

  get names(): ShownNames {
    return this.deps.names;
  }

  /**
   * Shows a tab: now, or as soon as there is a page.
   * @param chosen the rows to show in the table; the first one is also shown as a record.
   */
  showTab(tab: TableTab, chosen?: LabeledFilter): void {
    const request = { type: 'show', tab, chosen } as const;
    if (!this.send(request)) {
      this.requestedTab = request;
    }
  }

  /** The tab to show first, if one was requested before there was a page. It is returned once. */
  claimRequestedTab(): TableDocument['requestedTab'] {
    const { requestedTab } = this;
    this.requestedTab = undefined;
    return requestedTab;
  }

  /** Sends the page a message. @returns whether there is a page */
  send(message: HostMessage): boolean {
    return this.panel?.send(message) === true;
  }

  /** What its page shows, as soon as it has told; `undefined` without a page. @throws CancelledError */
  async findShownTable(): Promise<ToldTable | undefined> {
    return this.panel?.findShown();
  }

  /** The open table; a failure stays until `reload`. */
  open(): Promise<OpenedTable> {
    this.opening ??= this.begin();
    return this.opening;
  }

  /** Opens the file again. @param replace puts another file in its place before. */
  reload(replace?: () => Promise<void>): Promise<OpenedTable> {
    const closed = this.close();
    // Windows replaces no file that is open.
    this.opening = replace ? closed.then(replace).then(() => this.begin()) : undefined;
    const opening = this.open();
    this.deps.onReloaded();
    return opening;
  }

  /** Opens the file again, and draws it where it is shown. */
  async reopen(replace?: () => Promise<void>): Promise<void> {
    await (this.panel ? this.panel.reopen(replace) : this.reload(replace));
  }

  /** Resolves when all records were checked. @throws the error for a program */
  size(): Promise<TableSize> {
    return this.forProgram(async (table) => checkedSize(await table.call('checked', {})));
  }

  /**
   * Resolves when every row is counted; secret-like values are masked.
   * @param format makes what a program gets of the counts. @throws the error for a program
   */
  readOverview<T>(
    scope: CountScope,
    format: (overview: Overview, columns: readonly Column[]) => T,
  ): Promise<T> {
    const params = { now: systemClock.now(), scope };
    return this.forProgram(async (table) =>
      format(await table.call('readOverview', params), table.info.columns),
    );
  }

  /** Runs work on the table. @throws the error for a program */
  async forProgram<T>(work: (table: TableHandle, file: LocalTable) => Promise<T>): Promise<T> {
    try {
      const { table, file } = await this.open();
      await this.telling;
      return await work(table, file);
    } catch (error) {
      if (!(error instanceof TableError)) {
        throw error;
      }
      const message = t('"{0}": {1}', this.name, describeTableError(error.code));
      throw new UserError(message, publicCode(error.code), { cause: error });
    }
  }

  /** Runs an export. The file is not replaced, by what is known now, before it has ended. @throws as the export does */
  async whileExporting<T>(run: () => Promise<T>): Promise<T> {
    const running = run();
    this.exports.add(running);
    try {
      return await running;
    } finally {
      this.exports.delete(running);
    }
  }

  /** Draws the table in an editor. */
  show(editor: vscode.WebviewPanel): void {
    const panel = new TablePanel(this, editor, this.deps);
    this.panel = panel;
    editor.onDidDispose(() => {
      panel.dispose();
    });
  }

  dispose(): void {
    this.abort.abort();
    this.recounting.abort();
    this.close().catch(() => undefined);
    this.deps.onClosed();
  }

  private async begin(): Promise<OpenedTable> {
    const { cacheFolder, bundles, fileOf, choices } = this.deps;
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
      const script = vscode.Uri.joinPath(bundles, 'engineWorker.js').fsPath;
      const open = (list?: string) => {
        const options = {
          cacheFolder,
          encoding: file.encoding,
          list,
          dateOrder: file.about?.comparison?.dateOrder,
          forms: Object.fromEntries(this.forms),
        };
        return openTable(script, file.path, options, this.abort.signal);
      };
      const table = await open(file.list).catch((error: unknown) => {
        const isNoList = error instanceof TableError && error.code === 'noList';
        if (!isNoList || !choices) {
          throw error;
        }
        choices.choose(this.uri, { list: undefined });
        return open();
      });
      const telling = Promise.all([this.tellKnown(table), this.tellLists(table)]).then((changed) =>
        changed.some((each) => each),
      );
      this.telling = telling;
      if (table.info.bytes <= maxAwaitedBytes) {
        // Else it would be drawn twice.
        await telling;
      } else {
        telling
          .then(async (haveChanged) => {
            if (haveChanged) {
              this.deps.onKnown(table);
            }
            await (haveChanged ? this.panel?.refresh() : undefined);
          })
          .catch(() => undefined);
      }
      this.deps.onOpened({ table, file });
      return { table, file };
    } catch (error) {
      await file.release();
      throw error;
    }
  }

  /** Other findings are known: finds their rows, and draws the table again if it has any. */
  refreshKnown(): Promise<void> {
    const refreshing = this.tellAndDraw();
    this.refreshing = refreshing.catch(() => undefined);
    return refreshing;
  }

  /** There are other lists of CVEs: finds the rows that they mark, and draws the table again if these are others. */
  async refreshLists(): Promise<void> {
    const opened = this.opening?.catch(() => undefined);
    const telling = opened?.then((found) => found !== undefined && this.tellLists(found.table));
    // Programs count with them from now on.
    this.telling = Promise.all([this.telling, telling]);
    if ((await telling) === true) {
      await this.panel?.refresh();
    }
  }

  private async tellAndDraw(): Promise<void> {
    const opened = this.opening?.catch(() => undefined);
    const telling = opened?.then((found) => found !== undefined && this.tellKnown(found.table));
    // Programs count with them from now on.
    this.telling = Promise.all([this.telling, telling]);
    const isMadeAgain = await this.recount();
    const hasChanged = await telling;
    const table = (await opened)?.table;
    if (table && hasChanged && !isMadeAgain) {
      this.deps.onKnown(table);
      this.deps.onReloaded();
      await this.panel?.refresh();
    }
  }

  /**
   * Makes a file again that depends on what is known, if other findings are.
   * @returns whether it was opened again
   */
  async recount(): Promise<boolean> {
    this.recounting.abort();
    this.recounting = new AbortController();
    const { signal } = this.recounting;
    const { opening } = this;
    const opened = await opening?.catch(() => undefined);
    const made = opened && (await this.deps.recount(signal));
    if (made && 'replace' in made) {
      await Promise.allSettled(this.exports);
      if (signal.aborted) {
        // Other findings are known again, and follow.
        await made.discard();
        return false;
      }
      await this.reopen(() => made.replace());
      return true;
    }
    if (made && !signal.aborted && this.opening === opening) {
      this.opening = Promise.resolve({ ...opened, file: { ...opened.file, ...made } });
      this.panel?.showAbout(made.about);
    }
    return false;
  }

  /** @returns whether rows were or are known. Never rejects: a table that has ended says so itself. */
  private async tellKnown(table: TableHandle): Promise<boolean> {
    this.knownGeneration += 1;
    const generation = this.knownGeneration;
    const known = await this.deps.knownFindings();
    // What was read later is newer, and may have been told already.
    if (generation !== this.knownGeneration || (known.length === 0 && !this.hasTold)) {
      return false;
    }
    this.hasTold = true;
    const found = await table.call('setKnown', { known }).catch(() => undefined);
    return found?.hasChanged === true;
  }

  /** @returns whether lists mark other rows than before. Never rejects, as `tellKnown`. */
  private async tellLists(table: TableHandle): Promise<boolean> {
    this.listGeneration += 1;
    const generation = this.listGeneration;
    const lists = await this.deps.cveLists();
    if (generation !== this.listGeneration || (lists.length === 0 && !this.hasToldLists)) {
      return false;
    }
    this.hasToldLists = true;
    const found = await table.call('setCveLists', { lists }).catch(() => undefined);
    return found?.hasChanged === true;
  }

  /** Resolves when nothing has the file open any more. Never rejects. */
  private async close(): Promise<void> {
    const { opening } = this;
    this.opening = undefined;
    const opened = await opening?.catch(() => undefined);
    await opened?.table.close();
    // What is left of a copy is removed at the next start.
    await opened?.file.release().catch(() => undefined);
  }
}
