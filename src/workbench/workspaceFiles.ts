import * as path from 'node:path';
import * as vscode from 'vscode';
import { plainPath } from '../base/text/plainText';
import type { CodeLocation } from '../vocabulary/codeLocation';
import { CodeFiles, type SearchedFolder } from './codeFiles';
import { DiskFolder, maxBytesOfManifest } from './diskFolder';

export interface WorkspaceFile {
  readonly uri: vscode.Uri;
  /** From 1, as its column. */
  readonly line?: number;
  readonly column?: number;
}

/** Whether a folder is open, in which files can be found. */
export function hasWorkspace(): boolean {
  return (vscode.workspace.workspaceFolders ?? []).length > 0;
}

/**
 * Finds files of the workspace, never one outside it. What it has found is remembered, so one of these serves
 * one question.
 */
export class WorkspaceFiles {
  private readonly files: CodeFiles<WorkspaceFolder>;

  /** @param report the file that names the others: they may be beside it. */
  constructor(report?: vscode.Uri) {
    const folders = vscode.workspace.workspaceFolders ?? [];
    this.files = new CodeFiles(folders.map(({ uri }) => searched(uri, nearby(uri, report))));
  }

  /** Whether it can still find what it has not found before. */
  get hasLooksLeft(): boolean {
    return this.files.hasLooksLeft;
  }

  /** The first of several places that is in the workspace. Never rejects. */
  async find(locations: readonly CodeLocation[]): Promise<WorkspaceFile | undefined> {
    const found = await this.files.find(locations);
    if (!found) {
      return undefined;
    }
    const { folder, below, ...place } = found;
    return { uri: vscode.Uri.joinPath(folder.uri, below), ...place };
  }
}

type WorkspaceFolder = SearchedFolder & { readonly uri: vscode.Uri };

function searched(uri: vscode.Uri, near: readonly string[]): WorkspaceFolder {
  return uri.scheme === 'file'
    ? Object.assign(new DiskFolder(uri.fsPath, uri.path, near), { uri })
    : new RemoteFolder(uri, near);
}

/** The names of the folders from a folder of the workspace to the report. */
function nearby(
  { scheme, authority, path: folder }: vscode.Uri,
  report: vscode.Uri | undefined,
): readonly string[] {
  if (report?.scheme !== scheme || report.authority !== authority) {
    return [];
  }
  const below = path.posix.relative(folder, path.posix.dirname(report.path));
  return below === '' || below.startsWith('..') ? [] : below.split('/');
}

/** A folder in a file system that an extension provides. */
class RemoteFolder implements WorkspaceFolder {
  constructor(
    readonly uri: vscode.Uri,
    readonly nearby: readonly string[],
  ) {}

  get path(): string {
    return this.uri.path;
  }

  async has(name: string): Promise<boolean> {
    await this.stat(name);
    return true;
  }

  async isFile(below: string): Promise<boolean> {
    const parts = below.split('/');
    for (const [at] of parts.entries()) {
      // Where a link leads is unknown in other file systems, so none is followed.
      const { type } = await this.stat(...parts.slice(0, at + 1));
      const isLast = at === parts.length - 1;
      if (type !== (isLast ? vscode.FileType.File : vscode.FileType.Directory)) {
        return false;
      }
    }
    return true;
  }

  async text(below: string): Promise<string | undefined> {
    const { size } = await this.stat(below);
    if (size > maxBytesOfManifest) {
      return undefined;
    }
    const uri = vscode.Uri.joinPath(this.uri, below);
    return Buffer.from(await vscode.workspace.fs.readFile(uri)).toString();
  }

  private stat(...names: readonly string[]): Thenable<vscode.FileStat> {
    return vscode.workspace.fs.stat(vscode.Uri.joinPath(this.uri, ...names));
  }
}

/** Its path in the workspace with its line, such as `src/app.ts:42`. Plain text. */
export function labelOfFile({ uri, line }: WorkspaceFile): string {
  const file = vscode.workspace.asRelativePath(uri);
  return plainPath(line === undefined ? file : `${file}:${line}`);
}

export async function openFile({ uri, line = 1, column = 1 }: WorkspaceFile): Promise<void> {
  const position = new vscode.Position(line - 1, column - 1);
  const selection = new vscode.Range(position, position);
  await vscode.commands.executeCommand('vscode.open', uri, { selection });
}

export async function searchInFiles(query: string): Promise<void> {
  await vscode.commands.executeCommand('workbench.action.findInFiles', {
    query,
    triggerSearch: true,
    isRegex: false,
    matchWholeWord: false,
    isCaseSensitive: false,
  });
}
