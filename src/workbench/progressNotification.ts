import * as vscode from 'vscode';
import { CancelledError } from '../base/cancelledError';
import { describeWait, type Wait } from './describeWait';
import { formatNumber } from './format';

const { t } = vscode.l10n;

interface Progress {
  readonly done: number;
  readonly total: number | undefined;
  /** What is shown for both. Default: `12,300 of 41,237`. */
  readonly text?: string | undefined;
  readonly wait?: Wait | undefined;
}

const updateMs = 250;

/**
 * Runs work in a notification with Cancel.
 * @param read is called at each update.
 * @param work gets a signal that Cancel aborts with CancelledError, which ends a command without a message.
 */
export async function withProgressNotification<T>(
  title: string,
  read: () => Progress,
  work: (signal: AbortSignal) => Promise<T>,
): Promise<T> {
  const location = vscode.ProgressLocation.Notification;
  return vscode.window.withProgress({ location, title, cancellable: true }, async (view, token) => {
    const abort = new AbortController();
    const listener = token.onCancellationRequested(() => {
      abort.abort(new CancelledError());
    });
    let shownPercent = 0;
    const update = () => {
      const progress = read();
      const percent = percentOf(progress);
      const increment = Math.max(0, percent - shownPercent);
      view.report({ message: describe(progress), ...(increment > 0 && { increment }) });
      shownPercent += increment;
    };
    update();
    const timer = setInterval(update, updateMs);
    try {
      return await work(abort.signal);
    } finally {
      clearInterval(timer);
      listener.dispose();
    }
  });
}

function percentOf({ done, total }: Progress): number {
  return total ? Math.min(100, (done / total) * 100) : 0;
}

function describe({ done, total, text, wait }: Progress): string {
  const count =
    total === undefined
      ? formatNumber(done)
      : t('{0} of {1}', formatNumber(done), formatNumber(total));
  return [text ?? count, ...(wait ? [describeWait(wait)] : [])].join(' \u00b7 ');
}
