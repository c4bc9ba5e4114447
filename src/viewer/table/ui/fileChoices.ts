import { statSync } from 'node:fs';
import * as path from 'node:path';
import * as vscode from 'vscode';
import type { EncodingChoice } from '../../../engine';
import { type Encoding, encodings } from '../encodings';
import { localPath } from '../../../workbench/storedFiles';

interface FileChoice {
  readonly encoding?: Encoding | undefined;
  /** The list of a JSON document that is shown. */
  readonly list?: string | undefined;
}

/** What was chosen for the files of this window; forgotten with it. */
export class FileChoices {
  /** By what tells a file from others, and from a later one at the same path. */
  private readonly chosen = new Map<string, FileChoice>();

  of(uri: vscode.Uri): FileChoice {
    return this.chosen.get(identifyFile(uri)) ?? {};
  }

  choose(uri: vscode.Uri, choice: FileChoice): void {
    this.chosen.set(identifyFile(uri), { ...this.of(uri), ...choice });
  }

  /** The encoding that was chosen; otherwise the setting `files.encoding` where the bytes do not tell. */
  findEncoding(uri: vscode.Uri): EncodingChoice {
    const chosen = this.of(uri).encoding;
    const usual = chosen ? undefined : configured(uri);
    return {
      ...(chosen && { chosen: chosen.decoder }),
      ...(usual && { fallback: usual.decoder }),
    };
  }
}

function identifyFile(uri: vscode.Uri): string {
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
