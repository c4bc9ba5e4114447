import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import path from 'node:path';
import { SparkSQL } from 'dt-sql-parser/dist/parser/spark';
import { repositoryRoot } from '../../../host/paths';
import { tableFolder } from '../../../helpers/tableFiles';
import { TableError } from '../../../../src/engine/data/tableError';
import type { Query } from '../../../../src/engine/data/query';
import { asked, contents, questions } from './sqlFixture';
import { forms, refusedForms } from './sqlForms';

describe('The SQL of a query', () => {
  const folder = tableFolder();

  /** Spark reads paths of Windows with `/`. */
  const inSpark = (file: string) => file.replaceAll('\\', '/');

  it('The SQL of a query is readable, and quotes names and values', async () => {
    const file = folder.write("it's.ndjson", contents['a.ndjson']);
    const { core, idOf, sql } = await asked(file);
    const query = {
      filter: { op: 'contains', column: idOf('host'), text: "O'N" },
      sort: [{ column: idOf('severity'), descending: true }],
    } as const;
    const columns = [idOf('severity'), idOf('more.x y')];
    const path = file.replaceAll("'", "''");
    assert.equal(
      await sql('duckdb', query, columns),
      `set timezone = 'UTC';
select
  (report.json->>'$.severity') as "severity",
  (report.json->>'$.more."x y"') as "more.x y"
from read_ndjson_objects('${path}') as report
where contains(lower((report.json->>'$.host')), 'o''n')
order by
  case (report.json->>'$.severity') when 'low' then 0 when 'High' then 1 when 'critical' then 2 end desc nulls last;
`,
    );
    assert.equal(
      (await sql('spark', query, columns)).split('order by')[0],
      `set time zone 'UTC';
create or replace temporary view report using text options (path '${inSpark(file).replaceAll("'", "\\'")}', lineSep '\\n');
select
  get_json_object(report.value, '$.severity') as \`severity\`,
  get_json_object(report.value, '$.more[\\'x y\\']') as \`more.x y\`
from report
where contains(lower(get_json_object(report.value, '$.host')), 'o\\'n')
`,
    );
    core.close();
  });

  it('The SQL of a query equals the examples in docs/beyond-one-machine.md', async () => {
    const line = { issue_type: 'a', domain: 'b', severity: 'high', first_seen_time: '2026-11-21' };
    const file = folder.write('dump.ndjson', `${JSON.stringify(line)}\n`);
    const { core, idOf, sql } = await asked(file);
    const query = {
      filter: { op: 'in', column: idOf('severity'), keys: ['text:critical', 'text:high'] },
      sort: [{ column: idOf('first_seen_time'), descending: true }],
    } as const;
    const page = readFileSync(path.join(repositoryRoot, 'docs/beyond-one-machine.md'), 'utf8');
    for (const dialect of ['duckdb', 'spark'] as const) {
      const text = await sql(dialect, query, [idOf('issue_type'), idOf('domain')]);
      const shown = text.replace(dialect === 'spark' ? inSpark(file) : file, '/data/dump.ndjson');
      assert.ok(page.includes(`\`\`\`sql\n${shown}\`\`\``), text);
    }
    core.close();
  });

  it('The SQL of a query ranks severities as the table does, but shows no masked values', async () => {
    const lines = [
      '{"level":"high","token_status":"active"}',
      '{"level":" High","token_status":"resolved"}',
      '{"level":"low","token_status":"active"}',
    ];
    const { core, idOf, info, sql } = await asked(folder.write('a.ndjson', lines.join('\n')));
    const sortBy = (name: string): Query => ({ sort: [{ column: idOf(name), descending: true }] });
    assert.match(
      await sql('duckdb', sortBy('level')),
      /when 'low' then 0 when ' High' then 1 when 'high' then 1 end desc/,
    );
    assert.ok(info.columns.find(({ name }) => name === 'token_status')?.secret);
    await assert.rejects(sql('duckdb', sortBy('token_status')), {
      code: 'noSql',
      message: /would show masked values of the column "token_status"/,
    });
    core.close();
  });

  it('The SQL of a query refuses filters by masked values, by invalid records and by what closes findings', async () => {
    const { core, idOf, sql } = await asked(folder.write('a.ndjson', contents['a.ndjson']));
    for (const filter of [
      { op: 'in', column: idOf('host'), keys: ['row:3'] },
      { op: 'not', of: { op: 'invalid' } },
    ] as const) {
      await assert.rejects(sql('duckdb', { filter }), {
        code: 'noSql',
        message: /masked values.* Use another filter/,
      });
    }
    const closes = { op: 'closes', column: idOf('host'), form: 'status' } as const;
    await assert.rejects(sql('duckdb', { filter: closes }), {
      code: 'noSql',
      message: /^SQL cannot tell which of so many values close a finding/,
    });
    core.close();
  });

  it('The SQL of a query is refused for files that engines read otherwise, with the reason', async () => {
    const refusals = new Map<string, string>();
    for (const [name, content] of Object.entries(forms)) {
      const { core, sql } = await asked(folder.write(name, content));
      await sql('duckdb', {}).catch((error: unknown) => {
        assert.ok(error instanceof TableError, String(error));
        refusals.set(name, String(error.details[0]));
      });
      core.close();
    }
    assert.deepEqual(Object.fromEntries(refusals), refusedForms);
  });

  it('The SQL of a query is refused for values that engines compare or write otherwise', async () => {
    const lines = [
      { long: 0.5, price: '12.50', at: '2026-11-21T08:30Z', city: 'İzmir', list: '[1, 2]', any: 5 },
      { long: 9007199254740993n, price: 2, at: '2026-11-21', city: 'a', list: '[]', any: '"5"' },
    ].map(
      ({ long, price, at, city, list, any }) =>
        `{"long":${long},"price":${price},"at":"${at}","city":"${city}","list":${list},"any":${any}}\n`,
    );
    const { core, idOf, sql } = await asked(folder.write('a.ndjson', lines.join('')));
    const [long, price, at, city, list, any] = ['long', 'price', 'at', 'city', 'list', 'any'].map(
      idOf,
    ) as [string, string, string, string, string, string];
    const sortBy = (column: string): Query => ({ sort: [{ column, descending: true }] });
    const contains = (column: string, matchCase = false): Query => ({
      filter: { op: 'contains', column, text: '2', matchCase },
    });
    const refused: readonly (readonly [Query, RegExp])[] = [
      [sortBy(long), /"long" has numbers with too many digits/],
      [{ filter: { op: 'compare', column: long, is: '>', number: '1' } }, /"long" has numbers/],
      [
        { filter: { op: 'compare', column: price, is: '=', number: '9007199254740993' } },
        /"price" has numbers/,
      ],
      [contains(price), /write values of the column "price" differently/],
      [{ groupBy: [price] }, /write values of the column "price" differently/],
      [sortBy(at), /"at" has dates in a form/],
      [{ filter: { op: 'dateRange', column: at, from: 0 } }, /"at" has dates in a form/],
      [contains(city), /"city" has letters/],
      [sortBy(list), /compare the values of the column "list" differently/],
      [sortBy(any), /compare the values of the column "any" differently/],
      [{ filter: { op: 'compare', column: any, is: '>', number: '1' } }, /compare the values of/],
      [contains(list), /write values of the column "list" differently/],
      [{ groupBy: [any] }, /values of the column "any" differently/],
      [{ filter: { op: 'contains', column: city, text: '\0', matchCase: true } }, /NUL/],
    ];
    for (const [query, message] of refused) {
      await assert.rejects(sql('duckdb', query), { code: 'noSql', message });
    }
    for (const query of [{}, sortBy(price), contains(city, true), contains(at)]) {
      await sql('duckdb', query);
    }
    core.close();
  });

  it('The SQL of a query does not let the name of a file decide how it is read', async () => {
    const { core, sql } = await asked(folder.write('year=2026.csv.gz', 'a,b\n1,2\n'));
    assert.match(
      await sql('duckdb', {}),
      /compression = 'uncompressed', hive_partitioning = false/,
    );
    core.close();
  });

  it('The SQL of a query is refused for what only Spark reads otherwise, and never asks for CSV', async () => {
    const deep = `${'['.repeat(1001)}${']'.repeat(1001)}`;
    const refused: readonly (readonly [string, string, RegExp])[] = [
      ['a.bz2', '{"a":1}\n{"a":2}\n', /does not say whether it is compressed/],
      ['a:b.ndjson', '{"a":1}\n', /does not read files with this name/],
      ['a.ndjson', `{"a":1,"b":${deep}}\n`, /too deep/],
      ['a.ndjson', `{"a":1,"b":${'1'.repeat(1001)}}\n`, /too deep/],
      ['a.ndjson', `{"a":1,"${'b'.repeat(50_001)}":2}\n`, /too deep/],
      ['a.ndjson', '{" a":1}\n', /SQL cannot ask for a member/],
      ['a.ndjson', '{"a":1e23}\n', /too many digits/],
    ];
    for (const [name, content, message] of refused) {
      const { core, sql } = await asked(folder.write(name, content));
      await assert.rejects(sql('spark', {}), (error: unknown) => {
        assert.ok(error instanceof TableError && error.code === 'noSql', String(error));
        assert.match(error.message, message);
        assert.doesNotMatch(error.message, /as CSV/);
        return true;
      });
      if (!content.includes('1e23')) {
        await sql('duckdb', {});
      }
      core.close();
    }
  });

  it('The SQL of a query writes texts and numbers for Spark as they are', async () => {
    const line = '{"a":"${env:HOME}","n":12345678.5}\n';
    const { core, idOf, sql } = await asked(folder.write('a.ndjson', line));
    const equals = {
      op: 'equals',
      column: idOf('a'),
      text: '${env:HOME}',
      matchCase: true,
    } as const;
    assert.ok((await sql('spark', { filter: equals })).includes("= '$\\{env:HOME}';"));
    const n = idOf('n');
    const number = `1${'0'.repeat(40)}`;
    const above = await sql('spark', { filter: { op: 'compare', column: n, is: '>', number } });
    assert.ok(above.includes(`> ${number}e0;`), above);
    const contains = { op: 'contains', column: n, text: '8.5' } as const;
    await assert.rejects(sql('spark', { filter: contains }), /write values of the column "n"/);
    await sql('duckdb', { filter: contains });
    core.close();
  });

  it('The SQL of a query is valid Spark SQL, only for NDJSON', async () => {
    const parser = new SparkSQL();
    const statements: string[] = [];
    const refused: string[] = [];
    for (const [name, content] of Object.entries(contents)) {
      const { core, idOf, sql } = await asked(folder.write(name, content));
      for (const { name: title, query } of questions) {
        await sql('spark', query(idOf)).then(
          (text) => statements.push(text),
          () => refused.push(`${name}, ${title}`),
        );
      }
      core.close();
    }
    const expected = Object.keys(contents).flatMap((name) =>
      questions
        .filter(({ refusal }) => name !== 'a.ndjson' || refusal?.files.includes(name))
        .map(({ name: title }) => `${name}, ${title}`),
    );
    assert.deepEqual(refused, expected);
    assert.deepEqual(parser.validate(statements.join('\n')), []);
    assert.notDeepEqual(parser.validate('select a frm b where;'), []);
  });
});
