import { createReadStream } from 'node:fs';
import * as fs from 'node:fs/promises';
import * as path from 'node:path';
import * as vscode from 'vscode';
import { localDisk } from '../../../files/disk';
import { FileError } from '../../../files/fileError';
import { safeFileName } from '../../../files/fileName';
import { putAll, writeWhole } from '../../../files/wholeFile';
import { withPeriod } from '../../../base/text/plainText';
import { UserError } from '../../../base/userError';
import { prettyJson } from '../../../base/json/prettyJson';
import { reportScheme } from '../../../contributions';
import { localizedMessage } from '../../../workbench/describe';
import { showInformation } from '../../../workbench/messages';
import { isPrettyUri, localPath } from '../../../workbench/storedFiles';
import type { Files } from '../../../workbench/registry';
import { textKindOfName } from '../../../files/fileContent';
import { hasFile } from '../reportParts';
import type { StoredReport } from '../storedReport';
import type { Reports } from '../reports';
import type { UnpackedReports } from '../unpackedReports';
import { isLocalFile } from '../../../workbench/saving/savePrompts';
import { reportName, reportTitle } from './reportTexts';

const { t } = vscode.l10n;

/** Whether a report is text, by its file name. Text opens in the editor without interrupting the user. */
export function isTextReport(report: StoredReport): boolean {
  return textKindOfName(path.basename(report.path ?? '')) !== undefined;
}

/** Whether the file of a downloaded report is missing. */
export function isFileMissing(report: StoredReport): boolean {
  return report.path !== undefined && !hasFile(report);
}

/** The sources in which the report of a file is looked up. */
export interface ReportLookup {
  readonly reports: Pick<Reports, 'listOfAllAccounts' | 'load' | 'resume'>;
  readonly unpacked: UnpackedReports;
}

/**
 * The report that a file belongs to, as downloaded or unpacked. Works while nobody is signed in: VS
 * Code reads a restored tab immediately.
 */
export async function reportOfFile(
  deps: ReportLookup,
  file: string,
): Promise<StoredReport | undefined> {
  await deps.reports.load();
  const loaded = loadedReportOfFile(deps, file);
  if (!loaded) {
    // Another window may have downloaded it after the state files were last read.
    deps.reports.resume();
  }
  return loaded ?? loadedReportOfFile(deps, file);
}

/** Only among the reports that have already been read. */
export function loadedReportOfFile(
  { reports, unpacked }: ReportLookup,
  file: string,
): StoredReport | undefined {
  return reports
    .listOfAllAccounts()
    .find(
      ({ id, path: downloaded }) =>
        downloaded !== undefined &&
        (vscode.Uri.file(downloaded).fsPath === file || unpacked.owns(id, file)),
    );
}

export interface ReportFileOnDisk {
  readonly path: string;
  /** In bytes. */
  readonly size: number;
}

/** @throws an error of the file system. */
export async function fileAt(file: string): Promise<ReportFileOnDisk> {
  const { size } = await fs.stat(file);
  return { path: file, size };
}

/**
 * The path and size of a report's file.
 * @throws UserError if the report has no file yet, or the file is missing.
 */
export async function reportFile(report: StoredReport): Promise<ReportFileOnDisk> {
  if (report.path === undefined) {
    throw new UserError(
      t('The report "{0}" is not downloaded yet. See the Reports view.', reportName(report)),
      'download',
    );
  }
  const stat = await fs.stat(report.path).catch(() => undefined);
  if (!stat?.isFile()) {
    throw new UserError(
      t(
        'The file of the report "{0}" is missing: {1}. Retry the report to get it again.',
        reportName(report),
        report.path,
      ),
      'download',
    );
  }
  return { path: report.path, size: stat.size };
}

/** How the file of a report is called that the service gave no name, perhaps with a number. */
const namelessFile = /^report( \(\d+\))?(?=\.|$)/;

/** The name that is offered for the file of a report: that of the service, or else of the report. */
export function suggestFileName(report: StoredReport, file: string): string {
  // A function: in a text, $ has a meaning.
  return path.basename(file).replace(namelessFile, () => safeFileName(reportTitle(report)));
}

/** Copies the file of a report to a path that a user chooses. The dialog confirms before it overwrites a file. */
export async function saveFileWithDialog(
  report: StoredReport,
  file: string,
): Promise<string | undefined> {
  const source = vscode.Uri.file(file);
  const target = await vscode.window.showSaveDialog({
    title: t('Save Report As'),
    defaultUri: vscode.Uri.joinPath(
      vscode.workspace.workspaceFolders?.[0]?.uri ?? vscode.Uri.file(process.env.HOME ?? '/'),
      suggestFileName(report, source.fsPath),
    ),
  });
  if (target) {
    await vscode.workspace.fs.copy(source, target, { overwrite: true });
    showInformation(t('Report saved as {0}', target.fsPath));
  }
  return target?.fsPath;
}

