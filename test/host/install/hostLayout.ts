import * as path from 'node:path';
import { cacheFolder, repositoryRoot } from '../paths';

/** Where the pinned package lists are. */
export const hostSources = path.join(repositoryRoot, 'test/host');

/** Where the finished installation is. */
export const hostFolder = path.join(cacheFolder, 'host');

/** Where an installation is assembled. */
export const partialFolder = path.join(cacheFolder, 'host.partial');

/** Held by the process that installs. */
export const installLock = path.join(cacheFolder, 'host.lock');

/** The VS Code server's entry point. */
export const serverMain = path.join(
  hostFolder,
  'node_modules/code-server/lib/vscode/out/server-main.js',
);

/** The extensions that come with VS Code. */
export const builtInExtensions = path.join(path.dirname(serverMain), '../extensions');

/** The packages of the browser, its fonts and Node, inside an installation. */
export function browserPackages(installation: string): string {
  return path.join(installation, 'browser');
}

/** The unpacked browser with its libraries and fonts, inside an installation. */
export function browserFolder(installation: string): string {
  return path.join(browserPackages(installation), 'unpacked');
}
