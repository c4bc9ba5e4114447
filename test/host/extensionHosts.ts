import * as fs from 'node:fs';
import * as path from 'node:path';
import { until } from '../integration/until';
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
 * Kills the extension host of a window that was opened or reloaded.
 * @param before the extension hosts that there were before: the logs name the new one a little after it has started.
 */
export async function killExtensionHost(
  server: Pick<HostServer, 'logFolder'>,
  before: readonly number[],
): Promise<void> {
  const newest = await until('the log names the new extension host', () =>
    extensionHosts(server)
      .filter((pid) => !before.includes(pid))
      .at(-1),
  );
  process.kill(newest, 'SIGKILL');
}
