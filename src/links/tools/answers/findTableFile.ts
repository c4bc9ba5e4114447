import * as path from 'node:path';
import { message } from '../../../base/message';
import { plainText } from '../../../base/text/plainText';
import { UserError } from '../../../base/userError';
import { DiskFolder } from '../../../workbench/diskFolder';

/** Whether a text names a file of findings rather than a report, whose id has no dot. */
export function namesFile(text: string): boolean {
  return /\.(csv|tsv|json|ndjson|jsonl|sarif)(\.gz)?$/i.test(text);
}

/** A findings file in one of some folders. */
export interface FoundTable<Folder> {
  readonly folder: Folder;
  /** Its path below the folder. */
  readonly below: string;
  /** Its absolute path, without links. */
  readonly real: string;
}

/**
 * Finds the findings file that a language model names: by its path from one of these folders, or an absolute one in
 * such a folder. Neither `..` nor a link leads out of it.
 * @throws UserError if there is none.
 */
export async function findTableFile<Folder extends { readonly fsPath: string }>(
  folders: readonly Folder[],
  named: string,
): Promise<FoundTable<Folder>> {
  for (const folder of folders) {
    const { fsPath: root } = folder;
    const below = path.isAbsolute(named) ? path.relative(root, named) : named;
    const real = namesFile(below)
      ? await new DiskFolder(root, root, []).findFile(below).catch(() => undefined)
      : undefined;
    if (real !== undefined) {
      return { folder, below, real };
    }
  }
  throw new UserError(
    message(
      'There is no findings file "{0}" in the folders of this window. Give the path of a CSV, TSV, JSON, NDJSON or SARIF file from such a folder, or the ID of a report.',
      plainText(named, 100),
    ),
    'notFound',
  );
}
