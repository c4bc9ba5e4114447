import * as vscode from 'vscode';
import { UserError } from '../../../base/userError';
import { showTable } from '../../../workbench/views';
import type { TableTab } from '../../../protocol/tableProtocol';
import type { TableDocument } from './tableDocument';
import type { ReportTables } from './tables';

const { t } = vscode.l10n;

/** The custom editor that shows files as tables. */
export class TableEditor implements vscode.CustomReadonlyEditorProvider<TableDocument> {
  private readonly documents = new Map<string, TableDocument>();

  /** @param tables loads the code of tables with the first one. */
  constructor(private readonly tables: () => Promise<ReportTables>) {}

  /** Shows a tab of a file. @throws UserError when VS Code opens no editor. */
  async open(uri: vscode.Uri, tab: TableTab): Promise<TableDocument> {
    const before = this.find(uri);
    // Before VS Code shows its page again.
    before?.showTab(tab);
    await showTable(uri);
    const document = this.find(uri);
    if (!document) {
      throw new UserError(t('Could not open "{0}" as a table. Try again.', uri.path), 'protocol');
    }
    if (document !== before) {
      document.showTab(tab);
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
    const table = (await this.tables()).open(uri, { list });
    try {
      return await work(table);
    } finally {
      table.dispose();
    }
  }

  /** Other findings are known: open tables are drawn again. */
  async refreshKnown(): Promise<void> {
    await Promise.all(Array.from(this.documents.values(), (document) => document.refreshKnown()));
  }

  /** There are other lists of CVEs: open tables are drawn again. */
  async refreshLists(): Promise<void> {
    await Promise.all(Array.from(this.documents.values(), (document) => document.refreshLists()));
  }

  /** The open table of a file. */
  find(uri: vscode.Uri): TableDocument | undefined {
    return this.documents.get(uri.toString());
  }

  async openCustomDocument(uri: vscode.Uri): Promise<TableDocument> {
    const tables = await this.tables();
    const document = tables.open(uri, {
      onClosed: () => {
        if (this.find(uri) === document) {
          this.documents.delete(uri.toString());
        }
      },
    });
    this.documents.set(uri.toString(), document);
    return document;
  }

  resolveCustomEditor(document: TableDocument, panel: vscode.WebviewPanel): void {
    document.show(panel);
  }
}
