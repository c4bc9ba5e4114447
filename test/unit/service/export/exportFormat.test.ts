import assert from 'node:assert/strict';
import type { JsonObject } from '../../../../src/base/json/json';
import { TooManyColumnsError } from '../../../../src/service/export/exportErrors';
import type { ExportFormat } from '../../../../src/base/exportFormats';
import { formatWriter, maxColumns } from '../../../../src/service/export/exportFormat';
import { fc } from '../../../helpers/property';

function file(format: ExportFormat, entries: readonly JsonObject[]): string {
  const columns = new Set(entries.flatMap((entry) => Object.keys(entry)));
  const writer = formatWriter(format, columns);
  const lines = entries.map((entry, index) => writer.entry(entry, index));
  return writer.head + lines.join('') + writer.tail(entries.length);
}

/** Reads a CSV file (RFC 4180) character by character. */
function parseCsv(text: string): string[][] {
  const rows: string[][] = [];
  let row: string[] = [];
  let field = '';
  let isQuoted = false;
  for (let at = 0; at < text.length; at += 1) {
    const character = text.charAt(at);
    if (isQuoted) {
      if (character !== '"') {
        field += character;
      } else if (text.charAt(at + 1) === '"') {
        field += '"';
        at += 1;
      } else {
        isQuoted = false;
      }
    } else if (character === '"') {
      isQuoted = true;
    } else if (character === ',') {
      row.push(field);
      field = '';
    } else if (character === '\r') {
      assert.equal(text.charAt(at + 1), '\n');
      at += 1;
      rows.push([...row, field]);
      row = [];
      field = '';
    } else {
      assert.notEqual(character, '\n');
      field += character;
    }
  }
  assert.deepEqual([row, field, isQuoted], [[], '', false], 'the file ends with a line');
  return rows;
}

describe('An exported file', () => {
  const entries = [
    { b: 1, a: 'x,"y"' },
    { a: null, c: { d: [-1] } },
    { 'e,\r\n': '=1', b: -5 },
  ];

  it('An exported file has a CSV column for each field in order of first appearance, and CRLF', () => {
    assert.equal(
      file('csv', entries),
      'b,a,c,"e,\r\n"\r\n1,"x,""y""",,\r\n,,"{""d"":[-1]}",\r\n-5,,,\'=1\r\n',
    );
  });

  it('An exported file is one array with a line per finding in JSON, and only the lines in NDJSON', () => {
    const [first, second, third] = entries.map((entry) => JSON.stringify(entry));
    assert.equal(file('json', entries), `[\n${first},\n${second},\n${third}\n]\n`);
    assert.equal(file('ndjson', entries), `${first}\n${second}\n${third}\n`);
  });

  it('An exported file is valid without findings', () => {
    assert.deepEqual([file('csv', []), file('json', []), file('ndjson', [])], ['', '[]\n', '']);
  });

  it('An exported file has a line for each finding without fields', () => {
    assert.equal(file('csv', [{ a: null }, { a: '' }, {}]), 'a\r\n""\r\n""\r\n""\r\n');
    assert.equal(file('ndjson', [{}, {}]), '{}\n{}\n');
  });

  it('An exported file neutralizes formulas in field names, and keeps names such as __proto__', () => {
    const hostile = JSON.parse(
      '[{"=cmd()":1,"__proto__":"p"},{"constructor":2},{}]',
    ) as JsonObject[];
    assert.equal(file('csv', hostile), "'=cmd(),__proto__,constructor\r\n1,p,\r\n,,2\r\n,,\r\n");
    assert.deepEqual(JSON.parse(file('json', hostile)), hostile);
  });

  it('An exported file cannot have more CSV columns than a spreadsheet', () => {
    const names = Array.from({ length: maxColumns + 1 }, (_, index) => `f${index}`);
    assert.throws(() => formatWriter('csv', new Set(names)), TooManyColumnsError);
    formatWriter('csv', new Set(names.slice(1)));
    formatWriter('ndjson', new Set(names));
  });

  it('An exported file can be read back as it was written', () => {
    const entry = fc.dictionary(fc.string({ unit: 'grapheme' }), fc.jsonValue({ maxDepth: 2 }), {
      maxKeys: 5,
    });
    fc.assert(
      fc.property(fc.array(entry, { minLength: 1, maxLength: 5 }), (values) => {
        const list = JSON.parse(JSON.stringify(values)) as JsonObject[];
        assert.deepEqual(JSON.parse(file('json', list)), list);
        const lines = file('ndjson', list).split('\n').slice(0, -1);
        assert.deepEqual(
          lines.map((line) => JSON.parse(line) as unknown),
          list,
        );
        const names = [...new Set(list.flatMap((one) => Object.keys(one)))];
        if (names.length > 0) {
          const [header = [], ...rows] = parseCsv(file('csv', list));
          assert.equal(header.length, names.length);
          assert.equal(rows.length, list.length);
          assert.ok(rows.every((row) => row.length === names.length));
          for (const cell of [header, ...rows].flat()) {
            assert.ok(!/^[=+@\t\r\n]/.test(cell) && (!cell.startsWith('-') || Number(cell) < 0));
          }
        }
      }),
    );
  });
});
