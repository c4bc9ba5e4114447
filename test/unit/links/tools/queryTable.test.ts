import assert from 'node:assert/strict';
import fs from 'node:fs';
import type { Column, TableHandle } from '../../../../src/engine';
import { compareFiles } from '../../../../src/engine/compare/compareFiles';
import type { TableCore } from '../../../../src/engine/tableCore';
import {
  describeComparison,
  describeTable,
} from '../../../../src/links/tools/answers/describeFiles';
import { queryTable } from '../../../../src/links/tools/answers/queryTable';
import type { ToolInput } from '../../../../src/links/tools/answers/toolInput';
import { openCore, tableFolder } from '../../../helpers/tableFiles';
import { handleOf } from '../../../helpers/tableHandle';

type Handle = Pick<TableHandle, 'call'>;

/** A file by the secret that is in it. */
type Write = (secret: string) => string;

const ndjson = (rows: readonly object[]) => rows.map((row) => JSON.stringify(row)).join('\n');
const json = (rows: readonly object[]) => JSON.stringify(rows);

/** Variables by name. Another one has the first secret as its value, which everybody may see. */
const variables = (secret: string, count = 9) => [
  ...Array.from({ length: count }, (_, at) => ({ name: `n${at}`, value: `mike ${at}`, line: at })),
  { name: 'color', value: 'alpha 7', line: 98 },
  { name: 'DB_PASSWORD', value: secret, line: 99 },
];

const csv = (rows: readonly object[]) => {
  const cell = (value: unknown) => `"${String(value).replaceAll('"', '""')}"`;
  const names = Object.keys(rows[0] ?? {});
  return [names, ...rows.map(Object.values)].map((row) => row.map(cell).join(',')).join('\n');
};

const semgrep = (rule: string, line: string) => ({
  ...{ check_id: rule, path: `${rule}.py`, start: { line: 3, col: 1 } },
  extra: {
    ...{ lines: line, message: 'm', severity: 'ERROR' },
    metavars: { $KEY: { abstract_content: line } },
  },
});
const semgrepRules = (secret: string) => [
  semgrep('a.eval', 'mike()'),
  semgrep('b.eval', 'alpha 7'),
  semgrep('generic.secrets.security.detected-aws-key', secret),
];

const snippets = (secret: string) =>
  [
    ['b.eval', 'mike()'],
    ['c.eval', 'alpha 7'],
    ['generic.secrets.security.detected-aws-key', secret],
  ].map(([ruleId, snippet]) => ({ ruleId, level: 'error', file: `${ruleId}.py`, snippet }));

const gitleaks = (secret: string) => [
  { rule: 'none', line: 'mike', lineNumber: 1, file: 'a.tf' },
  { rule: 'none', line: 'alpha 7', lineNumber: 2, file: 'b.tf' },
  { rule: 'AWS', line: secret, lineNumber: 3, file: 'c.tf', offender: 'x' },
];

const trufflehog = (secret: string) => [
  { reason: 'none', diff: '+ mike', path: 'a.py' },
  { reason: 'none', diff: 'alpha 7', path: 'b.py' },
  { reason: 'Key', diff: secret, path: 'c.py', stringsFound: ['x'] },
];

/** Requests with their headers, which are JSON in a cell. */
const requests = (secret: string, count = 3) => [
  ...Array.from({ length: count }, (_, at) => ({
    ...{ host: `h${at}.example`, headers: JSON.stringify({ accept: `mike ${at}` }) },
  })),
  { host: 'y.example', headers: 'alpha 7' },
  { host: 'z.example', headers: JSON.stringify({ authorization: secret }) },
];

const sarif = (secret: string) =>
  JSON.stringify({
    version: '2.1.0',
    runs: [
      {
        tool: { driver: { name: 'gitleaks', rules: [] } },
        results: ['mike', 'alpha 7', secret].map((text, at) => ({
          ...{ ruleId: `r${at}`, level: 'error', message: { text: 'm' } },
          locations: [
            {
              physicalLocation: {
                artifactLocation: { uri: `f${at}.py` },
                region: { startLine: 3, snippet: { text } },
              },
            },
          ],
        })),
      },
    ],
  });

