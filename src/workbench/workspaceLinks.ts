import type * as vscode from 'vscode';
import { codeLocations } from '../vocabulary/codeLocation';
import type { FindingMembers } from '../vocabulary/memberTexts';
import { recordAsset } from '../vocabulary/recordAsset';
import type { RecordLinks } from '../summary/shownRecord';
import { labelOfFile, type WorkspaceFile, WorkspaceFiles } from './workspaceFiles';

/** Where a finding leads in the workspace. */
export interface WorkspaceLinks {
  readonly file?: WorkspaceFile;
  /** Without a file: what to search for. */
  readonly asset?: string;
}

export interface LinkOptions {
  /** The value that is known as the asset of the finding. */
  readonly asset?: string | undefined;
  /** The file with the finding: those that it names may be beside it. */
  readonly report?: vscode.Uri;
  /** Whether the asset is wanted even if there is a file. */
  readonly onlyAsset?: boolean;
}

/** Where a finding leads in the workspace. @param members secret-like values are masked. */
export async function findWorkspaceLinks(
  members: FindingMembers,
  { asset, report, onlyAsset = false }: LinkOptions = {},
): Promise<WorkspaceLinks> {
  const file = onlyAsset
    ? undefined
    : await new WorkspaceFiles(report).find(codeLocations(members));
  if (file) {
    return { file };
  }
  const searched = recordAsset(members, asset);
  return searched === undefined ? {} : { asset: searched };
}

export function shownLinks({ file, ...asset }: WorkspaceLinks): RecordLinks {
  return file ? { file: labelOfFile(file) } : asset;
}
