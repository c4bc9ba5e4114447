import assert from 'node:assert/strict';
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { SparkSQL } from 'dt-sql-parser/dist/parser/spark';
import { repositoryRoot } from '../../../host/paths';
import { deepIt } from '../../../helpers/property';
import { gzip, openCore, openGzip, tableFolder } from '../../../helpers/tableFiles';
import { handleOf } from '../../../helpers/tableHandle';
import { isSameQuery, type ReportPart, sqlOfReports } from '../../../../src/engine/query/sqlText';
import type { ColumnId } from '../../../../src/engine/data/column';
import type { Query } from '../../../../src/engine/data/query';
import type { SqlDialect, SqlPart } from '../../../../src/engine/data/sqlParts';
import { TableError } from '../../../../src/engine/data/tableError';
import { connect } from './duckDb';
import { startSpark } from './spark';
import { type SqlRow, type SqlRunner, sqlOfTable } from './sqlCompared';
import { forms } from './sqlForms';
import { queriesOf } from './sqlQueries';

interface ReportFile {
  /** Of the folder and of the file, as the service and the store choose them. */
  readonly name: string;
  readonly content: string;
  readonly date: string;
}

const lines = (...records: readonly object[]) =>
  records.map((record) => `${JSON.stringify(record)}\n`).join('');

/** Each has a word for severity, a member or a kind of number that others lack. */
const reports: readonly ReportFile[] = [
  {
    name: 'b/full-report.ndjson',
    date: '2026-11-21T08:30:00.000Z',
    content: lines(
      { id: 1, severity: 'low', host: 'a.example', cvss: 7.5, seen: '2026-11-20' },
      { id: 2, severity: 'High', host: "o'neil.example", cvss: null, seen: '2026-11-02' },
    ),
  },
  {
    name: 'a/full-report.ndjson.gz',
    date: '2026-11-14T08:30:00.000Z',
    content: lines(
      { id: 1, severity: 'medium', host: 'a.example', cvss: 9, more: { x: 1 } },
      { id: 3, severity: 'critical', host: 'c.example', seen: '2026-11-10T08:00:00Z' },
      { id: 4, severity: 'high', host: 'd.example', cvss: 10 },
    ),
  },
  {
    name: 'c/${year} [1]=2026.ndjson',
    date: '2026-11-14T07:00:00.000Z',
    content: lines({ id: 5, severity: 'low', host: 'a.example' }),
  },
];

/** Rows in any order. */
const textsOf = (rows: readonly SqlRow[]) => rows.map((row) => JSON.stringify(row)).sort();

