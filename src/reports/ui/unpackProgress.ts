import * as vscode from 'vscode';
import { plainText } from '../../base/plainText';
import type { UnpackOptions } from '../unpack/unpack';

const { t } = vscode.l10n;

/** An archive of more bytes is unpacked with a notification: it takes seconds. */
export const largestSilentBytes = 5 * 1024 * 1024;

/** How far it is, and what ends it. */
export type Unpacking = Required<Pick<UnpackOptions, 'signal' | 'onProgress'>>;

/**
 * Shows how far the unpacking of an archive is until it ends.
 * @param location where it is shown; only a notification can be cancelled.
 * @param outer ends it, too.
 */
export function withUnpackProgress<T>(
  name: string,
  location: vscode.ProgressOptions['location'],
  work: (unpacking: Unpacking) => Promise<T>,
  outer?: AbortSignal,
): Thenable<T> {
  const cancellable = location === vscode.ProgressLocation.Notification;
  return vscode.window.withProgress(
    { location, title: t('Unpacking "{0}"', plainText(name, 120)), cancellable },
    async (view, token) => {
      const abort = new AbortController();
      const listener = token.onCancellationRequested(() => {
        abort.abort();
      });
      let shown = 0;
      try {
        return await work({
          signal: outer ? AbortSignal.any([outer, abort.signal]) : abort.signal,
          onProgress: (share) => {
            const percent = Math.floor(share * 100);
            if (percent > shown) {
              view.report({ increment: percent - shown, message: `${percent} %` });
              shown = percent;
            }
          },
        });
      } finally {
        listener.dispose();
      }
    },
  );
}
