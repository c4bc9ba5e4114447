import * as vscode from 'vscode';
import { describeError } from '../../workbench/describe';
import { ExportStoppedError } from '../exportErrors';

const { t } = vscode.l10n;

/** The text for an export that was stopped. */
export function exportErrorText(error: unknown): string | undefined {
  return error instanceof ExportStoppedError
    ? t('{0} Export to {1} again to resume.', describeError(error.cause), error.path)
    : undefined;
}
