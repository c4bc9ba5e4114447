import { stat } from 'node:fs/promises';
import * as path from 'node:path';
import * as vscode from 'vscode';
import { plainText } from '../base/text/plainText';
import type { UnpackOptions } from '../files/unpack';
import { withProgressNotification } from './progressNotification';

/** A larger archive is unpacked with a notification, because that takes seconds. */
export const largestSilentBytes = 5 * 1024 * 1024;

/**
 * Shows the progress of unpacking an archive, which can be cancelled.
 * @param outer a signal that ends it, too.
 */
export function showUnpackProgress<T>(
  name: string,
  work: (unpacking: Pick<UnpackOptions, 'signal' | 'onProgress'>) => Promise<T>,
  outer?: AbortSignal,
): Promise<T> {
  let share = 0;
  const read = () => ({ done: share, total: 1, text: `${Math.floor(share * 100)} %` });
  const title = vscode.l10n.t('Unpacking "{0}"', plainText(name, 120));
  return withProgressNotification(title, read, (signal) =>
    work({
      signal: outer ? AbortSignal.any([outer, signal]) : signal,
      onProgress: (done) => {
        share = done;
      },
    }),
  );
}

/** Unpacks an archive, with progress if it takes seconds. @throws an error of the file system */
export async function withUnpackProgress<T>(
  archive: string,
  signal: AbortSignal,
  work: (unpacking: UnpackOptions) => Promise<T>,
): Promise<T> {
  const { size } = await stat(archive);
  return size < largestSilentBytes
    ? work({ signal })
    : showUnpackProgress(path.basename(archive), work, signal);
}
