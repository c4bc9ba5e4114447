import { Cleanup } from '../test/host/cleanup';
import { type ExtensionHostTests, runInExtensionHost } from '../test/host/extensionHostTests';
import { bundle, repositoryRoot } from '../test/host/paths';

/**
 * Runs a module of this folder in the extension host of a VS Code with our extension. Throws if the module
 * throws there: what it has written until then, if anything, is not a valid figure.
 */
export async function runProbe(
  name: string,
  env: Readonly<Record<string, string>>,
  prepare?: ExtensionHostTests['prepare'],
): Promise<void> {
  const cleanup = new Cleanup();
  try {
    const exitCode = await runInExtensionHost(
      {
        developmentPath: repositoryRoot,
        testsPath: bundle(`bench/${name}.js`),
        env,
        fewBuiltIns: false,
        ...(prepare && { prepare }),
      },
      cleanup,
    );
    if (exitCode !== 0) {
      throw new Error(`${name} ended with exit code ${exitCode}.`);
    }
  } finally {
    await cleanup.run();
  }
}
