import assert from 'node:assert/strict';
import { readFileSync, rmSync } from 'node:fs';
import path from 'node:path';
import { Exporter } from '../../../../src/export/exporter';
import type { Query } from '../../../../src/engine/types';
import { writeTable } from '../../../../src/table/writeTable';
import { deepIt, fc } from '../../../helpers/property';
import { handleOf } from '../../../helpers/tableHandle';
import { gzip, openCore, openGzip, tableFolder } from '../../../helpers/tableFiles';
import { TableError } from '../../../../src/engine/values/tableError';
import type { TableCore } from '../../../../src/engine/tableCore';
import { type Connection, connect, refusalOrSame } from './duckDb';
import { asked, contents, questions } from './sqlFixture';
import { forms } from './sqlForms';
import { anyChoice, queryOf, randomFile } from './sqlFiles';
import { filtersOf, queriesOf } from './sqlQueries';

describe('The SQL for DuckDB', () => {
  const folder = tableFolder();

  deepIt('returns the same values as an export', async () => {
    const connection = await connect();
    const exporter = new Exporter();
    let compared = 0;
    for (const [name, content] of Object.entries(contents)) {
      const { core, info, idOf, sql } = await asked(folder.write(name, content));
      for (const { name: title, query: queryOf, refusal } of questions) {
        const query: Query = queryOf(idOf);
        compared += 1;
        if (refusal?.files.includes(name)) {
          const message = new RegExp(refusal.reason);
          await assert.rejects(sql('duckdb', query), { code: 'noSql', message });
          continue;
        }
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
      }
      core.close();
    }
    assert.equal(compared, questions.length * Object.keys(contents).length);
  });

  deepIt('reads what the table reads of files in many forms, or there is none', async () => {
    const connection = await connect();
    const counts = { same: 0, refused: 0 };
    const failures: string[] = [];
    for (const [name, content] of Object.entries(forms)) {
      const file = folder.write(name, content);
      const core = await openCore(file);
      const failed: string[] = [];
      for (const query of await queriesOf(core)) {
        try {
          const refusal = await refusalOrSame(connection, core, file, query);
          counts[refusal === undefined ? 'same' : 'refused'] += 1;
        } catch (error) {
          failed.push(String(error));
        }
      }
      const refusal = await refusalAfter(2, connection, core, file);
      if (refusal !== undefined) {
        failed.push(`After exports: ${refusal}`);
      }
      core.close();
      if (failed.length > 0) {
        failures.push(`${name}: ${failed.length} queries, the first: ${failed[0]}`);
      }
    }
    console.log(
      `Files in many forms: ${counts.same} queries are the same, ${counts.refused} refused`,
    );
    assert.deepEqual(failures, []);
  });

  deepIt('reads compressed files, and goes by no name', async () => {
    const connection = await connect();
    const names = ['lines.ndjson', 'one object.json', 'array.json', 'member.json', 'plain.csv'];
    let compared = 0;
    for (const name of names) {
      const content = forms[name] ?? '';
      for (const [other, written] of [
        [`${name}.gz`, gzip(content)],
        [name, gzip(content)],
        [`severity=x ${name}.gz`, content],
      ] as const) {
        const file = folder.write(other, written);
        const core = await (written === content
          ? openCore(file)
          : openGzip(file, `${folder.path}/unpacked`));
        for (const query of (await queriesOf(core)).slice(0, 20)) {
          assert.equal(await refusalOrSame(connection, core, file, query), undefined, other);
          compared += 1;
        }
        core.close();
      }
    }
    assert.ok(compared > 200);
  });

  deepIt('reads the columns of the table of a file that has more', async () => {
    const columns = Array.from({ length: 1005 }, (_, at) => at);
    const lines = [columns.map((at) => `c${at}`), columns, [7, 8]];
    const file = folder.write('wide.csv', lines.map((fields) => `${fields.join(',')}\n`).join(''));
    const core = await openCore(file);
    assert.equal(core.info().moreColumns, 5);
    const sort = [{ column: '/0', descending: true }];
    for (const query of [{}, { sort }, { groupBy: ['/1'] }]) {
      assert.equal(await refusalOrSame(await connect(), core, file, query), undefined);
    }
    core.close();
  });

  deepIt('reads what the table reads of any file, or there is none', async () => {
    const connection = await connect();
    const counts = { same: 0, refused: 0 };
    await fc.assert(
      fc.asyncProperty(
        randomFile,
        fc.array(anyChoice, { minLength: 8, maxLength: 8 }),
        async ({ name, content }, choices) => {
          const file = folder.write(name, content);
          const core = await openCore(file).catch((error: unknown) => {
            assert.ok(error instanceof TableError && error.code === 'notATable', String(error));
          });
          if (!core) {
            return;
          }
          const ids = core.info().columns.map(({ id }) => id);
          const filters = await filtersOf(core);
          for (const choice of ids.length > 0 ? choices : []) {
            const query = queryOf(choice, ids, filters);
            const refusal = await refusalOrSame(connection, core, file, query);
            counts[refusal === undefined ? 'same' : 'refused'] += 1;
          }
          core.close();
          rmSync(file);
        },
      ),
    );
    assert.ok(counts.same > counts.refused);
    console.log(`Random files: ${counts.same} queries are the same, ${counts.refused} refused`);
  });
});

/**
 * Exports a file that has no SQL, as the refusal says. An export as CSV may have blank rows, so that
 * its refusal asks for another export.
 * @returns why there is no SQL of the last export, either
 */
async function refusalAfter(
  exports: number,
  connection: Connection,
  core: TableCore,
  file: string,
): Promise<string | undefined> {
  const refusal = await refusalOrSame(connection, core, file, {});
  const format = (['ndjson', 'csv'] as const).find((each) =>
    refusal?.includes(`as ${each.toUpperCase()}`),
  );
  if (!format || core.info().rows === 0) {
    return undefined;
  }
  if (exports === 0) {
    return refusal;
  }
  const target = { path: `${file}.${format}`, replace: false };
  await writeTable(handleOf(core), { query: {}, format }, new Exporter(), target, { reveal: true });
  const exported = await openCore(target.path);
  try {
    return await refusalAfter(exports - 1, connection, exported, target.path);
  } finally {
    exported.close();
  }
}

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
