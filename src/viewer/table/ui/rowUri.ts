import type * as vscode from 'vscode';
import { parseWholeNumber } from '../../../workbench/wholeNumber';

/** The URI of a row of a file, as the argument of a command. @param row its number in the file, from 1 */
export function uriOfRow(file: vscode.Uri, row: number): vscode.Uri {
  return file.with({ fragment: `row=${row}` });
}

/** The file and the row of a URI that `uriOfRow` returned. */
export function rowOfUri(uri: vscode.Uri): { file: vscode.Uri; row: number | undefined } {
  const [, row = ''] = /^row=(\d+)$/.exec(uri.fragment) ?? [];
  return { file: uri.with({ fragment: '' }), row: parseWholeNumber(row) };
}