describe('The SQL of several reports', () => {
  const folder = tableFolder();

  function write({ name, content }: ReportFile): string {
    const file = path.join(folder.path, name);
    mkdirSync(path.dirname(file), { recursive: true });
    writeFileSync(file, name.endsWith('.gz') ? gzip(content) : content);
    return file;
  }

  /** The parts of reports, the shown one first. @throws TableError if one has none */
  async function partsOf(
    files: readonly ReportFile[],
    dialect: SqlDialect,
    query: Query,
    columns: readonly ColumnId[],
  ): Promise<ReportPart[]> {
    const parts: ReportPart[] = [];
    for (const report of files) {
      const file = write(report);
      const core = await (file.endsWith('.gz')
        ? openGzip(file, path.join(folder.path, 'unpacked'))
        : openCore(file));
      const like = parts[0]?.part.columns ?? {};
      const request = { path: file, dialect, query, columns, like };
      const part: SqlPart = await handleOf(core)
        .call('sql', request)
        .finally(() => {
          core.close();
        });
      parts.push({ madeAt: Date.parse(report.date), part });
    }
    return parts;
  }

  const columns = ['/id', '/severity', '/host'];
  const bySeverity = sortBy('/severity');
  const filtered: Query = {
    filter: { op: 'contains', column: '/host', text: 'A.EX' },
    sort: [
      { column: '/severity', descending: false },
      { column: '/id', descending: true },
    ],
  };

  function sortBy(column: ColumnId): Query {
    return { sort: [{ column, descending: true }] };
  }

  function isIn(column: ColumnId, ...keys: readonly string[]): Query {
    return { filter: { op: 'in', column, keys } };
  }

  async function checkAnswers(engine: SqlRunner): Promise<void> {
    const [newest = '', earlier = '', oldest = ''] = reports.map(({ date }) => date);
    const answer = async (query: Query, shown = columns) => {
      const parts = await partsOf(reports, engine.dialect, query, shown);
      assert.ok(parts.every(({ part }) => parts[0] && isSameQuery(parts[0].part, part)));
      return engine.run(sqlOfReports(engine.dialect, parts));
    };
    const expected: readonly (readonly [readonly SqlRow[], Query, string[]?])[] = [
      [
        [
          [newest, '2', 'High', "o'neil.example"],
          [newest, '1', 'low', 'a.example'],
          [earlier, '3', 'critical', 'c.example'],
          [earlier, '4', 'high', 'd.example'],
          [earlier, '1', 'medium', 'a.example'],
          [oldest, '5', 'low', 'a.example'],
        ],
        bySeverity,
      ],
      [
        [
          [newest, '1', 'low', 'a.example'],
          [earlier, '1', 'medium', 'a.example'],
          [oldest, '5', 'low', 'a.example'],
        ],
        filtered,
      ],
      [
        [
          [earlier, '9'],
          [earlier, '10'],
        ],
        {
          filter: { op: 'compare', column: '/cvss', is: '>=', number: '9' },
          sort: [{ column: '/cvss', descending: false }],
        },
        ['/cvss'],
      ],
      [
        [
          [newest, 'High', '1'],
          [newest, 'low', '1'],
          [earlier, 'critical', '1'],
          [earlier, 'high', '1'],
          [earlier, 'medium', '1'],
          [oldest, 'low', '1'],
        ],
        { groupBy: ['/severity'] },
      ],
      [
        [
          [newest, '1'],
          [earlier, '3'],
        ],
        { filter: { op: 'dateRange', column: '/seen', from: Date.UTC(2026, 10, 5) } },
        ['/id'],
      ],
    ];
    for (const [rows, query, shown] of expected) {
      assert.deepEqual(await answer(query, shown), rows, JSON.stringify(query));
    }
  }

  deepIt('The SQL of several reports is answered by DuckDB', async () => {
    await checkAnswers(await connect());
  });

  deepIt(
    'The SQL of several reports is answered by DuckDB for CSV, where reports have fewer columns, and any names',
    async () => {
      const csv = (name: string, date: string, content: string) => ({ name, date, content });
      const files = [
        csv(
          'a/r.csv',
          '2026-11-21T00:00:00.000Z',
          'id,A,report_date,a\n1,"x\ny",z,2026-11-02\n2,,,\n',
        ),
        csv('b/r.csv.gz', '2026-11-14T00:00:00.000Z', 'id,A\n3,5\n4,x\n'),
        csv('c/r.txt', '2026-11-07T00:00:00.000Z', 'id,A,report_date,a,more\n5,x,y,2026-11-03,1\n'),
      ];
      const parts = await partsOf(files, 'duckdb', sortBy('/3'), ['/0', '/1', '/2', '/3']);
      const [, second, third] = parts;
      assert.ok(second && third && isSameQuery(second.part, third.part));
      assert.deepEqual(await (await connect()).run(sqlOfReports('duckdb', parts)), [
        [files[0]?.date, '1', 'x\ny', 'z', '2026-11-02'],
        [files[0]?.date, '2', null, null, null],
        [files[1]?.date, '3', '5', null, null],
        [files[1]?.date, '4', 'x', null, null],
        [files[2]?.date, '5', 'x', 'y', '2026-11-03'],
      ]);
    },
  );

  deepIt(
    'The SQL of several reports has the same rows of a report as its own SQL, whatever the others are',
    async () => {
      const engine = await connect();
      const names = Object.keys(forms).filter((name) => /\.(ndjson|json)$/.test(name));
      const found = { same: 0, refused: 0 };
      for (const [at, name] of names.entries()) {
        const other = names[(at + 1) % names.length] ?? name;
        const files = [name, other].map((each, place) => ({
          name: `${place} ${each}`,
          content: forms[each] ?? '',
          date: `2026-11-${20 - place}T00:00:00.000Z`,
        }));
        // Asking for parts writes the others again.
        const file = folder.write(name, forms[name] ?? '');
        const core = await openCore(file);
        const shown = core.info().columns.map(({ id }) => id);
        for (const query of (await queriesOf(core)).slice(0, 40)) {
          try {
            const parts = await partsOf(files, 'duckdb', query, shown);
            const [one, two] = parts;
            assert.ok(one && two);
            const request = { path: file, dialect: 'duckdb', query, columns: shown } as const;
            const alone = await engine.run(await sqlOfTable(core, request));
            const asked = isSameQuery(one.part, two.part) ? parts : [one];
            const rows = await engine.run(sqlOfReports('duckdb', asked));
            const ofOne = rows
              .filter(([date]) => date === files[0]?.date)
              .map((row) => row.slice(1));
            const context = `${name}, ${other}: ${JSON.stringify(query)}`;
            assert.deepEqual(textsOf(ofOne), textsOf(alone), context);
            found.same += asked.length === 2 ? 1 : 0;
          } catch (error) {
            if (!(error instanceof TableError)) {
              throw error;
            }
            assert.equal(error.code, 'noSql', error.message);
            found.refused += 1;
          }
        }
        core.close();
      }
      assert.ok(found.same > 100, JSON.stringify(found));
    },
  );

  deepIt('The SQL of several reports is answered by Spark', async () => {
    const spark = await startSpark();
    try {
      await checkAnswers(spark);
    } finally {
      await spark.stop();
    }
  });

  it('The SQL of several reports names each file with its date, and the places of all words, as the page shows it', async () => {
    const page = readFileSync(path.join(repositoryRoot, 'docs/beyond-one-machine.md'), 'utf8');
    const files = reports.slice(0, 2).map(({ name, ...report }) => ({
      ...report,
      name: name.replace('/', '/file/'),
    }));
    for (const dialect of ['duckdb', 'spark'] as const) {
      const parts = await partsOf(files, dialect, { groupBy: ['/severity'] }, []);
      const sql = sqlOfReports(dialect, parts)
        .replaceAll(folder.path, '/reports')
        // On Windows, Spark reads paths with `/`, and the page shows no others.
        .replaceAll(folder.path.replaceAll('\\', '/'), '/reports')
        .replace(/\/reports[^']*/g, (name) => name.replaceAll('\\', '/'));
      assert.ok(page.includes(`\`\`\`sql\n${sql}\`\`\``), sql);
    }
    const sorted = sqlOfReports('spark', await partsOf(files, 'spark', bySeverity, ['/id']));
    assert.deepEqual(new SparkSQL().validate(sorted), []);
    assert.match(
      sorted,
      /report_date desc nulls last,\n {2}case .* when 'low' then 0 when 'medium' then 1 when 'High' then 2 when 'high' then 2 when 'critical' then 3 end desc/,
    );
  });

  it('The SQL of several reports is refused for reports with other columns, kinds of values or missing values', async () => {
    const shown: ReportFile = {
      name: 'a/report.ndjson',
      date: '2026-11-21T08:30:00Z',
      content: lines({ id: 1, note: null, more: { x: 1 } }, { id: 2, note: 'b', more: { x: 2 } }),
    };
    const map = Object.fromEntries(Array.from({ length: 300 }, (_, at) => [`key ${at}`, at]));
    const differs = /^Its columns differ, or the kinds of their values\./;
    const refused: readonly (readonly [string, string, Query, RegExp])[] = [
      [
        'b/a.ndjson',
        lines({ id: 'x', more: { x: 1 } }),
        sortBy('/id'),
        /values of the column "id"/,
      ],
      ['b/a.ndjson', lines({ id: 1, more: map }), {}, differs],
      ['b/a.ndjson', 'nonsense\n', {}, /has records that cannot be read/],
      ['b/a.ndjson', lines({ id: 1 }), isIn('/note', 'null:'), /missing values/],
    ];
    for (const [name, content, query, reason] of refused) {
      const files = [shown, { name, content, date: '2026-11-14T08:30:00Z' }];
      await assert.rejects(
        partsOf(files, 'duckdb', query, ['/id', '/more/x']),
        (error: unknown) => {
          assert.ok(error instanceof TableError && error.code === 'noSql', String(error));
          assert.match(error.message, reason);
          return true;
        },
      );
    }
    const without = { name: 'b/a.ndjson', content: lines({ id: 1 }), date: shown.date };
    await partsOf([shown, without], 'spark', isIn('/note', 'null:', 'missing:'), ['/more/x']);
  });

  it('The SQL of several reports is another query where a column has numbers in another form', async () => {
    const [date] = reports.map((each) => each.date);
    const files = ['id,n\n1,5\n2,6\n', 'id,n\n1,"1.234,5"\n2,"0,5"\n'].map((content, at) => ({
      name: `${at}/report.csv`,
      content,
      date: date ?? '',
    }));
    const [one, other] = await partsOf(files, 'duckdb', sortBy('/1'), ['/0', '/1']);
    assert.ok(one && other && isSameQuery(one.part, one.part));
    assert.equal(isSameQuery(one.part, other.part), false);
  });
});
