import { existsSync } from 'node:fs';
import { homedir } from 'node:os';
import { safeFileName } from '../../files/fileName';
import { CancelledError } from '../../base/cancelledError';
import { FileError } from '../../files/fileError';
import { exists } from '../../files/files';
import { UserError } from '../../base/userError';
import { showError } from '../messages';
import { showTable } from '../views';
import { pickOne } from '../pick';
import { fileExtension, type SecretMode, type TableExportFormat } from '../../base/exportFormats';
import type { ExportTarget, SaveTarget } from '../../files/wholeFile';
import type { DescribeError } from '../describe';
import * as path from 'node:path';
import * as vscode from 'vscode';

const { t } = vscode.l10n;

const formatNames: Record<TableExportFormat, string> = {
  csv: 'CSV',
  excelCsv: t('CSV for Excel'),
  tsv: 'TSV',
  json: 'JSON',
  ndjson: 'NDJSON',
  parquet: 'Parquet',
  xlsx: t('Excel Workbook (XLSX)'),
};

/** The file that a program passes in an argument. @throws UserError if it cannot be created. */
export async function checkTarget(file: string | undefined): Promise<SaveTarget | undefined> {
  if (file === undefined) {
    return undefined;
  }
  if (!isLocalFile(file)) {
    throw new UserError(
      t(
        'The path "{0}" must be the absolute path of a file on this machine, such as {1}.',
        file,
        path.join(homedir(), 'findings.csv'),
      ),
      'config',
    );
  }
  const target = path.normalize(file);
  if (await exists(target)) {
    throw new UserError(t('"{0}" already exists. Choose another path.', target), 'config');
  }
  return { path: target, replace: false };
}

/** Whether a text is the absolute path of a file on this machine: two slashes begin that of another one on Windows. */
export function isLocalFile(file: string): boolean {
  return (
    path.isAbsolute(file) && !/^[\\/]{2}/.test(file) && !/[\\/]$/.test(file) && !file.includes('\0')
  );
}

export function pickFormat<Format extends TableExportFormat>(
  title: string,
  formats: readonly Format[],
  placeHolder = t('In which format?'),
): Promise<Format | undefined> {
  const details: Record<TableExportFormat, string> = {
    csv: t('For programs: values as in the file'),
    excelCsv: t('For Excel, with the words that are shown'),
    tsv: t('With tabs between values'),
    json: t('One array, one row per line'),
    ndjson: t('One JSON object per line'),
    parquet: t('For Spark, DuckDB and pandas; columns keep their types'),
    xlsx: t('With the words that are shown; numbers and dates keep their types'),
  };
  return pickOne(
    formats.map((format) => ({
      label: formatNames[format],
      description: details[format],
      value: format,
    })),
    { title, placeHolder },
  );
}

/** Lets the user choose whether secret values are masked, before anything is written. */
export function pickSecretValues(
  title: string,
  placeHolder: string,
): Promise<SecretMode | undefined> {
  return pickOne<SecretMode>(
    [
      { label: t('Mask secret values'), value: 'masked' },
      {
        label: t('Include secret values'),
        description: t('Passwords and user names are written unmasked'),
        value: 'shown',
      },
    ],
    { title, placeHolder },
  );
}

/**
 * Lets the user choose the file to write.
 * @param before the file that the dialog suggests. Default: one in the workspace.
 */
export async function pickTarget<Format extends TableExportFormat>(
  name: string,
  format: Format,
  before?: string,
): Promise<ExportTarget<Format> | undefined> {
  const kind = { name: formatNames[format], extension: fileExtension(format) };
  const target = await pickFile(t('Export {0}', name), name, kind, before);
  return target && { ...target, format };
}

/**
 * Lets the user choose an HTML file to write.
 * @param name of the file, without its extension
 * @param before the file that the dialog suggests. Default: one in the workspace.
 */
export function pickHtmlTarget(name: string, before?: string): Promise<SaveTarget | undefined> {
  return pickFile(t('Save as HTML'), name, { name: 'HTML', extension: 'html' }, before);
}

async function pickFile(
  title: string,
  name: string,
  kind: { readonly name: string; readonly extension: string },
  before?: string,
): Promise<SaveTarget | undefined> {
  const folder = vscode.workspace.workspaceFolders?.find(({ uri }) => uri.scheme === 'file')?.uri;
  const fileName = safeFileName(`${name.replace(/[/\\]/g, '-')}.${kind.extension}`);
  const uri = await vscode.window.showSaveDialog({
    title,
    defaultUri:
      before === undefined
        ? vscode.Uri.joinPath(folder ?? vscode.Uri.file(homedir()), fileName)
        : vscode.Uri.file(before),
    filters: { [kind.name]: [kind.extension] },
  });
  if (!uri) {
    return undefined;
  }
  if (uri.scheme !== 'file') {
    throw new UserError(
      t('Exports are written only to files on this machine, not to {0}.', uri.toString()),
      'config',
    );
  }
  // The user has confirmed in the dialog that an existing file is replaced. A file that is created later must
  // not be replaced.
  return { path: uri.fsPath, replace: await exists(uri.fsPath) };
}

export async function openExported(file: string): Promise<void> {
  if (!existsSync(file)) {
    throw new UserError(t('"{0}" no longer exists. Export it again.', file), 'download');
  }
  await showTable(vscode.Uri.file(file));
}

/**
 * Handles the error of a user's export. If its folder cannot be written to, shows the error with a button
 * that exports to another one.
 * @param describe describes the errors of an export.
 * @throws CancelledError then, otherwise the error.
 */
export function offerOtherFolder(
  error: unknown,
  describe: DescribeError,
  exportAgain: () => Promise<unknown>,
): never {
  for (let cause = error; cause instanceof Error; cause = cause.cause) {
    if (cause instanceof FileError && ['notWritable', 'noSpace'].includes(cause.reason)) {
      const run = async () => {
        await exportAgain();
      };
      showError(describe(error), {
        actions: [{ title: t('Choose Another Folder\u2026'), run, describe }],
      });
      throw new CancelledError();
    }
  }
  throw error;
}
