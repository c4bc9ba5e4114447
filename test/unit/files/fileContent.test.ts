import assert from 'node:assert/strict';
import * as fs from 'node:fs';
import * as os from 'node:os';
import * as path from 'node:path';
import { gzipSync } from 'node:zlib';
import {
  contentOfGzip,
  detectContent,
  isSpreadsheet,
  isTabular,
  type ReportContent,
  textKindOfName,
} from '../../../src/files/fileContent';
import { zipOf } from '../../helpers/zip';

describe('The content of a report', () => {
  const cases: [what: string, head: string | Uint8Array, name: string, is: ReportContent][] = [
    ['nothing', '', 'r.csv', 'empty'],
    ['a PDF under a wrong name', '%PDF-1.7\n', 'r.csv', 'pdf'],
    ['gzip under a wrong name', gzipSync('a,b'), 'r.json', 'gzip'],
    ['a ZIP archive', 'PK\x03\x04...', 'r', 'zip'],
    ['an empty ZIP archive', 'PK\x05\x06...', 'r.zip', 'zip'],
    ['a text that only its name calls PDF', '{"a":1}', 'r.pdf', 'json'],
    ['a text that only its name calls gzip', 'a,b\n', 'r.csv.gz', 'text'],
    ['JSON', ' [1]', 'r.json', 'json'],
    ['NDJSON', '{"a":1}\n{"a":2}\n', 'r.ndjson', 'ndjson'],
    ['JSON lines', '{"a":1}\n', 'R.JSONL', 'ndjson'],
    ['CSV', 'a,b\n', 'r.csv', 'csv'],
    ['a text without an ending', 'hello', 'report', 'text'],
    ['a text in UTF-16', new Uint8Array([0xff, 0xfe, 0x61, 0, 0x62, 0]), 'r.csv', 'csv'],
    ['the same without a mark', Buffer.from('a,b\r\n1,2\r\n', 'utf16le'), 'r.csv', 'csv'],
    ['JSON in UTF-16 without a name', Buffer.from('\ufeff[{"a":1}]', 'utf16le'), 'r', 'json'],
    ['a text in Latin-1', new Uint8Array([0x61, 0xe9, 0x62]), 'r.csv', 'csv'],
    ['a text in Latin-1 without a name', new Uint8Array([0x61, 0xe9, 0x62]), 'r.bin', 'other'],
    ['a text with a zero byte', 'a,b\nx\0y,1\n', 'r.csv', 'csv'],
    [
      'bytes with padding that their name calls text',
      `${'a,b,c,d,e\n'.repeat(50)}${'\0'.repeat(40)}`,
      'r.csv',
      'other',
    ],
    ['bytes that their name calls text', new Uint8Array([0x61, 0, 0x62]), 'r.csv', 'other'],
  ];
  for (const [what, head, name, is] of cases) {
    it(`The content of a report is ${is} for ${what}`, () => {
      assert.equal(detectContent(Buffer.from(head as string), name), is);
    });
  }

  it('The content of a report is text when the first bytes end inside a character', () => {
    const text = Buffer.from('\u20ac'.repeat(30_000)).subarray(0, 65_536);
    assert.notEqual(65_536 % 3, 0);
    assert.equal(detectContent(text, 'r'), 'text');
    assert.equal(detectContent(text.subarray(0, 100), 'r'), 'other');
  });

  it('The content of a report that is packed is that of its first 64 KB, whatever comes later', async () => {
    const folder = fs.mkdtempSync(path.join(os.tmpdir(), 'content-'));
    const file = path.join(folder, 'r.csv.gz');
    const contentOf = (packed: Uint8Array) => {
      fs.writeFileSync(file, packed);
      return contentOfGzip(file);
    };
    const text = Buffer.from('a,b\n'.repeat(15_000));
    const padding = Buffer.alloc(4_000);
    try {
      assert.equal(await contentOf(gzipSync(Buffer.concat([text, padding]))), 'other');
      const later = Buffer.concat([text, text, padding]);
      assert.equal(await contentOf(gzipSync(later)), 'csv');
      assert.equal(await contentOf(gzipSync(text).subarray(0, -4)), undefined);
    } finally {
      fs.rmSync(folder, { recursive: true });
    }
  });

  it('The content of a report is a spreadsheet where an archive begins as one', () => {
    const first = (name: string, text = '') =>
      isSpreadsheet(zipOf([{ name, data: Buffer.from(text) }, { name: 'xl/workbook.xml' }]));
    assert.equal(first('[Content_Types].xml'), true);
    assert.equal(first('_rels/.rels'), true);
    assert.equal(first('report.csv', '[Content_Types].xml'), false);
    assert.equal(isSpreadsheet(Buffer.from('a,b\n1,xl/\n')), false);
  });

  it('The content of a report is tabular when a table has rows to show', () => {
    const tabular: [ReportContent, string][] = [
      ['csv', 'a,b\n'],
      ['ndjson', '{"a":1}\n'],
      ['json', '\ufeff[{"a":1}]'],
      ['json', '{"total":1,"findings": [\n{"a":1}]}'],
      ['json', '{"a":1}\n{"a":2}\n'],
    ];
    for (const [content, text] of tabular) {
      assert.equal(isTabular(Buffer.from(text), content), true, text);
      const utf16 = Buffer.from(text, 'utf16le');
      assert.equal(isTabular(utf16, content), true, `${text} in UTF-16`);
      const marked = Buffer.concat([Buffer.from([0xff, 0xfe]), utf16]);
      assert.equal(isTabular(marked.swap16(), content), true, `${text} in UTF-16 BE`);
    }
    const others: [ReportContent, string][] = [
      ['json', '{"a":[1,2],"b":{}}'],
      ['json', '{"a":'],
      ['text', 'a,b\n'],
    ];
    for (const [content, text] of others) {
      assert.equal(isTabular(Buffer.from(text), content), false, text);
    }
    const utf32 = Buffer.from('\ufeff\0a\0,\0b\0\n\0', 'utf16le');
    assert.equal(isTabular(utf32, 'csv'), false);
  });

  it('The content of a report is text by its file extension, even before .gz', () => {
    assert.equal(textKindOfName('r.csv.gz'), 'csv');
    assert.equal(textKindOfName('R.JSON'), 'json');
    assert.equal(textKindOfName('r.gz'), undefined);
    assert.equal(textKindOfName('r.pdf'), undefined);
  });
});
