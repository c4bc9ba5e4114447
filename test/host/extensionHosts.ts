import * as fs from 'node:fs';
import * as path from 'node:path';
import type { HostServer } from '../host/server';

/**
 * The process of the extension host that was started last, by what VS Code logs.
 * @throws when none was started.
 */
export function newestExtensionHost(server: Pick<HostServer, 'logFolder'>): number {
  const starts = fs
    .readdirSync(server.logFolder, { recursive: true, encoding: 'utf8' })
    .filter((name) => path.basename(name) === 'remoteexthost.log')
    .flatMap((name) => [
      ...fs
        .readFileSync(path.join(server.logFolder, name), 'utf8')
        .matchAll(/^(\S+ \S+) .*Extension host with pid (\d+) started/gm),
    ])
    .map(([, time = '', pid = '']) => ({ time, pid: Number(pid) }))
    .sort((first, second) => first.time.localeCompare(second.time));
  const newest = starts.at(-1);
  if (!newest) {
    throw new Error(`No extension host was started, by the logs in ${server.logFolder}.`);
  }
  return newest.pid;
}
