/**
 * Runs the integration tests inside the extension host.
 *
 *   node out/host/launchTests.js              in a VS Code out of the npm registry
 *   node out/host/launchTests.js --desktop    in a downloaded desktop build; SCORECARD_VSCODE_VERSION
 *                                             names the version, default the newest stable one
 */
import { runTests, TestRunFailedError } from '@vscode/test-electron';
import * as fs from 'node:fs';
import * as path from 'node:path';
import { runMain } from './cleanup';
import { launcherVariable } from './launcherVariable';
import { bundle, cacheFolder, exitWithParent } from './paths';

runMain(async () => {
  const version = process.env.SCORECARD_VSCODE_VERSION;
  try {
    return await runTests({
      extensionDevelopmentPath: bundle('extension'),
      extensionTestsPath: bundle('extension/test/integration/index.js'),
      extensionTestsEnv: { [launcherVariable]: String(process.pid) },
      ...(process.argv.includes('--desktop')
        ? { cachePath: cacheFolder, ...(version ? { version } : {}) }
        : { vscodeExecutablePath: writeExecutable() }),
    });
  } catch (error) {
    // The tests have already reported what is wrong.
    if (error instanceof TestRunFailedError) {
      return error.code ?? 1;
    }
    throw error;
  }
});

/** Writes a file that the system can execute: a bundle is not executable on every system. */
function writeExecutable(): string {
  const script = bundle('host/vscodeExecutable.js');
  const windows = process.platform === 'win32';
  const file = path.join(path.dirname(script), windows ? 'vscode.cmd' : 'vscode');
  // Another process may write it or start it at the same time.
  const draft = `${file}.${process.pid}`;
  fs.writeFileSync(
    draft,
    windows
      ? `@"${process.execPath}" --require "${exitWithParent}" "${script}" %*\r\n`
      : `#!/bin/sh\nexec "${process.execPath}" --require "${exitWithParent}" "${script}" "$@"\n`,
    { mode: 0o755 },
  );
  fs.renameSync(draft, file);
  return file;
}
