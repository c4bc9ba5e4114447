import assert from 'node:assert/strict';
import { randomBytes } from 'node:crypto';
import { YieldBudget } from '../../../../src/engine/threads/yieldBudget';
import { mask } from '../../../../src/vocabulary/secretFields';
import { wholeFile } from '../../../../src/engine/data/query';
import {
  openCore,
  openGzip,
  gzip,
  tableFolder,
  countRows,
  work,
} from '../../../helpers/tableFiles';

/** What programs write under the names of tables. */
describe('Forms of files', () => {
  const folder = tableFolder();

  /** The names of the columns, the texts of the first rows, and why rows are invalid. */
  async function tableOf(
    name: string,
    content: string | Buffer,
    { reveal = true, chunkBytes = 1024 ** 2 } = {},
  ) {
    const core = await openCore(folder.write(name, content), { chunkBytes });
    const { rows } = core.rows(
      { view: wholeFile, from: 0, count: 200 },
      { budget: new YieldBudget(), reveal },
    );
    const { columns, ...info } = core.info();
    core.close();
    return {
      info,
      names: columns.map((column) => column.name),
      texts: rows.map(({ cells }) => cells.map(({ text }) => text)),
      invalid: rows.map(({ invalid }) => invalid),
    };
  }

  /** Reads it in blocks of several sizes, so that a block ends at each byte. */
  async function assertTable(
    name: string,
    content: string | Buffer,
    names: readonly string[],
    texts: readonly (readonly string[])[],
  ): Promise<void> {
    for (const chunkBytes of [1, 2, 3, 4, 5, 7, 1024 ** 2]) {
      const table = await tableOf(name, content, { chunkBytes });
      assert.deepEqual(
        [table.names, table.texts, table.info.rows, table.info.invalidRows],
        [names, texts, texts.length, 0],
        JSON.stringify([content.toString(), chunkBytes]),
      );
    }
  }

  describe('CSV', () => {
    const rows = [
      ['1', '2'],
      ['3', '4'],
    ];

    it('Forms of files CSV ends a row at CR, LF and CRLF, however they are mixed', async () => {
      for (const content of [
        'a,b\r1,2\r3,4\n',
        'a,b\n1,2\r3,4\n',
        'a,b\r\n1,2\r3,4\r\n',
        'a,b\r\n1,2\n3,4\r',
        'a,b\r\r\n1,2\r\r\n3,4\r\r\n',
        'a,b\r1,2\r\r3,4',
        '"a","b"\r"1","2"\r"3","4"\n',
        '"a","b"\n"1","2"\r"3","4"',
      ]) {
        await assertTable('a.csv', content, ['a', 'b'], rows);
      }
    });

    it('Forms of files CSV keeps the line breaks of a quoted field, whatever ends the rows', async () => {
      for (const end of ['\r', '\n', '\r\n']) {
        for (const inside of ['\r', '\n', '\r\n', '\n\r', 'x\r\n\ny']) {
          const content = ['a,b', `"${inside}",2`, `3,"${inside}"`, '5,6'].join(end) + end;
          await assertTable(
            'a.csv',
            content,
            ['a', 'b'],
            [
              [inside, '2'],
              ['3', inside],
              ['5', '6'],
            ],
          );
        }
      }
    });

    it('Forms of files CSV masks secrets in a file whose rows end with CR and whose last row ends with LF', async () => {
      const { texts } = await tableOf('a.csv', 'user,password\rx,hunter2\ry,hunter3\n', {
        reveal: false,
      });
      assert.deepEqual(texts, [
        ['x', mask],
        ['y', mask],
      ]);
    });

    it('Forms of files CSV finds the rows of a large file with CR, and those after a CR far behind', async () => {
      const lines = Array.from({ length: 60_000 }, (_, row) => `${row},x${row}`);
      for (const content of [
        `a,b\r${lines.join('\r')}\n`,
        `a,b\n${lines.join('\n')}`.replace('\n59000,', '\r59000,'),
        `a,b\r\n${lines.join('\r\n')}`.replace('\r\n59000,', '\r59000,'),
      ]) {
        const core = await openCore(folder.write('a.csv', content), { chunkBytes: 64 * 1024 });
        const { rows: count, invalidRows } = core.info();
        assert.deepEqual([count, invalidRows], [60_000, 0]);
        const { rows: some } = core.rows({ view: wholeFile, from: 59_000, count: 1 }, work());
        assert.deepEqual(
          some[0]?.cells.map(({ text }) => text),
          ['59000', 'x59000'],
        );
        core.close();
      }
    });

    // Without a bound, the first one takes an hour.
    it('Forms of files CSV leaves out rows of millions of blank fields', async () => {
      for (const blank of [',', ' ,', '\t, ']) {
        const content = `a,b\n1,2\n${blank.repeat(3_000_000)}\n3,4\n`;
        const { texts, info } = await tableOf('a.csv', content);
        assert.deepEqual([texts, info.rows], [rows, 2]);
      }
    });

    it('Forms of files CSV takes the separator from a first line "sep=", quoted or not', async () => {
      for (const line of ['sep=;', '"sep=;"', 'SEP=;', '"Sep=;"']) {
        for (const end of ['\r\n', '\n', '\r']) {
          const content = [line, 'a;b', '1;2', '3;4', ''].join(end);
          await assertTable('a.csv', content, ['a', 'b'], rows);
          await assertTable('a.csv', `\ufeff${content}`, ['a', 'b'], rows);
        }
      }
      await assertTable('a.csv', 'sep=|\na|b\n1|2,5\n', ['a', 'b'], [['1', '2,5']]);
      await assertTable('a.csv', '"sep=,"\na,b\n1,2;5\n', ['a', 'b'], [['1', '2;5']]);
    });
  });

  describe('Rows that are not valid CSV', () => {
    it('Forms of files Rows that are not valid CSV keep their fields, with literal quotes, and are marked', async () => {
      const lines = [
        'host\ttitle\tport',
        'a\t"Weak" cipher\t443',
        'b\t5" disk\t80',
        'c\tplain\t22',
        'd\t"never closed\t21',
        'e\t"say ""x"""\t20',
        'f\t"a"b"c"\t19',
      ];
      const { names, texts, invalid, info } = await tableOf('a.tsv', lines.join('\n'));
      assert.deepEqual(names, ['host', 'title', 'port']);
      assert.deepEqual(texts, [
        ['a', '"Weak" cipher', '443'],
        ['b', '5" disk', '80'],
        ['c', 'plain', '22'],
        ['d', '"never closed', '21'],
        ['e', 'say "x"', '20'],
        ['f', '"a"b"c"', '19'],
      ]);
      const marked = 'fields';
      assert.deepEqual(invalid, [marked, undefined, undefined, marked, undefined, marked]);
      assert.equal(info.invalidRows, 3);
    });

    it('Forms of files Rows that are not valid CSV are found by filters, counted and exported like others', async () => {
      const content = 'host,severity\na,"High" one\nb,High\nc,"Low\n';
      const core = await openCore(folder.write('a.csv', content));
      const equals = (column: string, text: string) =>
        countRows(core, { op: 'equals', column, text });
      assert.equal(await equals('/0', 'a'), 1);
      assert.equal(await equals('/1', '"High" one'), 1);
      assert.equal(await equals('/1', '"Low'), 1);
      assert.equal(await countRows(core, { op: 'invalid' }), 2);
      assert.equal(await countRows(core, { op: 'anywhere', text: 'one' }), 1);
      const view = await core.hold({ query: {} }, work());
      const { text } = await core.exportPart(
        { view: view.id, format: 'ndjson', from: 0, count: 9 } as never,
        work(),
      );
      assert.deepEqual(
        text
          .trim()
          .split('\n')
          .map((line) => JSON.parse(line) as unknown),
        [
          { host: 'a', severity: '"High" one' },
          { host: 'b', severity: 'High' },
          { host: 'c', severity: '"Low' },
        ],
      );
      core.close();
    });

    it('Forms of files Rows that are not valid CSV show no secrets, because a value may be in a wrong column', async () => {
      const content = 'user,password\n"a"b,hunter2\nx,hunter3\n"y,hunter4\nz,hunter5\n';
      const table = await tableOf('a.csv', content, { reveal: false });
      assert.doesNotMatch(JSON.stringify(table), /hunter/);
      assert.deepEqual(table.texts[1], ['x', mask]);
      const revealed = await tableOf('a.csv', content);
      assert.deepEqual(revealed.texts, [
        ['"a"b', 'hunter2'],
        ['x', 'hunter3'],
        ['"y', 'hunter4'],
        ['z', 'hunter5'],
      ]);
    });

    it('Forms of files Rows that are not valid CSV stay one record where a field has several lines, so that no line shows a secret', async () => {
      const content =
        'user,password,note\nbob,"first line of key\nsecond secret line" ,x\nann,hunter2,y\n';
      for (const reveal of [false, true]) {
        const { texts, info } = await tableOf('a.csv', content, { reveal });
        assert.equal(info.rows, 2);
        assert.deepEqual(
          texts[0],
          reveal ? ['bob', '"first line of key\nsecond secret line" ', 'x'] : [mask, mask, mask],
        );
      }
    });

    it('Forms of files Rows that are not valid CSV may be the heading, whose names still mask their columns', async () => {
      for (const heading of ['id,note,"password', 'id,"note,password']) {
        const content = `${heading}\n1,x,hunter2\n2,b,c\n`;
        const table = await tableOf('a.csv', content, { reveal: false });
        assert.doesNotMatch(JSON.stringify(table), /hunter2/);
        assert.equal(table.info.rows, 2);
      }
    });

    it('Forms of files Rows that are not valid CSV say that the file ends within them', async () => {
      const { texts, invalid, info } = await tableOf('a.csv', 'a,b\n1,2\n3,"4');
      assert.deepEqual(texts, [
        ['1', '2'],
        ['3', '"4'],
      ]);
      assert.deepEqual([invalid, info.truncated], [[undefined, 'truncated'], 'record']);
    });
  });

  describe('Secrets in CSV', () => {
    it('Forms of files Secrets in CSV are masked in fields beyond the heading, where other columns may have moved', async () => {
      for (const content of [
        'id,note,password\n1,hello, world,hunter2\n',
        'note,password\n1,x,hunter2\n2,y,hunter2\n',
        `${'\n'.repeat(300_000)}user,password\nx,hunter2\n`,
        `${',,\n'.repeat(100_000)}id,note,password\n1,x,hunter2\n`,
      ]) {
        const table = await tableOf('a.csv', content, { reveal: false });
        assert.doesNotMatch(JSON.stringify(table), /hunter2/, content.slice(-60));
      }
    });

    it('Forms of files Secrets in CSV are masked in the text of a row that is not valid CSV', async () => {
      for (const content of [
        'name,value\n"password" ,hunter2\nx,y\n',
        'name,value\n"password,hunter2\nx,y\n',
      ]) {
        const core = await openCore(folder.write('a.csv', content));
        const { text } = core.record({ record: 0 }, { budget: new YieldBudget(), reveal: false });
        assert.equal(text, mask);
        core.close();
      }
    });
  });

  describe('Zero bytes', () => {
    it('Forms of files Zero bytes are letters of a text', async () => {
      await assertTable(
        'a.csv',
        'a,b\n1,x\0y\n3,4\n',
        ['a', 'b'],
        [
          ['1', 'x\0y'],
          ['3', '4'],
        ],
      );
      await assertTable('a.ndjson', '{"a":"1"}\n{"a":"\\u0000"}\n', ['a'], [['1'], ['\0']]);
      const late = `a,b\n${'1,2\n'.repeat(20_000)}x\0,y\n`;
      const { info } = await tableOf('a.csv', late);
      assert.deepEqual([info.rows, info.invalidRows], [20_001, 0]);
    });

    it('Forms of files Zero bytes in an export do not keep it from being opened again', async () => {
      const zeros = '\\u0000'.repeat(4);
      const core = await openCore(folder.write('a.json', `[{"a":"x${zeros}y and more","b":1}]`));
      const view = await core.hold({ query: {} }, work());
      const { text } = await core.exportPart(
        { view: view.id, format: 'csv', from: 0, count: 9 } as never,
        work(),
      );
      core.close();
      const { names, texts } = await tableOf('a.csv', text);
      assert.deepEqual([names, texts], [['a', 'b'], [['x\0\0\0\0y and more', '1']]]);
    });

    it('Forms of files Zero bytes refuse what is no text', async () => {
      const png = Buffer.concat([
        Buffer.from('89504e470d0a1a0a0000000d49484452000001f4000001f40802000000', 'hex'),
        randomBytes(4000),
      ]);
      const zip = Buffer.concat([
        Buffer.from('504b0304140000000800', 'hex'),
        randomBytes(300).fill(0, 0, 2),
      ]);
      const database = Buffer.concat([
        Buffer.from('SQLite format 3\0\x10\0\x01\x01\0\x40\x20\x20\0\0\0\x02'),
        Buffer.alloc(4000),
      ]);
      const archive = Buffer.alloc(1024);
      archive.write('report.csv');
      archive.write('a,b\n1,2\n', 512);
      for (const content of [
        png,
        zip,
        database,
        archive,
        Buffer.alloc(5),
        Buffer.from([0x50, 0x4b, 0, 0]),
        Buffer.concat([randomBytes(10_000), Buffer.alloc(1)]),
        Buffer.from('a\0\0\0,\0\0\0b\0\0\0\n\0\0\0'),
      ]) {
        for (const name of ['a.csv', 'a.json', 'a.ndjson', 'a.txt']) {
          await assert.rejects(tableOf(name, content), { code: 'notATable' });
        }
      }
    });
  });

  describe('JSON named .ndjson or .jsonl', () => {
    const records = [{ a: 'x', b: [1, 2] }, { a: 'y' }, { a: '}\n{', b: null }];
    const texts = [
      ['x', '[1,2]'],
      ['y', ''],
      ['}\n{', ''],
    ];
    const pretty = records.map((record) => JSON.stringify(record, undefined, 2));
    const shown = async (name: string, content: string) => {
      const table = await tableOf(name, content);
      return {
        ...table,
        texts: table.texts.map((cells) => cells.map((text) => text.replace(/,\s+/g, ','))),
      };
    };

    it('Forms of files JSON named .ndjson or .jsonl is read by its content', async () => {
      for (const [content, expected] of [
        [JSON.stringify(records), texts],
        [` ${JSON.stringify(records, undefined, 2)}\n`, texts],
        [`\ufeff${JSON.stringify(records, undefined, '\t')}`, texts],
        [pretty.join('\n'), texts],
        [`${pretty.join('\r\n\r\n')}\n`, texts],
        [records.map((record) => `\x1e${JSON.stringify(record)}\n`).join(''), texts],
        [pretty.map((text) => `\x1e${text}\n`).join(''), texts],
        [records.map((record) => `\n\x1e ${JSON.stringify(record)}`).join(''), texts],
        [records.map((record) => JSON.stringify(record)).join('\n'), texts],
        [records.map((record) => JSON.stringify(record)).join('\r'), texts],
        [records.map((record) => JSON.stringify(record)).join(''), texts],
      ] as const) {
        for (const name of ['a.ndjson', 'a.jsonl', 'a.json', 'a.jsonl.gz']) {
          const table = await shown(name, content);
          assert.deepEqual(
            [table.names, table.info.invalidRows],
            [['a', 'b'], 0],
            JSON.stringify([name, content]),
          );
          assert.deepEqual(
            table.texts.map((cells) => cells.map((text) => text.replace(/\s+(?=[\]\d])/g, ''))),
            expected,
            JSON.stringify([name, content]),
          );
        }
      }
    });

    it('Forms of files JSON named .ndjson or .jsonl is read value by value where only the first one is on one line', async () => {
      for (const [content, count] of [
        ['{}\n{\n  "a": 1\n}\n{\n  "a": 2\n}\n', 3],
        ['{"a":1}\n{\n  "a": 2\n}\n', 2],
      ] as const) {
        for (const name of ['a.json', 'a.jsonl']) {
          const { info } = await tableOf(name, content);
          assert.deepEqual([info.rows, info.invalidRows], [count, 0], content);
        }
      }
    });

    it('Forms of files JSON named .ndjson or .jsonl says that the objects around a list are cut off', async () => {
      for (const content of ['{"findings":[{"a":1}]', '{"findings":[{"a":1}],"total":']) {
        const { info } = await tableOf('a.json', content);
        assert.deepEqual([info.rows, info.truncated], [1, 'record'], content);
      }
    });

    it('Forms of files JSON named .ndjson or .jsonl stays lines where a line is one record, whatever is in it', async () => {
      for (const [content, count, invalid] of [
        ['{"a":[{"b":1},{"b":2}]}\n', 1, 0],
        ['{"a":[{"b":1},{"b":2}]}', 1, 0],
        ['nonsense\n{"a":1}\n', 2, 1],
        ['{"a":\n{"a":1}\n', 2, 1],
        ['{"a":1}\n{"a":\n', 2, 1],
        ['1\n"x"\n', 2, 0],
        ['[1]\n[2]\n', 2, 0],
        ['', 0, 0],
      ] as const) {
        const { info } = await tableOf('a.jsonl', content);
        assert.deepEqual([info.rows, info.invalidRows], [count, invalid], content);
      }
    });
  });

  describe('NDJSON named .json', () => {
    it('Forms of files NDJSON named .json is read by lines, however long the first line is', async () => {
      for (const length of [100, 10_000, 300_000, 3_000_000]) {
        const record = (id: number) =>
          JSON.stringify({ id, services: [{ port: id }, { port: 2 }], text: 'x'.repeat(length) });
        const content = Array.from({ length: 20 }, (_, id) => record(id)).join('\n');
        const packed = folder.write('b.json.gz', gzip(content));
        const core = await openGzip(packed, folder.path);
        const { rows: count, format, bytesAfterValue } = core.info();
        assert.deepEqual([count, format.kind, bytesAfterValue], [20, 'ndjson', undefined]);
        core.close();
        const { info } = await tableOf('a.json', content);
        assert.deepEqual(
          [info.rows, info.format.kind, info.bytesAfterValue],
          [20, 'ndjson', undefined],
        );
      }
    });

    it('Forms of files NDJSON named .json is read by lines where only the first one is long', async () => {
      for (const length of [60_000, 70_000, 130_000, 250_000, 300_000, 1_100_000]) {
        for (const first of [
          { id: 1, text: 'x'.repeat(length) },
          { id: 1, tags: Array.from({ length: length / 10 }, () => ({ a: 1 })) },
        ]) {
          const lines = [first, ...Array.from({ length: 50 }, (_, id) => ({ id }))];
          const content = lines.map((line) => JSON.stringify(line)).join('\n');
          const { info } = await tableOf('a.json', content);
          assert.deepEqual([info.rows, info.invalidRows], [51, 0], String(length));
        }
      }
    });

    it('Forms of files NDJSON named .json is read object by object, however long the first object is', async () => {
      for (const length of [100, 30_000]) {
        const record = JSON.stringify(
          { services: Array.from({ length }, (_, port) => ({ port })), text: '} {' },
          undefined,
          1,
        );
        for (const between of ['\n', '\r\n\r\n']) {
          const { info } = await tableOf('a.json', [record, record, record].join(between));
          assert.deepEqual(
            [info.rows, info.format.kind, info.bytesAfterValue],
            [3, 'ndjson', undefined],
          );
        }
      }
    });

    it('Forms of files NDJSON named .json is not mistaken for one document with a long list', async () => {
      const list = Array.from({ length: 40_000 }, (_, port) => ({ port, text: '}\n{' }));
      for (const indent of [undefined, 1]) {
        const content = JSON.stringify({ list, next: {} }, undefined, indent);
        const { info } = await tableOf('a.json', content);
        assert.deepEqual([info.rows, info.format.member], [40_000, 'list']);
      }
    });
  });

  describe('Many columns', () => {
    it('Forms of files Many columns are counted, though not all are shown', async () => {
      const names = Array.from({ length: 10_000 }, (_, at) => `c${at}`);
      const csv = `${names.join(',')}\n${names.map((_, at) => at).join(',')}\n`;
      const json = JSON.stringify(Object.fromEntries(names.map((name) => [name, 1])));
      for (const [name, content] of [
        ['a.csv', csv],
        ['a.ndjson', `${json}\n${json}\n`],
        ['a.csv', `x,y\n${'1,'.repeat(9999)}2\n`],
      ] as const) {
        const { info, names: shown } = await tableOf(name, content);
        assert.equal(shown.length + info.moreColumns, 10_000, name);
      }
    });
  });
});
