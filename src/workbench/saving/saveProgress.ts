import * as vscode from 'vscode';
import type { Wait } from '../describeWait';
import { plainText } from '../../base/text/plainText';
import { withProgressNotification } from '../progressNotification';

const { t } = vscode.l10n;

/** How far an export is: the number of rows so far, and of all, if that is known. */
export interface ExportProgress {
  readonly count: number;
  readonly total: number | undefined;
}

/** What an export reports to its notification, and the signal that Cancel aborts. */
interface ProgressOptions {
  readonly signal: AbortSignal;
  readonly onProgress: (progress: ExportProgress) => void;
  readonly onWait: (wait: Wait | undefined) => void;
}

/** Shows an export as a notification with Cancel until it ends. */
export async function withExportProgress<T>(
  title: string,
  work: (follow: ProgressOptions) => Promise<T>,
): Promise<T> {
  let progress: ExportProgress | undefined;
  let wait: Wait | undefined;
  const read = () =>
    progress
      ? { done: progress.count, total: progress.total, wait }
      : { done: 0, total: undefined, text: t('Starting') };
  return withProgressNotification(plainText(title, 100), read, (signal) =>
    work({
      signal,
      onProgress: (next) => {
        progress = next;
      },
      onWait: (next) => {
        wait = next;
      },
    }),
  );
}
