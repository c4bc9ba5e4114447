import type * as vscode from 'vscode';
import type { TreeNode } from '../../../workbench/views';

/** A file that this extension stores under an id, such as a report. The texts are plain. */
export interface StoredFile {
  readonly id: string;
  readonly uri: vscode.Uri;
  readonly title: string;
  /** When it was downloaded: `madeAt` of storedReport.ts, in milliseconds since the epoch. */
  readonly madeAt: number;
  /** Distinguishes it from others, in a quick pick. */
  readonly label: string;
  readonly description: string;
}

/** The stored files that commands are about: users choose one, programs name one by its id. */
export interface StoredFiles {
  /** Those that are complete, the newest first. */
  list(): readonly StoredFile[];
  /** @throws UserError if there is none with this id, or its file is not there. */
  get(id: string): Promise<StoredFile>;
  /** The one that a file belongs to. */
  find(file: vscode.Uri): Promise<StoredFile | undefined>;
  /** The id of the one that a row of a view shows. */
  idOf(node: TreeNode): string | undefined;
  /** The one before it that it is usually compared with. */
  previousOf(file: StoredFile): StoredFile | undefined;
  /** What a user should know before reading the differences of two. */
  listWarnings(before: StoredFile, after: StoredFile): readonly string[];
}
