import * as path from 'node:path';
import * as vscode from 'vscode';
import { plainText } from '../../base/text/plainText';
import { UserError } from '../../base/userError';
import { DiskFolder } from '../../workbench/diskFolder';

const { t } = vscode.l10n;

/** Whether a text names a file of findings rather than a report, whose id has no dot. */
export function namesFile(text: string): boolean {
  return /\.(csv|tsv|json|ndjson|jsonl|sarif)(\.gz)?$/i.test(text);
}

/**
 * Finds the findings file that a language model names: by its path from a folder of the workspace, or an absolute one in
 * such a folder. Neither `..` nor a link leads out of it.
 * @throws UserError if there is none.
 */
export async function findWorkspaceTable(named: string): Promise<vscode.Uri> {
  for (const { uri } of vscode.workspace.workspaceFolders ?? []) {
    if (uri.scheme !== 'file') {
      continue;
    }
    const below = path.isAbsolute(named) ? path.relative(uri.fsPath, named) : named;
    const isThere = await new DiskFolder(uri.fsPath, uri.path, []).isFile(below).catch(() => false);
    if (isThere && namesFile(below)) {
      return vscode.Uri.joinPath(uri, ...below.split(path.sep));
    }
  }
  throw new UserError(
    t(
      'There is no findings file "{0}" in the folders of this window. Give the path of a CSV, TSV, JSON, NDJSON or SARIF file from such a folder, or the ID of a report.',
      plainText(named, 100),
    ),
    'notFound',
  );
}
