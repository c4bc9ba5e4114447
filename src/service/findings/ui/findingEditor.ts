import type * as vscode from 'vscode';
import { once } from '../../../base/events/once';
import type { FindingPanelDeps } from './findingPanel';

/** The custom editor that shows a finding as a record. */
export class FindingEditor implements vscode.CustomReadonlyEditorProvider {
  private readonly panel = once(() => import('./findingPanel'));

  constructor(private readonly deps: FindingPanelDeps) {}

  openCustomDocument(uri: vscode.Uri): vscode.CustomDocument {
    const { documents } = this.deps;
    return {
      uri,
      dispose: () => {
        documents.forget(uri);
      },
    };
  }

  async resolveCustomEditor(
    { uri }: vscode.CustomDocument,
    panel: vscode.WebviewPanel,
  ): Promise<void> {
    const { FindingPanel } = await this.panel();
    const shown = new FindingPanel(uri, panel, this.deps);
    panel.onDidDispose(() => {
      shown.dispose();
    });
  }
}
