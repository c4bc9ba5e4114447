import * as path from 'node:path';
import * as vscode from 'vscode';
import { reportScheme, reportTableId } from '../contributions';

const plain = 'file=';
const pretty = 'pretty=';

/**
 * The URI of the read-only document of a file that this extension stores, such as a report. Its path is the
 * name of the file alone, because breadcrumbs show the folders of a path; the query has the path of the file.
 * @param options `isPretty`: the document shows JSON formatted over several lines.
 */
export function storedFileUri(file: string, { isPretty = false } = {}): vscode.Uri {
  return vscode.Uri.from({
    scheme: reportScheme,
    path: `/${path.basename(file)}`,
    query: (isPretty ? pretty : plain) + file,
  });
}

/** Whether a document shows formatted JSON, see `storedFileUri`. */
export function isPrettyUri({ scheme, query }: vscode.Uri): boolean {
  return scheme === reportScheme && query.startsWith(pretty);
}

/**
 * Closes the tables of files that are to be removed: Windows keeps a file, and the folders that it is in, while a table
 * reads it. @param isRemoved whether a file is one of them, by its absolute path
 */
export async function closeTables(isRemoved: (file: string) => boolean): Promise<void> {
  const { tabGroups } = vscode.window;
  const tabs = tabGroups.all
    .flatMap((group) => group.tabs)
    .filter(({ input }) => {
      const isTable = input instanceof vscode.TabInputCustom && input.viewType === reportTableId;
      const file = isTable ? localPath(input.uri) : undefined;
      return file !== undefined && isRemoved(file);
    });
  const preserveFocus = true;
  await tabGroups.close(tabs, preserveFocus);
}

/** The absolute path of a local file, or of a file that this extension stores; `undefined` for other documents. */
export function localPath(uri: vscode.Uri): string | undefined {
  switch (uri.scheme) {
    case 'file':
      return uri.fsPath;
    case reportScheme: {
      const file = uri.query.slice(uri.query.indexOf('=') + 1);
      // A path that leads elsewhere than it seems is none of ours.
      return path.resolve(file) === file ? vscode.Uri.file(file).fsPath : undefined;
    }
    default:
      return undefined;
  }
}
