import * as vscode from 'vscode';
import { type TableErrorCode, findTableCause, TableError } from '../../../engine';
import { CancelledError } from '../../../base/cancelledError';
import { describeError, localize } from '../../../workbench/describe';

const { t } = vscode.l10n;

/** The text for a failed call of a page. @param code the cause of the error. */
export function describeFailure(error: unknown, code: TableErrorCode): string {
  const details = error instanceof TableError ? error.details : [];
  return [describeTableError(code), ...details.map(localize)].join(' ');
}

/** Why a table cannot be shown, without paths. */
export function describeFailedTable(error: unknown): string {
  const code = findTableCause(error);
  if (code !== undefined) {
    return describeTableError(code);
  }
  return error instanceof CancelledError
    ? t('Unpacking was cancelled. Try again to show the rows.')
    : describeError(error).text;
}

/** The text for an error of a table: the cause and what to do. */
export function describeTableError(code: TableErrorCode): string {
  switch (code) {
    case 'notFound':
      return t('The file no longer exists. Restore it and try again, or close this tab.');
    case 'unreadable':
      return t('Could not read the file. Check its permissions, then try again.');
    case 'notATable':
      return t(
        'This file contains no table. Tables are CSV, JSON or NDJSON files. Open the file as text instead.',
      );
    case 'noList':
      return t('This file has no such list. Reload the table, and choose one of the lists it has.');
    case 'utf32':
      return t('UTF-32 files are not supported. Convert the file to UTF-8, then try again.');
    case 'changed':
      return t('The file changed while it was open. Reload the table to show its current content.');
    case 'disk':
      return t(
        'Not enough disk space to unpack or convert the file. Free some disk space, then try again.',
      );
    case 'badRequest':
      return t('Invalid query. Clear the filters, or reload the table.');
    case 'noSql':
      return t('This view cannot be written as SQL.');
    case 'gone':
      return t('A later query replaced these rows. Run the query again.');
    case 'cancelled':
      return t('Cancelled. The rows are unchanged.');
    case 'superseded':
      return t('A later query replaced this one.');
    case 'memory':
      return t(
        'The table ran out of memory and was closed. Try again, and sort or group by fewer columns.',
      );
    case 'closed':
      return t('The table was closed. Open it again.');
    case 'internal':
      return t('An unexpected error occurred in the table. Try again, or see the log for details.');
  }
}

/** The code for programs, common to all commands. */
export function publicCode(code: TableErrorCode): string {
  switch (code) {
    case 'notFound':
      return 'notFound';
    case 'notATable':
    case 'noList':
    case 'utf32':
    case 'badRequest':
      return 'badRequest';
    case 'unreadable':
    case 'changed':
    case 'disk':
      return 'download';
    default:
      return 'protocol';
  }
}
