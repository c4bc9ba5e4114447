import assert from 'node:assert/strict';
import { parse } from 'csv-parse/sync';
import {
  type LineFormat,
  writeCsvHead,
  writeCsvLine,
  writeRawCsvLine,
} from '../../../../src/base/text/csv';
import type { CellText } from '../../../../src/base/text/cellText';
import type { JsonObject } from '../../../../src/base/json/json';
import { copyText } from '../../../../src/service/findings/copyFormats';
import { formatWriter } from '../../../../src/service/export/exportFormat';
import { copyWriter } from '../../../../src/engine/query/copyText';
import { fc } from '../../../helpers/property';
import { assertNoFormula, spreadsheetCells } from '../../../helpers/spreadsheet';
import { englishTexts } from '../../../helpers/columnTitle';

/** Every character with a meaning in CSV, and some without one. */
const hostile = fc.string({
  unit: fc.constantFrom(
    '=',
    '+',
    '-',
    '@',
    '\t',
    '\r',
    '\n',
    '"',
    ',',
    ';',
    "'",
    '|',
    ' ',
    'a',
    '1',
    '\uff1d',
    '\uff0b',
    '\uff0d',
    '\uff20',
    ';=',
    '\t=',
    '\n"=',
  ),
});

/** The places that write tables, and their formats. */
const writers = {
  'a copy of findings as CSV': (row: JsonObject) => copyText([row], 'csv', englishTexts),
  'a copy of findings as TSV': (row: JsonObject) => copyText([row], 'tsv', englishTexts),
  'an export': (row: JsonObject) => {
    const writer = formatWriter('csv', new Set(Object.keys(row)));
    return writer.head + writer.entry(row, 0);
  },
  'a copy of a table as CSV': (row: JsonObject) => copyOf(row, 'csv'),
  'a copy of a table as TSV': (row: JsonObject) => copyOf(row, 'tsv'),
  'a table with semicolons': (row: JsonObject) => tableOf(row, 'semicolons'),
  'a table with tabs': (row: JsonObject) => tableOf(row, 'tsv'),
};

function tableOf(row: JsonObject, format: LineFormat): string {
  return writeCsvHead(Object.keys(row), format) + writeCsvLine(cellsOf(row), format);
}

function copyOf(row: JsonObject, format: 'csv' | 'tsv'): string {
  const places = Object.keys(row).map((name) => ({ name }));
  const writer = copyWriter(format, places, { headings: true });
  return writer.head() + writer.row(cellsOf(row), 0);
}

function cellsOf(row: JsonObject): CellText[] {
  return Object.values(row).map((value) =>
    typeof value === 'string'
      ? { kind: 'text', text: value }
      : typeof value === 'number'
        ? { kind: 'number', text: JSON.stringify(value) }
        : { kind: 'json', text: JSON.stringify(value, undefined, '\t') },
  );
}

describe('A CSV line', () => {
  it('A CSV line is parsed by csv-parse to the cells that were written', () => {
    fc.assert(
      fc.property(fc.array(hostile, { minLength: 1 }), (cells) => {
        for (const [format, delimiter] of [
          ['csv', ','],
          ['semicolons', ';'],
          ['tsv', '\t'],
        ] as const) {
          const line = writeRawCsvLine(cells, format);
          assert.deepEqual(parse(line, { delimiter, record_delimiter: '\r\n' }), [cells]);
        }
      }),
    );
  });

  it('A CSV line quotes a cell with a separator of any country, and a single empty cell', () => {
    assert.equal(writeRawCsvLine(['a', 'b c', "d'e"]), "a,b c,d'e\r\n");
    assert.equal(writeRawCsvLine(['a,b', 'a;b', 'a\tb']), '"a,b","a;b","a\tb"\r\n');
    assert.equal(writeRawCsvLine(['a\nb', 'a\rb', 'a"b']), '"a\nb","a\rb","a""b"\r\n');
    assert.equal(writeRawCsvLine(['a,b', 'a;b', 'a\tb'], 'tsv'), 'a,b\ta;b\t"a\tb"\r\n');
    assert.equal(writeRawCsvLine(['a,b', 'a;b', 'a'], 'semicolons'), '"a,b";"a;b";a\r\n');
    for (const format of ['csv', 'semicolons', 'tsv'] as const) {
      assert.equal(writeRawCsvLine([''], format), '""\r\n');
    }
    assert.deepEqual(
      [writeRawCsvLine([''], 'clipboard'), writeRawCsvLine(['', ''])],
      ['\r\n', ',\r\n'],
    );
  });
});

/** The separator of a file depends on the country. Pasted text has no commas between cells. */
const separatorsOf = (place: string) => (place.endsWith('TSV') ? [';', '\t'] : [',', ';', '\t']);

describe('Text for a spreadsheet', () => {
  for (const [place, write] of Object.entries(writers)) {
    it(`Text for a spreadsheet in ${place} contains no formula after a semicolon, a tab or a line break`, () => {
      const cells = ['x;=1+1', 'x\t=1+1', 'x\n@SUM(1)', 'x;"=1+1;y', ';+1', 'x;\uff1d1'];
      for (const cell of cells) {
        for (const row of [{ [cell]: cell }, { a: 'b', [cell]: cell, c: [cell], d: -5 }]) {
          const text = write(row);
          assertNoFormula(text, separatorsOf(place));
          assert.ok(text.includes('-5') || !('d' in row), text);
        }
      }
    });

    it(`Text for a spreadsheet in ${place} contains no formula, at whichever separator a spreadsheet splits it`, () => {
      const value = fc.oneof(
        hostile,
        fc.integer(),
        fc.array(hostile),
        fc.dictionary(hostile, hostile),
      );
      fc.assert(
        fc.property(fc.dictionary(hostile, value, { minKeys: 1, maxKeys: 4 }), (row) => {
          assertNoFormula(write({ ...row }), separatorsOf(place));
        }),
      );
    });
  }

  it('Text for a spreadsheet is the same in every place that writes CSV', () => {
    fc.assert(
      fc.property(
        fc.dictionary(hostile, fc.oneof(hostile, fc.integer()), { minKeys: 1 }),
        (row) => {
          const entry = { ...row };
          const text = writers['an export'](entry);
          assert.equal(writers['a copy of findings as CSV'](entry), text);
          assert.equal(writers['a copy of a table as CSV'](entry), text);
        },
      ),
    );
  });

  it('Text for a spreadsheet keeps numbers and ordinary text unchanged, and JSON that parses to the same value', () => {
    const list = ['x;=1', -1, { ';@y': '\t+2' }];
    const row = { a: -5, b: 'a;b, c-d\te', c: list } satisfies JsonObject;
    for (const [write, separator] of [
      [writers['an export'], ','],
      [writers['a copy of a table as CSV'], ','],
      [writers['a table with semicolons'], ';'],
      [writers['a table with tabs'], '\t'],
    ] as const) {
      const [, cells = []] = spreadsheetCells(write(row), separator).filter(
        (line) => line.length > 1,
      );
      assert.deepEqual(cells.slice(0, 2), ['-5', 'a;b, c-d\te']);
      assert.deepEqual(JSON.parse(cells[2] ?? ''), list);
    }
  });
});
