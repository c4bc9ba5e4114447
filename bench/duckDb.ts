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

/** The result of a program that uses DuckDB; `undefined` where it cannot be installed. */
export async function duckDbResult(name: string, ...args: string[]): Promise<unknown> {
  return (await installDuckDb()) ? Program.result(name, ...args) : undefined;
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
