import * as vscode from 'vscode';
import { UserError } from '../../base/userError';
import { recordScheme } from '../../contributions';
import { showTable } from '../../workbench/views';
import type { TableTab } from '../../webview/protocol';
import type { TableDocument } from './tableDocument';
import type { PageActions } from './tablePanel';
import type { ReportTables } from './tables';
import * as path from 'node:path';

const { t } = vscode.l10n;

/** The custom editor that shows files as tables. */
export class TableEditor implements vscode.CustomReadonlyEditorProvider<TableDocument> {
  /** The documents with the records of open tables. */
  readonly records = new RecordDocuments((uri) => this.find(uri));

  private readonly documents = new Map<string, TableDocument>();
  /** The tabs that tables open with, by URI. */
  private readonly requestedTabs = new Map<string, TableTab>();

  /**
   * @param tables loads the code of tables with the first one.
   * @param exportShown see {@link PageActions}.
   */
  constructor(
    private readonly tables: () => Promise<ReportTables>,
    private readonly exportShown: PageActions['exportShown'],
  ) {}

  /** Shows a tab of a file. @throws UserError when VS Code opens no editor. */
  async open(uri: vscode.Uri, tab: TableTab): Promise<TableDocument> {
    const key = uri.toString();
    // Set before VS Code creates the page, or shows it again.
    this.find(uri)?.showTab(tab);
    this.requestedTabs.set(key, tab);
    try {
      await showTable(uri);
    } finally {
      this.requestedTabs.delete(key);
    }
    const document = this.find(uri);
    if (!document) {
      throw new UserError(t('Could not open "{0}" as a table. Try again.', uri.path), 'protocol');
    }
    return document;
  }

  /**
   * Runs work on the table of a file: the open one, or a new one that is closed afterwards.
   * @param list JSON: the list of the file that is the table. Default: the one that is shown
   */
  async withTable<T>(
    uri: vscode.Uri,
    work: (table: TableDocument) => Promise<T>,
    list?: string,
  ): Promise<T> {
    const open = list === undefined ? this.find(uri) : undefined;
    if (open) {
      return work(open);
    }
    const none = () => undefined;
    const tables = await this.tables();
    const table = tables.open(uri, { onRecordsChanged: none, onClosed: () => false }, list);
    try {
      return await work(table);
    } finally {
      table.dispose();
    }
  }

  /** The open table of a file. */
  find(uri: vscode.Uri): TableDocument | undefined {
    return this.documents.get(uri.toString());
  }

  async openCustomDocument(uri: vscode.Uri): Promise<TableDocument> {
    const tables = await this.tables();
    const document = tables.open(uri, {
      onRecordsChanged: (table) => {
        this.records.redraw(table);
      },
      onClosed: () => {
        if (this.find(uri) === document) {
          this.documents.delete(uri.toString());
        }
        return true;
      },
    });
    this.documents.set(uri.toString(), document);
    const tab = this.requestedTabs.get(uri.toString());
    if (tab) {
      document.showTab(tab);
    }
    return document;
  }

  resolveCustomEditor(document: TableDocument, panel: vscode.WebviewPanel): void {
    document.show(panel, {
      showRecord: (table, record) => this.records.open(table, record),
      exportShown: this.exportShown,
    });
  }
}

/** The read-only documents that show one record of a table. */
export class RecordDocuments implements vscode.TextDocumentContentProvider {
  private readonly changed = new vscode.EventEmitter<vscode.Uri>();

  readonly onDidChange = this.changed.event;

  /** @param find the open table of a file. */
  constructor(private readonly find: (uri: vscode.Uri) => TableDocument | undefined) {}

  async provideTextDocumentContent({ query }: vscode.Uri): Promise<string> {
    const { table, record } = parse(query);
    const text = await this.find(vscode.Uri.parse(table))?.recordText(record);
    return (
      text ?? t('The table of this record is closed. Open the table, then open the record again.')
    );
  }

  /**
   * Opens a record of a table as a document.
   * @throws the reason why it cannot be read.
   */
  async open(table: vscode.Uri, record: number): Promise<void> {
    const uri = vscode.Uri.from({
      scheme: recordScheme,
      path: `/${path.basename(table.path)} ${record + 1}.json`,
      query: JSON.stringify({ table: table.toString(), record }),
    });
    // Reads the record first: VS Code would drop the class of an error that a provider throws.
    await this.find(table)?.recordText(record);
    const shown = vscode.workspace.textDocuments.some(
      (document) => document.uri.toString() === uri.toString(),
    );
    if (shown) {
      // VS Code may still show an old text: from before a change of the file, or of a closed table.
      this.changed.fire(uri);
    }
    await vscode.window.showTextDocument(await vscode.workspace.openTextDocument(uri));
  }

  /** Redraws the records of a table after its secrets or its file changed. */
  redraw(table: vscode.Uri): void {
    for (const { uri } of vscode.workspace.textDocuments) {
      if (uri.scheme === recordScheme && parse(uri.query).table === table.toString()) {
        this.changed.fire(uri);
      }
    }
  }
}

function parse(query: string): { table: string; record: number } {
  return JSON.parse(query) as { table: string; record: number };
}
