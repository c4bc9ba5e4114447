import * as vscode from 'vscode';
import { UserError } from '../base/userError';
import { maskSecrets } from '../vocabulary/secretFields';
import { FindingNode } from '../service/findings/ui/findingItems';
import type { FindingsFeature } from '../service/findings/ui/findingsFeature';
import { type CommandCall, type Commands, dismissed } from '../workbench/commandRunner';
import { showInformation } from '../workbench/messages';
import {
  hasWorkspace,
  openFile,
  searchInFiles,
  type WorkspaceFile,
} from '../workbench/workspaceFiles';
import { findWorkspaceLinks, type WorkspaceLinks } from '../workbench/workspaceLinks';
import { findFinding } from './findingLinks';
import { linksOfRow } from '../viewer/table/ui/rowLinks';
import type { StoredFiles } from '../viewer/table/ui/storedFile';
import { chosenRow } from '../viewer/table/ui/tableCommands';
import type { TableEditor } from '../viewer/table/ui/tableEditor';
import type { ArgumentOf } from '../commands';

const { t } = vscode.l10n;

/** Dependencies of the commands between findings and the workspace. */
interface WorkspaceLinkDeps extends Pick<FindingsFeature, 'documents' | 'findings'> {
  readonly stored: StoredFiles;
  readonly editor: TableEditor;
}

/** The commands that lead from findings, of the service or in a table, to files of the workspace. */
export function workspaceLinkCommands(deps: WorkspaceLinkDeps) {
  return {
    'scorecard.openFile': (call) => openNamedFile(deps, call),
    'scorecard.findAsset': (call) => findAsset(deps, call),
  } satisfies Commands;
}

/** A file of the workspace, for a program. */
interface OpenedFile {
  /** Absolute, or the URI of a file that is not on this machine. */
  readonly path: string;
  readonly line?: number;
  readonly column?: number;
}

/** Opens the file that a finding names at its line. */
async function openNamedFile(
  deps: WorkspaceLinkDeps,
  call: CommandCall<ArgumentOf<'scorecard.openFile'>>,
): Promise<OpenedFile | undefined> {
  const links = await linksOfCall(deps, call, t('Open File in Workspace'));
  if (!links) {
    return dismissed;
  }
  const { file, asset } = links;
  if (!file) {
    const text = t('This finding names no file in the workspace.');
    if (call.by === 'api') {
      throw new UserError(text, 'notFound');
    }
    const search = {
      title: t('Find Asset in Workspace'),
      run: () => searchInFiles(asset ?? ''),
    };
    showInformation(text, asset === undefined ? [] : [search]);
    return dismissed;
  }
  await openFile(file);
  return describeFile(file);
}

function describeFile({ uri, ...place }: WorkspaceFile): OpenedFile {
  return { path: uri.scheme === 'file' ? uri.fsPath : uri.toString(), ...place };
}

/** Searches the workspace for the asset of a finding. */
async function findAsset(
  deps: WorkspaceLinkDeps,
  call: CommandCall<ArgumentOf<'scorecard.openFile'>>,
): Promise<{ readonly query: string } | undefined> {
  const links = await linksOfCall(deps, call, t('Find Asset in Workspace'), { onlyAsset: true });
  if (!links) {
    return dismissed;
  }
  const { asset } = links;
  if (asset === undefined) {
    throw new UserError(
      t('This finding names no asset, such as a host or a package, to search for.'),
      'notFound',
    );
  }
  await searchInFiles(asset);
  return { query: asset };
}

/** Where the finding of a call leads: a row of a table, or a finding of the service. */
async function linksOfCall(
  deps: WorkspaceLinkDeps,
  call: CommandCall<ArgumentOf<'scorecard.openFile'>>,
  title: string,
  options: { readonly onlyAsset?: boolean } = {},
): Promise<WorkspaceLinks | undefined> {
  if (!hasWorkspace()) {
    throw new UserError(
      t('No folder is open. Open the folder with the code, then try again.'),
      'badRequest',
    );
  }
  if (isOfService(deps, call)) {
    const { entry } = await findFinding(deps, call);
    return findWorkspaceLinks(maskSecrets(entry), options);
  }
  const chosen = await chosenRow(deps, call, title);
  return (
    chosen &&
    deps.editor.withTable(chosen.file, (document) =>
      document.forProgram((table) =>
        linksOfRow(table, chosen.row - 1, { report: chosen.file, ...options }),
      ),
    )
  );
}

/** Whether a call is about a finding of the service, not about a row. */
function isOfService(
  { documents }: WorkspaceLinkDeps,
  { by, args, node, uri }: CommandCall<ArgumentOf<'scorecard.openFile'>>,
) {
  return (
    node instanceof FindingNode ||
    uri?.scheme === documents.scheme ||
    args.number !== undefined ||
    (by === 'user' && !uri && !node)
  );
}
