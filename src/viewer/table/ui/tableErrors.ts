import * as vscode from 'vscode';
import { type TableErrorCode, findTableCause, TableError } from '../../../engine';
import { CancelledError } from '../../../base/cancelledError';
import { describeError, localize } from '../../../workbench/describe';
import { tableErrorTexts } from '../tableErrorTexts';

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
  return localize(tableErrorTexts[code]);
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
