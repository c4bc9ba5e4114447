import { createHash } from 'node:crypto';
import * as fs from 'node:fs';
import * as path from 'node:path';
import { hostFolder, hostSources, installLock, partialFolder } from './hostLayout';
import { hostNode, unpackBrowser } from './hostParts';
import { withLock } from './installLock';
import { moduleStubs } from './moduleStubs';
import { runNpm } from '../processes';
import { localDisk, renameFile } from '../../../src/files/disk';
import { removeFolder } from '../../../src/files/files';

/** Increase this when the steps below change, so that existing installations are replaced. */
const recipeVersion = 2;

let installed: Promise<void> | undefined;

/**
 * Makes sure that a real VS Code is in the cache: the server and web workbench from code-server, the Node it
 * needs, and on Linux a browser, all from the npm registry. Takes half a minute the first time and no time
 * afterwards. It is built in another folder and moved at the end, so that an installation is either complete
 * or missing.
 */
export function installHost(): Promise<void> {
  installed ??= installOnce();
  return installed;
}

/** Whether the VS Code that tests need is there. */
export function isHostInstalled(): boolean {
  return installedStamp() === expectedStamp();
}

async function installOnce(): Promise<void> {
  const stamp = expectedStamp();
  if (isHostInstalled()) {
    return;
  }
  fs.mkdirSync(path.dirname(installLock), { recursive: true });
  await withLock(
    installLock,
    (owner) => {
      progress(`process ${owner} is installing, waiting for it`);
    },
    async () => {
      if (installedStamp() !== stamp) {
        await install(stamp);
      }
    },
  );
}

async function install(stamp: string): Promise<void> {
  const started = Date.now();
  progress('installing VS Code, Node 24 and a browser from the npm registry (once, about 830 MB)');
  fs.rmSync(partialFolder, { recursive: true, force: true });
  // In separate folders, because npm deletes what it does not know. At once, three take as long as the longest.
  const [server] = await Promise.all([
    installPackages('server'),
    installPackages(''),
    installPackages('browser').then(() => unpackBrowser(partialFolder, hostNode(partialFolder))),
  ]);
  placeServerModules(server);
  fs.writeFileSync(path.join(partialFolder, 'stamp'), stamp);
  // On Windows, a scanner may have files open that were written just now.
  await removeFolder(hostFolder);
  await renameFile(localDisk, partialFolder, hostFolder);
  progress(`installed in ${Math.round((Date.now() - started) / 1000)} s`);
}

/** Installs one of the pinned lists of packages into a folder of the same name; returns the folder. */
async function installPackages(list: string): Promise<string> {
  const folder = path.join(partialFolder, list);
  fs.mkdirSync(folder, { recursive: true });
  for (const name of ['package.json', 'package-lock.json']) {
    fs.copyFileSync(path.join(hostSources, list, name), path.join(folder, name));
  }
  // No scripts: those of code-server compile parts that are not needed here.
  const npmCi = ['ci', '--ignore-scripts', '--no-audit', '--no-fund', '--loglevel=error'];
  await runNpm(npmCi, { cwd: folder, output: 'stderr' });
  return folder;
}

/** The packages the VS Code server needs, where it looks for them. */
function placeServerModules(server: string): void {
  const modules = path.join(partialFolder, 'node_modules/code-server/lib/vscode/node_modules');
  fs.rmSync(modules, { recursive: true, force: true });
  fs.renameSync(path.join(server, 'node_modules'), modules);
  fs.rmSync(server, { recursive: true });
  for (const [name, source] of Object.entries(moduleStubs)) {
    const folder = path.join(modules, name);
    fs.mkdirSync(folder, { recursive: true });
    fs.writeFileSync(path.join(folder, 'index.js'), source);
    fs.writeFileSync(
      path.join(folder, 'package.json'),
      JSON.stringify({ name, version: '0.0.0', main: 'index.js' }),
    );
  }
}

function expectedStamp(): string {
  const hash = createHash('sha256').update(
    JSON.stringify([recipeVersion, process.platform, process.arch, moduleStubs]),
  );
  for (const lock of ['', 'server', 'browser'].map((list) =>
    path.join(list, 'package-lock.json'),
  )) {
    hash.update(fs.readFileSync(path.join(hostSources, lock)));
  }
  return hash.digest('hex');
}

function installedStamp(): string | undefined {
  const file = path.join(hostFolder, 'stamp');
  return fs.existsSync(file) ? fs.readFileSync(file, 'utf8') : undefined;
}

function progress(text: string): void {
  process.stderr.write(`VS Code host: ${text}\n`);
}
