import { join } from 'node:path';
import { repositoryRoot } from '../test/host/paths';
import { runNpm } from '../test/host/processes';

/** Installs DuckDB for the peers that use it. @returns whether it is there */
export async function installDuckDb(): Promise<boolean> {
  try {
    // The version is the one of its package.json; there is no lock file of all its systems.
    await runNpm(['install', '--no-package-lock', '--ignore-scripts', '--no-audit', '--no-fund'], {
      cwd: join(repositoryRoot, 'bench/duckdb'),
      output: 'stderr',
    });
    return true;
  } catch {
    return false;
  }
}
