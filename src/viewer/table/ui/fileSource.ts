import type * as vscode from 'vscode';
import type { SincePrevious, SqlRequest, TableCallOptions, TableHandle } from '../../../engine';
import type { TableTab } from '../../../protocol/tableProtocol';
import type { FileFacts, LocalFile } from '../localTable';

/** What SQL is written for: the rows and columns of a query, and the engine that reads it. */
export type SqlQuestion = Omit<SqlRequest, 'path' | 'like'>;

/** A table that is open, and its file. */
export interface SqlTable {
  readonly uri: vscode.Uri;
  /** Absolute. */
  readonly path: string;
  readonly table: Pick<TableHandle, 'call'>;
}

/** Runs work on the table of another file, which is closed afterwards. @param work gets the path of the file, too. */
export type WithTable = <T>(
  uri: vscode.Uri,
  work: (table: TableHandle, path: string) => Promise<T>,
  signal: AbortSignal,
) => Promise<T>;

/** A file that was made again. Either of these is called once; neither rejects. */
export interface Recount {
  /** Puts it in its place, while nothing reads the file. If that fails, the file stays as it was. */
  replace(): Promise<void>;
  /** Removes it. */
  discard(): Promise<void>;
}

/** Makes a temporary copy, which is removed when it is released. @param make writes it into a folder of its own. */
export type MakeCopy = (make: (folder: string) => Promise<string>) => Promise<LocalFile>;

/**
 * Owns the files of one kind: opens them, and tells what else is known of them. There is a source of reports, of
 * comparisons and of the findings of lists; all other files are those of `UserFiles`.
 */
export interface FileSource {
  /** The tab that is shown first. */
  readonly firstTab: TableTab;
  /** Whether a file is of this kind, by its URI: the file may be gone. */
  owns(uri: vscode.Uri): boolean;
  /**
   * Provides a file on this machine, unpacked where it has to be.
   * @param signal cancels, when the table is closed.
   * @param copy makes what is not there otherwise.
   * @throws UserError, UnpackError, FileError, CancelledError, an error of the file system.
   */
  open(uri: vscode.Uri, signal: AbortSignal, copy: MakeCopy): Promise<LocalFile>;
  /** What is known of a file that is open. Never rejects. */
  about?(uri: vscode.Uri): Promise<FileFacts | undefined>;
  /**
   * Makes a file again that depends on which findings are known.
   * @returns `undefined` if its rows stay; what is known of it may be new. Never rejects.
   */
  recount?(uri: vscode.Uri, signal: AbortSignal): Promise<Recount | undefined>;
  /** Shows how an open file differs from its state before. @throws UserError. Without it, there are other files. */
  showChanges?(uri: vscode.Uri, table: TableHandle): Promise<void>;
  /** How a file differs from the one before it; `undefined` if that is unknown. */
  findChanges?(uri: vscode.Uri, list: string | undefined): Promise<SincePrevious | undefined>;
  /** Writes SQL that may read more files of this kind. Without it, SQL reads the file alone. @throws TableError */
  writeSql?(
    file: SqlTable,
    question: SqlQuestion,
    options: TableCallOptions,
    withTable: WithTable,
  ): Promise<string>;
  /** Called when an editor has opened a file. */
  opened?(uri: vscode.Uri, table: TableHandle): void;
  /** Called when other findings of an open file are known. */
  knownChanged?(uri: vscode.Uri, table: TableHandle): void;
  /** Called when the editor of a file is closed. */
  closed?(uri: vscode.Uri): void;
}
