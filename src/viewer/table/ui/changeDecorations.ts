import * as vscode from 'vscode';
import { plainText } from '../../../base/text/plainText';
import type { SincePrevious } from '../../../engine';
import { changesFact } from '../../../summary/comparisonModel';
import { Texts } from '../../../summary/texts';
import { localizedTexts } from '../../../workbench/webviewPage';

/**
 * Says at a file in the Explorer what has come and gone since it was opened before: the number of new findings, and all in
 * its tooltip. Only of files that were opened in this window.
 */
export class ChangeDecorations implements vscode.FileDecorationProvider, vscode.Disposable {
  private readonly changed = new vscode.EventEmitter<vscode.Uri>();
  private readonly byUri = new Map<string, SincePrevious>();

  readonly onDidChangeFileDecorations = this.changed.event;

  // It reads the event.
  private readonly registration = vscode.window.registerFileDecorationProvider(this);

  /** @param since `undefined`: nothing is known, or the file is closed. */
  set(uri: vscode.Uri, since: SincePrevious | undefined): void {
    const key = uri.toString();
    if (since) {
      this.byUri.set(key, since);
    } else if (!this.byUri.delete(key)) {
      return;
    }
    this.changed.fire(uri);
  }

  provideFileDecoration(uri: vscode.Uri): vscode.FileDecoration | undefined {
    const since = this.byUri.get(uri.toString());
    if (!since || (since.new === 0 && since.gone === 0)) {
      return undefined;
    }
    const texts = new Texts(localizedTexts(), vscode.env.language);
    const tooltip = plainText(changesFact(since, texts).text, 200);
    // A badge has room for two characters.
    const badge = since.new === 0 ? undefined : since.new < 100 ? String(since.new) : '9+';
    const isSevere = ['critical', 'high'].includes(since.worstNew?.severity ?? '');
    return new vscode.FileDecoration(
      badge,
      tooltip,
      isSevere ? new vscode.ThemeColor('list.warningForeground') : undefined,
    );
  }

  dispose(): void {
    this.registration.dispose();
    this.changed.dispose();
  }
}
