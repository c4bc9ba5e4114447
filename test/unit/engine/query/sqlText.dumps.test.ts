import assert from 'node:assert/strict';
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { repositoryRoot } from '../../../host/paths';
import { deepIt } from '../../../helpers/property';
import { gzip, tableFolder } from '../../../helpers/tableFiles';
import { connect } from './duckDb';
import { startSpark } from './spark';
import type { SqlRow, SqlRunner } from './sqlCompared';

interface Finding {
  readonly id: string;
  readonly severity: string | null;
  readonly domain: string;
}

interface Dump {
  readonly date: string;
  readonly findings: readonly Finding[];
}

describe('The questions to a folder of dumps in docs/beyond-one-machine.md', () => {
  const folder = tableFolder();

  deepIt(
    'The questions to a folder of dumps in docs/beyond-one-machine.md are answered by DuckDB',
    async () => {
      await checkAnswers(await connect(), 'DuckDB', writeDumps(folder.path, 'duckdb'));
    },
  );

  deepIt(
    'The questions to a folder of dumps in docs/beyond-one-machine.md are answered by Spark',
    async () => {
      const spark = await startSpark();
      try {
        await checkAnswers(spark, 'Spark', writeDumps(folder.path, 'spark'));
      } finally {
        await spark.stop();
      }
    },
  );
});

/** A hundred dumps, one a day; every third is compressed. */
const dumps: readonly Dump[] = Array.from({ length: 100 }, (_, day) => ({
  date: new Date(Date.UTC(2026, 7, 1 + day)).toISOString().slice(0, 10),
  findings: Array.from({ length: 30 }, (_unused, at) => at)
    .filter((at) => day >= at * 2 && (at % 5 !== 0 || day < 60 + at))
    .map((at) => ({
      id: `finding-${String(at).padStart(2, '0')}`,
      severity:
        at === 7 && day > 50
          ? null
          : (['low', 'medium', 'high'][(at + Math.floor(day / 40)) % 3] ?? ''),
      domain: `host-${at % 4}.example`,
    })),
}));

function writeDumps(parent: string, name: string): string {
  const folder = path.join(parent, name);
  mkdirSync(folder);
  dumps.forEach(({ date, findings }, day) => {
    const content = findings.map((finding) => `${JSON.stringify(finding)}\n`).join('');
    const file = path.join(folder, `findings-${date}.ndjson`);
    if (day % 3 === 0) {
      writeFileSync(`${file}.gz`, gzip(content));
    } else {
      writeFileSync(file, content);
    }
  });
  return folder;
}

async function checkAnswers(engine: SqlRunner, title: string, folder: string): Promise<void> {
  const [view = ''] = examplesOf(title);
  const questions = examplesOf('DuckDB').slice(1);
  assert.equal(questions.length, 3);
  const before = view.replaceAll('/data/dumps', folder);
  for (const [at, expected] of [newestStates(), changes(), countsByMonth()].entries()) {
    const question = questions[at] ?? '';
    assert.ok(expected.length > 5);
    assert.deepEqual(await engine.run(`${before}${question}`), expected, question);
  }
}

/** The SQL below a heading of the page. */
function examplesOf(title: string): string[] {
  const page = readFileSync(path.join(repositoryRoot, 'docs/beyond-one-machine.md'), 'utf8');
  const [, section = ''] = page.split(`### ${title} over a folder\n`);
  const [shown = ''] = section.split(/^#/m);
  return [...shown.matchAll(/```sql\n([^`]+)```/g)].map(([, sql = '']) => sql);
}

function newestStates(): SqlRow[] {
  const newest = new Map<string, SqlRow>();
  for (const { date, findings } of dumps) {
    for (const { id, severity, domain } of findings) {
      newest.set(id, [id, date, severity, domain]);
    }
  }
  return sorted([...newest.values()]);
}

function changes(): SqlRow[] {
  const [earlier, later] = ['2026-08-10', '2026-11-02'].map(
    (date) =>
      new Map(
        dumps
          .find((dump) => dump.date === date)
          ?.findings.map(({ id, severity }) => [id, severity] as const),
      ),
  );
  assert.ok(earlier && later);
  return sorted(
    [...new Set([...earlier.keys(), ...later.keys()])].flatMap((id): SqlRow[] => {
      const [before = null, after = null] = [earlier.get(id), later.get(id)];
      const change = earlier.has(id) ? (later.has(id) ? 'changed' : 'gone') : 'new';
      return change === 'changed' && before === after ? [] : [[id, change, before, after]];
    }),
  );
}

function countsByMonth(): SqlRow[] {
  const ids = new Map<string, Set<string>>();
  for (const { date, findings } of dumps) {
    for (const { id, severity } of findings) {
      const key = JSON.stringify([date.slice(0, 7), severity]);
      ids.set(key, (ids.get(key) ?? new Set()).add(id));
    }
  }
  return sorted([...ids].map(([key, { size }]) => [...(JSON.parse(key) as SqlRow), String(size)]));
}

/** `null` comes last. */
function sorted(rows: readonly SqlRow[]): SqlRow[] {
  const key = (row: SqlRow) => row.map((value) => value ?? '~').join(' ');
  return [...rows].sort((one, other) => (key(one) < key(other) ? -1 : 1));
}
