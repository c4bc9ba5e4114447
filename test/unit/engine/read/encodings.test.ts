import assert from 'node:assert/strict';
import fs from 'node:fs';
import { gzipSync } from 'node:zlib';
import type { ExportFormat } from '../../../../src/base/exportFormats';
import { compareFiles } from '../../../../src/engine/compare/compareFiles';
import { CopiedSource, openPlain, openSource } from '../../../../src/engine/read/bytes/byteSource';
import { RangeThreads } from '../../../../src/engine/read/ranges/rangeThreads';
import { TableFile } from '../../../../src/engine/read/tableFile';
import { TableCore } from '../../../../src/engine/tableCore';
import { maxPageRows } from '../../../../src/engine/data/answers';
import type { EncodingChoice } from '../../../../src/engine/data/tableInfo';
import { openAny, tableFolder, work } from '../../../helpers/tableFiles';
import { handleOf } from '../../../helpers/tableHandle';
import { bundle } from '../../../host/paths';

const little = (text: string) => Buffer.from(text, 'utf16le');
const big = (text: string) => little(text).swap16();
const latin = (text: string) => Buffer.from(text, 'latin1');

const words = [
  'Jos\u00e9',
  '\u4f60\u597d, \u4e0a\u6d77',
  '\u{1f680} "x"',
  '\u0418\u0432\u0430\u043d',
];
const records = words.map((name, at) => ({ name, size: at * 1.5, day: `2026-01-0${at + 1}` }));
const quoted = (text: string) => `"${text.replaceAll('"', '""')}"`;
const csv = (separator: string) =>
  ['name,size,day', ...records.map(({ name, size, day }) => `${quoted(name)},${size},${day}`)]
    .map((line) => `${line.replaceAll(/,(?=[^ ])/g, separator)}\r\n`)
    .join('');
const texts = {
  'a.csv': csv(','),
  'a.tsv': csv('\t'),
  'a.ndjson': records.map((record) => `${JSON.stringify(record)}\n`).join(''),
  'a.json': JSON.stringify({ total: 4, findings: records }),
  'pretty.json': JSON.stringify(records, undefined, 2),
};

