import * as vscode from 'vscode';
import { describeError } from '../../workbench/describe';
import { ExportStoppedError } from '../exportErrors';

const { t } = vscode.l10n;

/** What a person reads of an export that was stopped. */
export function exportErrorText(error: unknown): string | undefined {
  return error instanceof ExportStoppedError
    ? t(
        '{0} What has arrived is kept: export again to {1} to go on.',
        describeError(error.cause),
        error.path,
      )
    : undefined;
}
