import * as vscode from 'vscode';
import { HumanError } from '../../base/humanError';
import { reportTableId } from '../../contributions';
import { RecordDocuments } from './recordDocuments';
import type { TableDocument, TableDocumentDeps } from './tableDocument';

const { t } = vscode.l10n;

/** How an editor is opened. */
export interface TableOptions {
  readonly preserveFocus?: boolean;
}

/** The custom editor that shows files as tables. What draws them is read when the first one opens. */
export class TableEditor implements vscode.CustomReadonlyEditorProvider<TableDocument> {
  private readonly documents = new Map<string, TableDocument>();

  private readonly records = new RecordDocuments((uri) => this.find(uri));

  constructor(private readonly deps: Omit<TableDocumentDeps, 'showRecord' | 'onRecordsChanged'>) {}

  register(): vscode.Disposable {
    return vscode.Disposable.from(
      this.records.register(),
      vscode.window.registerCustomEditorProvider(reportTableId, this, {
        supportsMultipleEditorsPerDocument: false,
        // A table that is hidden keeps where it was, and asks again.
        webviewOptions: { retainContextWhenHidden: false },
      }),
    );
  }

  /** Shows a file as a table. @throws HumanError when VS Code opens no editor. */
  async open(
    uri: vscode.Uri,
    { preserveFocus = false }: TableOptions = {},
  ): Promise<TableDocument> {
    await vscode.commands.executeCommand('vscode.openWith', uri, reportTableId, {
      preview: false,
      preserveFocus,
    });
    const document = this.find(uri);
    if (!document) {
      throw new HumanError(
        t('"{0}" could not be opened as a table. Try again.', uri.path),
        'protocol',
      );
    }
    return document;
  }

  /** The open table of a file. */
  find(uri: vscode.Uri): TableDocument | undefined {
    return this.documents.get(uri.toString());
  }

  async openCustomDocument(uri: vscode.Uri): Promise<TableDocument> {
    const host = await import('./tableHost');
    const document: TableDocument = new host.TableDocument(uri, {
      ...this.deps,
      showRecord: (table, record) => this.records.open(table, record),
      onRecordsChanged: (table) => {
        this.records.redraw(table);
      },
      onClosed: () => {
        if (this.find(uri) === document) {
          this.documents.delete(uri.toString());
        }
        this.deps.onClosed(uri);
      },
    });
    this.documents.set(uri.toString(), document);
    return document;
  }

  resolveCustomEditor(document: TableDocument, panel: vscode.WebviewPanel): void {
    document.show(panel);
  }
}
