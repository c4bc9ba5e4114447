import { existsSync } from 'node:fs';
import * as fs from 'node:fs/promises';
import * as path from 'node:path';
import * as vscode from 'vscode';
import { HumanError } from '../../base/humanError';
import { textKindOfName } from '../reportContent';
import type { StoredReport } from '../reportRecord';
import type { Reports } from '../reports';
import type { UnpackedReports } from '../unpack/unpackedReports';
import { showInformation } from '../../workbench/messages';
import { stateName } from './reportTexts';

const { t } = vscode.l10n;

/** Whether a report is text, which opens in the editor beside whatever somebody is doing. */
export function isTextReport(report: StoredReport): boolean {
  return textKindOfName(path.basename(report.path ?? '')) !== undefined;
}

/** Whether a report that was downloaded has lost its file; it can be downloaded again. */
export function isFileGone(report: StoredReport): boolean {
  return report.path !== undefined && !existsSync(report.path);
}

/** What is asked for the report of a file. */
export interface ReportsOfFiles {
  readonly reports: Pick<Reports, 'all' | 'load' | 'resume'>;
  readonly unpacked: UnpackedReports;
}

/**
 * The report that has a file, as it came or unpacked. It needs nobody to be signed in: a tab that VS
 * Code has restored asks at once.
 */
export async function reportOfFile(
  { reports, unpacked }: ReportsOfFiles,
  file: string,
): Promise<StoredReport | undefined> {
  await reports.load();
  const find = () =>
    reports
      .all()
      .find(
        ({ id, path: own }) =>
          own !== undefined && (vscode.Uri.file(own).fsPath === file || unpacked.owns(id, file)),
      );
  const known = find();
  if (!known) {
    // Another window may have downloaded it after the records were last read.
    reports.resume();
  }
  return known ?? find();
}

/** A file with its size in bytes. */
export interface ReportFileOnDisk {
  readonly path: string;
  readonly size: number;
}

/** @throws an error of the file system. */
export async function fileAt(file: string): Promise<ReportFileOnDisk> {
  const { size } = await fs.stat(file);
  return { path: file, size };
}

/**
 * Where a report's file stands.
 * @throws HumanError when the report has none (any more).
 */
export async function reportFile(report: StoredReport): Promise<ReportFileOnDisk> {
  if (report.path === undefined) {
    throw new HumanError(
      t(
        'The report "{0}" is not downloaded yet. Status: {1}.',
        report.title,
        stateName(report.state),
      ),
      'download',
    );
  }
  try {
    return await fileAt(report.path);
  } catch {
    throw new HumanError(
      t(
        'The file of the report "{0}" is missing: {1}. Retry the report to download it again.',
        report.title,
        report.path,
      ),
      'download',
    );
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

/** Copies a file for a person who chooses where; the dialog asks before one is overwritten. */
export async function saveFileWithDialog(file: string): Promise<string | undefined> {
  const source = vscode.Uri.file(file);
  const target = await vscode.window.showSaveDialog({
    title: t('Save Report As'),
    defaultUri: vscode.Uri.joinPath(
      vscode.workspace.workspaceFolders?.[0]?.uri ?? vscode.Uri.file(process.env.HOME ?? '/'),
      path.basename(source.fsPath),
    ),
  });
  if (target) {
    await vscode.workspace.fs.copy(source, target, { overwrite: true });
    showInformation(t('Report saved as {0}', target.fsPath));
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
      throw new HumanError(t('"{0}" already exists. Choose another path.', target), 'badRequest', {
        cause: error,
      });
    }
    throw new HumanError(
      t(
        'Could not save the report as "{0}": {1}. Choose a path in a writable folder.',
        target,
        (error as Error).message,
      ),
      'download',
      { cause: error },
    );
  }
  return target;
}
