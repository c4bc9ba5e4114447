import assert from 'node:assert/strict';
import fs from 'node:fs';
import type { CopyFormat } from '../../../src/base/exportFormats';
import { openPlain } from '../../../src/engine/read/bytes/byteSource';
import { YieldBudget } from '../../../src/engine/threads/yieldBudget';
import { RecordIndex } from '../../../src/engine/read/records/recordIndex';
import { Shape } from '../../../src/engine/read/records/shape';
import { TableCore } from '../../../src/engine/tableCore';
import { TableFile } from '../../../src/engine/read/tableFile';
import { wholeFile } from '../../../src/engine/data/query';
import { mask } from '../../../src/vocabulary/secretFields';
import {
  countRows,
  gzip,
  openCore,
  openGzip,
  recordText,
  tableFolder,
  work,
} from '../../helpers/tableFiles';
import { isWine } from '../../helpers/wine';

describe('TableCore', () => {
  const folder = tableFolder();

  async function cellsOf(name: string, content: string | Buffer, reveal = true) {
    const core = await openCore(folder.write(name, content));
    const { rows } = core.rows(
      { view: wholeFile, from: 0, count: 200 },
      { budget: new YieldBudget(), reveal },
    );
    const info = core.info();
    core.close();
    return {
      info,
      names: info.columns.map(({ name, type }) => `${name}:${type}`),
      texts: rows.map(({ cells }) =>
        cells.map(({ text, kind }) => (kind === 'text' ? text : `${kind} ${text}`)),
      ),
      invalid: rows.map(({ invalid }) => invalid),
    };
  }

  it('TableCore shows nested members as columns, and numbers with all their digits', async () => {
    const { names, texts } = await cellsOf(
      'a.ndjson',
      '\ufeff{"a":{"b":9007199254740993,"c":null},"d":[1,{"e":2}]}\r\n\r\n{"a":null,"f/g":"x"}\r\n',
    );
    assert.deepEqual(names, ['a.b:number', 'a.c:text', 'd:json', 'f/g:text']);
    assert.deepEqual(texts, [
      ['number 9007199254740993', 'null ', 'json [1,{"e":2}]', 'missing '],
      ['missing ', 'missing ', 'missing ', 'x'],
    ]);
  });

  it('TableCore knows what was closed in a comparison, also where that comes after the first rows', async () => {
    const added = Array.from({ length: 300 }, (_, at) => ({
      change: 'new',
      changed_fields: [],
      issue_id: `i${at}`,
    }));
    const closed = { change: 'changed', changed_fields: ['status'], became: 'closed' };
    const lines = [...added, closed].map((line) => JSON.stringify(line)).join('\n');
    const core = await openCore(folder.write('a.ndjson', lines));
    await core.checked();
    const became = core.info().columns.find(({ name }) => name === 'became');
    assert.equal(became?.role, 'change');
    core.close();
  });

  it('TableCore refuses to read a column twice, and goes on', async () => {
    const core = await openCore(folder.write('a.csv', 'a,b\n1,2\n'));
    const rows = (columns: readonly string[]) =>
      core.rows({ view: wholeFile, from: 0, count: 1, columns }, work()).rows[0]?.cells;
    const [, second = ''] = core.info().columns.map(({ id }) => id);
    assert.throws(() => rows([second, second]), { code: 'badRequest' });
    assert.deepEqual(
      rows([second])?.map(({ text }) => text),
      ['2'],
    );
    core.close();
  });

  it('TableCore reads all fields of a record, also before all columns are found', async () => {
    const rows = Array.from({ length: 3000 }, (_, at) =>
      JSON.stringify({ id: at, ...(at === 2500 && { late: 'x', in: { token: 'y', more: 1 } }) }),
    );
    const file = folder.write('a.ndjson', `${rows.join('\n')}\n`);
    const core = new TableCore(await TableFile.open(file, openPlain(file)));
    await core.start();
    assert.equal(core.info().checked, false);
    const names = () => core.record({ record: 2500 }, work()).fields.map(({ name }) => name);
    assert.deepEqual(names(), ['id', 'late', 'in.token', 'in.more']);
    assert.ok(!core.record({ record: 2500 }, { ...work(), reveal: false }).text.includes('"y"'));
    await core.check();
    assert.deepEqual(names(), ['id', 'late', 'in.token', 'in.more']);
    assert.equal(core.info().columns.length, 4);
    core.close();
  });

  it('TableCore shows and counts invalid records', async () => {
    const { info, texts, invalid } = await cellsOf('a.ndjson', '{"a":1}\nnonsense\n{"a":2}\n{"a":');
    assert.deepEqual(texts, [['number 1'], ['invalid nonsense'], ['number 2'], ['invalid {"a":']]);
    assert.deepEqual(invalid, [undefined, 'syntax', undefined, 'truncated']);
    assert.equal(info.invalidRows, 2);
    assert.equal(info.truncated, 'record');
  });

  it('TableCore shows the text of a file without a valid record', async () => {
    const { info, names, texts } = await cellsOf('a.ndjson', 'plain text\nand more\n');
    assert.deepEqual([names, info.invalidRows], [['value:text'], 2]);
    assert.deepEqual(texts, [['invalid plain text'], ['invalid and more']]);
  });

  it('TableCore finds the rows of a top-level array, of an array below a key, and of an object without one', async () => {
    const top = await cellsOf('a.json', ' [ {"a":1}, 2 ,\n[3]]');
    assert.deepEqual(top.texts, [
      ['missing ', 'number 1'],
      ['number 2', 'missing '],
      ['json [3]', 'missing '],
    ]);
    const below = await cellsOf(
      'b.json',
      '{"n":"[","tags":["x"],"entries":[{"a":1},{"a":2}],"z":[]}',
    );
    assert.deepEqual(below.texts, [['number 1'], ['number 2']]);
    assert.equal(below.info.format.member, 'entries');
    const none = await cellsOf('c.json', '{\n "a": {"b": 1}\n}\n');
    assert.deepEqual(none.texts, [['number 1']]);
    const cut = await cellsOf('d.json', '[{"a":1},{"a":');
    assert.deepEqual(cut.invalid, [undefined, 'truncated']);
    assert.equal(cut.info.truncated, 'record');
  });

  it('TableCore shows content after a top-level array as lines or as an invalid row', async () => {
    for (const [content, lines] of [
      ['[{"a":1}]\n[{"a":2}]\n', ['json [{"a":1}]', 'json [{"a":2}]']],
      ['[1]\n\n{"a":2}', ['json [1]', 'missing ']],
    ] as const) {
      const { info, texts } = await cellsOf('a.json', content);
      assert.deepEqual(
        texts.map(([first]) => first),
        lines,
      );
      assert.deepEqual([info.invalidRows, info.truncated], [0, undefined]);
    }
    for (const behind of ['nonsense', '\n]', ' {"a":2}', ',{"a":2}]']) {
      for (const rows of [0, 1, 64, 128]) {
        const elements = Array.from({ length: rows }, (_, row) => `{"a":${row}}`).join(',\n');
        const { info, invalid } = await cellsOf('a.json', `[\n${elements}\n]${behind} \n`);
        assert.deepEqual([invalid.length, invalid.at(-1)], [rows + 1, 'syntax'], behind);
        assert.deepEqual([info.rows, info.invalidRows, info.truncated], [rows + 1, 1, undefined]);
      }
    }
    const { texts } = await cellsOf('a.json', '[{"a":1}\n] more ');
    assert.deepEqual(texts, [['number 1'], ['invalid ] more']]);
    const proper = await cellsOf('a.json', '[{"a":1}]\r\n\t ');
    assert.deepEqual([proper.texts, proper.info.truncated], [[['number 1']], undefined]);
  });

  it('TableCore shows the elements of consecutive arrays, and consecutive objects', async () => {
    for (const rows of [1, 63, 64, 65, 128]) {
      const records = Array.from({ length: rows }, (_, row) => ({ a: row, b: { c: '[{' } }));
      const array = JSON.stringify(records, undefined, 2);
      const content = `${array}\n${array}[]\r\n\r\n[ ]${array}\n`;
      for (const chunkBytes of [7, 1000]) {
        const core = await openCore(folder.write('a.json', content), { chunkBytes });
        const { rows: found, invalidRows, truncated } = core.info();
        assert.deepEqual([found, invalidRows, truncated], [3 * rows, 0, undefined]);
        for (const row of [0, rows, 2 * rows, 3 * rows - 1].filter((at) => at >= 0 && at < found)) {
          const { text } = core.record({ record: row }, work());
          assert.deepEqual(JSON.parse(text), records[row % rows]);
        }
        core.close();
      }
    }
    const object = (a: number) => JSON.stringify({ a, b: [{ c: '}' }], d: {} }, undefined, 2);
    const objects = await cellsOf('a.json', `\ufeff${object(1)}${object(2)}\r\n${object(3)}\n`);
    assert.deepEqual(objects.names, ['a:number', 'b:json', 'd:json']);
    assert.deepEqual(
      objects.texts.map(([a]) => a),
      ['number 1', 'number 2', 'number 3'],
    );
    assert.deepEqual([objects.info.invalidRows, objects.info.bytesAfterValue], [0, undefined]);
    const spoiled = await cellsOf('a.json', `${object(1)}${object(2)} oops "{\n1\n[\n1\n]{"a":`);
    assert.deepEqual(spoiled.invalid, [undefined, undefined, 'syntax', 'truncated']);
    assert.equal(spoiled.texts[2]?.[0], 'invalid oops "');
  });

  it('TableCore counts the bytes after the value whose array is shown', async () => {
    const records = Array.from({ length: 20_000 }, (_, row) => ({ row, text: `}]${row}` }));
    const page = JSON.stringify({ data: { findings: records, next: '}' }, n: [{}] }, undefined, 1);
    for (const [content, behind] of [
      [page, undefined],
      [`${page}\n\n`, undefined],
      [`${page} ${page}`, page.length],
      [`${page} nonsense\n`, 9],
      [page.slice(0, -10), undefined],
    ] as const) {
      for (const chunkBytes of [1000, 1024 ** 2]) {
        const core = await openCore(folder.write('a.json', content), { chunkBytes });
        const info = core.info();
        assert.deepEqual([info.rows, info.format.member], [records.length, 'data.findings']);
        assert.equal(info.bytesAfterValue, behind);
        core.close();
      }
    }
  });

  it('TableCore detects invalid UTF-8 at any offset', async () => {
    const latin = (text: string) => Buffer.from(text, 'latin1');
    const line = '{"a":"\u00e9\u4f60\ud83d\ude80"}';
    const lines = Buffer.from(`${line}\n`.repeat(1000));
    const array = Buffer.from(`[${`${line},`.repeat(1000)}`);
    for (const [name, content, notUtf8] of [
      ['a.csv', 'a,b\n1,\u00e9\n', undefined],
      ['a.ndjson', Buffer.concat([Buffer.from('\ufeff'), lines]), undefined],
      ['a.ndjson', lines.subarray(0, -4), true],
      ['a.csv', latin('a,b\n1,2\n3,\u00e9'), true],
      ['a.csv', latin('caf\u00e9,b\n1,2\n'), true],
      ['a.csv', latin('a,b\n1,2\n3,\u00e9\n'), true],
      ['a.json', Buffer.concat([array, latin('"\u00e9"]')]), true],
      ['a.ndjson', Buffer.concat([lines, latin('"\u00e9"\n'), lines]), true],
    ] as const) {
      for (const chunkBytes of [1, 2, 3, 4, 5, 64, 1000, 1024 ** 2]) {
        const core = await openCore(folder.write(name, content), { chunkBytes });
        assert.equal(core.info().notUtf8, notUtf8, `${name} by ${chunkBytes}`);
        core.close();
      }
    }
  });

  it('TableCore truncates content after an array like other invalid rows that are too long', async () => {
    const long = `[{"a":1}] ${'x ]'.repeat(1_000_000)}`;
    const core = await openCore(folder.write('a.json', long), {
      chunkBytes: 64 * 1024,
      maxRecordBytes: 1_000_000,
    });
    const { rows } = core.rows({ view: wholeFile, from: 0, count: 9 }, work());
    assert.deepEqual(
      rows.map(({ invalid }) => invalid),
      [undefined, 'tooLong'],
    );
    assert.equal(core.info().invalidRows, 1);
    core.close();
  });

  it('TableCore shows the list of a JSON document that has findings, and names all lists', async () => {
    const findings = '[{"a":1},{"a":2},{"a":3}]';
    const severe = '[{"severity":"high"},{"severity":"low"}]';
    const long = JSON.stringify('x'.repeat(300_000));
    for (const [content, rows, list, others] of [
      [`{"data":{"findings":${findings}}}`, 3, 'data.findings[]', []],
      [
        `{"n":[1,2,3],"files":[{"w":1},{"w":2},{"w":3},{"w":4}],"data":{"next":null,"findings":${findings},"x":[{}]}}`,
        3,
        'data.findings[]',
        ['files[] 4', 'data.x[] 1'],
      ],
      // Severities count more than the number of records, wherever they are in the file.
      [
        `{"rows":${findings},"text":${long},"a":{"b":{"late":${severe}}}}`,
        2,
        'a.b.late[]',
        ['rows[] 3'],
      ],
      [
        `{"runs":[{"results":${severe}},{"results":${severe}}]}`,
        4,
        'runs[].results[]',
        ['runs[] 2'],
      ],
      // Without severities, the list with the most records, of several such lists the first one.
      [`{"a":{"one":${findings}},"two":${findings}}`, 3, 'a.one[]', ['two[] 3']],
      [`{"data":{"hosts":["a"]},"tags":["a","b"]}`, 1, undefined, []],
      [`{"data":{"hosts":["a"]},"items":["a","b"]}`, 2, 'items[]', []],
      [`{"data":{"hosts":["a"]}}`, 1, undefined, []],
      [`{"a":{"b":{"c":[{"d":1}]}}}`, 1, 'a.b.c[]', []],
      [`{"a":{"b":1},"c":[]}`, 1, undefined, []],
    ] as const) {
      const { info, texts } = await cellsOf('a.json', content);
      const named = (info.lists ?? []).map((each) => `${each.list} ${each.rows}`);
      assert.deepEqual(
        [texts.length, info.list, named.filter((each) => !each.startsWith(`${info.list} `))],
        [rows, list, others],
        content.slice(0, 100),
      );
    }
    const secret = await cellsOf('a.json', '{"data":{"passwords":[{"a":"hunter2"}]}}', false);
    assert.doesNotMatch(JSON.stringify(secret), /hunter2/);
  });

  it('TableCore reads CSV with a heading, quoted line breaks, and short and long records', async () => {
    const { info, names, texts } = await cellsOf(
      'a.csv',
      'name;size;\r\n"a ""b""\r\nc";12;x\r\nshort\r\n;2026-11-21;true;more\r\n',
    );
    assert.deepEqual(info.format, { kind: 'csv', gzip: false, delimiter: ';', heading: true });
    assert.deepEqual(names, ['name:text', 'size:mixed', '#3:mixed', '#4:text']);
    assert.deepEqual(texts, [
      ['a "b"\r\nc', 'number 12', 'x', 'missing '],
      ['short', 'missing ', 'missing ', 'missing '],
      ['null ', 'date 2026-11-21', 'boolean true', 'more'],
    ]);
  });

  it('TableCore skips records of CSV whose fields are all blank, wherever they are', async () => {
    for (const [delimiter, end] of [
      [',', '\n'],
      [';', '\r\n'],
      ['\t', '\n'],
      ['|', '\r'],
    ] as const) {
      const blank = [delimiter, ` ${delimiter} `, delimiter, ' '];
      const rows = [
        ['High', 'a'],
        ['', 'b'],
        ['c', ''],
        ['"', '"'],
      ].map((row) => row.join(delimiter));
      const [high = '', ...more] = rows;
      const lines = [
        ...blank,
        ['Severity', 'Host'].join(delimiter),
        high,
        ...blank,
        ...more,
        ...blank,
      ];
      for (const last of ['', end]) {
        const { info, names, texts } = await cellsOf('a.csv', lines.join(end) + last);
        assert.deepEqual(names, ['Severity:text', 'Host:text']);
        assert.deepEqual([info.rows, info.invalidRows, texts.length], [4, 0, 4]);
        assert.deepEqual(texts.slice(0, 3), [
          ['High', 'a'],
          ['null ', 'b'],
          ['c', 'null '],
        ]);
      }
    }
  });

  it('TableCore reads a CSV heading that is longer than the first block of the file', async () => {
    const names = Array.from({ length: 1000 }, (_, at) => `${at} `.padEnd(280, 'n'));
    names[999] = 'password';
    const values = names.map((_, at) => (at === 999 ? 'hunter2' : `v${at}`)).join();
    for (const heading of [names.join(), names.map((name) => `"${name}"`).join()]) {
      const core = await openCore(folder.write('a.csv', `${heading}\n${values}\n`));
      const { rows, columns, format } = core.info();
      assert.deepEqual([rows, format.heading], [1, true]);
      assert.deepEqual(
        columns.map(({ name }) => name),
        names,
      );
      const { fields } = core.record({ record: 0 }, { budget: new YieldBudget(), reveal: false });
      assert.deepEqual(
        [0, 999].map((at) => fields[at]?.cell.text),
        ['v0', mask],
      );
      core.close();
    }
  });

  it('TableCore reads a CSV heading that ends near the end of the first block of the file', async () => {
    for (const end of ['\n', '\r\n', '\r']) {
      for (const length of [-3, -2, -1, 0, 1].map((more) => 256 * 1024 + more)) {
        const last = 'n'.repeat(length - 2);
        const { names, texts } = await cellsOf('a.csv', `a,${last}${end}1,2${end}3,4${end}`);
        assert.deepEqual(names, ['a:number', `${last}:number`]);
        assert.deepEqual(texts, [
          ['number 1', 'number 2'],
          ['number 3', 'number 4'],
        ]);
      }
    }
  });

  it('TableCore has no rows and no notice for an empty file', async () => {
    for (const name of ['a.csv', 'a.json', 'a.ndjson', 'b.json']) {
      const { info } = await cellsOf(name, name === 'b.json' ? '[]' : '');
      assert.deepEqual(
        [info.rows, info.done, info.invalidRows, info.truncated],
        [0, true, 0, undefined],
      );
    }
  });

  it('TableCore refuses a file without a table, and a missing file', async () => {
    await assert.rejects(openCore(folder.write('a.csv', Buffer.from([0x50, 0x4b, 0, 0]))), {
      code: 'notATable',
    });
    await assert.rejects(openCore(folder.write('a.json', '12')), { code: 'notATable' });
    await assert.rejects(openCore(`${folder.path}/none.json`), { code: 'notFound' });
  });

  it('TableCore shows a value as it is beside a text that may name it as secret', async () => {
    for (const [name, content] of [
      ['a.ndjson', '{"name":"a\\tname","value":"a longer\\tvalue"}\n{"name":"x","value":"y"}\n'],
      ['a.csv', 'name,value\n"a ""name""","a ""longer"" value"\n"x","y"\n'],
    ] as const) {
      const core = await openCore(folder.write(name, content));
      const shown = (reveal: boolean) =>
        core
          .rows({ view: wholeFile, from: 0, count: 9 }, { budget: new YieldBudget(), reveal })
          .rows.map(({ cells }) => cells.map(({ text }) => text));
      assert.deepEqual(shown(false), shown(true), content);
      core.close();
    }
  });

  it('TableCore masks secrets in cells, records and copies unless revealed', async () => {
    const line =
      '{"user":"u","password":"p1","deep":[{"api_key":"k1","n":1}],"n":12345678901234567890}';
    const core = await openCore(folder.write('a.ndjson', `${line}\n{"password":"p2`));
    const masked = { budget: new YieldBudget(), reveal: false };
    const range = { view: wholeFile, from: 0, count: 9, columns: ['/password', '/deep'] };
    const copy = { ...range, format: 'json', headings: true } as const;
    const hidden = [
      core.rows({ view: wholeFile, from: 0, count: 9 }, masked),
      core.record({ record: 0 }, masked),
      core.record({ record: 1 }, masked),
      await core.copy(copy, masked),
      await core.distinct({ column: '/password' }, masked),
      await core.distinct({ column: '/deep' }, masked),
      core.groups(
        {
          view: (await core.query({ query: { groupBy: ['/password', '/deep'] } }, work())).id,
          from: 0,
          count: 9,
        },
        masked,
      ),
    ];
    assert.doesNotMatch(JSON.stringify(hidden), /p1|k1|p2/);
    assert.equal(core.record({ record: 0 }, work()).text, line);
    assert.match((await core.copy(copy, work())).text, /"p1".*"k1"/s);
    core.close();
  });

  it('TableCore knows columns with dates of several days, but not those of a log of one day', async () => {
    const lines = [0, 1, 2].map((row) =>
      JSON.stringify({
        seen: `2026-11-0${row + 1}T08:00:00Z`,
        at: `2026-11-01T1${row}:00:00+02:00`,
        // In UTC, these are two days.
        late: `2026-11-01T0${row}:00:00+01:00`,
        word: `day ${row}`,
      }),
    );
    const core = await openCore(folder.write('days.ndjson', lines.join('\n')));
    const several = core.info().columns.flatMap(({ name, hasDays }) => (hasDays ? [name] : []));
    assert.deepEqual(several, ['seen', 'late']);
    core.close();
    const log = [1, 2].map((minute) => `{"at":"2026-11-01T08:0${minute}:00Z"}`);
    const other = await openCore(folder.write('log.ndjson', log.join('\n')));
    assert.ok(!('hasDays' in (other.info().columns[0] ?? {})));
    other.close();
  });

  it('TableCore knows all dates of findings as days, also of one day and of columns that later rows have', async () => {
    const daysOf = async (name: string, rows: readonly object[]) => {
      const core = await openCore(
        folder.write(name, rows.map((row) => JSON.stringify(row)).join('\n')),
      );
      await core.check();
      const { columns } = core.info();
      core.close();
      return columns.filter(({ hasDays }) => hasDays).map((column) => column.name);
    };
    // As Dependabot writes alerts.
    const alert = {
      number: 1,
      state: 'open',
      security_vulnerability: { severity: 'high' },
      created_at: '2026-06-15T07:43:03Z',
      updated_at: '2026-06-15T07:43:03Z',
      dismissed_at: null,
      fixed_at: null,
    };
    const fixed = { ...alert, number: 250, state: 'fixed', fixed_at: '2026-06-20T07:43:03Z' };
    const alerts = [...Array.from({ length: 249 }, () => alert), fixed];
    assert.deepEqual(await daysOf('alerts.ndjson', alerts), [
      'created_at',
      'updated_at',
      'fixed_at',
    ]);
    // As Prowler writes findings.
    const finding = {
      finding_info: { uid: 'p-1', created_time_dt: '2026-02-14T14:27:03.913874' },
      severity: 'High',
      status_code: 'FAIL',
      time_dt: '2026-02-14T14:27:03.913874',
      created_time: 1771079223,
    };
    assert.deepEqual(await daysOf('prowler.ndjson', [finding, finding]), [
      'finding_info.created_time_dt',
      'time_dt',
      'created_time',
    ]);
  });

  it('TableCore copies ranges as TSV, CSV and JSON, with titles of columns as headings for people', async () => {
    const core = await openCore(folder.write('a.ndjson', '{"a":"x\\ty","b":1.50}\n{"b":null}\n'));
    const copy = async (format: CopyFormat, count = 2, titles = {}) => {
      const range = { view: wholeFile, from: 0, count, columns: ['/a', '/b'], format };
      return core.copy({ ...range, headings: true, titles }, work());
    };
    assert.equal((await copy('csv')).text, 'a,b\r\n"x\ty",1.50\r\n,\r\n');
    assert.equal((await copy('tsv')).text, 'a\tb\r\n"x\ty"\t1.50\r\n\t\r\n');
    assert.equal((await copy('tsv', 1, { '/b': 'B' })).text, 'a\tB\r\n"x\ty"\t1.50\r\n');
    assert.equal((await copy('markdown', 1, { '/b': 'B' })).text.split('\n')[0], '| a | B |');
    assert.deepEqual(await copy('json', 1), {
      text: '[\n{"a":"x\\ty","b":1.50}\n]',
      rows: 1,
      cut: false,
    });
    assert.equal((await copy('json')).text, '[\n{"a":"x\\ty","b":1.50},\n{"b":null}\n]');
    core.close();
  });

  it('TableCore neutralizes formulas in TSV and CSV copies, and leaves numbers and JSON unchanged', async () => {
    const name = '@SUM(1)';
    const core = await openCore(
      folder.write('a.ndjson', `{"${name}":"=1+1","b":-5}\n{"${name}":"+49 1","b":"-5"}\n`),
    );
    const copy = async (format: 'tsv' | 'csv' | 'json') => {
      const range = { view: wholeFile, from: 0, count: 2, columns: [`/${name}`, '/b'], format };
      return (await core.copy({ ...range, headings: true }, work())).text;
    };
    assert.equal(await copy('tsv'), `'${name}\tb\r\n'=1+1\t-5\r\n'+49 1\t'-5\r\n`);
    assert.equal(await copy('csv'), `'${name},b\r\n'=1+1,-5\r\n'+49 1,'-5\r\n`);
    // What reads JSON computes nothing.
    assert.match(await copy('json'), /"=1\+1","b":-5/);
    core.close();
  });

  it('TableCore numbers the hits of Find in the order of the view', async () => {
    const lines = [3, 1, 2].map((row) => `{"row":${row},"word":"${row === 3 ? 'hay' : 'needle'}"}`);
    const file = folder.write('a.ndjson', lines.join('\n'));
    const core = new TableCore(await TableFile.open(file, openPlain(file)));
    await core.start();
    const sort = [{ column: '/row', descending: true }];
    const { id } = await core.query({ query: { sort } }, work());
    const next = async (view: number, from: number, backwards = false) => {
      const found = await core.find({ view, text: 'needle', from, backwards }, work());
      return [found?.record, found?.number, found?.total, found?.wrapped];
    };
    assert.deepEqual(await next(id, -1), [2, 1, 2, false]);
    assert.deepEqual(await next(id, 1), [1, 2, 2, false]);
    assert.deepEqual(await next(id, 2), [2, 1, 2, true]);
    assert.deepEqual(await next(id, -1, true), [1, 2, 2, false]);
    const filter = { op: 'equals', column: '/row', text: '1' } as const;
    const filtered = await core.query({ query: { filter } }, work());
    assert.deepEqual(await next(filtered.id, -1), [1, 1, 1, false]);
    core.close();
  });

  it('TableCore finds a text in the first column that is shown, and says how many rows have it that are not', async () => {
    const lines = ['x needle', 'hay', 'needle'].map((word, row) =>
      JSON.stringify({ raw: `all of ${word}`, row, word, notes: word }),
    );
    const file = folder.write('a.ndjson', lines.join('\n'));
    const core = new TableCore(await TableFile.open(file, openPlain(file)));
    await core.start();
    const find = async (view: number, ...columns: readonly string[]) => {
      const params = { view, text: 'needle', from: -1, backwards: false, columns };
      const found = await core.find(params, work());
      return [found?.record, found?.column, found?.elsewhere];
    };
    assert.deepEqual(await find(wholeFile, '/row', '/notes', '/word'), [0, '/notes', undefined]);
    assert.deepEqual(await find(wholeFile, '/row'), [0, '/raw', undefined]);
    const filter = { op: 'equals', column: '/row', text: '2' } as const;
    const { id } = await core.query({ query: { filter } }, work());
    assert.deepEqual(await find(id, '/word'), [2, '/word', 1]);
    core.close();
  });

  it('TableCore finds a text in a column that only a later record has', async () => {
    const lines = Array.from({ length: 3000 }, (_, row) => `{"a":${row}}`);
    const file = folder.write('a.ndjson', [...lines, '{"a":1,"late":"needle"}'].join('\n'));
    const core = new TableCore(await TableFile.open(file, openPlain(file)));
    await core.start();
    const search = { view: wholeFile, text: 'needle', from: -1, backwards: false };
    const place = { position: 3000, record: 3000, number: 1, total: 1, wrapped: false };
    assert.deepEqual(await core.find(search, work()), { ...place, column: '/late' });
    core.close();
  });

  it('TableCore sorts by the next key when numbers or dates are equal but written differently', async () => {
    const long = '9'.repeat(100);
    const time = '2026-11-21T09:30:00';
    for (const [values, expected] of [
      [
        ['1', '1.0', '1', '1e0', '0.5', '1.00'],
        [4, 5, 3, 2, 1, 0],
      ],
      [
        [`"${time}Z"`, `"${time}+00:00"`, `"${time}"`, '"2026-11-21T10:30:00+01:00"'],
        [3, 2, 1, 0],
      ],
      // Too many to be compared at a time, and two when each is read once.
      [
        Array.from({ length: 20 }, (_, row) => (row % 2 === 0 ? long : `${long}.0`)),
        Array.from({ length: 20 }, (_, at) => 19 - at),
      ],
    ] as const) {
      const lines = values.map((value, row) => `{"a":${value},"b":${values.length - row}}`);
      const file = folder.write('a.ndjson', lines.join('\n'));
      for (const maxValues of [1e6, 0]) {
        const core = await openCore(file, {
          columnLimits: {
            maxValues,
            maxTextBytes: 1e6,
            triedRows: 1e6,
            tieBytes: 300,
          },
        });
        const sort = ['/a', '/b'].map((column) => ({ column, descending: false }));
        const view = await core.query({ query: { sort } }, work());
        assert.deepEqual(
          core
            .rows({ view: view.id, from: 0, count: 99, columns: [] }, work())
            .rows.map(({ record }) => record),
          expected,
        );
        // They are groups of their own all the same: these are told apart by what is written.
        const { groups } = await core.query({ query: { groupBy: ['/a'] } }, work());
        assert.equal(groups, new Set(values).size);
        core.close();
      }
    }
  });

  it('TableCore sorts, groups and lists severities by rank, with unknown ones as the lowest', async () => {
    const severities = ['low', 'own', 'HIGH', '', 'high', 'other', 'critical', 'own', 'low', 'low'];
    const lines = severities.map((severity, row) => `${severity},${row % 2}`);
    const core = await openCore(folder.write('a.csv', `severity,odd\n${lines.join('\n')}\n`));
    const shown = async (descending: boolean) => {
      const sort = [{ column: '/0', descending }];
      const { id } = await core.query({ query: { sort } }, work());
      return core
        .rows({ view: id, from: 0, count: 99 }, work())
        .rows.map(({ cells }) => cells[0]?.text);
    };
    assert.deepEqual(await shown(true), [
      'critical',
      'HIGH',
      'high',
      'low',
      'low',
      'low',
      'own',
      'own',
      'other',
      '',
    ]);
    assert.deepEqual(await shown(false), [
      'other',
      'own',
      'own',
      'low',
      'low',
      'low',
      'HIGH',
      'high',
      'critical',
      '',
    ]);
    const { values } = await core.distinct({ column: '/0' }, work());
    assert.deepEqual(
      values.map(({ cell, count }) => `${cell.text} ${count}`),
      ['critical 1', 'HIGH 1', 'high 1', 'low 3', 'own 2', 'other 1', ' 1'],
    );
    const { id } = await core.query({ query: { groupBy: ['/0', '/1'] } }, work());
    const { groups } = core.groups({ view: id, from: 0, count: 99 }, work());
    assert.deepEqual(
      groups.map(({ values: [severity, odd], count }) => `${severity?.text} ${odd?.text} ${count}`),
      [
        'critical 0 1',
        'HIGH 0 1',
        'high 0 1',
        'low 0 2',
        'low 1 1',
        'own 1 2',
        'other 1 1',
        ' 1 1',
      ],
    );
    core.close();
  });

  async function sortedDown(name: string, ...values: string[]) {
    const core = await openCore(
      folder.write('a.csv', [`${name},x`, ...values.map((value) => `${value},x`)].join('\n')),
    );
    const { id } = await core.query(
      { query: { sort: [{ column: '/0', descending: true }] } },
      work(),
    );
    const { rows } = core.rows({ view: id, from: 0, count: 999 }, work());
    core.close();
    return rows.map(({ cells }) => cells[0]?.text);
  }

  it('TableCore sorts the ranks of priorities and incidents from the most urgent', async () => {
    for (const name of ['Prio', 'Priorität', 'Priority', 'Severity', 'Severity Label']) {
      assert.deepEqual(
        await sortedDown(name, 'P3', 'P1', 'P2', 'P1'),
        ['P1', 'P1', 'P2', 'P3'],
        name,
      );
      assert.deepEqual(await sortedDown(name, 'Sev3', 'sev1', 'S2'), ['sev1', 'S2', 'Sev3'], name);
    }
  });

  it('TableCore sorts severities that differ only in case or spaces as one, by the next column', async () => {
    const lines = ['HIGH,1', 'low,9', 'High,3', 'high ,2', 'high,4', 'critical,0'];
    const core = await openCore(folder.write('a.csv', ['severity,age', ...lines].join('\n')));
    const down = (column: string) => ({ column, descending: true });
    const { id } = await core.query({ query: { sort: ['/0', '/1'].map(down) } }, work());
    const { rows } = core.rows({ view: id, from: 0, count: 99 }, work());
    assert.deepEqual(
      rows.map(({ cells }) => cells[1]?.text),
      ['0', '4', '3', '2', '1', '9'],
    );
    const { groups } = await core.query({ query: { groupBy: ['/0'] } }, work());
    assert.equal(groups, 6);
    core.close();
  });

  it('TableCore sorts what says that there is no severity after all others', async () => {
    for (const none of ['N/A', 'n/a', '-', 'none', 'null', 'unknown', 'Not available']) {
      for (const name of ['cvss', 'cvss_score', 'severity']) {
        const sorted = await sortedDown(name, none, '5.0', '9.8', none, '10.0');
        assert.deepEqual(sorted, ['10.0', '9.8', '5.0', none, none], `${name} ${none}`);
      }
      assert.deepEqual(await sortedDown('severity', none, 'Low', 'Critical', 'Info'), [
        'Critical',
        'Low',
        'Info',
        none,
      ]);
    }
  });

  it('TableCore sorts the severities in the order of their levels, with more than fifty scores, too', async () => {
    assert.deepEqual(await sortedDown('severity', 'very-high', '5', 'crit', 'High', 'CRITICAL'), [
      'CRITICAL',
      'crit',
      'very-high',
      'High',
      '5',
    ]);
    const scores = Array.from({ length: 101 }, (_, tenth) => (tenth / 10).toFixed(1));
    assert.deepEqual(await sortedDown('cvss', 'N/A', ...scores), [...scores.toReversed(), 'N/A']);
  });

  it('TableCore sorts an empty text like null, last in both directions, however many values there are', async () => {
    const column = '/a';
    const values = ['"b"', '""', 'null', '5', '"2026-01-02"', '""', '"\\u0000"', '"a"'];
    const file = folder.write('a.ndjson', values.map((value) => `{"a":${value}}`).join('\n'));
    const words = folder.write(
      'b.ndjson',
      ['"low"', '""', '"high"', 'null', '"own"'].map((value) => `{"severity":${value}}`).join('\n'),
    );
    for (const maxValues of [1e6, 0]) {
      const columnLimits = { maxValues, maxTextBytes: 1e6, triedRows: 1e6 };
      const core = await openCore(file, { columnLimits });
      for (const [descending, first] of [
        [false, [3, 4, 6, 7, 0]],
        [true, [0, 7, 6, 4, 3]],
      ] as const) {
        const { id } = await core.query({ query: { sort: [{ column, descending }] } }, work());
        const { rows } = core.rows({ view: id, from: 0, count: 99, columns: [] }, work());
        assert.deepEqual(
          rows.map(({ record }) => record),
          [...first, 1, 5, 2],
        );
      }
      const { groups } = await core.query({ query: { groupBy: [column] } }, work());
      assert.equal(groups, 7);
      core.close();
      const severities = await openCore(words, { columnLimits });
      for (const descending of [false, true]) {
        const sort = [{ column: '/severity', descending }];
        const { id } = await severities.query({ query: { sort } }, work());
        const { rows } = severities.rows({ view: id, from: 3, count: 99, columns: [] }, work());
        assert.deepEqual(
          rows.map(({ record }) => record),
          [1, 3],
        );
      }
      severities.close();
    }
  });

  it('TableCore locates a record in a view', async () => {
    const core = await openCore(folder.write('a.ndjson', '{"a":2}\n{"a":1}\n{"a":3}\n'));
    const { id } = await core.query(
      { query: { sort: [{ column: '/a', descending: true }] } },
      work(),
    );
    assert.equal(core.locate({ view: id, record: 0 }), 1);
    const filter = { op: 'compare', column: '/a', is: '>', number: '1' } as const;
    const filtered = await core.query({ query: { filter } }, work());
    assert.equal(core.locate({ view: filtered.id, record: 1 }), 1);
    assert.throws(() => core.rows({ view: id, from: 0, count: 1 }, work()), { code: 'gone' });
    core.close();
  });

  it('TableCore stores one offset per 64 records, and finds each record', async () => {
    const rows = 10_000;
    const lines = Array.from({ length: rows }, (_, row) => `{"row":${row}}`);
    const source = openPlain(folder.write('a.ndjson', lines.join('\n')));
    const index = new RecordIndex(source, { kind: 'lines' }, 0);
    await index.build(new YieldBudget(), () => undefined);
    assert.equal(index.rows, rows);
    source.close();
    for (let row = 0; row < rows; row += 1) {
      assert.equal(index.offsetBefore(row).row, row - (row % 64));
    }
    const core = await openCore(folder.write('a.ndjson', lines.join('\n')));
    for (const row of [0, 1, 63, 64, 65, 9999, 4242, 4243, 64]) {
      assert.equal(core.record({ record: row }, work()).text, lines[row]);
    }
    core.close();
  });

  it('TableCore finds records beyond 4 GiB', async () => {
    const file = folder.write('a.ndjson', '{"row":0}\n');
    const far = 5 * 1024 ** 3;
    const descriptor = fs.openSync(file, 'r+');
    fs.writeSync(descriptor, '\n{"row":1}\n', far);
    fs.closeSync(descriptor);
    const source = openPlain(file);
    // Only what lies behind the hole is gone through: the hole itself would take seconds.
    const index = new RecordIndex(source, { kind: 'lines' }, far);
    await index.build(new YieldBudget(), () => undefined);
    const reader = index.newReader(new Shape());
    reader.seek(index.offsetBefore(0).position);
    assert.equal(reader.next(), 'records');
    assert.equal(reader.position(0), far + 1);
    assert.equal(recordText(reader, 0), '{"row":1}');
    reader.dispose();
    source.close();
  });

  it('TableCore builds a column once, and only on demand', async () => {
    const core = await openCore(folder.write('a.ndjson', '{"a":2,"b":1}\n{"a":1,"b":2}\n'));
    core.rows({ view: wholeFile, from: 0, count: 2 }, work());
    assert.equal(core.store.built, 0);
    await core.query({ query: { sort: [{ column: '/a', descending: false }] } }, work());
    await core.query({ query: { filter: { op: 'present', column: '/a' } } }, work());
    assert.equal(core.store.built, 1);
    core.close();
  });

  it('TableCore rejects a cancelled query, and one that a later query supersedes', async () => {
    const core = await openCore(folder.write('a.ndjson', '{"a":2}\n{"a":1}\n'));
    const sort = [{ column: '/a', descending: false }];
    const budget = new YieldBudget();
    const cancelled = core.query({ query: { sort } }, { budget, reveal: false });
    budget.end('cancelled');
    await assert.rejects(cancelled, { code: 'cancelled' });
    const first = core.query({ query: { sort } }, work());
    const second = core.query({ query: { filter: { op: 'present', column: '/a' } } }, work());
    await assert.rejects(first, { code: 'superseded' });
    assert.equal((await second).rows, 2);
    core.close();
  });

  it('TableCore cancels a query in the middle of the file, and builds no partial column', async () => {
    const lines = Array.from(
      { length: 100_000 },
      (_, row) => `{"row":${row},"fill":"${'x'.repeat(80)}"}`,
    );
    const core = await openCore(folder.write('a.ndjson', lines.join('\n')));
    const shares: number[] = [];
    const budget = new YieldBudget((share) => {
      shares.push(share);
      budget.end('cancelled');
    });
    const sort = [{ column: '/row', descending: false }];
    await assert.rejects(core.query({ query: { sort } }, { budget, reveal: false }), {
      code: 'cancelled',
    });
    assert.equal(shares.length, 1);
    assert.ok((shares[0] ?? 1) < 0.6, `stopped at ${shares[0] ?? 1}`);
    assert.equal(core.store.built, 0);
    assert.equal((await core.query({ query: { sort } }, work())).rows, lines.length);
    core.close();
  });

  it('TableCore shows the first rows before all are found, while queries wait for the rest', async () => {
    const lines = Array.from(
      { length: 150_000 },
      (_, row) => `{"row":${row},"fill":"${'x'.repeat(80)}"}`,
    );
    const file = folder.write('a.ndjson', lines.join('\n'));
    const core = new TableCore(await TableFile.open(file, openPlain(file)));
    await core.start();
    const early = core.info();
    assert.ok(!early.done && early.rows >= 200 && early.rows < lines.length, `${early.rows} rows`);
    assert.equal(
      core.rows({ view: wholeFile, from: 100, count: 1, columns: ['/row'] }, work()).rows[0]
        ?.cells[0]?.text,
      '100',
    );
    const filter = { op: 'equals', column: '/row', text: '149999' } as const;
    assert.equal((await core.query({ query: { filter } }, work())).rows, 1);
    assert.equal(core.info().done, true);
    core.close();
  });
});

