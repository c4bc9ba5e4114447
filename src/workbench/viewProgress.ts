import * as vscode from 'vscode';
import type { viewIds } from '../contributions';

/** Shows the progress of a request in a view. */
export async function inView<T>(
  viewId: (typeof viewIds)[keyof typeof viewIds],
  work: () => Promise<T>,
): Promise<T> {
  return vscode.window.withProgress({ location: { viewId } }, work);
}
