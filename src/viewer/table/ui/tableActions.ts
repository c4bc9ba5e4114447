import type * as vscode from 'vscode';
import type { ShownNames } from '../../../vocabulary/shownNames';

/** What users do on a page that leads out of its table. Errors are shown. @param row see `uriOfRow` */
export interface TableActions {
  /** Shows the live finding that a row is about. */
  showFinding(row: vscode.Uri): PromiseLike<unknown>;
  /** Opens the file of the workspace that a row names. */
  openFile(row: vscode.Uri): PromiseLike<unknown>;
  /** Searches the workspace for the asset that a row names. */
  findAsset(row: vscode.Uri): PromiseLike<unknown>;
  /** Compares a file with the one before it. */
  compareWithPrevious(file: vscode.Uri): PromiseLike<unknown>;
}

/** What is known of the words in findings. */
export interface FindingNames {
  readonly names: ShownNames;
  /** The names of the known scorecards, by UUID in lower case. */
  readonly scorecardNames: () => Readonly<Record<string, string>>;
  /** What an issue type means and what to do, if that is known. */
  readonly meaningOf: (issueType: string) => Promise<string | undefined>;
}