describe('A table whose file changes', () => {
  const folder = tableFolder();
  const content = '{"a":1}\n{"a":2}\n';

  async function changed(change: (file: string) => void) {
    const file = folder.write('a.ndjson', content);
    const core = await openCore(file);
    change(file);
    const count = countRows(core, { op: 'present', column: '/a' });
    const outcome = await count.catch((error: unknown) => (error as { code: string }).code);
    const told = core.info().changed;
    core.close();
    return [told, outcome];
  }

  it('A table whose file changes keeps its rows when lines are appended', async () => {
    assert.deepEqual(
      await changed((file) => {
        fs.appendFileSync(file, '{"a":3}\n');
      }),
      ['grown', 2],
    );
  });

  it('A table whose file changes keeps the old content when the file is replaced or removed', async () => {
    const swap = (file: string) => {
      fs.writeFileSync(`${file}.new`, content);
      fs.renameSync(`${file}.new`, file);
    };
    const remove = (file: string) => {
      fs.rmSync(file);
    };
    // Windows lets nobody replace a file that is open; by Wine, one that is removed keeps its name until it is closed.
    if (process.platform !== 'win32') {
      assert.deepEqual(await changed(swap), ['replaced', 2]);
    }
    if (!isWine) {
      assert.deepEqual(await changed(remove), ['removed', 2]);
    }
  });

  it('A table whose file changes stops finding and checking records when the file is truncated', async () => {
    const file = folder.write('a.ndjson', content.repeat(500_000));
    const core = new TableCore(await TableFile.open(file, openPlain(file)));
    await core.start();
    assert.equal(core.info().done, false);
    fs.truncateSync(file, 4000);
    await assert.rejects(core.check(), { code: 'changed' });
    assert.equal(core.updateChange(), 'modified');
    await assert.rejects(countRows(core, { op: 'invalid' }), { code: 'changed' });
    core.close();
  });

  it('A table whose file changes refuses queries when the content is overwritten or truncated', async () => {
    const later = new Date(Date.now() + 60_000);
    const write = (file: string) => {
      fs.writeFileSync(file, '{"b":1}\n{"a":2}\n');
      fs.utimesSync(file, later, later);
    };
    assert.deepEqual(await changed(write), ['modified', 'changed']);
    assert.deepEqual(
      await changed((file) => {
        fs.truncateSync(file, 8);
      }),
      ['modified', 'changed'],
    );
  });
});

