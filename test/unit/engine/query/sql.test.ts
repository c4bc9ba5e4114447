import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import path from 'node:path';
import { SparkSQL } from 'dt-sql-parser/dist/parser/spark';
import { repositoryRoot } from '../../../host/paths';
import { tableFolder } from '../../../helpers/tableFiles';
import { asked, contents, questions } from './sqlFixture';

describe('The SQL of a query', () => {
  const folder = tableFolder();

  it('is readable, and quotes names and values', async () => {
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
  (report.json->>'/more/x y') as "more.x y"
from read_ndjson_objects('${path}') as report
where contains(lower((report.json->>'$.host')), 'o''n')
order by
  case when (report.json->>'$.severity') <> '' then case lower(trim((report.json->>'$.severity'))) when 'critical' then 5 when 'high' then 4 when 'low' then 2 else -1 end end desc nulls last;
`,
    );
    assert.equal(
      (await sql('spark', query, columns)).split('order by')[0],
      `set time zone 'UTC';
create or replace temporary view report using text options (path '${file.replaceAll("'", "\\'")}');
select
  get_json_object(report.value, '$.severity') as \`severity\`,
  get_json_object(report.value, '$[\\'more\\'][\\'x y\\']') as \`more.x y\`
from report
where contains(lower(get_json_object(report.value, '$.host')), 'o\\'n')
`,
    );
    core.close();
  });

  it('equals the examples in docs/beyond-one-machine.md', async () => {
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
      assert.ok(page.includes(`\`\`\`sql\n${text.replace(file, '/data/dump.ndjson')}\`\`\``), text);
    }
    core.close();
  });

  it('ranks severities even if some records are invalid', async () => {
    const lines = '{"level":"high"}\nnonsense\n{"level":"low"}\n';
    const { core, idOf, sql } = await asked(folder.write('a.ndjson', lines));
    const sort = [{ column: idOf('level'), descending: true }];
    assert.match(await sql('duckdb', { sort }), /when 'high' then 4 when 'low' then 2 else -1 end/);
    core.close();
  });

  it('refuses filters by masked values and by invalid records', async () => {
    const { core, idOf, sql } = await asked(folder.write('a.ndjson', contents['a.ndjson']));
    for (const filter of [
      { op: 'in', column: idOf('host'), keys: ['row:3'] },
      { op: 'not', of: { op: 'invalid' } },
    ] as const) {
      await assert.rejects(sql('duckdb', { filter }), { code: 'noSql' });
    }
    core.close();
  });

  it('is valid Spark SQL', async () => {
    const parser = new SparkSQL();
    const statements: string[] = [];
    for (const [name, content] of Object.entries(contents)) {
      const { core, idOf, sql } = await asked(folder.write(name, content));
      const usual = name === 'a.ndjson' ? questions : questions.slice(0, 1);
      for (const { query } of usual) {
        statements.push(await sql('spark', query(idOf)));
      }
      core.close();
    }
    assert.deepEqual(parser.validate(statements.join('\n')), []);
    assert.notDeepEqual(parser.validate('select a frm b where;'), []);
  });
});
