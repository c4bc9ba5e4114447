import type * as vscode from 'vscode';
import { wholeNumberOf } from '../../workbench/wholeNumber';

/** The address of a row of a file, for a command on it. @param row its number in the file, from 1 */
export function uriOfRow(file: vscode.Uri, row: number): vscode.Uri {
  return file.with({ fragment: `row=${row}` });
}

/** The file and the row of an address of `uriOfRow`. */
export function rowOfUri(uri: vscode.Uri): { file: vscode.Uri; row: number | undefined } {
  const [, row = ''] = /^row=(\d+)$/.exec(uri.fragment) ?? [];
  return { file: uri.with({ fragment: '' }), row: wholeNumberOf(row) };
}