describe('A compressed table', () => {
  const folder = tableFolder();
  const lines = Array.from({ length: 5000 }, (_, row) => `{"row":${row}}\n`).join('');

  it('A compressed table shows the same rows as the plain file, and leaves no temporary file', async () => {
    const cache = `${folder.path}/cache`;
    const core = await openGzip(folder.write('a.ndjson.gz', gzip(lines)), cache);
    assert.deepEqual([core.info().rows, core.info().format.gzip], [5000, true]);
    const { id } = await core.query(
      { query: { sort: [{ column: '/row', descending: true }] } },
      work(),
    );
    assert.equal(core.rows({ view: id, from: 0, count: 1 }, work()).rows[0]?.record, 4999);
    core.close();
    assert.deepEqual(fs.readdirSync(cache), []);
  });

  it('A compressed table is unpacked into a private folder', async function () {
    if (process.platform === 'win32') {
      this.skip();
    }
    const cache = `${folder.path}/private/cache`;
    (await openGzip(folder.write('a.ndjson.gz', gzip(lines)), cache)).close();
    assert.equal(fs.statSync(cache).mode & 0o777, 0o700);
  });

  it('A compressed table is refused, not shown as empty, when there is no disk space', async () => {
    const packed = folder.write('a.ndjson.gz', gzip(lines));
    await assert.rejects(openGzip(packed, folder.path, 0), { code: 'disk' });
  });

  it('A compressed table fails with a disk error, not as damaged, when it cannot be unpacked', async function () {
    if (process.platform === 'win32') {
      this.skip();
    }
    const packed = folder.write('a.ndjson.gz', gzip(lines));
    const cache = `${folder.path}/gone`;
    const opening = openGzip(packed, cache);
    // The file to unpack into is open by now.
    fs.rmdirSync(cache);
    await assert.rejects(opening, { code: 'disk' });
  });

  it('A compressed table shows the rows that can be unpacked when it is truncated, damaged or too large', async () => {
    const packed = gzip(lines);
    const cut = await openGzip(
      folder.write('a.ndjson.gz', packed.subarray(0, packed.length - 500)),
      folder.path,
    );
    assert.equal(cut.info().truncated, 'gzip');
    assert.ok(cut.info().rows > 0 && cut.info().rows < 5000, `${cut.info().rows} rows`);
    cut.close();
    const large = await openGzip(folder.write('b.ndjson.gz', packed), folder.path, 1000);
    assert.equal(large.info().truncated, 'limit');
    large.close();
    const nothing = folder.write('c.ndjson.gz', Buffer.from([0x1f, 0x8b, 1, 2, 3]));
    await assert.rejects(openGzip(nothing, folder.path), { code: 'notATable' });
  });
});