const numbers: Readonly<Record<string, string>> = {
  'alpha 7': '1',
  'alpha 8': '2',
  'zulu 9': '77',
};

const usesOf = (content: string, line: number) =>
  [1, 2].map((use) => ({ at: `${line}:${use}`, content, location: { line: use } }));

const hostOf = (value: string) => `${value.replace(' ', '')}.example`;

const forms: readonly (readonly [file: string, write: Write, key: string, list?: string])[] = [
  ['variables.ndjson', (secret) => ndjson(variables(secret)), 'name'],
  ['variables.json', (secret) => json(variables(secret)), 'name'],
  ['variables.csv', (secret) => csv(variables(secret)), 'name'],
  ['many.ndjson', (secret) => ndjson(variables(secret, 5000)), 'name'],
  ['many.json', (secret) => json(variables(secret, 5000)), 'name'],
  ['many.csv', (secret) => csv(variables(secret, 5000)), 'name'],
  ['numbers.csv', (secret) => csv(variables(numbers[secret] ?? '5')), 'name'],
  [
    'semgrep.json',
    (secret) => JSON.stringify({ version: '1.99.0', results: semgrepRules(secret) }),
    'path',
  ],
  [
    // Its values are those of assets.
    'hosts.ndjson',
    (secret) =>
      ndjson(
        variables(secret).map((row) => ({ ...row, value: hostOf(row.value), severity: 'high' })),
      ),
    'name',
  ],
  ['semgrep.ndjson', (secret) => ndjson(semgrepRules(secret)), 'path'],
  ['snippets.json', (secret) => json(snippets(secret)), 'ruleId'],
  ['snippets.csv', (secret) => csv(snippets(secret)), 'ruleId'],
  ['gitleaks.json', (secret) => json(gitleaks(secret)), 'file'],
  ['gitleaks.ndjson', (secret) => ndjson(gitleaks(secret)), 'file'],
  ['trufflehog.json', (secret) => json(trufflehog(secret)), 'path'],
  ['sarif.sarif', sarif, 'ruleId'],
  ['headers.csv', (secret) => csv(requests(secret)), 'host'],
  ['headers-many.csv', (secret) => csv(requests(secret, 5000)), 'host'],
  [
    'headers.ndjson',
    (secret) =>
      ndjson([
        ...[
          { host: 'a', headers: ['mike'] },
          { host: 'b', headers: ['alpha 7'] },
        ],
        { host: 'c', headers: [{ name: 'Authorization', value: secret }] },
      ]),
    'host',
  ],
  [
    'damaged.csv',
    (secret) =>
      `host,severity,status,password\na,mike,open,x\nb,low,alpha 7,y\nc,"lo"w,${secret},z\n`,
    'host',
  ],
  [
    'damaged-without-names.csv',
    (secret) => `host,severity,note\na,mike,x\nb,low,alpha 7\nc,"lo"w password,${secret}\n`,
    'host',
  ],
  [
    'uses.json',
    (secret) =>
      json(
        variables(secret).map(({ name, line, value }) => ({ name, value: usesOf(value, line) })),
      ),
    'at',
    '[].value[]',
  ],
  [
    'trace.json',
    (secret) =>
      JSON.stringify({
        version: '1.99.0',
        results: semgrepRules(secret).map((result, line) => ({
          ...result,
          extra: {
            ...result.extra,
            dataflow_trace: { intermediate_vars: usesOf(result.extra.lines, line) },
          },
        })),
      }),
    'at',
    'results[].extra.dataflow_trace.intermediate_vars[]',
  ],
  ['named.csv', (secret) => `host,password\na,mike\nb,alpha 7\nc,${secret}\n`, 'host'],
  [
    'named.ndjson',
    (secret) =>
      ndjson([
        { a: 1, password: 'mike' },
        { a: 2, password: secret },
      ]),
    'a',
  ],
];

