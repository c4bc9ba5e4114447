import * as path from 'node:path';
import { bundle, repositoryRoot, vsixPath } from './paths';
import { runNpm, runProcess } from './processes';

/** Packages the extension as it is shipped; returns the file. */
export async function packageExtension(): Promise<string> {
  await runNpm(['run', '--silent', 'package'], { cwd: repositoryRoot, output: 'stderr' });
  return vsixPath;
}

/** The helper extension that signs in to the demo. */
export const signInHelper = bundle('host/signInHelper');

/** Packages that helper, as a desktop VS Code needs it; returns the file. */
export async function packageSignInHelper(): Promise<string> {
  const file = `${signInHelper}.vsix`;
  await runProcess(
    process.execPath,
    [
      path.join(repositoryRoot, 'node_modules/@vscode/vsce/vsce'),
      'package',
      '--no-dependencies',
      '--allow-missing-repository',
      '--skip-license',
      '--out',
      file,
    ],
    { cwd: signInHelper, output: 'stderr' },
  );
  return file;
}