/**
 * Copies a report to the path that a program passes.
 * @throws UserError if the path is not absolute, already exists, or cannot be written.
 */
export async function saveReportTo(report: StoredReport, target: string): Promise<string> {
  if (!isLocalFile(target)) {
    throw new UserError(
      t('The path "{0}" must be the absolute path of a file on this machine.', target),
      'badRequest',
    );
  }
  const { path: source } = await reportFile(report);
  try {
    await writeWhole(localDisk, { path: path.normalize(target), replace: false }, (put) =>
      putAll(put, createReadStream(source)),
    );
  } catch (error) {
    const isTaken = error instanceof FileError && error.reason === 'exists';
    const why = error instanceof FileError ? localizedMessage(error) : (error as Error).message;
    const text = isTaken
      ? t('"{0}" already exists. Choose another path.', target)
      : t(
          'Could not save the report as "{0}": {1} Choose a path in a writable folder.',
          target,
          withPeriod(why),
        );
    throw new UserError(text, isTaken ? 'badRequest' : 'download', { cause: error });
  }
  return target;
}

/** VS Code does not give larger documents to extensions. */
export const largestDocumentBytes = 50 * 1024 * 1024;

/** Larger JSON text is shown unformatted: formatting it would keep the other extensions waiting. */
export const largestPrettyBytes = 2 * 1024 * 1024;

/** Reads the files of reports and of tables, and no others. */
export class ReportDocuments implements Files {
  private formatted: { key: string; text: Uint8Array } | undefined;

  constructor(private readonly deps: ReportLookup & { readonly tableFolders: readonly string[] }) {}

  async stat(uri: vscode.Uri): Promise<vscode.FileStat> {
    const { mtimeMs, birthtimeMs, size } = await this.statFile(uri);
    const bytes = isPrettyUri(uri) ? (await this.readFile(uri)).length : size;
    return {
      type: vscode.FileType.File,
      ctime: birthtimeMs,
      mtime: mtimeMs,
      size: bytes,
      permissions: vscode.FilePermission.Readonly,
    };
  }

  async readFile(uri: vscode.Uri): Promise<Uint8Array> {
    const { file, size, mtimeMs } = await this.statFile(uri);
    if (size > largestDocumentBytes) {
      throw vscode.FileSystemError.Unavailable(t('This report is too large for the editor.'));
    }
    if (!isPrettyUri(uri) || size > largestPrettyBytes) {
      return fs.readFile(file);
    }
    const key = `${file} ${size} ${mtimeMs}`;
    if (this.formatted?.key !== key) {
      this.formatted = { key, text: formatJson(await fs.readFile(file)) };
    }
    return this.formatted.text;
  }

  private async statFile(uri: vscode.Uri) {
    const file = localPath(uri);
    const stat =
      file !== undefined && (await this.mayRead(file))
        ? await fs.stat(file).catch(() => undefined)
        : undefined;
    if (file === undefined || !stat?.isFile()) {
      throw vscode.FileSystemError.FileNotFound(uri);
    }
    const { size, mtimeMs, birthtimeMs } = stat;
    return { file, size, mtimeMs, birthtimeMs };
  }

  private async mayRead(file: string): Promise<boolean> {
    const isTable = this.deps.tableFolders.some((folder) => file.startsWith(folder + path.sep));
    return isTable || (await reportOfFile(this.deps, file)) !== undefined;
  }
}

/** Formats JSON over several lines. Text that is not JSON or not UTF-8 is returned unchanged. */
function formatJson(bytes: Uint8Array): Uint8Array {
  let text: string;
  try {
    // This drops a byte order mark, which no editor shows. Bytes that are not UTF-8 stay unchanged.
    text = new TextDecoder('utf-8', { fatal: true }).decode(bytes);
  } catch {
    return bytes;
  }
  const pretty = prettyJson(text, largestDocumentBytes);
  return pretty === undefined ? bytes : Buffer.from(pretty);
}

/**
 * Reopens the visible reports that VS Code restored with the window. VS Code loads them before this
 * extension runs, shows an error, and never loads them again. Hidden tabs load when they are shown.
 * Call it after the documents of reports are registered.
 */
export function openRestoredReports(): void {
  for (const { activeTab, viewColumn } of vscode.window.tabGroups.all) {
    if (!(activeTab?.input instanceof vscode.TabInputText)) {
      continue;
    }
    const { uri } = activeTab.input;
    if (uri.scheme === reportScheme) {
      // With vscode.open, VS Code shows a missing file as an error in the same tab.
      const options: vscode.TextDocumentShowOptions = {
        viewColumn,
        preview: activeTab.isPreview,
        preserveFocus: true,
      };
      vscode.commands.executeCommand('vscode.open', uri, options).then(undefined, () => undefined);
    }
  }
}
