import { statSync } from 'node:fs';
import * as path from 'node:path';
import * as vscode from 'vscode';
import type { EncodingChoice } from '../../engine/types';
import { type Encoding, encodings } from '../encodings';
import { localPath } from '../../workbench/storedFiles';

/** The encodings that the files of this window are read in. */
export class FileEncodings {
  /** What was chosen, by the path of the file and what tells it from a later one; forgotten with the window. */
  private readonly chosen = new Map<string, Encoding>();

  choose(uri: vscode.Uri, encoding: Encoding): void {
    this.chosen.set(identityOf(uri), encoding);
  }

  /** What was chosen for a file; otherwise the setting `files.encoding` where its bytes do not tell. */
  choiceFor(uri: vscode.Uri): EncodingChoice {
    const chosen = this.chosen.get(identityOf(uri));
    const usual = chosen ? undefined : configured(uri);
    return {
      ...(chosen && { chosen: chosen.decoder }),
      ...(usual && { fallback: usual.decoder }),
    };
  }
}

/** What tells a file from others, and from a later one at the same path. */
export function identityOf(uri: vscode.Uri): string {
  const file = localPath(uri) ?? uri.fsPath;
  const { ino, birthtimeMs } = statSync(file, { throwIfNoEntry: false }) ?? {};
  return `${ino} ${birthtimeMs} ${file}`;
}

/** The setting `files.encoding`, also as the value for a language such as `[csv]`. */
function configured(uri: vscode.Uri): Encoding | undefined {
  const [languageId = ''] = /[^.]*$/.exec(path.basename(uri.path).replace(/\.gz$/i, '')) ?? [];
  const scope = { uri, languageId: languageId.toLowerCase() };
  const id: unknown = vscode.workspace.getConfiguration('files', scope).get('encoding');
  return encodings.find((encoding) => encoding.id === id);
}
