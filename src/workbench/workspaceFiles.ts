import * as fs from 'node:fs/promises';
import * as path from 'node:path';
import * as vscode from 'vscode';
import { plainText } from '../base/text/plainText';
import type { CodeLocation } from '../engine/values/codeLocation';
import { lineOfPackage, pathsBelow } from './codePaths';

/** A file of the workspace that a finding names. */
export interface WorkspaceFile {
  readonly uri: vscode.Uri;
  /** From 1, as its column. */
  readonly line?: number;
  readonly column?: number;
}

/** Lock files are that large; a larger one is opened without a line. */
const maxBytesOfManifest = 32 * 1024 ** 2;

/** Whether a folder is open, in which files can be found. */
export function hasWorkspace(): boolean {
  return (vscode.workspace.workspaceFolders ?? []).length > 0;
}

/**
 * Finds files of the workspace, never one outside it. What it has found is remembered, so one of these serves
 * one question.
 */
export class WorkspaceFiles {
  private readonly uris = new Map<string, Promise<vscode.Uri | undefined>>();
  private readonly lines = new Map<string, Promise<number | undefined>>();
  private readonly roots = new Map<string, Promise<string>>();

  /** @param report the file that names the others: they may be beside it. */
  constructor(private readonly report?: vscode.Uri) {}

  /** The first of several places that is in the workspace. Never rejects. */
  async find(locations: readonly CodeLocation[]): Promise<WorkspaceFile | undefined> {
    for (const location of locations) {
      const found = await this.locate(location);
      if (found) {
        return found;
      }
    }
    return undefined;
  }

  private async locate(location: CodeLocation): Promise<WorkspaceFile | undefined> {
    const { line, column, package: named, isGuess = false } = location;
    const uri = await remembered(this.uris, location.path, () => this.uriOf(location.path));
    if (!uri || line !== undefined || named === undefined) {
      return (
        uri && { uri, ...(line !== undefined && { line }), ...(column !== undefined && { column }) }
      );
    }
    const key = `${uri.toString()} ${named}`;
    const found = await remembered(this.lines, key, () =>
      lineInFile(uri, named).catch(() => undefined),
    );
    return found === undefined ? (isGuess ? undefined : { uri }) : { uri, line: found };
  }

  private async uriOf(file: string): Promise<vscode.Uri | undefined> {
    for (const folder of vscode.workspace.workspaceFolders ?? []) {
      for (const below of pathsBelow(file, {
        path: folder.uri.path,
        nearby: this.nearby(folder.uri),
      })) {
        const uri = vscode.Uri.joinPath(folder.uri, below);
        if (await this.isFileIn(folder.uri, below).catch(() => false)) {
          return uri;
        }
      }
    }
    return undefined;
  }

  /** The names of the folders from a folder of the workspace to the report. */
  private nearby({ scheme, authority, path: folder }: vscode.Uri): readonly string[] {
    const { report } = this;
    if (report?.scheme !== scheme || report.authority !== authority) {
      return [];
    }
    const below = path.posix.relative(folder, path.posix.dirname(report.path));
    return below === '' || below.startsWith('..') ? [] : below.split('/');
  }

  /** Whether there is a file below a folder, and no symbolic link on the way that leads out of it. */
  private async isFileIn(folder: vscode.Uri, below: string): Promise<boolean> {
    if (folder.scheme === 'file') {
      const root = await remembered(this.roots, folder.fsPath, () => fs.realpath(folder.fsPath));
      const file = await fs.realpath(path.join(folder.fsPath, below));
      const isInside = !path.relative(root, file).split(path.sep).includes('..');
      const isOnDisk = !path.isAbsolute(path.relative(root, file));
      return isInside && isOnDisk && (await fs.stat(file)).isFile();
    }
    const parts = below.split('/');
    for (const [at] of parts.entries()) {
      // Where a link leads is unknown in other file systems, so none is followed.
      const { type } = await vscode.workspace.fs.stat(
        vscode.Uri.joinPath(folder, ...parts.slice(0, at + 1)),
      );
      const isLast = at === parts.length - 1;
      if (type !== (isLast ? vscode.FileType.File : vscode.FileType.Directory)) {
        return false;
      }
    }
    return true;
  }
}

async function lineInFile(uri: vscode.Uri, named: string): Promise<number | undefined> {
  const { size } = await vscode.workspace.fs.stat(uri);
  if (size > maxBytesOfManifest) {
    return undefined;
  }
  return lineOfPackage(Buffer.from(await vscode.workspace.fs.readFile(uri)).toString(), named);
}

function remembered<T>(
  all: Map<string, Promise<T>>,
  key: string,
  make: () => Promise<T>,
): Promise<T> {
  const made = all.get(key) ?? make();
  all.set(key, made);
  return made;
}

/** Its path in the workspace with its line, such as `src/app.ts:42`. Plain text. */
export function labelOfFile({ uri, line }: WorkspaceFile): string {
  const file = vscode.workspace.asRelativePath(uri);
  return plainText(line === undefined ? file : `${file}:${line}`, 300);
}

/** Opens a file at its line, in the editor that VS Code has for it. */
export async function openFile({ uri, line = 1, column = 1 }: WorkspaceFile): Promise<void> {
  const position = new vscode.Position(line - 1, column - 1);
  const selection = new vscode.Range(position, position);
  await vscode.commands.executeCommand('vscode.open', uri, { selection });
}

/** Shows the Search view with a text, and searches for it. */
export async function searchInFiles(query: string): Promise<void> {
  await vscode.commands.executeCommand('workbench.action.findInFiles', {
    query,
    triggerSearch: true,
    isRegex: false,
    matchWholeWord: false,
    isCaseSensitive: false,
  });
}
