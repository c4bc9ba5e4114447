import type * as vscode from 'vscode';
import type { SecretDocuments } from './secretDocuments';

/** A custom editor that shows documents as records. */
export class RecordEditor implements vscode.CustomReadonlyEditorProvider {
  /** @param show shows a document; its code is loaded for the first one. */
  constructor(
    private readonly documents: SecretDocuments,
    private readonly show: (
      uri: vscode.Uri,
      panel: vscode.WebviewPanel,
    ) => Promise<vscode.Disposable>,
  ) {}

  openCustomDocument(uri: vscode.Uri): vscode.CustomDocument {
    return {
      uri,
      dispose: () => {
        this.documents.forget(uri);
      },
    };
  }

  async resolveCustomEditor(
    { uri }: vscode.CustomDocument,
    panel: vscode.WebviewPanel,
  ): Promise<void> {
    const shown = await this.show(uri, panel);
    panel.onDidDispose(() => {
      shown.dispose();
    });
  }
}
