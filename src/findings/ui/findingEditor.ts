import type * as vscode from 'vscode';
import { once } from '../../base/events/once';
import type { FindingPanelDeps } from './findingPanel';
import { FindingRecordDocument } from './findingRecordDocument';

/** The custom editor that shows a finding as a record. */
export class FindingEditor implements vscode.CustomReadonlyEditorProvider<FindingRecordDocument> {
  private readonly panel = once(() => import('./findingPanel'));

  constructor(private readonly deps: FindingPanelDeps) {}

  openCustomDocument(uri: vscode.Uri): FindingRecordDocument {
    return new FindingRecordDocument(uri, this.deps.documents);
  }

  async resolveCustomEditor(
    document: FindingRecordDocument,
    panel: vscode.WebviewPanel,
  ): Promise<void> {
    const { FindingPanel } = await this.panel();
    const shown = new FindingPanel(document, panel, this.deps);
    panel.onDidDispose(() => {
      shown.dispose();
    });
  }
}
