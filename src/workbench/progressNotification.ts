import * as vscode from 'vscode';
import { CancelledError } from '../api/http/errors';

/** The content of a progress notification, read at each update. */
interface ShownProgress {
  describe(): string;
  /** 0 to 100. */
  percent(): number;
}

/** Milliseconds between two updates of a notification. */
const updateMs = 250;

/**
 * Runs work in a notification with Cancel.
 * @param work gets a signal that Cancel aborts with CancelledError, which ends a command without a message, and
 * `update`, which refreshes the notification before the next interval.
 */
export async function withProgressNotification<T>(
  title: string,
  shown: ShownProgress,
  work: (signal: AbortSignal, update: () => void) => Promise<T>,
): Promise<T> {
  const location = vscode.ProgressLocation.Notification;
  return vscode.window.withProgress({ location, title, cancellable: true }, async (view, token) => {
    const abort = new AbortController();
    const listener = token.onCancellationRequested(() => {
      abort.abort(new CancelledError());
    });
    let shownPercent = 0;
    const update = () => {
      const percent = shown.percent();
      const isMore = percent > shownPercent;
      view.report({
        message: shown.describe(),
        ...(isMore ? { increment: percent - shownPercent } : {}),
      });
      shownPercent = Math.max(shownPercent, percent);
    };
    update();
    const timer = setInterval(update, updateMs);
    try {
      return await work(abort.signal, update);
    } finally {
      clearInterval(timer);
      listener.dispose();
    }
  });
}

/** The share of a total that is done, in percent; 0 without a total. */
export function percentOf(count: number, total: number | undefined): number {
  return total ? Math.min(100, (count / total) * 100) : 0;
}
