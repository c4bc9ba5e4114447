import type { StoredReport } from '../../reports/reportRecord';
import type { SincePrevious } from '../comparisonAbout';
import type { FileAbout } from '../protocol';
import type * as vscode from 'vscode';
import { wholeNumberOf } from '../../workbench/wholeNumber';

/** A table as a file on this machine. */
export interface LocalTable {
  /** Absolute. */
  readonly path: string;
  /** The file has only masked secret-like values: there is nothing to show. */
  readonly isMasked: boolean;
  /** The report, or what was compared; absent for other files. */
  readonly about?: FileAbout;
  /** A full report: whose it is, and when it was made, in milliseconds since the epoch. */
  readonly fullReport?: { readonly accountId: string; readonly madeAt: number };
  /** The title of its tab; absent where that is the name of the file. */
  readonly tabTitle?: string;
  /** More about the report, once it is known; `undefined` where there is nothing to tell. */
  readonly learn?: (signal: AbortSignal) => Promise<FileAbout | undefined>;
  /** Removes temporary files of the table. Never rejects. */
  release(): Promise<void>;
}

/** How many rows and columns a table has. */
export interface TableSize {
  readonly rows: number;
  readonly columns: number;
}

/** What the rooms above know of files that are shown as tables. */
export interface FileKnowledge {
  /** Whether a file is one of differences. */
  isComparison(file: string): boolean;
  /** What a file of differences is of; `undefined` for any other. */
  aboutComparison(
    file: string,
  ): Promise<{ readonly about: FileAbout; readonly tabTitle: string } | undefined>;
  /** How a report differs from the one before it; `undefined` where that cannot be told. Never rejects. */
  sincePrevious(report: StoredReport, signal: AbortSignal): Promise<SincePrevious | undefined>;
}

/** The address of a row of a file, for a command on it. @param row its number in the file, from 1 */
export function uriOfRow(file: vscode.Uri, row: number): vscode.Uri {
  return file.with({ fragment: `row=${row}` });
}

/** The file and the row of an address of `uriOfRow`. */
export function rowOfUri(uri: vscode.Uri): { file: vscode.Uri; row: number | undefined } {
  const [, row = ''] = /^row=(\d+)$/.exec(uri.fragment) ?? [];
  return { file: uri.with({ fragment: '' }), row: wholeNumberOf(row) };
}
