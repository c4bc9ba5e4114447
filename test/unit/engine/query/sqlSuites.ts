import assert from 'node:assert/strict';
import { readFileSync, rmSync } from 'node:fs';
import path from 'node:path';
import type { TableCore } from '../../../../src/engine/tableCore';
import type { Query } from '../../../../src/engine/data/query';
import { TableError } from '../../../../src/engine/data/tableError';
import { writeTable } from '../../../../src/viewer/table/writeTable';
import { fc } from '../../../helpers/property';
import { openCore, type tableFolder } from '../../../helpers/tableFiles';
import { handleOf } from '../../../helpers/tableHandle';
import { refusalOrSame, type SqlRunner } from './sqlCompared';
import { anyChoice, queryOf, type RandomFile } from './sqlFiles';
import { asked, contents, questions } from './sqlFixture';
import { filtersOf, queriesOf } from './sqlQueries';

/* What each engine is asked. */

type Folder = ReturnType<typeof tableFolder>;

/** How many queries are the same, and how many have no SQL. */
interface Compared {
  same: number;
  refused: number;
}

/** Compares the answers to all questions about the files of `contents` with exports. */
export async function compareExports(engine: SqlRunner, folder: Folder): Promise<void> {
  let compared = 0;
  for (const [name, content] of Object.entries(contents)) {
    const { core, info, idOf, sql } = await asked(folder.write(name, content));
    const isRead = engine.dialect === 'duckdb' || name === 'a.ndjson';
    for (const { name: title, query: queryOf, refusal } of questions) {
      const query: Query = queryOf(idOf);
      compared += 1;
      if (!isRead || refusal?.files.includes(name)) {
        const reasons = [
          ...(isRead ? [] : ['SQL for Spark reads only NDJSON files.']),
          ...(refusal?.files.includes(name) ? [refusal.reason] : []),
        ];
        const message = new RegExp(reasons.join('|'));
        await assert.rejects(sql(engine.dialect, query), { code: 'noSql', message });
        continue;
      }
      const target = { path: path.join(folder.path, `${compared}.json`), replace: true };
      const columns = info.columns.map(({ id }) => id);
      const what = { query, format: 'json', ...(query.groupBy ? {} : { columns }) } as const;
      await writeTable(handleOf(core), what, target, { reveal: false });
      const exported = JSON.parse(readFileSync(target.path, 'utf8')) as object[];
      const question = await sql(engine.dialect, query);
      const rows = await engine.run(question);
      const where = `${name}, ${title}\n${question}`;
      assert.deepEqual(rows.map(present), exported.map(leavesOf), where);
    }
    core.close();
  }
  assert.equal(compared, questions.length * Object.keys(contents).length);
}

/** Compares the answers to each filter and order of files. */
export async function compareForms(
  engine: SqlRunner,
  folder: Folder,
  forms: Readonly<Record<string, string>>,
): Promise<Compared> {
  const counts: Compared = { same: 0, refused: 0 };
  const failures: string[] = [];
  for (const [name, content] of Object.entries(forms)) {
    const file = folder.write(name, content);
    const core = await openCore(file);
    const failed: string[] = [];
    await askAll(engine, await queriesOf(core), async (query) => {
      try {
        count(counts, await refusalOrSame(engine, core, file, query));
      } catch (error) {
        failed.push(String(error));
      }
    });
    const refusal = await refusalAfter(2, engine, core, file);
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
  return counts;
}

/** Compares the answers to eight questions about each of many random files. */
export async function compareRandom(
  engine: SqlRunner,
  folder: Folder,
  anyFile: fc.Arbitrary<RandomFile>,
  numRuns: number,
): Promise<Compared> {
  const counts: Compared = { same: 0, refused: 0 };
  await fc.assert(
    fc.asyncProperty(
      anyFile,
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
        await askAll(engine, ids.length > 0 ? choices : [], async (choice) => {
          const query = queryOf(choice, ids, filters);
          count(counts, await refusalOrSame(engine, core, file, query));
        });
        core.close();
        rmSync(file);
      },
    ),
    { numRuns },
  );
  console.log(`Random files: ${counts.same} queries are the same, ${counts.refused} refused`);
  return counts;
}

function count(counts: Compared, refusal: string | undefined): void {
  counts[refusal === undefined ? 'same' : 'refused'] += 1;
}

/** Asks as many questions at a time as the engine answers. */
async function askAll<T>(
  { atOnce = 1 }: SqlRunner,
  questions: readonly T[],
  ask: (question: T) => Promise<void>,
): Promise<void> {
  const left = [...questions];
  const askNext = async (): Promise<void> => {
    for (let next = left.shift(); next !== undefined; next = left.shift()) {
      await ask(next);
    }
  };
  await Promise.all(Array.from({ length: atOnce }, askNext));
}

/**
 * Exports a file that has no SQL, as the refusal says. An export as CSV may have blank rows, so that
 * its refusal asks for another export.
 * @returns why there is no SQL of the last export, either
 */
async function refusalAfter(
  exports: number,
  engine: SqlRunner,
  core: TableCore,
  file: string,
): Promise<string | undefined> {
  const refusal = await refusalOrSame(engine, core, file, {});
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
  await writeTable(handleOf(core), { query: {}, format }, target, { reveal: true });
  const exported = await openCore(target.path);
  try {
    return await refusalAfter(exports - 1, engine, exported, target.path);
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
