import * as path from 'node:path';
import * as vscode from 'vscode';
import { plainText } from '../common/plainText';
import { viewIds } from '../contributions';
import { contentOfFile, headOf, type ReportContent } from '../model/reports/reportContent';
import type { StoredReport } from '../model/reports/reportRecord';
import type { UnpackedReports } from '../model/reports/unpackedReports';
import { UnpackError } from '../model/reports/unpackError';
import { describeError } from './describe';
import { formatBytes } from './format';
import { showInformation } from './messages';
import { ReportNode } from './nodes';
import { largestDocumentBytes, largestPrettyBytes, reportUri } from './reportDocuments';
import { fileAt, reportFile, revealFile, type ReportFileOnDisk } from './reportFiles';

const { t } = vscode.l10n;

/** A document of more bytes is not folded: VS Code folds no large ones. */
const largestFoldedBytes = 5 * 1024 * 1024;

export interface OpenOptions {
  preserveFocus: boolean;
}

/** Opens reports by what they are. */
export class ReportOpener {
  /** @param openTable shows a file as a table, of whatever size. */
  constructor(
    private readonly unpacked: UnpackedReports,
    private readonly openTable: (uri: vscode.Uri, options: OpenOptions) => Promise<unknown>,
  ) {}

  /**
   * Shows a report: text in a read-only editor, a PDF in the system's viewer, what is packed as what
   * it holds, and anything else in the file manager.
   * @throws HumanError when it has no file (any more).
   */
  async open(report: StoredReport, options: OpenOptions = { preserveFocus: false }): Promise<void> {
    // At once: VS Code takes seconds to show a large text, and says nothing meanwhile.
    await vscode.window.withProgress(
      {
        location: vscode.ProgressLocation.Window,
        title: t('Opening "{0}"\u2026', plainText(report.title, 60)),
      },
      () => this.openContent(report, options),
    );
  }

  private async openContent(report: StoredReport, options: OpenOptions): Promise<void> {
    const file = await reportFile(report);
    const content = await contentOfFile(file.path);
    if (content !== 'gzip' && content !== 'zip') {
      await this.show(report, file, content, options);
      return;
    }
    try {
      const inner = await vscode.window.withProgress(
        { location: { viewId: viewIds.reports } },
        () => this.unpacked.of(report.id, file.path, content),
      );
      await this.show(report, await fileAt(inner), await contentOfFile(inner), options);
    } catch (error) {
      if (!(error instanceof UnpackError) || error.reason === 'damaged') {
        throw error;
      }
      if (error.reason === 'entries') {
        // Several files are for the system's own program.
        await revealFile(file.path);
      } else {
        offerFile(report, describeError(error));
      }
    }
  }

  private async show(
    report: StoredReport,
    file: ReportFileOnDisk,
    content: ReportContent,
    options: OpenOptions,
  ): Promise<void> {
    switch (content) {
      case 'empty':
        showInformation(t('The report "{0}" is empty: the service sent 0 bytes.', report.title));
        break;
      case 'pdf':
        await showPdf(report, file);
        break;
      case 'json':
      case 'ndjson':
      case 'csv':
      case 'text':
        if (file.size > largestDocumentBytes) {
          await this.showLarge(report, file, content, options);
        } else {
          await showText(file, content, options);
        }
        break;
      case 'gzip':
      case 'zip':
      case 'other':
        // An archive in an archive is not unpacked.
        await revealFile(file.path);
        break;
    }
  }

  /** What is too large for a text editor is shown as a table, unless it is prose. */
  private async showLarge(
    report: StoredReport,
    file: ReportFileOnDisk,
    content: ReportContent,
    options: OpenOptions,
  ): Promise<void> {
    if (content !== 'text') {
      await this.openTable(reportUri(file.path, false), options);
      return;
    }
    offerFile(
      report,
      t(
        '{0} is {1}: too large for the editor, which stops at 50 MB.',
        path.basename(file.path),
        formatBytes(file.size),
      ),
    );
  }
}

async function showText(
  file: ReportFileOnDisk,
  content: ReportContent,
  { preserveFocus }: OpenOptions,
): Promise<void> {
  const isJson = content === 'json';
  const isPretty = isJson && file.size <= largestPrettyBytes && !(await isLaidOut(file.path));
  const document = await vscode.workspace.openTextDocument(reportUri(file.path, isPretty));
  const shown =
    isJson && !['json', 'jsonc'].includes(document.languageId)
      ? await vscode.languages.setTextDocumentLanguage(document, 'json')
      : document;
  await vscode.window.showTextDocument(shown, { preview: false, preserveFocus });
  // Without the focus the command would fold another editor.
  if (isJson && !preserveFocus && file.size <= largestFoldedBytes) {
    await vscode.commands.executeCommand('editor.foldLevel2');
  }
}

/** Whether a JSON text stands on lines already. */
async function isLaidOut(file: string): Promise<boolean> {
  return /^\s*[{[][ \t]*\r?\n[ \t]+\S/.test((await headOf(file)).toString('utf8'));
}

async function showPdf(report: StoredReport, file: ReportFileOnDisk): Promise<void> {
  const isAway = vscode.env.uiKind === vscode.UIKind.Web || vscode.env.remoteName !== undefined;
  if (isAway || !(await vscode.env.openExternal(vscode.Uri.file(file.path)))) {
    offerFile(report, t('"{0}" is a PDF, which the editor cannot show.', report.title));
  }
}

function offerFile(report: StoredReport, message: string): void {
  const node = new ReportNode(report);
  showInformation(message, [
    { title: t('Reveal'), command: 'scorecard.revealReport', node },
    { title: t('Save As\u2026'), command: 'scorecard.saveReportAs', node },
  ]);
}
