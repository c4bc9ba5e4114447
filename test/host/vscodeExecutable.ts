/**
 * Replaces the `code` executable for `@vscode/test-electron`: takes its arguments, runs the tests in a VS Code
 * from the npm registry, and exits with their result.
 */
import { runMain } from './cleanup';
import { runInExtensionHost } from './extensionHostTests';

runMain((cleanup) => {
  const folder = process.argv.slice(2).find((argument) => !argument.startsWith('-'));
  return runInExtensionHost(
    {
      developmentPath: option('extensionDevelopmentPath'),
      testsPath: option('extensionTestsPath'),
      unseen: true,
      ...(folder === undefined ? {} : { folder }),
    },
    cleanup,
  );
});

function option(name: string): string {
  const prefix = `--${name}=`;
  const argument = process.argv.find((each) => each.startsWith(prefix));
  if (argument === undefined) {
    throw new Error(`${prefix}… is missing.`);
  }
  return argument.slice(prefix.length);
}
