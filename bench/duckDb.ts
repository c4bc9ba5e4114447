import { createRequire } from 'node:module';
import { join } from 'node:path';
import { repositoryRoot } from '../test/host/paths';
import { runNpm } from '../test/host/processes';
import { Program } from './programs';

const folder = join(repositoryRoot, 'bench/duckdb');

/** What is used of `@duckdb/node-api`. */
interface DuckDb {
  readonly DuckDBInstance: {
    create(path: string): Promise<{ connect(): Promise<DuckDbConnection> }>;
  };
}

interface DuckDbConnection {
  run(sql: string): Promise<unknown>;
  runAndReadAll(sql: string): Promise<{ getRows(): unknown[][] }>;
}

/** A new database in memory. It must be installed. */
export async function connectDuckDb(): Promise<DuckDbConnection> {
  const { DuckDBInstance } = createRequire(join(folder, 'package.json'))(
    '@duckdb/node-api',
  ) as DuckDb;
  return (await DuckDBInstance.create(':memory:')).connect();
}

const runs = 5;

/**
 * Measures something five times, in turn with a program that does the same with DuckDB, so that whatever
 * else the machine does meets both alike.
 * @returns all results; none of DuckDB's where it cannot be installed.
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

async function installDuckDb(): Promise<boolean> {
  try {
    // The version is the one of its package.json; there is no lock file of all its systems.
    await runNpm(['install', '--no-package-lock', '--ignore-scripts', '--no-audit', '--no-fund'], {
      cwd: folder,
      output: 'stderr',
    });
    return true;
  } catch {
    return false;
  }
}
