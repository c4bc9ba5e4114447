import * as vscode from 'vscode';
import type { TableAskOptions, TableHandle } from '../engine/engine';
import { TableError } from '../engine/tableError';
import type { Copied, CopyRange } from '../engine/types';

/** Copies cells to the clipboard. @throws TableError */
export async function copyToClipboard(
  table: Pick<TableHandle, 'ask'>,
  range: CopyRange,
  options: TableAskOptions,
): Promise<Omit<Copied, 'text'>> {
  const { text, ...copied } = await table.ask('copy', range, options);
  if (options.signal?.aborted === true) {
    // The clipboard stays unchanged.
    throw new TableError('cancelled', 'The copy was cancelled.');
  }
  await vscode.env.clipboard.writeText(text);
  return copied;
}
