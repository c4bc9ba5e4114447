import * as path from 'node:path';
import * as vscode from 'vscode';
import { type Agent, agents } from '../../base/agents';
import type { ArgumentOf } from '../../commands';
import { localDisk, onDisk } from '../../files/disk';
import { makeFolders } from '../../files/files';
import { writeWhole } from '../../files/wholeFile';
import { writeToClipboard } from '../../workbench/clipboard';
import { type CommandCall, type Commands, dismissed } from '../../workbench/commandRunner';
import { pickOne } from '../../workbench/pick';
import { reportsFolder } from '../../workbench/settings';
import { formatConfiguration, launcherScript, serverCommand } from './mcpConfiguration';

const { t } = vscode.l10n;

interface McpDeps {
  /** The folder in which this extension keeps its files. */
  readonly storage: string;
  /** The folder of the bundles. */
  readonly bundles: vscode.Uri;
  /** The file in which known issues are kept. */
  readonly knownFile: () => string;
}

/** The command that leads agents of other makes to our server. */
export function mcpCommands(deps: McpDeps) {
  return {
    'scorecard.copyMcpConfiguration': async (call) => {
      const agent = await chosenAgent(call);
      if (!agent) {
        return dismissed;
      }
      const launcher = await writeLauncher(deps);
      const text = formatConfiguration(
        agent,
        serverCommand(process.execPath, launcher, named(deps)),
      );
      await writeToClipboard(text, t('Copied. Paste it into {0}', fileOf(agent)));
      return text;
    },
  } satisfies Commands;
}

async function chosenAgent({
  by,
  args,
}: CommandCall<ArgumentOf<'scorecard.copyMcpConfiguration'>>): Promise<Agent | undefined> {
  if (args.agent !== undefined || by === 'api') {
    return args.agent ?? 'other';
  }
  const labels: Readonly<Record<Agent, string>> = {
    vscode: 'VS Code',
    cursor: 'Cursor',
    windsurf: 'Windsurf',
    claude: 'Claude',
    other: t('Another Agent'),
  };
  return pickOne(
    agents.map((agent) => ({
      label: labels[agent],
      description: fileOf(agent),
      ...(agent === 'vscode' && {
        detail: t('For other windows: chat in this one has the same tools already.'),
      }),
      value: agent,
    })),
    {
      title: t('Copy MCP Configuration'),
      placeHolder: t('Which agent reads your reports and the findings files of this workspace?'),
    },
  );
}

/** Where an agent looks for its servers. */
function fileOf(agent: Agent): string {
  switch (agent) {
    case 'vscode':
      return '.vscode/mcp.json';
    case 'cursor':
      return '~/.cursor/mcp.json';
    case 'windsurf':
      return '~/.codeium/windsurf/mcp_config.json';
    case 'claude':
      return t('claude_desktop_config.json or .mcp.json');
    case 'other':
      return t('the file in which it lists MCP servers');
  }
}

/** Writes the script that agents start. @returns its path. @throws FileError */
async function writeLauncher({ storage, bundles }: McpDeps): Promise<string> {
  const launcher = path.join(storage, 'mcp', 'launcher.cjs');
  const script = launcherScript(path.dirname(bundles.fsPath));
  await onDisk(() => makeFolders(path.dirname(launcher)));
  await writeWhole(localDisk, { path: launcher, replace: true }, (put) => put(script));
  return launcher;
}

function named({ storage, knownFile }: McpDeps) {
  const known = knownFile();
  const reports = reportsFolder();
  return {
    workspace: (vscode.workspace.workspaceFolders ?? [])
      .filter(({ uri }) => uri.scheme === 'file')
      .map(({ uri }) => uri.fsPath),
    ...(reports !== '' && { reports }),
    ...(path.dirname(known) !== storage && { known }),
  };
}
