import assert from 'node:assert/strict';
import { execFile } from 'node:child_process';
import { createReadStream, createWriteStream, readdirSync } from 'node:fs';
import path from 'node:path';
import { createInterface } from 'node:readline';
import { PassThrough, Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { pathToFileURL } from 'node:url';
import { promisify } from 'node:util';
import * as yauzl from 'yauzl';
import type { ExportWords } from '../../../../../src/engine/data/copies';
import type { TableCore } from '../../../../../src/engine/tableCore';
import type { CoreOptions } from '../../../../../src/engine/tableCore';
import { mask } from '../../../../../src/vocabulary/secretFields';
import { deepIt, fc, runs } from '../../../../helpers/property';
import { openCore, tableFolder, work } from '../../../../helpers/tableFiles';
import { type ReadCell, readXlsx } from '../../../../helpers/xlsx';
import { exportTo } from '../parquet/parquetCompared';

describe('An export to XLSX', () => {
  const folder = tableFolder();

  async function withFile<T>(
    name: string,
    content: string,
    test: (core: TableCore) => Promise<T>,
    options: CoreOptions = {},
  ): Promise<T> {
    const core = await openCore(folder.write(name, content), options);
    try {
      return await test(core);
    } finally {
      core.close();
    }
  }

  const lines = (records: readonly unknown[]) =>
    records.map((record) => `${JSON.stringify(record)}\n`).join('');

  async function read(core: TableCore, what: Parameters<typeof exportTo>[3] = {}) {
    const { file, count, cutCells } = await exportTo(folder.path, core, 'xlsx', what);
    const sheets = await readXlsx(file);
    const [sheet] = sheets;
    assert.ok(sheet);
    return { count, cutCells, sheets, sheet };
  }

  /** What a column of these values, written in JSON, is read as. */
  async function columnOf(...values: readonly string[]): Promise<ReadCell[]> {
    const content = values.map((value) => `{"a":1,"v":${value}}\n`).join('');
    return withFile('a.ndjson', content, async (core) => {
      const { sheet } = await read(core);
      return sheet.rows.map(([, value = null]) => value);
    });
  }

  it('An export to XLSX has the rows of a table below its frozen and filtered headings', async () => {
    const rows = [{ name: 'beta', count: 2 }, { name: 'a longer name than the heading' }, {}];
    await withFile('a.ndjson', lines(rows), async (core) => {
      const { count, cutCells, sheets } = await read(core, { sheetName: 'Rows' });
      assert.deepEqual([count, cutCells], [3, 0]);
      assert.deepEqual(sheets, [
        {
          name: 'Rows',
          headings: ['name', 'count'],
          rows: [
            ['beta', 2],
            ['a longer name than the heading', null],
            [null, null],
          ],
          widths: [31, 9],
          filter: 'A1:B4',
        },
      ]);
    });
  });

  it('An export to XLSX has a number only where Excel keeps all its digits', async () => {
    const kept = ['0', '-5', '0.1', '7.50', '1e3', '123456789012345', '0.00000123456789012345'];
    assert.deepEqual(await columnOf(...kept), kept.map(Number));
    assert.deepEqual(await columnOf('1000000000000000000000', '1.5e300'), [1e21, 1.5e300]);
    const texts = [
      '1234567890123456',
      '0.1234567890123456',
      '-0',
      '-0.0',
      '1e308',
      '1e400',
      '1e-400',
      '5e-324',
      '12345678901234567890',
    ];
    assert.deepEqual(await columnOf('1', ...texts), [1, ...texts]);
  });

  it('An export to XLSX keeps codes, versions and numbers among texts as they are written', async () => {
    const content =
      'code,version,mixed,comma\n007,1.10,5,"0,5"\n12,1.2.3,n/a,"1,25"\n,7.0,7.50,"3"\n';
    await withFile('a.csv', content, async (core) => {
      const { sheet } = await read(core);
      assert.deepEqual(sheet.rows, [
        ['007', '1.10', 5, 0.5],
        [12, '1.2.3', 'n/a', 1.25],
        [null, '7.0', '7.50', 3],
      ]);
    });
    const versions = ['1.2.3', '2.25.1', '2019.11.28', '12.11.2019', '11/28/2019'];
    assert.deepEqual(await columnOf(...versions.map((text) => JSON.stringify(text))), versions);
    const seen = ['n/a', '2019-11-28', '2019-11-28T08:30:00Z'];
    assert.deepEqual(await columnOf(...seen.map((text) => JSON.stringify(text))), [
      'n/a',
      { date: '2019-11-28' },
      { date: '2019-11-28 08:30:00' },
    ]);
  });

  it('An export to XLSX has versions and commits as texts, though all look like numbers or dates', async () => {
    const content =
      'installed_version,fixed_version,commit,release.version,conversion,commits\n' +
      '1.10,1.20,1234567,2019-11-28,1.10,12\n1.9,2.0,12345e7,2020-01-01,1.9,7\n';
    await withFile('versions.csv', content, async (core) => {
      const { sheet } = await read(core);
      assert.deepEqual(sheet.rows, [
        ['1.10', '1.20', '1234567', '2019-11-28', 1.1, 12],
        ['1.9', '2.0', '12345e7', '2020-01-01', 1.9, 7],
      ]);
    });
    const nested = lines([{ package: { version: 1.5 } }, { package: { version: 1 } }]);
    await withFile('nested.ndjson', nested, async (core) => {
      const { sheet } = await read(core);
      assert.deepEqual(sheet.rows, [['1.5'], ['1']]);
    });
  });

  it('An export to XLSX has dates and times with a format, in UTC if they have a zone', async () => {
    const dates: readonly (readonly [string, string])[] = [
      ['2026-11-21', '2026-11-21'],
      ['1900-03-01', '1900-03-01'],
      ['9999-12-31', '9999-12-31'],
      ['2026-11-21T08:30:00Z', '2026-11-21 08:30:00'],
      ['2026-11-21 08:30:59', '2026-11-21 08:30:59'],
      ['2026-11-21T08:30', '2026-11-21 08:30:00'],
      ['2026-11-21T00:00:00Z', '2026-11-21 00:00:00'],
      ['2026-11-21T23:59:59.999Z', '2026-11-21 23:59:59.999'],
      ['2026-11-21T08:30:00.123456Z', '2026-11-21 08:30:00.123'],
      ['2026-11-21T00:30:00+01:00', '2026-11-20 23:30:00'],
      ['2026-11-21T20:00:00-0530', '2026-11-22 01:30:00'],
    ];
    assert.deepEqual(
      await columnOf(...dates.map(([text]) => JSON.stringify(text))),
      dates.map(([, date]) => ({ date })),
    );
    const texts = [
      ...['1900-02-28', '1582-10-10', '2026-02-30', '2026-13-01', '2026'],
      ...['0001-01-01', '0099-12-31', '0026-11-21T08:30:00Z'],
    ];
    assert.deepEqual(await columnOf(...texts.map((text) => JSON.stringify(text))), texts);
    await withFile('a.csv', 'seen\n13/02/2026\n01/03/2026\n', async (core) => {
      const { sheet } = await read(core);
      assert.deepEqual(sheet.rows, [[{ date: '2026-02-13' }], [{ date: '2026-03-01' }]]);
    });
  });

  it('An export to XLSX has booleans, and nothing for what has no value', async () => {
    assert.deepEqual(await columnOf('true', 'false', 'null', '""', '"true"'), [
      ...[true, false, null, null],
      'true',
    ]);
  });

  it('An export to XLSX has hostile texts as texts', async () => {
    const texts = [
      '=1+1',
      '@SUM(A1)',
      '-1+1',
      "=cmd|' /C calc'!A0",
      '<script>alert(1)</script>',
      '</t></is></c>',
      ']]>',
      '<![CDATA[x]]>',
      '&amp;&lt;&#0;',
      '&',
      '_x0041_',
      '_x000D__x005F_',
      '__x0041_',
      ' leading and trailing ',
      'two\nlines',
      'tab\tbed',
      'nul \u0000, bell \u0007, escape \u001b, delete \u007f, next line \u0085',
      '\ufffe\uffff',
      '\u2028\u202e\ufeffx',
      'Z\u00fcrich \ud83d\ude00',
      '"\'',
    ];
    const json = texts.map((text) => JSON.stringify(text));
    assert.deepEqual(await columnOf(...json), texts);
    assert.deepEqual(
      await columnOf(
        ...['two\r\nlines', 'two\rlines', 'half \ud83d'].map((text) => JSON.stringify(text)),
      ),
      ['two\nlines', 'two\nlines', 'half \ufffd'],
    );
    const record = Object.fromEntries(texts.map((text) => [text, 1]));
    await withFile('a.ndjson', lines([record]), async (core) => {
      const { sheet } = await read(core);
      assert.deepEqual(
        sheet.headings,
        core.info().columns.map(({ name }) => name),
      );
    });
  });

  it('An export to XLSX cuts texts that are too long for a cell, and counts them', async () => {
    const long = 'x'.repeat(32_766);
    const texts = [long, `${long}y`, `${long}yz`, `${long}\ud83d\ude00`];
    const content = lines(texts.map((v) => ({ a: 1, v })));
    await withFile('a.ndjson', content, async (core) => {
      const { cutCells, sheet } = await read(core);
      assert.equal(cutCells, 2);
      assert.deepEqual(
        sheet.rows.map((row) => row[1]),
        [long, `${long}y`, `${long}y`, long],
      );
    });
  });

  it('An export to XLSX masks secrets, and has what could not be read in its first column', async () => {
    const content = '{"a":"x","password":"hunter2","pin":{"password":1234}}\n{"a":broken\n';
    await withFile('a.ndjson', content, async (core) => {
      const { sheet } = await read(core);
      assert.deepEqual(sheet.rows, [
        ['x', mask, mask],
        ['{"a":broken', null, null],
      ]);
      const shown = await read(core, { reveal: true });
      assert.deepEqual(shown.sheet.rows[0], ['x', 'hunter2', 1234]);
    });
  });

  it('An export to XLSX is a table even without rows or columns', async () => {
    for (const [content, columns] of [
      ['', 1],
      ['a,b\n', 2],
    ] as const) {
      await withFile('a.csv', content, async (core) => {
        const { count, sheets, sheet } = await read(core);
        assert.deepEqual([count, sheets.length, sheet.rows], [0, 1, []]);
        assert.equal(sheet.headings.length, columns);
      });
    }
  });

  it('An export to XLSX goes on in another sheet where one is full', async () => {
    const records = Array.from({ length: 25 }, (_, row) => ({ row }));
    for (const [sheetRows, sizes] of [
      [11, [10, 10, 5]],
      [26, [25]],
      [25, [24, 1]],
      [6, [5, 5, 5, 5, 5]],
    ] as const) {
      await withFile(
        'a.ndjson',
        lines(records),
        async (core) => {
          const { count, sheets } = await read(core, { sheetName: 'A/B [1]' });
          assert.equal(count, 25);
          assert.deepEqual(
            sheets.map(({ rows }) => rows.length),
            sizes,
          );
          assert.deepEqual(
            sheets.flatMap(({ rows }) => rows.map(([row]) => row)),
            records.map(({ row }) => row),
          );
          assert.deepEqual(
            sheets.map(({ name, headings }) => [name, headings]),
            sizes.map((_, at) => [at === 0 ? 'A B  1' : `A B  1 ${at + 1}`, ['row']]),
          );
        },
        { sheetRows },
      );
    }
  });

  it('An export to XLSX has words for people, and names beside IDs', async () => {
    const uuid = '0b1c2d3e-0000-4000-8000-000000000001';
    const words: ExportWords = {
      texts: { active: 'Aktiv' },
      changes: {},
      titles: { '/status': 'Status', '/scorecard_id': 'Scorecard ID', '/tags': 'Tags' },
      addedTitles: { scorecardName: 'Company', known: 'Known', wasKnown: 'Was known' },
      past: { expired: '', worse: '' },
    };
    const record = { status: 'active', scorecard_id: uuid, tags: ['a', '=b'] };
    await withFile('a.ndjson', lines([record]), async (core) => {
      const { sheet } = await read(core, { words, scorecards: { [uuid]: 'Tarnwick' } });
      assert.deepEqual(sheet.headings, ['Status', 'Scorecard ID', 'Company', 'Tags']);
      assert.deepEqual(sheet.rows, [['Aktiv', uuid, 'Tarnwick', 'a, =b']]);
    });
  });

  it('An export to XLSX has the groups of a grouped view, and more columns than there are letters', async () => {
    await withFile('a.csv', 'a,b\nx,1\ny,2\nx,3\n', async (core) => {
      const [a = ''] = core.info().columns.map(({ id }) => id);
      const { sheet } = await read(core, { query: { groupBy: [a] } });
      assert.deepEqual(sheet.headings, ['a', 'Rows']);
      assert.deepEqual(sheet.rows, [
        ['x', 2],
        ['y', 1],
      ]);
    });
    const wide = Object.fromEntries(Array.from({ length: 800 }, (_, at) => [`c${at}`, at]));
    await withFile('a.ndjson', lines([wide]), async (core) => {
      const { sheet } = await read(core);
      assert.deepEqual(sheet.rows, [Object.values(wide)]);
      assert.equal(sheet.filter, 'A1:ADT2');
    });
  });

  it('An export to XLSX is written in several parts, and no part twice', async () => {
    const records = Array.from({ length: 3000 }, (_, at) => ({ n: at, text: 'x'.repeat(1000) }));
    await withFile('a.ndjson', lines(records), async (core) => {
      const { id: view } = await core.hold({ query: {} }, work());
      const part = { format: 'xlsx', view, from: 0 } as const;
      const first = await core.packedPart(part, work());
      assert.ok(!first.isLast && first.rows > 50 && first.rows < 200, String(first.rows));
      core.release({ view });
      await assert.rejects(core.packedPart({ ...part, from: first.rows }, work()), {
        code: 'gone',
      });
      const { sheet } = await read(core);
      assert.deepEqual(
        sheet.rows.map(([n]) => n),
        records.map(({ n }) => n),
      );
    });
  });

  it('An export to XLSX can be cancelled while its rows are written', async () => {
    const records = Array.from({ length: 3000 }, (_, at) => ({ n: at, text: 'x'.repeat(100) }));
    await withFile('a.ndjson', lines(records), async (core) => {
      const { id: view } = await core.hold({ query: {} }, work());
      const first = await core.packedPart({ format: 'xlsx', view, from: 0 }, work());
      assert.equal(first.isLast, false);
      const cancelled = work();
      const { budget } = cancelled;
      let rows = 0;
      budget.shouldYield = () => {
        rows += 1;
        if (rows === 10) {
          budget.end('cancelled');
        }
        return rows >= 10;
      };
      const part = core.packedPart({ format: 'xlsx', view, from: first.rows }, cancelled);
      await assert.rejects(part, { code: 'cancelled' });
      assert.equal(rows, 10);
      core.release({ view });
    });
  });

  it('An export to XLSX that is given up while it waits for its file ends', async () => {
    // Each row is larger than what a stream takes at once.
    const records = Array.from({ length: 3 }, () => ({ text: 'x'.repeat(30_000), more: [1] }));
    await withFile('a.ndjson', lines(records), async (core) => {
      const { id: view } = await core.hold({ query: {} }, work());
      const part = core.packedPart({ format: 'xlsx', view, from: 0 }, work());
      const { prototype } = PassThrough;
      const own = Object.getOwnPropertyDescriptor(prototype, 'write');
      const write: unknown = Reflect.get(prototype, 'write');
      prototype.write = function (...args: readonly unknown[]) {
        if (own) {
          Object.defineProperty(prototype, 'write', own);
        } else {
          Reflect.deleteProperty(prototype, 'write');
        }
        Reflect.apply(write as () => boolean, this, args);
        core.release({ view });
        return false;
      };
      await assert.rejects(part, { code: 'gone' });
    });
  });

  deepIt(
    'An export to XLSX of a million rows needs less than 150 MB of memory in all',
    async () => {
      const million = 1_000_000;
      const file = path.join(folder.path, 'million.ndjson');
      await pipeline(Readable.from(findings(million)), createWriteStream(file));
      const to = path.join(folder.path, 'million.xlsx');
      const script = path.join(__dirname, 'xlsxMemory.process.js');
      // Source maps take memory, too.
      const env = { ...process.env, NODE_OPTIONS: '', NODE_COMPILE_CACHE: '' };
      const args = [script, file, to, folder.path];
      const { stdout } = await promisify(execFile)(process.execPath, args, { env });
      const { rows, peak } = JSON.parse(stdout) as { rows: number; peak: number };
      assert.equal(rows, million);
      assert.ok(peak < 150 * 1024 ** 2, `${Math.round(peak / 1024 ** 2)} MB`);
      assert.deepEqual(await lastCells(to), { number: million + 1, value: String(million - 1) });
    },
  );

  deepIt('An export to XLSX opens in LibreOffice with the types of its cells', async () => {
    const count = 1_000_000;
    await pipeline(
      Readable.from(findings(count)),
      createWriteStream(path.join(folder.path, 'office.ndjson')),
    );
    const core = await openCore(path.join(folder.path, 'office.ndjson'));
    const { file } = await exportTo(folder.path, core, 'xlsx', {});
    core.close();
    const out = path.join(folder.path, 'office');
    await promisify(execFile)('soffice', [
      `-env:UserInstallation=${pathToFileURL(path.join(folder.path, 'profile')).href}`,
      ...['--headless', '--convert-to', 'fods', '--outdir', out, file],
    ]).catch((error: unknown) => {
      throw new Error('LibreOffice is needed, on Debian "apt-get install libreoffice-calc".', {
        cause: error,
      });
    });
    let rows = 0;
    let row: string[] = [];
    const [converted = ''] = readdirSync(out);
    const content = createReadStream(path.join(out, converted), 'utf8');
    for await (const line of createInterface({ input: content })) {
      if (line.includes('<table:table-row')) {
        rows += 1;
        row = [];
      }
      row.push(line);
    }
    // The heading is one, too.
    assert.equal(rows, count + 1);
    const cells = row
      .join('')
      .matchAll(/office:value-type="(\w+)"(?: office:(?:date-)?value="([^"]*)")?/g);
    assert.deepEqual(
      Array.from(cells, ([, type, value]) => (type === 'string' ? type : `${type} ${value}`)),
      [
        'float 999999',
        ...Array.from({ length: 7 }, () => 'string'),
        `float ${999_999 % 65_536}`,
        'float 9.9',
        'date 2026-11-08T08:30:00',
        'date 2026-11-28',
        // What LibreOffice makes of a boolean: FALSE().
        'float 0',
        'string',
        'string',
      ],
    );
  });

  function* findings(count: number): Generator<string> {
    for (let at = 0; at < count; at += 1) {
      const finding = {
        count: at,
        issue_id: `0b1c2d3e-0000-4000-8000-${String(at).padStart(12, '0')}`,
        ...{ issue_type: `type_${at % 60}`, severity: at % 5 === 0 ? 'high' : 'low' },
        ...{ factor: 'network_security', status: 'active', domain: `host${at % 5000}.example` },
        ...{ ip: `192.0.2.${at % 255}`, port: at % 65_536, score: (at % 100) / 10 },
        first_seen_time: `2026-11-${String((at % 28) + 1).padStart(2, '0')}T08:30:00Z`,
        ...{ last_seen_date: '2026-11-28', open: at % 2 === 0 },
        ...{ title: `A finding with a text of some length, number ${at}`, more: { url: `/${at}` } },
      };
      yield `${JSON.stringify(finding)}\n`;
    }
  }

  /** The number of the last row, and the value of its first cell. */
  async function lastCells(file: string) {
    const zip = await yauzl.openPromise(file, { lazyEntries: true });
    let end = '';
    for await (const entry of zip.eachEntry()) {
      if (entry.fileName === 'xl/worksheets/sheet1.xml') {
        for await (const chunk of await zip.openReadStreamPromise(entry)) {
          end = `${end}${String(chunk)}`.slice(-10_000);
        }
      }
    }
    const [, number, value] =
      [...end.matchAll(/<row r="(\d+)"><c r="A\d+"><v>(\d+)<\/v>/g)].at(-1) ?? [];
    return { number: Number(number), value };
  }

  it('An export to XLSX reads back as what was written, whatever the texts and numbers are', async () => {
    const value = fc.oneof(
      fc.string({ unit: 'binary', maxLength: 20 }),
      fc.string({ unit: fc.constantFrom('_', 'x', '0', '<', '&', '\r', '\n', ' ', '\u0001') }),
      fc.double({ noNaN: true, noDefaultInfinity: true }),
      fc.integer(),
      fc.boolean(),
      fc.constant(null),
    );
    await fc.assert(
      fc.asyncProperty(fc.array(value, { minLength: 1, maxLength: 8 }), async (values) => {
        const read = await columnOf(...values.map((each) => JSON.stringify(each)));
        values.forEach((each, at) => {
          const cell = read[at] ?? null;
          if (typeof each === 'number' && typeof cell === 'string') {
            assert.equal(cell, JSON.stringify(each));
          } else if (typeof each === 'string') {
            const text = each.replace(/\r\n?/g, '\n').replace(/[\ud800-\udfff]/gu, '\ufffd');
            assert.equal(cell ?? '', text);
          } else {
            // JSON has no -0.
            assert.deepEqual(cell, JSON.parse(JSON.stringify(each)));
          }
        });
      }),
      { numRuns: Math.ceil(runs / 2) },
    );
  });
});
