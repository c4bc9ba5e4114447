import * as path from 'node:path';
import * as vscode from 'vscode';
import { recordScheme } from '../../contributions';
import type { TableDocument } from './tableDocument';

const { t } = vscode.l10n;

/** The read-only documents that show one record of a table. */
export class RecordDocuments implements vscode.TextDocumentContentProvider {
  private readonly changed = new vscode.EventEmitter<vscode.Uri>();

  readonly onDidChange = this.changed.event;

  /** @param find the open table of a file. */
  constructor(private readonly find: (uri: vscode.Uri) => TableDocument | undefined) {}

  register(): vscode.Disposable {
    return vscode.Disposable.from(
      vscode.workspace.registerTextDocumentContentProvider(recordScheme, this),
      this.changed,
    );
  }

  async provideTextDocumentContent({ query }: vscode.Uri): Promise<string> {
    const { table, record } = parse(query);
    const text = await this.find(vscode.Uri.parse(table))?.recordText(record);
    return (
      text ?? t('The table of this record is closed. Open the table, then open the record again.')
    );
  }

  /**
   * Opens a record of a table as a document.
   * @throws why it cannot be read.
   */
  async open(table: vscode.Uri, record: number): Promise<void> {
    const uri = vscode.Uri.from({
      scheme: recordScheme,
      path: `/${path.basename(table.path)} ${record + 1}.json`,
      query: JSON.stringify({ table: table.toString(), record }),
    });
    // VS Code would drop the class of a provider's error.
    await this.find(table)?.recordText(record);
    const shown = vscode.workspace.textDocuments.some(
      (document) => document.uri.toString() === uri.toString(),
    );
    if (shown) {
      // VS Code keeps the old text: of the file before a change, or of a closed table.
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
