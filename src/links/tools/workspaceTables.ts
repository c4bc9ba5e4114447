import * as path from 'node:path';
import * as vscode from 'vscode';
import { findTableFile } from './answers/findTableFile';

/** Finds the findings file that a language model names in the folders of this window. @throws as `findTableFile` does */
export async function findWorkspaceTable(named: string): Promise<vscode.Uri> {
  const folders = (vscode.workspace.workspaceFolders ?? [])
    .map(({ uri }) => uri)
    .filter(({ scheme }) => scheme === 'file');
  const { folder, below } = await findTableFile(folders, named);
  return vscode.Uri.joinPath(folder, ...below.split(path.sep));
}
