import type { Agent } from '../../base/agents';

/*
 * What agents of other makes are told to start the server. Nothing here knows VS Code.
 */

/** How an agent starts the server. */
export interface ServerCommand {
  readonly command: string;
  readonly args: readonly string[];
  readonly env: Readonly<Record<string, string>>;
}

/** What the server may read, see `ServerFolders`. */
export interface NamedFolders {
  /** The folders of the workspace. */
  readonly workspace: readonly string[];
  /** Absent where reports are kept in the folder of the extension. */
  readonly reports?: string | undefined;
  /** Absent for the own file of the user. */
  readonly known?: string | undefined;
}

/** The name of the server in the file of an agent. */
const serverName = 'scorecard-explorer';

/** The command that starts the launcher. @param node the program that runs it */
export function serverCommand(
  node: string,
  launcher: string,
  { workspace, reports, known }: NamedFolders,
): ServerCommand {
  return {
    command: node,
    args: [
      launcher,
      ...workspace.flatMap((folder) => ['--folder', folder]),
      ...(reports === undefined ? [] : ['--reports', reports]),
      ...(known === undefined ? [] : ['--known', known]),
    ],
    // The program is VS Code's own, which is a Node with this: a machine may have no other. A Node ignores it.
    env: { ELECTRON_RUN_AS_NODE: '1' },
  };
}

/** What is pasted into the file of an agent. */
export function formatConfiguration(agent: Agent, server: ServerCommand): string {
  const configuration =
    agent === 'vscode'
      ? { servers: { [serverName]: { type: 'stdio', ...server } } }
      : { mcpServers: { [serverName]: server } };
  return `${JSON.stringify(configuration, null, 2)}\n`;
}

/**
 * The script that agents start. It stays where it is when the extension is updated, and finds its newest version beside
 * the one that wrote it.
 * @param extension the absolute path of the folder of the extension.
 */
export function launcherScript(extension: string): string {
  return `'use strict';
// Written by Scorecard Explorer. It starts the newest version of the extension that is installed.
const fs = require('node:fs');
const path = require('node:path');

const extension = ${JSON.stringify(extension)};
const version = /-(\\d+)\\.(\\d+)\\.(\\d+)/;
const nameOf = (folder) => path.basename(folder).replace(/-\\d+\\.\\d+\\.\\d+.*$/, '');
const numbersOf = (folder) => (version.exec(path.basename(folder)) ?? []).slice(1).map(Number);
const serverIn = (folder) => path.join(folder, 'dist', 'mcpServer.js');

function compare(one, other) {
  const [first, second] = [numbersOf(one), numbersOf(other)];
  return first.map((each, at) => each - (second[at] ?? 0)).find((each) => each !== 0) ?? 0;
}

function installed() {
  const beside = path.dirname(extension);
  try {
    return fs
      .readdirSync(beside)
      .map((name) => path.join(beside, name))
      .filter((folder) => version.test(path.basename(folder)) && nameOf(folder) === nameOf(extension));
  } catch {
    return [];
  }
}

const newest = [extension, ...installed()]
  .filter((folder) => fs.existsSync(serverIn(folder)))
  .sort(compare)
  .at(-1);
if (newest === undefined) {
  process.stderr.write(
    'Scorecard Explorer is no longer installed where it was. Install it, then copy the MCP configuration again.\\n',
  );
  process.exit(1);
}
require(serverIn(newest)).serve(path.dirname(__dirname), process.argv.slice(2));
`;
}
