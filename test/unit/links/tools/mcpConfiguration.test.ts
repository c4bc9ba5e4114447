import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import fs from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import {
  formatConfiguration,
  launcherScript,
  serverCommand,
} from '../../../../src/links/tools/mcpConfiguration';

describe('The MCP configuration', () => {
  let root = '';

  before(() => {
    root = fs.mkdtempSync(path.join(os.tmpdir(), 'scorecard-launcher-'));
  });

  after(() => {
    fs.rmSync(root, { recursive: true, force: true });
  });

  /** Installs an extension whose server prints its version and what it is given. */
  function install(name: string): string {
    const folder = path.join(root, 'extensions', name);
    fs.mkdirSync(path.join(folder, 'dist'), { recursive: true });
    const script = `exports.serve = (...args) => console.log(JSON.stringify([${JSON.stringify(name)}, ...args]));`;
    fs.writeFileSync(path.join(folder, 'dist/mcpServer.js'), script);
    return folder;
  }

  function launch(extension: string) {
    const launcher = path.join(root, 'storage/mcp/launcher.cjs');
    fs.mkdirSync(path.dirname(launcher), { recursive: true });
    fs.writeFileSync(launcher, launcherScript(extension));
    const { stdout, stderr, status } = spawnSync(process.execPath, [launcher, '--folder', 'a b'], {
      encoding: 'utf8',
    });
    return { stdout, stderr, status };
  }

  it('The MCP configuration has the form that each agent reads', () => {
    const server = serverCommand('/node', '/launcher.cjs', {
      workspace: ['/a', '/b'],
      reports: '/reports',
      known: '/a/known.sarif',
    });
    const args = '/launcher.cjs --folder /a --folder /b --reports /reports --known /a/known.sarif';
    const started = { command: '/node', args: args.split(' '), env: { ELECTRON_RUN_AS_NODE: '1' } };
    assert.deepEqual(JSON.parse(formatConfiguration('vscode', server)), {
      servers: { 'scorecard-explorer': { type: 'stdio', ...started } },
    });
    for (const agent of ['cursor', 'windsurf', 'claude', 'other'] as const) {
      assert.deepEqual(JSON.parse(formatConfiguration(agent, server)), {
        mcpServers: { 'scorecard-explorer': started },
      });
    }
  });

  it('The MCP configuration starts the newest version of the extension after an update', () => {
    const own = install('tools.explorer-0.9.0');
    install('tools.explorer-0.10.0');
    install('tools.explorer-more-2.0.0');
    install('others.explorer-3.0.0');
    const storage = path.join(fs.realpathSync(root), 'storage');
    const started = (name: string) => `${JSON.stringify([name, storage, ['--folder', 'a b']])}\n`;
    assert.equal(launch(own).stdout, started('tools.explorer-0.10.0'));
    fs.rmSync(own, { recursive: true });
    assert.equal(launch(own).stdout, started('tools.explorer-0.10.0'));
    const unversioned = install('explorer');
    assert.equal(launch(unversioned).stdout, started('explorer'));
    fs.rmSync(path.join(root, 'extensions'), { recursive: true });
    const { stderr, status } = launch(own);
    assert.equal(status, 1);
    assert.match(stderr, /no longer installed.*copy the MCP configuration again/);
  });
});