describe('A file that is not UTF-8', () => {
  const folder = tableFolder();
  const pools: RangeThreads[] = [];

  after(() => {
    for (const pool of pools) {
      pool.close();
    }
  });

  /** All rows and what is known of the file, but not how its bytes are. */
  async function tableOf(file: string, choice?: EncodingChoice, threads?: RangeThreads) {
    const core = await openAny(file, `${folder.path}/cache`, choice, { threads });
    const { format, bytes, bytesRead, ...info } = core.info();
    const { gzip, encoding, ...shape } = format;
    const page = core.rows({ view: 0, from: 0, count: maxPageRows }, work());
    core.close();
    assert.equal(bytes, fs.statSync(file).size);
    assert.equal(bytesRead, bytes);
    return { gzip, encoding, content: { info, shape, rows: page.rows } };
  }

  async function exportOf(file: string, format: ExportFormat, choice?: EncodingChoice) {
    const core = await openAny(file, folder.path, choice);
    let text = '';
    for (let from = 0, isLast = false; !isLast;) {
      const part = await core.exportPart({ view: 0, from, format }, work());
      text += part.text;
      from += part.rows;
      ({ isLast } = part);
    }
    core.close();
    return text;
  }

  it('A file that is not UTF-8 has the rows of the same file in UTF-8 when it is UTF-16, with a mark or without, also in gzip', async () => {
    for (const [name, text] of Object.entries(texts)) {
      const expected = await tableOf(folder.write(name, text));
      assert.equal(expected.content.rows.length, 4, name);
      assert.equal(expected.encoding, undefined);
      for (const mark of ['\ufeff', '']) {
        for (const [encoding, encode] of [
          ['utf-16le', little],
          ['utf-16be', big],
        ] as const) {
          const bytes = encode(mark + text);
          const plain = await tableOf(folder.write(name, bytes));
          assert.deepEqual(plain, { ...expected, encoding }, `${name}, ${encoding}, "${mark}"`);
          const packed = await tableOf(folder.write(`${name}.gz`, gzipSync(bytes)));
          assert.deepEqual(packed, { ...expected, encoding, gzip: true });
        }
      }
    }
    assert.deepEqual(fs.readdirSync(`${folder.path}/cache`), []);
  });

  it('A file that is not UTF-8 is exported as the same file in UTF-8 is', async () => {
    for (const [name, text] of Object.entries(texts)) {
      const file = folder.write(name, text);
      const other = folder.write(name, little(`\ufeff${text}`));
      for (const format of ['csv', 'json', 'ndjson'] as const) {
        const exported = await exportOf(other, format);
        assert.ok(words.every((word) => exported.includes(JSON.stringify(word).slice(1, 4))));
        assert.equal(exported, await exportOf(file, format), `${name} as ${format}`);
      }
    }
  });

  it('A file that is not UTF-8 is equal to the same file in UTF-8 in a comparison', async () => {
    for (const [name, text] of Object.entries(texts)) {
      for (const bytes of [little(`\ufeff${text}`), big(text)]) {
        const comparison = await compareFiles({
          before: folder.write(name, text),
          after: folder.write(name, bytes),
          key: 'name',
          cacheFolder: folder.path,
        });
        const { new: added, gone, changed, unchanged } = comparison;
        assert.deepEqual([added, gone, changed, unchanged], [0, 0, 0, 4], name);
      }
    }
    const latin1 = folder.write('a.csv', latin('id,name\n1,Jos\u00e9\n'));
    const { unchanged } = await compareFiles({
      before: latin1,
      after: folder.write('a.csv', 'id,name\n1,Jos\u00e9\n'),
      key: 'id',
      cacheFolder: folder.path,
      encodings: { before: { chosen: 'windows-1252' } },
    });
    assert.equal(unchanged, 1);
  });

  it('A file that is not UTF-8 keeps characters that lie over the ends of what is converted at once', async () => {
    const script = bundle('extension/dist/rangeWorker.js');
    const threads = new RangeThreads(script, 2, { minBytes: 0, firstBytes: 1, bytes: 1 });
    pools.push(threads);
    const rows = Array.from({ length: 300 }, (_, row) => `${row},${'\u{1f680}'.repeat(1500)}`);
    for (const shift of ['', 'x']) {
      const text = `row,text\n${shift}${rows.join('\n')}\n`;
      const plain = folder.write('a.csv', text);
      const expected = await tableOf(plain, undefined, threads);
      const exported = await exportOf(plain, 'csv');
      for (const bytes of [little(`\ufeff${text}`), big(text)]) {
        assert.ok(bytes.length > 1024 ** 2);
        const file = folder.write('a.csv', bytes);
        const { rangesRead } = threads;
        const { content } = await tableOf(file, undefined, threads);
        assert.deepEqual(content, expected.content);
        assert.ok(threads.rangesRead > rangesRead);
        assert.equal(await exportOf(file, 'csv'), exported);
        const packed = folder.write('a.csv.gz', gzipSync(bytes));
        assert.equal(await exportOf(packed, 'csv'), exported);
      }
      const japanese = '\u65e5\u672c';
      const line = latin(`\x93\xfa\x96\x7b,1\n`);
      const shiftJis = Buffer.concat([
        latin(`a,b\n${shift}`),
        ...Array.from({ length: 200_000 }, () => line),
      ]);
      assert.equal(
        await exportOf(folder.write('a.csv', shiftJis), 'csv', { chosen: 'shift_jis' }),
        `a,b\n${shift}${`${japanese},1\n`.repeat(200_000)}`.replaceAll('\n', '\r\n'),
      );
    }
  });

  it('A file that is not UTF-8 is read in the encoding that was chosen, or that is usual where it is no Unicode', async () => {
    const price = 'name,price\nJos\u00e9,1 \u20ac\n';
    const windows = latin(price.replace('\u20ac', '\x80'));
    const names = async (bytes: Buffer, choice?: EncodingChoice) => {
      const { content, encoding } = await tableOf(folder.write('a.csv', bytes), choice);
      const cells = content.rows.flatMap(({ cells }) => cells.map(({ text }) => text));
      return [encoding, content.info.notUtf8, ...cells];
    };
    const read = ['windows-1252', undefined, 'Jos\u00e9', '1 \u20ac'];
    const wrong = [undefined, true, 'Jos\ufffd', '1 \ufffd'];
    assert.deepEqual(await names(windows, { chosen: 'utf-8' }), wrong);
    assert.deepEqual(await names(windows, { chosen: 'windows-1252' }), read);
    assert.deepEqual(await names(windows, { fallback: 'windows-1252' }), read);
    for (const name of ['a.csv', 'a.csv.gz']) {
      const last = latin('name\nJos\u00e9');
      const file = folder.write(name, name === 'a.csv' ? last : gzipSync(last));
      const { content } = await tableOf(file, { fallback: 'windows-1252' });
      assert.equal(content.rows[0]?.cells[0]?.text, 'Jos\u00e9', name);
    }
    const greek = { chosen: 'iso-8859-7', fallback: 'windows-1252' };
    assert.deepEqual((await names(windows, greek))[2], 'Jos\u03b9');
    // UTF-8 and UTF-16 are not read as what is usual.
    const unicode = [undefined, 'Jos\u00e9', '1 \u20ac'];
    const usual = { fallback: 'windows-1252' };
    assert.deepEqual(await names(Buffer.from(price), usual), [undefined, ...unicode]);
    assert.deepEqual(await names(little(price), usual), ['utf-16le', ...unicode]);
    const chosen = { chosen: 'utf-8', fallback: 'windows-1252' };
    assert.deepEqual(await names(windows, chosen), [undefined, true, 'Jos\ufffd', '1 \ufffd']);
    const marked = Buffer.concat([Buffer.from([0xef, 0xbb, 0xbf]), windows]);
    assert.deepEqual((await names(marked, usual))[1], true);
    const sjis = latin('a,b\n\x93\xfa\x96\x7b,1\n');
    const japanese = ['shift_jis', undefined, '\u65e5\u672c', '1'];
    assert.deepEqual(await names(sjis, { chosen: 'shift_jis' }), japanese);
  });

  it('A file that is not UTF-8 is Windows-1252 where its bytes can hardly be anything else, and says that this is a guess', async () => {
    const read = async (bytes: Buffer, name = 'a.csv', choice?: EncodingChoice) => {
      const core = await openAny(folder.write(name, bytes), `${folder.path}/cache`, choice);
      const { encoding, isEncodingGuessed = false } = core.info().format;
      const { rows } = core.rows({ view: 0, from: 0, count: 1 }, work());
      core.close();
      return [encoding, isEncodingGuessed, rows[0]?.cells[0]?.text];
    };
    const excel = latin('name;price\r\nM\u00fcller \x84Gr\u00f6\u00dfe\x93;1 \x80\r\n');
    const guessed = ['windows-1252', true, 'M\u00fcller \u201eGr\u00f6\u00dfe\u201c'];
    assert.deepEqual(await read(excel), guessed);
    assert.deepEqual(await read(excel, 'a.csv', { fallback: 'utf-8' }), guessed);
    assert.deepEqual(await read(gzipSync(excel), 'a.csv.gz'), guessed);
    const late = Buffer.concat([
      Buffer.from(`name\n${'x\n'.repeat(200_000)}`),
      latin('Jos\u00e9\n'),
    ]);
    assert.deepEqual(await read(late), ['windows-1252', true, 'x']);
    assert.deepEqual(await read(excel, 'a.csv', { fallback: 'shift_jis' }), [
      'shift_jis',
      false,
      new TextDecoder('shift_jis').decode(excel).split(/[\n;]/)[2],
    ]);
    for (const [what, bytes] of Object.entries({
      'UTF-8 with a damaged character': Buffer.concat([
        Buffer.from('name\n\u00fc'),
        latin('\u00fc\n'),
      ]),
      Cyrillic: latin('name\n\xcf\xf0\xe8\xe2\xe5\xf2\n'),
      Japanese: latin('name\n\x93\xfa\x96\x7b\n'),
      'a byte that it does not have': latin('name\n\x81\n'),
      'a control character': latin('name\n\u00fc\x07\n'),
    })) {
      assert.deepEqual((await read(bytes)).slice(0, 2), [undefined, false], what);
    }
  });

  it('A file in UTF-8 is not taken for Windows-1252 where a part ends within a character, or most of it is elsewhere', async () => {
    const guess = async (bytes: Buffer, name = 'a.csv') => {
      const core = await openAny(folder.write(name, bytes), `${folder.path}/cache`);
      const { encoding } = core.info().format;
      core.close();
      return encoding;
    };
    const filled = (length: number) => `name\n${'x\n'.repeat(length)}`.slice(0, length);
    for (const blocks of [1, 2, 16]) {
      for (const character of ['\u00fc', '\u4f60', '\u{1f680}']) {
        for (let before = 1; before < Buffer.byteLength(character); before += 1) {
          const text = `${filled(blocks * 64 * 1024 - before)}${character}\n`;
          assert.equal(await guess(Buffer.from(text)), undefined, `${blocks} ${character}`);
          const packed = gzipSync(text);
          assert.equal(await guess(packed, 'a.csv.gz'), undefined, `gzip ${blocks} ${character}`);
        }
      }
    }
    const damaged = Buffer.concat([latin(`name\nM\u00fcller\n`), Buffer.from(filled(70_000))]);
    assert.equal(await guess(damaged), 'windows-1252');
    for (const character of ['\u00fc', '\u4f60', '\u{1f680}']) {
      const more = Buffer.concat([damaged, Buffer.from(`${character}\n`)]);
      assert.equal(await guess(more), undefined, character);
    }
    // Where the first bytes are ASCII alone, or a word of three letters above it follows late.
    const late = Buffer.concat([Buffer.from(filled(65_535)), latin('\u00c3\u00bcx\n'.slice(1))]);
    assert.equal(await guess(late), 'windows-1252');
    assert.equal(
      await guess(Buffer.concat([damaged, latin('\u00c4\u00d6\u00dc\n')])),
      'windows-1252',
    );
  });

  it('A file that is not UTF-8 shows U+FFFD for bytes that the chosen encoding does not have', async () => {
    for (const [bytes, chosen, expected] of [
      [latin('a,b\n\x93,\xff\n2,\x93'), 'shift_jis', ['\ufffd,\ufffd', '2,\ufffd']],
      [latin('a,b\n1,\xe9\n'), 'utf-16le', ['']],
      [little('a,b\n\ud83d,2\n3,\udc00\n'), 'utf-16le', ['\ufffd,2', '3,\ufffd']],
      [Buffer.concat([little('a,b\n1,2\n'), latin('3')]), 'utf-16le', ['1,2', '\ufffd']],
    ] as const) {
      const { content } = await tableOf(folder.write('a.csv', bytes), { chosen });
      assert.equal(content.info.notUtf8, undefined);
      if (expected[0] !== '') {
        const lines = content.rows.map(({ cells }) =>
          cells.flatMap(({ kind, text }) => (kind === 'missing' ? [] : [text])).join(),
        );
        assert.deepEqual(lines, expected);
      }
    }
  });

  it('A file that is not UTF-8 is refused when it is UTF-32, also in gzip', async () => {
    const text = 'a,b\n1,2\n';
    const utf32 = Buffer.from(`\ufeff${text}`.replaceAll(/./gsu, '$&\0'), 'utf16le');
    const other = Buffer.from(utf32).swap32();
    for (const bytes of [utf32, other]) {
      for (const [name, content] of [
        ['a.csv', bytes],
        ['a.csv.gz', gzipSync(bytes)],
      ] as const) {
        await assert.rejects(openAny(folder.write(name, content), folder.path), { code: 'utf32' });
      }
    }
  });

  it('A file that is not UTF-8 has no SQL, because engines would read other texts', async () => {
    for (const [encode, code] of [
      [little, 'noSql'],
      [latin, undefined],
    ] as const) {
      const file = folder.write('a.csv', encode('id,name\n1,a\n'));
      const core = await openAny(file, folder.path);
      const columns = core.info().columns.map(({ id }) => id);
      const request = { path: file, dialect: 'duckdb', query: {}, columns } as const;
      const sql = handleOf(core).call('sql', request);
      if (code === undefined) {
        assert.match((await sql).source, /read_csv/);
      } else {
        await assert.rejects(sql, { code });
      }
      core.close();
    }
  });

  it('A file that is not UTF-8 shows what is left of it when it is damaged or too large', async () => {
    const lines = Array.from({ length: 60_000 }, (_, row) => `${row * 7919},\u00e9\u{1f680}\n`);
    const packed = gzipSync(little(`\ufeffa,b\n${lines.join('')}`));
    const cut = folder.write('a.csv.gz', packed.subarray(0, -5000));
    const { content } = await tableOf(cut);
    assert.equal(content.info.truncated, 'gzip');
    assert.ok(content.info.rows > 1000 && content.info.rows < lines.length);
    assert.deepEqual(
      content.rows.map(({ cells }) => `${cells.map(({ text }) => text).join()}\n`),
      lines.slice(0, maxPageRows),
    );
    const wrongSum = Buffer.concat([packed.subarray(0, -8), Buffer.alloc(8)]);
    const damaged = await tableOf(folder.write('a.csv.gz', wrongSum));
    assert.deepEqual(
      [damaged.content.info.truncated, damaged.content.info.rows],
      ['damaged', lines.length],
    );
    const file = folder.write('a.csv', little(`a,b\n${lines.join('')}`));
    const form = { isGzip: false, encoding: 'utf-16le' };
    const source = new CopiedSource(openPlain(file, folder.path), form, 1000);
    const core = new TableCore(await TableFile.open(file, source));
    await core.start();
    await core.check();
    assert.equal(core.info().truncated, 'limit');
    assert.ok(core.info().rows > 10);
    core.close();
  });

  it('A file that is not UTF-8 still has its old rows after it was replaced, and is modified while it is converted', async () => {
    const text = texts['a.csv'];
    const file = folder.write('a.csv', little(text));
    const source = openSource(file, folder.path);
    const core = new TableCore(await TableFile.open(file, source));
    await core.start();
    await core.check();
    fs.writeFileSync(file, text);
    assert.equal(core.updateChange(), 'replaced');
    assert.equal(core.rows({ view: 0, from: 0, count: 9 }, work()).rows.length, 4);
    core.close();
    const again = folder.write('a.csv', little(text));
    const converting = openSource(again, folder.path);
    fs.writeFileSync(again, text);
    assert.equal(converting.changed(), 'modified');
    while (!converting.complete) {
      await converting.more();
    }
    assert.equal(converting.changed(), 'modified');
    converting.close();
  });
});
