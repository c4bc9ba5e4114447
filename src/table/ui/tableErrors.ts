import * as vscode from 'vscode';
import type { TableErrorCode } from '../engine/types';

const { t } = vscode.l10n;

/** What went wrong in a table and what to do, in the person's language. */
export function describeTableError(code: TableErrorCode): string {
  switch (code) {
    case 'notFound':
      return t('The file is not there any more. Put it back and try again, or close this tab.');
    case 'unreadable':
      return t(
        'The file cannot be read. Check that it is a file that you may read, then try again.',
      );
    case 'notATable':
      return t(
        'There is no table in this file: it is neither CSV nor JSON nor lines of JSON, in UTF-8. Open it as text to look at it.',
      );
    case 'utf16':
      return t(
        'This file is UTF-16, and a table is read from UTF-8 only. Open it as text, save it with the encoding UTF-8, then try again.',
      );
    case 'changed':
      return t(
        'The file was changed while it was open. Reload the table to see what it holds now.',
      );
    case 'disk':
      return t('There is no room to unpack the file. Free some space on the disk, then try again.');
    case 'badRequest':
      return t('The table cannot answer this. Clear the filters, or reload the table.');
    case 'gone':
      return t('A later query has replaced these rows. Run the query again.');
    case 'cancelled':
      return t('Cancelled. The rows are as before.');
    case 'superseded':
      return t('A later query has taken the place of this one.');
    case 'memory':
      return t(
        'The table ran out of memory, so it was closed. Try again, and sort or group by fewer columns at a time.',
      );
    case 'closed':
      return t('The table was closed. Open it again.');
    case 'internal':
      return t('Something unexpected went wrong in the table. Try again; the log says more.');
  }
}

/** The code that a program gets; it is told the same ones by all commands. */
export function publicCode(code: TableErrorCode): string {
  switch (code) {
    case 'notFound':
      return 'notFound';
    case 'notATable':
    case 'utf16':
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
