import { execFileSync } from 'node:child_process';
import { existsSync } from 'node:fs';
import { createRequire } from 'node:module';
import path from 'node:path';
import { repositoryRoot } from '../../../host/paths';
import type { SqlRow, SqlRunner } from './sqlCompared';

/** What is used of `@duckdb/node-api`. */
interface DuckDb {
  readonly DuckDBInstance: {
    create(path: string): Promise<{ connect(): Promise<Connection> }>;
  };
}

interface Connection {
  run(sql: string): Promise<unknown>;
  runAndReadAll(sql: string): Promise<{ getRowsJson(): SqlRow[] }>;
}

/** Connects to the engine, which is installed first where it is missing. */
export async function connect(): Promise<SqlRunner> {
  const folder = path.join(repositoryRoot, 'bench/duckdb');
  if (!existsSync(path.join(folder, 'node_modules'))) {
    execFileSync('npm', ['install', '--no-audit', '--no-fund', '--no-package-lock'], {
      cwd: folder,
      shell: process.platform === 'win32',
      stdio: 'ignore',
    });
  }
  const { DuckDBInstance } = createRequire(path.join(folder, 'package.json'))(
    '@duckdb/node-api',
  ) as DuckDb;
  const connection = await (await DuckDBInstance.create(':memory:')).connect();
  return {
    dialect: 'duckdb',
    async run(sql) {
      const [setting = '', question = ''] = sql.split(/(?<=;)\n/);
      await connection.run(setting);
      return (await connection.runAndReadAll(question)).getRowsJson();
    },
  };
}
