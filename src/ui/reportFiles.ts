import { existsSync } from 'node:fs';
import * as fs from 'node:fs/promises';
import * as path from 'node:path';
import * as vscode from 'vscode';
import { HumanError } from '../common/humanError';
import type { StoredReport } from '../model/reports/reportRecord';
import { formatBytes } from './format';
import { showInformation } from './messages';
import { ReportNode } from './nodes';
import { stateName } from './reportTexts';

const { t } = vscode.l10n;

/** VS Code gives extensions no document above this size. */
export const largestDocumentBytes = 50 * 1024 * 1024;

/** What the editor shows as text. */
const textExtensions = new Set([
  '.csv',
  '.tsv',
  '.json',
  '.jsonl',
  '.ndjson',
  '.txt',
  '.log',
  '.md',
  '.xml',
  '.html',
  '.yaml',
  '.yml',
]);

/** Whether a report is text, which opens in the editor beside whatever somebody is doing. */
export function isTextReport(report: StoredReport): boolean {
  return textExtensions.has(path.extname(report.path ?? '').toLowerCase());
}

/** Whether a report that was downloaded has lost its file; it can be downloaded again. */
export function isFileGone(report: StoredReport): boolean {
  return report.path !== undefined && !existsSync(report.path);
}

/**
 * Where a report's file stands.
 * @throws HumanError when the report has none (any more).
 */
export async function reportFile(report: StoredReport): Promise<{ path: string; size: number }> {
  if (report.path === undefined) {
    throw new HumanError(
      t(
        'The report "{0}" is not downloaded yet. Its state is: {1}.',
        report.title,
        stateName(report.state),
      ),
      'download',
    );
  }
  try {
    const { size } = await fs.stat(report.path);
    return { path: report.path, size };
  } catch {
    throw new HumanError(
      t(
        'The file of the report "{0}" is gone: {1}. Retry the report to download it again.',
        report.title,
        report.path,
      ),
      'download',
    );
  }
}

/** Opens a report by what it is: text in the editor, a PDF in the system's viewer. */
export async function openReportFile(
  report: StoredReport,
  options: { preserveFocus: boolean } = { preserveFocus: false },
): Promise<void> {
  const file = await reportFile(report);
  const uri = vscode.Uri.file(file.path);
  const extension = path.extname(file.path).toLowerCase();
  if (file.size === 0) {
    showInformation(t('The report "{0}" is empty: the service sent 0 bytes.', report.title));
  } else if (extension === '.pdf') {
    await vscode.env.openExternal(uri);
  } else if (!textExtensions.has(extension)) {
    await revealFile(file.path);
  } else if (file.size > largestDocumentBytes) {
    const node = new ReportNode(report);
    showInformation(
      t(
        '{0} is {1}: too large for the editor, which stops at 50 MB.',
        path.basename(file.path),
        formatBytes(file.size),
      ),
      [
        { title: t('Reveal'), command: 'scorecard.revealReport', node },
        { title: t('Save As\u2026'), command: 'scorecard.saveReportAs', node },
      ],
    );
  } else {
    await vscode.window.showTextDocument(uri, { preview: false, ...options });
  }
}

/** Shows a file in the system's file manager; where there is none (in a browser), says where it is. */
export async function revealFile(file: string): Promise<void> {
  const commands = await vscode.commands.getCommands(true);
  if (commands.includes('revealFileInOS')) {
    await vscode.commands.executeCommand('revealFileInOS', vscode.Uri.file(file));
  } else {
    showInformation(t('The report is at {0}', file));
  }
}

/** Copies a report for a person who chose where; the dialog has asked before it is overwritten. */
export async function saveReportWithDialog(report: StoredReport): Promise<string | undefined> {
  const source = vscode.Uri.file((await reportFile(report)).path);
  const target = await vscode.window.showSaveDialog({
    title: t('Save Report As'),
    defaultUri: vscode.Uri.joinPath(
      vscode.workspace.workspaceFolders?.[0]?.uri ?? vscode.Uri.file(process.env.HOME ?? '/'),
      path.basename(source.fsPath),
    ),
  });
  if (target) {
    await vscode.workspace.fs.copy(source, target, { overwrite: true });
  }
  return target?.fsPath;
}

/**
 * Copies a report to where a program says.
 * @throws HumanError unless the path is absolute and nothing stands there.
 */
export async function saveReportTo(report: StoredReport, target: string): Promise<string> {
  if (!path.isAbsolute(target)) {
    throw new HumanError(t('The path "{0}" must be absolute.', target), 'badRequest');
  }
  const { path: source } = await reportFile(report);
  try {
    await fs.copyFile(source, target, fs.constants.COPYFILE_EXCL);
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'EEXIST') {
      throw new HumanError(
        t('"{0}" exists already. Nothing is overwritten: give another path.', target),
        'badRequest',
        { cause: error },
      );
    }
    throw new HumanError(
      t(
        'The report could not be saved as "{0}": {1}. Give a path in a folder that exists and can be written to.',
        target,
        (error as Error).message,
      ),
      'download',
      { cause: error },
    );
  }
  return target;
}
