import * as fs from 'node:fs';
import * as path from 'node:path';
import { bundle, repositoryRoot, testVsixPath, vsixPath } from './paths';
import { runNpm, runProcess } from './processes';

/** Packages the extension as it is shipped; returns the file. */
export async function packageExtension(): Promise<string> {
  await runNpm(['run', '--silent', 'package'], { cwd: repositoryRoot, output: 'stderr' });
  return vsixPath;
}

/** Packages the test build of the extension, whose clock runs faster; returns the file. */
export async function packageTestExtension(): Promise<string> {
  await packageFolder(bundle('extension'), testVsixPath);
  return testVsixPath;
}

let signInHelper: Promise<string> | undefined;

/** Packages the helper extension that signs in to the demo, once for a build; returns the file. */
export function packageSignInHelper(): Promise<string> {
  return (signInHelper ??= packageHelper());
}

async function packageHelper(): Promise<string> {
  const folder = bundle('host/signInHelper');
  const file = bundle('host/signInHelper.vsix');
  if (fs.existsSync(file)) {
    return file;
  }
  // Other processes may package it at the same time.
  const own = bundle(`host/signInHelper-${process.pid}.vsix`);
  fs.copyFileSync(
    path.join(repositoryRoot, 'test/host/signInHelper/package.json'),
    path.join(folder, 'package.json'),
  );
  await packageFolder(folder, own);
  fs.renameSync(own, file);
  return file;
}

async function packageFolder(folder: string, file: string): Promise<void> {
  await runProcess(
    process.execPath,
    [
      path.join(repositoryRoot, 'node_modules/@vscode/vsce/vsce'),
      'package',
      '--no-dependencies',
      '--allow-missing-repository',
      '--skip-license',
      '--no-rewrite-relative-links',
      '--out',
      file,
    ],
    { cwd: folder, output: 'stderr' },
  );
}
