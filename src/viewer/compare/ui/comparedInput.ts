import * as path from 'node:path';
import type * as vscode from 'vscode';
import { plainText } from '../../../base/text/plainText';
import type { ComparedSide } from '../../../engine';
import { localPath } from '../../../workbench/storedFiles';
import type { StoredFile } from '../../table/ui/storedFile';
import type { ReadFile, SwappedComparison } from '../comparisonFiles';

export interface ComparedInput extends ComparedSide {
  readonly uri: vscode.Uri;
  /** Absent for a file of a user. */
  readonly stored?: StoredFile;
  /** How it was read before; absent to read it as its table does. */
  readonly as?: Pick<ReadFile, 'encoding' | 'list'>;
}

export function createInput(stored: StoredFile): ComparedInput {
  const { uri, title, madeAt } = stored;
  return { uri, title, madeAt, stored };
}

/** A file of a user. */
export function createFileInput(uri: vscode.Uri): ComparedInput {
  return { uri, title: plainText(path.posix.basename(uri.path), 100) };
}

/** The data of a file to compare that is stored with the result. */
export function createSide({ title, madeAt }: ComparedInput): ComparedSide {
  return { title, ...(madeAt !== undefined && { madeAt }) };
}

/**
 * The arguments that compare two files the other way round; `undefined` for two stored files, whose times tell
 * their order, and for files that are not on this machine.
 */
export function swappedArgs(
  before: ComparedInput,
  after: ComparedInput,
  by: Pick<SwappedComparison, 'key' | 'list'> = {},
): SwappedComparison | undefined {
  const [older, newer] = [after, before].map(({ stored, uri }) => stored?.id ?? localPath(uri));
  const areStored = before.stored !== undefined && after.stored !== undefined;
  return areStored || older === undefined || newer === undefined
    ? undefined
    : { before: older, after: newer, ...by };
}
