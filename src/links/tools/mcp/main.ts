import { readFile } from 'node:fs/promises';
import * as path from 'node:path';
import { serveStdio } from '@modelcontextprotocol/server/stdio';
import { silentLogger } from '../../../base/logger';
import { AgentFiles } from './agentFiles';
import { type LocalToolName, localTools } from './localTools';
import { createServer, type DeclaredTool } from './server';
import { readServerArguments, serverUsage } from './serverArguments';

/*
 * The server for agents of other makes: the entry point of a bundle of its own, which runs in Node without VS Code. The
 * launcher that `writeLauncher` makes calls `serve`. Messages go to stdout, so nothing else is written there.
 */

/** Of package.json: its texts for models are those of the tools of chat, too. */
interface Manifest {
  readonly version: string;
  readonly contributes: {
    readonly languageModelTools: readonly {
      readonly name: LocalToolName;
      readonly displayName: string;
      readonly modelDescription: string;
      readonly inputSchema: DeclaredTool['inputSchema'];
    }[];
  };
}

/** What the list of reports says of itself: without a window there are no scorecards of its settings. */
const listDescription =
  'Lists the reports of Scorecard Explorer on this machine with their ids, kinds, states and times, the newest first, and the folders whose findings files can be read. Call it first where a report is meant: the other tools need its id. They also take the path of a findings file of such a folder. Sends no request.';

/** Serves on stdin and stdout until the client ends. @param storage the folder of the extension. @param args of the user */
export async function serve(storage: string, args: readonly string[]): Promise<void> {
  const folders = await readServerArguments(storage, args).catch((error: unknown) => {
    process.stderr.write(`${(error as Error).message}\n\n${serverUsage}\n`);
    process.exit(2);
  });
  const files = new AgentFiles(folders, path.join(__dirname, 'engineWorker.js'), silentLogger);
  const run = localTools(files, folders);
  const { version, tools } = await readTools(path.join(__dirname, '..'), Object.keys(run));
  endWithClient(files);
  serveStdio(() => createServer(version, tools, (name, input, signal) => run[name](input, signal)));
}

/** How long open files are closed at most, in milliseconds, before this process ends anyway. */
const longestCloseMs = 5_000;

/** Ends this process when its client is gone: nothing else would. */
function endWithClient(files: AgentFiles): void {
  let isEnding = false;
  const end = () => {
    if (isEnding) {
      return;
    }
    isEnding = true;
    setTimeout(() => process.exit(0), longestCloseMs);
    files
      .close()
      .finally(() => process.exit(0))
      .catch(() => undefined);
  };
  process.stdin.on('end', end);
  process.stdin.on('close', end);
  process.stdout.on('error', end);
  process.on('SIGTERM', end);
  process.on('SIGINT', end);
}

async function readTools(
  extension: string,
  names: readonly string[],
): Promise<{ version: string; tools: DeclaredTool[] }> {
  const read = async (name: string) =>
    JSON.parse(await readFile(path.join(extension, name), 'utf8')) as unknown;
  const { version, contributes } = (await read('package.json')) as Manifest;
  const texts = (await read('package.nls.json')) as Readonly<Record<string, string>>;
  const tools = contributes.languageModelTools
    .filter(({ name }) => names.includes(name))
    .map(({ name, displayName, modelDescription, inputSchema }) => ({
      name,
      title: texts[displayName.slice(1, -1)] ?? name,
      description: name === 'scorecard_list' ? listDescription : modelDescription,
      inputSchema,
    }));
  return { version, tools };
}
