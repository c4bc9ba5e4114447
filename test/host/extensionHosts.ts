import * as fs from 'node:fs';
import * as path from 'node:path';
import type { HostServer } from './server';

/** The process IDs of the extension hosts that were started, from the logs of VS Code; the newest last. */
export function extensionHosts(server: Pick<HostServer, 'logFolder'>): number[] {
  const { logFolder } = server;
  const names = fs.existsSync(logFolder)
    ? fs.readdirSync(logFolder, { recursive: true, encoding: 'utf8' })
    : [];
  return names
    .filter((name) => path.basename(name) === 'remoteexthost.log')
    .flatMap((name) => [
      ...fs
        .readFileSync(path.join(logFolder, name), 'utf8')
        .matchAll(/^(\S+ \S+) .*Extension host with pid (\d+) started/gm),
    ])
    .map(([, time = '', pid = '']) => ({ time, pid: Number(pid) }))
    .sort((first, second) => first.time.localeCompare(second.time))
    .map(({ pid }) => pid);
}

/**
 * The process of the extension host that was started last.
 * @throws when none was started.
 */
export function newestExtensionHost(server: Pick<HostServer, 'logFolder'>): number {
  const newest = extensionHosts(server).at(-1);
  if (newest === undefined) {
    throw new Error(`No extension host was started, by the logs in ${server.logFolder}.`);
  }
  return newest;
}