/** What a model may type into a filter to find out what a value is. */
const guesses = [
  ...[
    'alpha 7',
    '!alpha 7',
    '=alpha 7',
    '!=alpha 7',
    '"alpha 7"',
    'mike | alpha 7',
    'alph*',
    '* 7',
  ],
  ...['>1', '<=1', '=77', '2..90', '>k'],
];

function questionsAbout({ id }: Column, columns: readonly Column[]): ToolInput[] {
  const others = columns.map((column) => column.id).filter((each) => each !== id);
  return [
    ...['=', '!=', ...guesses].map((text) => ({ filter: [{ column: id, text }] })),
    ...[true, false].flatMap((descending) => [
      { sort: [{ column: id, descending }], limit: 50 },
      { sort: [{ column: id, descending }], columns: others.slice(0, 1), limit: 3 },
      ...others
        .slice(0, 2)
        .map((other) => ({ sort: [{ column: other }, { column: id, descending }] })),
    ]),
    { groupBy: [id], limit: 50 },
    ...others.slice(0, 2).flatMap((other) => [
      { groupBy: [id, other], limit: 50 },
      { groupBy: [other, id], limit: 50 },
      { groupBy: [other], filter: [{ column: id, text: 'alpha*' }] },
    ]),
  ];
}

describe('What a language model is told of a table', () => {
  const folder = tableFolder();
  const { signal } = new AbortController();

  async function withTable<T>(
    [name, content, list]: readonly [name: string, content: string, list?: string | undefined],
    work: (table: Handle, core: TableCore) => Promise<T>,
  ): Promise<T> {
    const core = await openCore(folder.write(name, content), { list });
    try {
      return await work(handleOf(core), core);
    } finally {
      core.close();
    }
  }

  /** The answer, or why there is none. */
  async function ask(table: Handle, input: ToolInput): Promise<string> {
    return queryTable(table, input, signal).then(
      (answer) => JSON.stringify(answer),
      (error: unknown) => `refused: ${(error as Error).message}`,
    );
  }

  for (const [name, write, , list] of forms) {
    it(`What a language model is told of a table is the same whatever a masked value is, in ${name}`, async () => {
      const answers = (secret: string) =>
        withTable([name, write(secret), list], async (table, core) => {
          const { columns } = core.info();
          const found = new Map<string, string>([
            ['all rows', await ask(table, { limit: 50 })],
            ['overview', JSON.stringify(await describeTable(table))],
          ]);
          for (const column of columns) {
            for (const input of questionsAbout(column, columns)) {
              found.set(JSON.stringify(input), await ask(table, input));
            }
          }
          return found;
        });
      const [one, other] = [await answers('alpha 7'), await answers('zulu 9')];
      assert.deepEqual([...one.keys()], [...other.keys()]);
      for (const [input, answer] of one) {
        assert.equal(other.get(input), answer, input);
      }
      const refused = [...one.values()].filter((answer) => answer.includes('has secret values'));
      assert.ok(refused.length > 0 || name.startsWith('damaged'), name);
      // A refusal repeats the filter.
      const shown = [...other.values()].filter((answer) => !answer.startsWith('refused'));
      assert.ok(shown.every((answer) => !answer.includes('zulu')));
    });
  }

  it('What a language model is told of a comparison is the same whatever a masked value is', async () => {
    for (const [name, write, key, list] of forms) {
      const told = async (secret: string) => {
        const before = folder.write(name, write('mike'));
        const after = folder.write(name, write(secret));
        const target = `${after}.ndjson`;
        const request = { before, after, target, key, list, cacheFolder: folder.path };
        const counts = describeComparison(await compareFiles(request));
        const rows = await withTable(
          ['compared.ndjson', fs.readFileSync(target, 'utf8')],
          (table) => ask(table, { limit: 50 }),
        );
        assert.ok(counts.changed > 0, name);
        return JSON.stringify(counts) + rows;
      };
      const [one, other] = [await told('alpha 8'), await told('zulu 9')];
      assert.equal(one, other, name);
      assert.ok(!other.includes('zulu'), name);
    }
  });

  it('What a language model is told of a table is what is worst, and which rows are exploited', async () => {
    const rows = [
      { rule: 'a', severity: 'low', file: 'x', kev: false },
      { rule: 'a', severity: 'low', file: 'y', kev: false },
      { rule: 'b', severity: 'critical', file: 'z', kev: true },
    ];
    await withTable(['a.ndjson', ndjson(rows)], async (table) => {
      assert.deepEqual((await describeTable(table)).worstIssueTypes, [
        { issueType: 'b', rows: 1, severities: [{ value: 'critical', count: 1 }] },
        { issueType: 'a', rows: 2, severities: [{ value: 'low', count: 2 }] },
      ]);
      assert.match(await ask(table, { columns: ['rule'] }), /"exploited":\[3\]/);
      const exploited = { exploited: true, columns: ['rule'] };
      const answer = '{"rows":[{"rule":"b"}],"exploited":[1],"totalRows":1';
      assert.ok((await ask(table, exploited)).startsWith(answer));
      const others = { ...exploited, filter: [{ column: 'file', text: '=x' }] };
      assert.ok((await ask(table, others)).startsWith('{"rows":[],"totalRows":0'));
    });
    await withTable(['b.ndjson', ndjson(rows.slice(0, 2))], async (table) => {
      assert.match(await ask(table, { exploited: true }), /"totalRows":0/);
    });
  });

  it('What a language model is told of a table may be filtered, sorted and grouped by all columns in which nothing is masked', async () => {
    const plain = variables('blue').map(({ value, ...row }) => ({
      ...row,
      ...(row.name === 'DB_PASSWORD' ? { value: '' } : { value }),
    }));
    for (const [name, write] of [
      ['a.ndjson', ndjson],
      ['a.json', json],
      ['a.csv', csv],
    ] as const) {
      await withTable([name, write(plain)], async (table) => {
        const blue = { filter: [{ column: 'value', text: '=alpha 7' }], columns: ['name'] };
        const answer = '{"rows":[{"name":"color"}],"totalRows":1';
        assert.ok((await ask(table, blue)).startsWith(answer), name);
        const sorted = { sort: [{ column: 'value' }], columns: ['name'], limit: 1 };
        assert.ok((await ask(table, sorted)).startsWith('{"rows":[{"name":"color"}]'), name);
        assert.match(await ask(table, { groupBy: ['value'] }), /"totalGroups":11/);
      });
      await withTable([name, write(variables('blue'))], async (table) => {
        assert.match(
          await ask(table, { filter: [{ column: 'name', text: 'PASSWORD' }] }),
          /^\{"rows":\[\{"name":"DB_PASSWORD","value":"\u2022+","line":"99"\}\],"totalRows":1/,
        );
        const filled = { filter: [{ column: 'value', text: '!=' }] };
        assert.match(await ask(table, filled), /"totalRows":11/);
      });
    }
  });

  it('What a language model is told of a table leaves out rows that are not valid CSV where they may show a secret, and says so', async () => {
    const rows = 'host,severity,password\na,high,x\nb,low,y\nc,"low" x,z\n';
    await withTable(['a.csv', rows], async (table) => {
      assert.match(await ask(table, {}), /"totalRows":3\}$/);
      assert.equal(
        await ask(table, { filter: [{ column: 'severity', text: 'low' }], columns: ['host'] }),
        '{"rows":[{"host":"b"}],"totalRows":1,"allColumns":["host","severity","password"],"notCounted":{"invalidRows":1}}',
      );
      assert.match(await ask(table, { groupBy: ['severity'] }), /"totalGroups":2,"totalRows":2/);
    });
    await withTable(['a.csv', rows.replace('password', 'note')], async (table) => {
      const low = { filter: [{ column: 'severity', text: 'low' }], columns: ['host'] };
      assert.match(await ask(table, low), /"totalRows":2,"allColumns":\[.*\]\}$/);
    });
  });
});
