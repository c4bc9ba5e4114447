import { realpath, stat } from 'node:fs/promises';
import * as path from 'node:path';
import { parseArgs } from 'node:util';

/** What the server may read: nothing outside of it, wherever links lead. All paths are absolute and without links. */
export interface ServerFolders {
  /** The folder in which the extension keeps reports, known issues and lists of CVEs. */
  readonly storage: string;
  /** The folders of the workspace that was named, as an agent and the machine write them. */
  readonly workspace: readonly { readonly fsPath: string }[];
  /** Where the files of reports are, if a user has chosen another folder than the one of the extension. */
  readonly reports: string | undefined;
  /** The file with the known issues; it may not exist. */
  readonly known: string;
}

export const serverUsage = [
  'Usage: launcher.cjs [--folder PATH]... [--reports PATH] [--known FILE]',
  '',
  '--folder PATH   a folder of the workspace, whose findings files can be read',
  '--reports PATH  the folder of the setting scorecard.reports.folder',
  '--known FILE    the file with known issues, if it is one of the workspace',
].join('\n');

/** The file with known issues in the storage folder. */
const ownKnownFile = 'known-issues.sarif';

/**
 * @param storage the folder of the extension, in which its launcher is.
 * @throws Error that says what is wrong with the arguments, and what to do
 */
export async function readServerArguments(
  storage: string,
  args: readonly string[],
): Promise<ServerFolders> {
  const { values } = parseArgs({
    args: [...args],
    options: {
      folder: { type: 'string', multiple: true, default: [] },
      reports: { type: 'string' },
      known: { type: 'string' },
    },
  });
  const workspace = [];
  for (const each of values.folder) {
    workspace.push({ fsPath: await existingFolder(each) });
  }
  const reports = values.reports === undefined ? undefined : await existingFolder(values.reports);
  const own = await existingFolder(storage);
  const known = path.resolve(values.known ?? path.join(own, ownKnownFile));
  return { storage: own, workspace, reports, known };
}

async function existingFolder(folder: string): Promise<string> {
  const real = await realpath(folder).catch(() => undefined);
  if (real === undefined || !(await stat(real)).isDirectory()) {
    throw new Error(
      `There is no folder ${JSON.stringify(folder)}. Copy the MCP configuration again in Scorecard Explorer, or correct the path.`,
    );
  }
  return path.resolve(real);
}

/**
 * The absolute path of a file without links, if it is below one of the folders that may be read; `undefined` if it is
 * elsewhere, or not there.
 */
export async function findReadableFile(
  { storage, workspace, reports }: ServerFolders,
  file: string,
): Promise<string | undefined> {
  const real = await realpath(file).catch(() => undefined);
  const roots = [storage, ...(reports === undefined ? [] : [reports])];
  const isReadable = [...roots, ...workspace.map(({ fsPath }) => fsPath)].some(
    (root) => real !== undefined && isBelow(root, real),
  );
  return isReadable && real !== undefined && (await stat(real)).isFile() ? real : undefined;
}

function isBelow(root: string, file: string): boolean {
  const relative = path.relative(root, file);
  return !path.isAbsolute(relative) && !relative.split(path.sep).includes('..');
}
