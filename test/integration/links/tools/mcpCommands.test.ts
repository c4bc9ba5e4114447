import * as assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import * as vscode from 'vscode';
import { command, isolate } from '../../helpers';
import { pickLabel, takeQuestions } from '../../window';

interface Server {
  readonly command: string;
  readonly args: readonly string[];
  readonly env: Readonly<Record<string, string>>;
}

const initialize = {
  jsonrpc: '2.0',
  id: 1,
  method: 'initialize',
  params: {
    protocolVersion: '2025-06-18',
    capabilities: {},
    clientInfo: { name: 'test', version: '1' },
  },
};

describe('Copy MCP Configuration', () => {
  isolate();

  it('Copy MCP Configuration copies a command that starts the server', async () => {
    const copied = await command('scorecard.copyMcpConfiguration', { agent: 'vscode' });
    assert.equal(await vscode.env.clipboard.readText(), copied);
    const { servers } = JSON.parse(copied) as { servers: Record<string, Server> };
    const { 'scorecard-explorer': server } = servers;
    assert.ok(server);
    const child = spawn(server.command, server.args, { env: { ...process.env, ...server.env } });
    const answered = new Promise<string>((resolve) => {
      child.stdout.once('data', (data: Buffer) => {
        resolve(String(data));
      });
    });
    child.stdin.write(`${JSON.stringify(initialize)}\n`);
    const { result } = JSON.parse(await answered) as {
      result: { protocolVersion: string; serverInfo: { name: string } };
    };
    assert.deepEqual(
      [result.protocolVersion, result.serverInfo.name],
      ['2025-06-18', 'scorecard-explorer'],
    );
    const ended = new Promise((resolve) => child.once('close', resolve));
    child.stdin.end();
    assert.equal(await ended, 0);
  });

  it('Copy MCP Configuration asks a user for the agent, whose file has another form', async () => {
    pickLabel('Cursor');
    await vscode.commands.executeCommand('scorecard.copyMcpConfiguration');
    assert.equal(takeQuestions().length, 1);
    const copied = JSON.parse(await vscode.env.clipboard.readText()) as {
      mcpServers: Record<string, Server>;
    };
    const { 'scorecard-explorer': server } = copied.mcpServers;
    const folders = vscode.workspace.workspaceFolders ?? [];
    assert.deepEqual(
      server?.args.slice(1),
      folders.flatMap(({ uri }) => ['--folder', uri.fsPath]),
    );
  });
});
