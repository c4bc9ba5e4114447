import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import { existsSync, readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import path from 'node:path';
import { Exporter } from '../../../../src/export/exporter';
import type { Query } from '../../../../src/engine/types';
import { writeTable } from '../../../../src/table/writeTable';
import { repositoryRoot } from '../../../host/paths';
import { deepIt } from '../../../helpers/property';
import { handleOf } from '../../../helpers/tableHandle';
import { tableFolder } from '../../../helpers/tableFiles';
import { asked, contents, questions } from './sqlFixture';

/** What is used of `@duckdb/node-api`. */
interface DuckDb {
  readonly DuckDBInstance: {
    create(path: string): Promise<{ connect(): Promise<Connection> }>;
  };
}

interface Connection {
  run(sql: string): Promise<unknown>;
  runAndReadAll(sql: string): Promise<{ getRowsJson(): (string | null)[][] }>;
}

/** Connects to the engine, which is installed first where it is missing. */
async function connect(): Promise<Connection> {
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
  return (await DuckDBInstance.create(':memory:')).connect();
}

describe('The SQL for DuckDB', () => {
  const folder = tableFolder();

  deepIt('returns the same values as an export', async () => {
    const connection = await connect();
    const exporter = new Exporter();
    let compared = 0;
    for (const [name, content] of Object.entries(contents)) {
      const { core, info, idOf, sql } = await asked(folder.write(name, content));
      for (const { name: title, query: queryOf } of questions) {
        const query: Query = queryOf(idOf);
        const target = { path: path.join(folder.path, `${compared}.json`), replace: false };
        const columns = info.columns.map(({ id }) => id);
        const what = { query, format: 'json', ...(query.groupBy ? {} : { columns }) } as const;
        await writeTable(handleOf(core), what, exporter, target, { reveal: false });
        const exported = JSON.parse(readFileSync(target.path, 'utf8')) as object[];
        const [setting = '', question = ''] = (await sql('duckdb', query)).split(/(?<=;)\n/);
        await connection.run(setting);
        const rows = (await connection.runAndReadAll(question)).getRowsJson();
        const where = `${name}, ${title}\n${question}`;
        assert.deepEqual(rows.map(present), exported.map(leavesOf), where);
        compared += 1;
      }
      core.close();
    }
    assert.equal(compared, questions.length * Object.keys(contents).length);
  });
});

/** The values of a row that are there. */
function present(row: readonly (string | null)[]): string[] {
  return row.flatMap((value) => (value === null || value === '' ? [] : [value]));
}

/** The same of an object, with those of its objects. */
function leavesOf(value: unknown): string[] {
  return typeof value === 'object' && value !== null
    ? Object.values(value).flatMap(leavesOf)
    : value === null || value === ''
      ? []
      : [typeof value === 'string' ? value : JSON.stringify(value)];
}
