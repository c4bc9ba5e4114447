import * as fs from 'node:fs/promises';
import * as vscode from 'vscode';
import { reportScheme } from '../../contributions';
import { prettyJson } from '../../base/prettyJson';
import { DocumentFiles } from '../../workbench/documentFiles';
import { reportOfFile, type ReportsOfFiles } from './reportFiles';

const { t } = vscode.l10n;

/** VS Code gives extensions no document above this size. */
export const largestDocumentBytes = 50 * 1024 * 1024;

/** A larger JSON text is shown as it is: laying it out would keep the other extensions waiting. */
export const largestPrettyBytes = 2 * 1024 * 1024;

const prettyQuery = 'pretty';

/**
 * The address of the read-only document of a report's file.
 * @param isPretty whether it is JSON that is laid out over lines.
 */
export function reportUri(file: string, isPretty: boolean): vscode.Uri {
  return vscode.Uri.file(file).with({ scheme: reportScheme, query: isPretty ? prettyQuery : '' });
}

/** The file that the address of a report's document names; a share of Windows is told by `file` alone. */
function fileOfReportUri(uri: vscode.Uri): string {
  return uri.with({ scheme: 'file', query: '' }).fsPath;
}

/** Registers the read-only documents of reports; a report is kept as the service sent it. */
export function registerReportDocuments(deps: ReportsOfFiles): vscode.Disposable {
  return vscode.workspace.registerFileSystemProvider(reportScheme, new ReportDocuments(deps), {
    isCaseSensitive: true,
    isReadonly: new vscode.MarkdownString(
      t('A report is read-only. Save a copy with "Scorecard: Save Report As" to change it.'),
    ),
  });
}

/** Reads the files of reports, and no others. */
class ReportDocuments extends DocumentFiles {
  private laidOut: { key: string; text: Uint8Array } | undefined;

  constructor(private readonly deps: ReportsOfFiles) {
    super();
  }

  async stat(uri: vscode.Uri): Promise<vscode.FileStat> {
    const { mtimeMs, birthtimeMs, size } = await this.statFile(uri);
    const bytes = uri.query === prettyQuery ? (await this.readFile(uri)).length : size;
    return {
      type: vscode.FileType.File,
      ctime: birthtimeMs,
      mtime: mtimeMs,
      size: bytes,
      permissions: vscode.FilePermission.Readonly,
    };
  }

  async readFile(uri: vscode.Uri): Promise<Uint8Array> {
    const { size, mtimeMs } = await this.statFile(uri);
    if (size > largestDocumentBytes) {
      throw vscode.FileSystemError.Unavailable(t('This report is too large for the editor.'));
    }
    const file = fileOfReportUri(uri);
    if (uri.query !== prettyQuery || size > largestPrettyBytes) {
      return fs.readFile(file);
    }
    const key = `${file} ${size} ${mtimeMs}`;
    if (this.laidOut?.key !== key) {
      this.laidOut = { key, text: laidOut(await fs.readFile(file)) };
    }
    return this.laidOut.text;
  }

  private async statFile(uri: vscode.Uri) {
    const file = fileOfReportUri(uri);
    const report = await reportOfFile(this.deps, file);
    const stat = report ? await fs.stat(file).catch(() => undefined) : undefined;
    if (!stat?.isFile()) {
      throw vscode.FileSystemError.FileNotFound(uri);
    }
    return stat;
  }
}

/** JSON laid out over lines; what is none, or of an encoding of its own, as it is. */
function laidOut(bytes: Uint8Array): Uint8Array {
  let text: string;
  try {
    // A mark of the byte order, which no editor shows, is left out; what is not UTF-8 stays whole.
    text = new TextDecoder('utf-8', { fatal: true }).decode(bytes);
  } catch {
    return bytes;
  }
  const pretty = prettyJson(text, largestDocumentBytes);
  return pretty === undefined ? bytes : Buffer.from(pretty);
}

/**
 * Reopens the visible reports that VS Code restored with the window: it loads them before this extension
 * runs, shows an error, and never loads them again. Hidden tabs load when they are shown. Call it after
 * the documents of reports are registered.
 */
export function openRestoredReports(): void {
  for (const { activeTab, viewColumn } of vscode.window.tabGroups.all) {
    if (!(activeTab?.input instanceof vscode.TabInputText)) {
      continue;
    }
    const { uri } = activeTab.input;
    if (uri.scheme === reportScheme) {
      // With vscode.open, VS Code shows a missing file as an error in the same tab.
      void vscode.commands.executeCommand('vscode.open', uri, {
        viewColumn,
        preview: activeTab.isPreview,
        preserveFocus: true,
      } satisfies vscode.TextDocumentShowOptions);
    }
  }
}
