import { createRequire } from 'node:module';
import { join } from 'node:path';
import { repositoryRoot } from '../test/host/paths';
import { runNpm } from '../test/host/processes';
import { Program } from './programs';

const folder = join(repositoryRoot, 'bench/duckdb');

/** The part of `@duckdb/node-api` that is used. */
interface DuckDb {
  readonly DuckDBInstance: {
    create(path: string): Promise<{ connect(): Promise<DuckDbConnection> }>;
  };
}

export interface DuckDbConnection {
  run(sql: string): Promise<unknown>;
  runAndReadAll(sql: string): Promise<{ getRows(): unknown[][] }>;
}

/** Opens a new database in memory. DuckDB must be installed. */
export async function connectDuckDb(): Promise<DuckDbConnection> {
  const { DuckDBInstance } = createRequire(join(folder, 'package.json'))(
    '@duckdb/node-api',
  ) as DuckDb;
  return (await DuckDBInstance.create(':memory:')).connect();
}

const runs = 5;

/**
 * Measures something five times, alternating with a program that does the same with DuckDB, so that other load
 * of the machine affects both equally.
 * @returns all results; those of DuckDB are empty if it cannot be installed.
 */
export async function besideDuckDb<Ours>(
  ours: () => Promise<Ours>,
  program: string,
  ...args: string[]
): Promise<{ ours: Ours[]; theirs: unknown[] }> {
  const hasDuckDb = await installDuckDb();
  const results = { ours: [] as Ours[], theirs: [] as unknown[] };
  while (results.ours.length < runs) {
    results.ours.push(await ours());
    if (hasDuckDb) {
      results.theirs.push(await Program.result(program, ...args));
    }
  }
  return results;
}

/** Whether DuckDB is installed; installs it first. */
export async function installDuckDb(): Promise<boolean> {
  try {
    // package.json pins the version. There is no lock file that covers all systems.
    await runNpm(['install', '--no-package-lock', '--ignore-scripts', '--no-audit', '--no-fund'], {
      cwd: folder,
      output: 'stderr',
    });
    return true;
  } catch {
    return false;
  }
}
