import type * as vscode from 'vscode';
import type { WorkspaceActions } from '../../../workbench/recordActions';
import type { Event } from '../../../base/events/emitter';
import type { Ratings } from '../../../vocabulary/grade';
import type { ShownNames } from '../../../vocabulary/shownNames';

/** What users do on a page that leads out of its table. Errors are shown. @param row see `uriOfRow` */
export interface TableActions extends WorkspaceActions {
  /** Shows the live finding that a row is about. */
  showFinding(row: vscode.Uri): PromiseLike<unknown>;
  /** Compares a file with the one before it. */
  compareWithPrevious(file: vscode.Uri): PromiseLike<unknown>;
  /** Shows how the findings of files like this one have developed. */
  showTrend(file: vscode.Uri): PromiseLike<unknown>;
}

/** How the companies of scorecards are rated, as far as that is known. */
export interface KnownRatings {
  read(): Ratings;
  /** Fires when companies may be rated otherwise, or more of them are. */
  readonly onDidChange: Event<unknown>;
}

/** What is known of the words in findings. */
export interface FindingNames {
  readonly names: ShownNames;
  /** The names of the known scorecards, by UUID in lower case. */
  readonly scorecardNames: () => Readonly<Record<string, string>>;
  readonly ratings: KnownRatings;
  /** What an issue type means and what to do, if that is known. */
  readonly meaningOf: (issueType: string) => Promise<string | undefined>;
}
