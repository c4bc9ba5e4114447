import assert from 'node:assert/strict';
import { mkdirSync, statSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { deepIt } from '../../../helpers/property';
import { gzip, openCore, openGzip, tableFolder } from '../../../helpers/tableFiles';
import { partBytes, type Spark, startSpark } from './spark';
import { refusalOrSame, type SqlRunner } from './sqlCompared';
import { randomFile } from './sqlFiles';
import { forms } from './sqlForms';
import { queriesOf } from './sqlQueries';
import { compareExports, compareForms, compareRandom } from './sqlSuites';

describe('The SQL for Spark', () => {
  const folder = tableFolder();
  let spark: Spark;

  before(async () => {
    spark = await startSpark();
    console.log('Spark', spark.versions);
  });

  after(() => spark.stop());

  deepIt('The SQL for Spark returns the same values as an export', async () => {
    await compareExports(spark, folder);
  });

  deepIt(
    'The SQL for Spark reads what the table reads of files in many forms, or there is none',
    async () => {
      await compareForms(spark, folder, forms);
    },
  );

  deepIt(
    'The SQL for Spark reads what the table reads of any lines, or there is none',
    async () => {
      const lines = randomFile.filter(({ name }) => name === 'a.ndjson');
      const { same } = await compareRandom(spark, folder, lines, 380);
      assert.ok(same >= 1_000);
    },
  );

  deepIt('The SQL for Spark reads files of several parts, gzip files and folders', async () => {
    const dumps = Array.from({ length: 10 }, (_, dump) => dumpOf(dump));
    const file = folder.write('all.ndjson', dumps.join(''));
    assert.ok(statSync(file).size > 2 * partBytes);
    // Files that were compressed one by one are one file when they are joined.
    const joined = folder.write('joined.ndjson.gz', Buffer.concat(dumps.map(gzip)));
    const parts = path.join(folder.path, 'dumps');
    mkdirSync(parts);
    dumps.forEach((dump, at) => {
      const isGzip = at % 2 === 1;
      const name = `dump ${at}.ndjson${isGzip ? '.gz' : ''}`;
      writeFileSync(path.join(parts, name), isGzip ? gzip(dump) : dump);
    });
    const core = await openCore(file);
    let compared = 0;
    for (const source of [file, joined, parts]) {
      const moved: SqlRunner = { ...spark, run: (sql) => spark.run(sql.replace(file, source)) };
      const queries = (await queriesOf(core)).filter(
        // The files of a folder are read in any order.
        ({ sort, groupBy }) => source !== parts || (sort ?? groupBy) !== undefined,
      );
      for (const query of queries) {
        const refusal = await refusalOrSame(moved, core, file, query);
        // A long text is not a value that a filter names.
        assert.match(refusal ?? '', /^$|The filter names masked values/);
        compared += refusal === undefined ? 1 : 0;
      }
    }
    core.close();
    assert.ok(compared > 400, String(compared));
  });

  deepIt(
    'The SQL for Spark reads what the table reads of lines that Spark would read otherwise',
    async () => {
      const { same } = await compareForms(spark, folder, sparkForms);
      assert.ok(same > 100);
    },
  );

  deepIt('The SQL for Spark ignores the case of all letters that the table does', async () => {
    const cased = Array.from({ length: 0x11_0000 }, (_, code) => code)
      .filter((code) => code < 0xd800 || code > 0xdfff)
      .map((code) => String.fromCodePoint(code))
      .filter((letter) => letter.toLowerCase() !== letter && !/[\u0130\u03a3]/.test(letter));
    const texts = Array.from({ length: 190 }, (_, at) =>
      cased.filter((_letter, index) => index % 190 === at).join(''),
    );
    const file = folder.write('a.ndjson', texts.map((t) => `${JSON.stringify({ t })}\n`).join(''));
    const core = await openCore(file);
    const of = texts.map((text) => ({ op: 'equals' as const, column: '/t', text }));
    assert.equal(await refusalOrSame(spark, core, file, { filter: { op: 'or', of } }), undefined);
    core.close();
  });

  deepIt('The SQL for Spark reads files with any name, or refuses the name', async () => {
    const content = forms['lines.ndjson'] ?? '';
    const inner = path.join(folder.path, '_year=2026 {a,b} [c]');
    mkdirSync(inner);
    const refused: string[] = [];
    for (const name of [...readNames, ...refusedNames]) {
      const file = path.join(inner, name);
      writeFileSync(file, /\.gz$/i.test(name) ? gzip(content) : content);
      const core = await (/\.gz$/i.test(name)
        ? openGzip(file, path.join(folder.path, 'unpacked'))
        : openCore(file));
      if ((await refusalOrSame(spark, core, file, {})) !== undefined) {
        refused.push(name);
      }
      core.close();
    }
    assert.deepEqual(refused, refusedNames);
  });

  deepIt('The SQL for Spark returns the same values in a cluster of two machines', async () => {
    // One Spark at a time.
    await spark.stop();
    spark = await startSpark('local-cluster[2,1,1024]');
    await compareExports(spark, folder);
  });
});

const readNames = [
  'a b.ndjson',
  'a%20b.ndjson',
  'a?*[1]{b,c}.ndjson',
  'a#b&c+d~.ndjson',
  "it's é 😀.ndjson",
  '${HOME}.ndjson',
  '${env}.ndjson',
  'a.ndjson.gz',
  'A.NDJSON.GZ',
  'year=2026',
];
/** Spark reads nothing, or decompresses what is not compressed. */
const refusedNames = [
  '_a.ndjson',
  '.a.ndjson',
  'a:b.ndjson',
  'a\\b.ndjson',
  'a._COPYING_',
  ...['bz2', 'deflate', 'lz4', 'snappy', 'zst', 'zstd', 'BZ2'].map((ending) => `a.${ending}`),
];

const long = '1'.repeat(1001);
const deep = `${'['.repeat(1001)}${']'.repeat(1001)}`;
const sparkForms = {
  'CR within a record.ndjson': '{"a":"x",\r"n":1}\r\n{"a":"y",\r\r"n":2}\n',
  'numbers with exponents.ndjson': '{"n":12345678.5}\n{"n":1e-7}\n{"n":0.00099}\n{"n":1e22}\n',
  'halves of doubles.ndjson': '{"n":1e23}\n{"n":2e23}\n{"n":[9e22]}\n',
  'plain numbers.ndjson': '{"n":0.001}\n{"n":9999999.5}\n{"n":-1.5}\n{"n":-0.0}\n{"n":12345678}\n',
  'lists of numbers.ndjson': '{"n":[12345678.5]}\n{"n":[1.5,0.0001]}\n{"n":[]}\n',
  'tiny numbers.ndjson': `{"n":0.${'0'.repeat(50)}1}\n{"n":1${'0'.repeat(50)}}\n{"n":1}\n`,
  'names with blanks.ndjson': '{" a":1,"a":2}\n{"a":3,"b ":4}\n',
  'names with marks.ndjson': '{"*":1,"a":{"?":2}}\n{"]":3,"a?":4}\n',
  'report and value.ndjson': '{"report":1,"value":"x"}\n{"report":2,"value":"y"}\n',
  'variables.ndjson': '{"a":"${env:HOME}"}\n{"a":"${spark.app.name} $\\\\{x}"}\n{"a":"$"}\n',
  'far zones.ndjson': '{"d":"2026-11-21T08:30:00+18:30"}\n{"d":"2026-11-21T08:30:00-17:45"}\n',
  'near zones.ndjson': '{"d":"2026-11-21T08:30:00+0130"}\n{"d":"2026-11-21 08:30:00.123456-12"}\n',
  'old dates.ndjson': '{"d":"0001-01-01"}\n{"d":"1582-10-10"}\n{"d":"9999-12-31T23:59:59Z"}\n',
  'long numbers.ndjson': `{"a":1,"n":${long}}\n{"a":2,"n":3}\n`,
  'deep lists.ndjson': `{"a":1,"n":${deep}}\n{"a":2}\n`,
  'long names.ndjson': `{"a":1,"${'n'.repeat(50_001)}":2}\n{"a":2}\n`,
  'wildcards.ndjson': '{"a":"%"}\n{"a":"a_b"}\n{"a":"\\\\%"}\n{"a":"a\\nb;\\nc"}\n',
};

/** Fifteen records. */
function dumpOf(dump: number): string {
  const records = Array.from({ length: 15 }, (_, record) => ({
    n: dump * 15 + record,
    severity: ['critical', 'High', 'low'][(dump + record) % 3],
    seen: `2026-11-${dump + 10}T08:${record + 10}:00Z`,
    text: 'x'.repeat(1000),
  }));
  return records.map((record) => `${JSON.stringify(record)}\n`).join('');
}
