import * as vscode from 'vscode';
import type { Wait } from '../../../api/types';
import { plainText } from '../../../base/text/plainText';
import type { ExportJob, ExportProgress } from '../exporter';
import { withProgressNotification } from '../../../workbench/progressNotification';

const { t } = vscode.l10n;

type ProgressOptions = Required<Pick<ExportJob, 'signal' | 'onProgress' | 'onWait'>>;

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
