import * as path from 'node:path';
import * as vscode from 'vscode';
import { systemClock } from '../../base/events/clock';
import { UserError } from '../../base/userError';
import type { TableHandle } from '../../engine/engine';
import { openTable, sizeOf } from '../../engine/openTable';
import {
  openOverview,
  type OpenOverview,
  plainOverview,
  type TableOverview,
} from '../../engine/overview/plainOverview';
import type { Overview } from '../../engine/overviewTypes';
import type { ColumnId, FormChoice } from '../../engine/types';
import { recordDocument } from '../../engine/read/records/recordDocument';
import { tableCauseOf, TableError } from '../../engine/values/tableError';
import type { LabeledFilter, ProblemsState, TableTab } from '../../webview/protocol';
import type { LocalTable, TableSize } from '../localTable';
import type { ChosenLists } from './chosenLists';
import type { ReportedTypes } from '../../findings/severity';
import { countReported } from '../reportedCounts';
import { describeTableError, publicCode } from './tableErrors';
import {
  type OpenTable,
  type PageActions,
  type TabRequest,
  TablePanel,
  type TablePanelDeps,
} from './tablePanel';

const { t } = vscode.l10n;

/** Dependencies of a table. */
export interface TableDocumentDeps extends TablePanelDeps {
  /** Where files are unpacked and converted to. */
  readonly cacheFolder: string;
  /** The tab to show unless the page remembers one. */
  readonly firstTab: TableTab;
  /** The file of a document; the signal cancels. */
  readonly fileOf: (uri: vscode.Uri, signal: AbortSignal) => Promise<LocalTable>;
  /** The lists that were chosen; absent if the table is open at one that has to be there. */
  readonly lists?: Pick<ChosenLists, 'choose' | 'restore' | 'forget'>;
  /** The text for an error that does not come from the table. */
  readonly describe: (error: unknown) => string;
  /** Called when records change: secrets are shown or masked, or the file is opened again. */
  readonly onRecordsChanged: (uri: vscode.Uri) => void;
  /** Called when all rows of a full report are counted for its overview. */
  readonly onCounted: (
    report: NonNullable<LocalTable['fullReport']>,
    overview: Overview,
    typesOfScorecards: Readonly<Record<string, ReportedTypes>>,
  ) => void;
  /**
   * Called when nothing uses the document any more.
   * @returns whether its editor was closed; false for a table that only a command worked on.
   */
  readonly onClosed: (uri: vscode.Uri) => boolean;
}

/** What a table reports to its editor. */
export type TableEvents = Pick<TableDocumentDeps, 'onRecordsChanged' | 'onClosed'>;

/** A file that is shown as a table; a thread reads it until its editor is closed. */
export class TableDocument implements vscode.CustomDocument {
  private isRevealed = false;
  private readonly forms = new Map<ColumnId, FormChoice>();
  private opening: Promise<OpenTable> | undefined;
  private readonly abort = new AbortController();
  private panel: TablePanel | undefined;
  private requestedTab: TabRequest | undefined;

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
      this.requestedTab = { tab, chosen };
    }
  }

  /** Shows in the page whether the findings are listed in the Problems view. */
  showProblems(state: ProblemsState): void {
    this.panel?.showProblems(state);
  }

  /** Requests that the page export what it shows. @returns whether there is a page */
  requestExport(): boolean {
    return this.panel?.requestExport() === true;
  }

  claimRequestedTab(): TabRequest | undefined {
    const { requestedTab } = this;
    this.requestedTab = undefined;
    return requestedTab;
  }

  reveal(on: boolean): void {
    this.isRevealed = on;
    this.deps.onRecordsChanged(this.uri);
  }

  /** A page of an earlier window has shown this list of the file. */
  restoreList(list: string): void {
    this.deps.lists?.restore(this.uri, list);
  }

  /** Chooses the list that is shown when the file is opened again. */
  chooseList(list: string): void {
    this.deps.lists?.choose(this.uri, list);
  }

  /** Chooses how a column is read when the file is opened again; `undefined` as its values tell. */
  setForm(column: ColumnId, form: FormChoice | undefined): void {
    if (form) {
      this.forms.set(column, form);
    } else {
      this.forms.delete(column);
    }
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

  /** Opens the file again, and draws it where it is shown. */
  async reopen(): Promise<void> {
    await (this.panel ? this.panel.reopen() : this.reload());
  }

  /** Resolves when all records were checked. @throws the error for a program */
  size(): Promise<TableSize> {
    return this.forProgram(async (table) => sizeOf(await table.call('checked', {})));
  }

  /**
   * Resolves when every row is counted; secret-like values are masked.
   * @param openOnly whether findings that are not open are left out. @throws the error for a program
   */
  overview(openOnly = false): Promise<TableOverview> {
    const params = { now: systemClock.now(), openOnly };
    return this.forProgram(async (table) =>
      plainOverview(await table.call('counted', params), table.info.columns),
    );
  }

  /** What the page counts: open findings only. @throws the error for a program */
  openOverview(): Promise<OpenOverview> {
    const params = { now: systemClock.now(), openOnly: true };
    return this.forProgram(async (table) =>
      openOverview(await table.call('counted', params), table.info.columns),
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
        if (!isNoList || !this.deps.lists) {
          throw error;
        }
        this.deps.lists.forget(this.uri);
        return open();
      });
      if (file.fullReport && this.firstTab === 'overview') {
        void this.reportCounts(table, file.fullReport);
      }
      return { table, file };
    } catch (error) {
      await file.release();
      throw error;
    }
  }

  /** Reports the counts of a full report. Errors are ignored: the overview counts the same and shows them. */
  private async reportCounts(
    table: TableHandle,
    report: NonNullable<LocalTable['fullReport']>,
  ): Promise<void> {
    const params = { now: systemClock.now(), openOnly: true };
    const overview = await table.call('counted', params).catch(() => undefined);
    if (overview) {
      const types = await countReported(table, report.scorecardId).catch(() => ({}));
      this.deps.onCounted(report, overview, types);
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
