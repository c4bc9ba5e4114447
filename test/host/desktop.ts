import * as fs from 'node:fs';
import * as os from 'node:os';
import * as path from 'node:path';
import type { Cleanup } from './cleanup';
import { defaultSettings } from './defaultSettings';
import { runProcess, startProcess } from './processes';
import { helperVariables } from './signInHelper/variables';

/**
 * Opens a window of the installed desktop VS Code with extensions and user data of its own, in which the helper shows
 * the demo; ends when the window is closed.
 */
export async function runDesktop(extensions: readonly string[], cleanup: Cleanup): Promise<number> {
  const data = cleanup.add(fs.mkdtempSync(path.join(os.tmpdir(), 'sce-')), (folder) => {
    fs.rmSync(folder, { recursive: true, force: true, maxRetries: 5 });
  });
  const userData = path.join(data, 'user');
  fs.mkdirSync(path.join(userData, 'User'), { recursive: true });
  fs.mkdirSync(path.join(data, 'workspace'));
  fs.writeFileSync(
    path.join(userData, 'User/settings.json'),
    JSON.stringify(defaultSettings, null, 2),
  );
  const own = ['--user-data-dir', userData, '--extensions-dir', path.join(data, 'extensions')];
  const code = process.platform === 'win32' ? 'code.cmd' : 'code';
  await runProcess(code, [...own, ...extensions.flatMap((file) => ['--install-extension', file])], {
    output: 'stderr',
  });
  const signedInFile = path.join(data, 'signed-in');
  const window = startProcess(
    code,
    [...own, '--new-window', '--wait', '--disable-workspace-trust', path.join(data, 'workspace')],
    {
      env: { [helperVariables.signedInFile]: signedInFile },
      output: 'stderr',
    },
  );
  cleanup.add(window, async (running) => {
    endWindow(userData);
    await running.stop();
  });
  const watcher = cleanup.add(
    fs.watch(data, () => {
      if (fs.existsSync(signedInFile)) {
        watcher.close();
        const baseUrl = fs.readFileSync(signedInFile, 'utf8');
        process.stdout.write(`ready: ${baseUrl} in the window of ${code}\n`);
      }
    }),
    (each) => {
      each.close();
    },
  );
  return window.exitCode;
}

/** Ends the window by the process ID that VS Code leaves in a file: it is not a child of the started `code`. */
function endWindow(userData: string): void {
  const lock = path.join(userData, 'code.lock');
  if (fs.existsSync(lock)) {
    process.kill(Number(fs.readFileSync(lock, 'utf8')));
  }
}
