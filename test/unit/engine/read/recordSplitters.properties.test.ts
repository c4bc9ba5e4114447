import assert from 'node:assert/strict';
import { isUtf8 } from 'node:buffer';
import { parse } from 'csv-parse/sync';
import type { ByteSource } from '../../../../src/engine/read/byteSource';
import { CsvFields } from '../../../../src/engine/read/csvWalker';
import { JsonWalker } from '../../../../src/engine/read/jsonWalker';
import { RecordCursor, Utf8Check } from '../../../../src/engine/read/recordIndex';
import { Shape } from '../../../../src/engine/read/shape';
import {
  ArraySplitter,
  CsvSplitter,
  LineSplitter,
  newSplitter,
  type RecordSplitter,
  type SplitterForm,
  TextsSplitter,
  TopArraySplitter,
} from '../../../../src/engine/read/recordSplitter';
import { newValue } from '../../../../src/engine/read/walker';
import { fc } from '../../../helpers/property';

/** Bytes in memory, as a source that has them all. */
function sourceOf(bytes: Buffer): ByteSource {
  return {
    available: bytes.length,
    complete: true,
    bytesRead: bytes.length,
    size: bytes.length,
    truncation: undefined,
    descriptor: -1,
    read: (target, offset, length, position) =>
      bytes.copy(target, offset, position, Math.min(bytes.length, position + length)),
    more: () => Promise.resolve(),
    changed: () => undefined,
    close: () => undefined,
  };
}

/** The records that a cursor finds when it reads so many bytes at a time. */
function recordsOf(
  text: string,
  splitter: RecordSplitter,
  chunkBytes: number,
  start = 0,
): string[] {
  const cursor = new RecordCursor(sourceOf(Buffer.from(text)), splitter, { chunkBytes });
  cursor.seek(start);
  const records: string[] = [];
  for (let step = cursor.next(); step !== 'end'; step = cursor.next()) {
    if (step === 'record') {
      records.push(cursor.bytes.toString('utf8', cursor.start, cursor.end));
    }
  }
  return records;
}

/** Every size of a piece, so that the border between two falls on every byte. */
function forEveryBorder(text: string, check: (chunkBytes: number) => void): void {
  const { length } = Buffer.from(text);
  for (let chunkBytes = 1; chunkBytes <= Math.min(length + 1, 40); chunkBytes += 1) {
    check(chunkBytes);
  }
}

const lineEnd = fc.constantFrom('\n', '\r\n');
const csvLineEnd = fc.constantFrom('\n', '\r\n', '\r');
const hostileText = fc
  .array(
    fc.constantFrom('a', '"', '\\', '\n', '\r', ',', '{', '}', '[', ']', ' ', 'é', '😀', '\0'),
    {
      maxLength: 8,
    },
  )
  .map((parts) => parts.join(''));
const json = fc.letrec((tie) => ({
  value: fc.oneof(
    { maxDepth: 3 },
    hostileText,
    fc.double({ noNaN: true, noDefaultInfinity: true }),
    fc.boolean(),
    fc.constant(null),
    fc.array(tie('value'), { maxLength: 3 }),
    fc.dictionary(hostileText, tie('value'), { maxKeys: 3 }),
  ),
})).value;

describe('Record splitters', () => {
  it('find the lines of NDJSON in pieces of any size', () => {
    const line = fc.oneof(
      json.map((value) => JSON.stringify(value)),
      fc.constantFrom('', ' ', '{"a'),
    );
    fc.assert(
      fc.property(fc.array(line, { maxLength: 5 }), lineEnd, fc.boolean(), (lines, eol, ends) => {
        const text = lines.join(eol) + (ends ? eol : '');
        const expected = lines.map((one) => one.trimEnd()).filter((one) => one !== '');
        forEveryBorder(text, (chunkBytes) => {
          assert.deepEqual(recordsOf(text, new LineSplitter(), chunkBytes), expected);
        });
      }),
    );
  });

  it('find the elements of a JSON array in pieces of any size', () => {
    fc.assert(
      fc.property(
        fc.array(json, { maxLength: 5 }),
        fc.constantFrom(undefined, 1, '\t'),
        (values, indent) => {
          const text = `${JSON.stringify(values, undefined, indent)},"next":[1]}`;
          // One level deeper than alone. They are not parsed to be compared: JSON.parse of Node 24
          // takes a name with an escape for another one that has a backslash there.
          const start = `\n${indent === 1 ? ' ' : (indent ?? '')}`;
          const expected = values.map((value) =>
            JSON.stringify(value, undefined, indent).replaceAll('\n', start),
          );
          forEveryBorder(text, (chunkBytes) => {
            assert.deepEqual(recordsOf(text, new ArraySplitter(), chunkBytes, 1), expected);
          });
        },
      ),
    );
  });

  it('find consecutive JSON values, and the elements of consecutive arrays', () => {
    const members = fc.dictionary(hostileText, json, { maxKeys: 3 });
    const indent = fc.constantFrom(undefined, 1, '\t');
    const between = fc.constantFrom('', ' ', '\n', '\r\n\n');
    fc.assert(
      fc.property(fc.array(members, { maxLength: 4 }), indent, between, (objects, by, blank) => {
        const texts = objects.map((object) => JSON.stringify(object, undefined, by));
        const text = texts.join(blank);
        const arrays = objects.map((object) => JSON.stringify([object, 1], undefined, by));
        // One level deeper than alone.
        const start = `\n${by === 1 ? ' ' : (by ?? '')}`;
        forEveryBorder(text, (chunkBytes) => {
          assert.deepEqual(recordsOf(text, new TextsSplitter(), chunkBytes), texts);
          assert.deepEqual(
            recordsOf(arrays.join(blank), new TopArraySplitter(), chunkBytes, 1),
            texts.flatMap((each) => [each.replaceAll('\n', start), '1']),
          );
        });
      }),
    );
  });

  it('find the fields of CSV as csv-parse does, in pieces of any size', () => {
    const field = fc
      .tuple(hostileText, fc.boolean())
      .map(([text, quotes]) =>
        quotes || /["\r\n,;]/.test(text) ? `"${text.replaceAll('"', '""')}"` : text,
      );
    fc.assert(
      fc.property(
        fc.array(fc.array(field, { minLength: 2, maxLength: 3 }), { maxLength: 4 }),
        csvLineEnd,
        fc.constantFrom(',', ';'),
        fc.boolean(),
        (rows, eol, delimiter, ends) => {
          const textOf = (some: typeof rows) =>
            some.map((row) => row.join(delimiter)).join(eol) + (ends ? eol : '');
          const text = textOf(rows);
          // Unlike there, a record of blank fields is none.
          const filled = rows.filter((row) => row.some((each) => !/^[ \t]*$/.test(each)));
          const expected: string[][] = parse(textOf(filled), {
            delimiter,
            relax_column_count: true,
            skip_empty_lines: true,
            record_delimiter: ['\n', '\r\n', '\r'],
          });
          forEveryBorder(text, (chunkBytes) => {
            assert.deepEqual(csvFields(text, delimiter, chunkBytes), expected);
          });
        },
      ),
    );
  });

  it('skip with pass() the records that next() finds', () => {
    const line = fc.oneof(
      fc.constantFrom(
        '',
        ' ',
        'a',
        '"',
        '"b,c',
        'd"',
        '"e\nf",g',
        '\t{}',
        'h'.repeat(15),
        'i'.repeat(40),
      ),
      hostileText,
    );
    const form = fc.constantFrom<SplitterForm>(
      { kind: 'lines' },
      { kind: 'whole' },
      { kind: 'csv', delimiter: 0x2c },
    );
    fc.assert(
      fc.property(
        fc.array(line, { maxLength: 30 }),
        fc.constantFrom('\n', '\r\n', '\r'),
        form,
        fc.integer({ min: 1, max: 60 }),
        fc.integer({ min: 20, max: 80 }),
        fc.array(fc.nat(5), { minLength: 1, maxLength: 5 }),
        (lines, eol, splitter, chunkBytes, maxRecordBytes, passes) => {
          const text = lines.join(eol);
          const newCursor = () =>
            new RecordCursor(sourceOf(Buffer.from(text)), newSplitter(splitter), {
              chunkBytes,
              maxRecordBytes,
            });
          const all: string[] = [];
          const next = (cursor: RecordCursor): string | undefined => {
            let step = cursor.next();
            while (step === 'wait') {
              step = cursor.next();
            }
            const { position, nextPosition, broken, tooLong } = cursor;
            return step === 'end'
              ? undefined
              : JSON.stringify({ position, nextPosition, broken, tooLong });
          };
          const cursor = newCursor();
          for (let found = next(cursor); found !== undefined; found = next(cursor)) {
            all.push(found);
          }
          const passing = newCursor();
          let row = 0;
          for (let turn = 0; ; turn += 1) {
            const found = next(passing);
            assert.equal(found, all[row]);
            if (found === undefined) {
              break;
            }
            const passed = passing.pass(passes[turn % passes.length] ?? 0);
            for (const record of all.slice(row + 1, row + 1 + passed)) {
              assert.match(record, /"broken":false,"tooLong":false/);
            }
            row += 1 + passed;
          }
          assert.equal(row, all.length);
        },
      ),
    );
  });

  it('skip up to 63 plain lines at once with pass()', () => {
    const splitters = [new LineSplitter(), new CsvSplitter(0x2c)];
    for (const splitter of splitters) {
      const cursor = new RecordCursor(sourceOf(Buffer.from('a,b\n'.repeat(100))), splitter);
      cursor.next();
      assert.deepEqual([cursor.pass(63), cursor.pass(63), cursor.pass(63)], [63, 36, 0]);
      assert.equal(cursor.next(), 'end');
    }
  });

  it('give up a quote that is never closed, and continue with the next line', () => {
    const records = recordsOf('a,b\n1,"2\n3,4\n5,6', new CsvSplitter(0x2c), 3);
    assert.deepEqual(records, ['a,b', '1,"2', '3,4', '5,6']);
  });

  it('continue after a record that is too long', () => {
    const cases: [RecordSplitter, string, number][] = [
      [new LineSplitter(), `{"a":1}\n"${'x'.repeat(500)}"\n{"a":2}`, 0],
      [new ArraySplitter(), `[{"a":1},["${'],\\"'.repeat(100)}"],{"a":2}]`, 1],
    ];
    for (const [splitter, text, start] of cases) {
      const cursor = new RecordCursor(sourceOf(Buffer.from(text)), splitter, {
        chunkBytes: 16,
        maxRecordBytes: 64,
      });
      cursor.seek(start);
      const found: string[] = [];
      for (let step = cursor.next(); step !== 'end'; step = cursor.next()) {
        if (step === 'record') {
          const shown = cursor.bytes.toString('utf8', cursor.start, cursor.end);
          found.push(cursor.tooLong ? 'too long' : shown);
        }
      }
      assert.deepEqual(found, ['{"a":1}', 'too long', '{"a":2}']);
    }
  });
});

describe('Utf8Check', () => {
  it('gives the same result in pieces as for all bytes at once', () => {
    const part = fc.oneof(
      fc.constantFrom('a', 'é', '你', '🚀').map((letter) => Buffer.from(letter)),
      fc.constantFrom(0xe9, 0xf0, 0x9f, 0x80, 0xc0, 0xff, 0x0a).map((byte) => Buffer.from([byte])),
    );
    const parts = fc.oneof(
      fc.array(part, { maxLength: 12 }),
      fc.array(
        fc.constantFrom('a', 'é', '你', '🚀').map((letter) => Buffer.from(letter)),
        { maxLength: 12 },
      ),
    );
    fc.assert(
      fc.property(parts, fc.integer({ min: 1, max: 9 }), fc.nat(3), (all, size, again) => {
        const bytes = Buffer.concat(all);
        const check = new Utf8Check();
        for (let at = 0; at < bytes.length; at += size) {
          const from = Math.max(0, at - again);
          check.add(bytes.subarray(from, at + size), from);
        }
        check.end();
        assert.equal(check.isValid, isUtf8(bytes));
      }),
    );
  });
});

describe('JsonWalker', () => {
  it('accepts exactly what JSON.parse accepts', () => {
    const spoiled = fc
      .tuple(
        json,
        fc.nat(),
        fc.constantFrom('', '"', '\\', ',', '}', '0', '-', '1e', '\\u00', '\n', 't'),
      )
      .map(([value, at, text]) => {
        const proper = JSON.stringify(value);
        const cut = at % (proper.length + 1);
        // Halves of a character do not survive UTF-8.
        return Buffer.from(proper.slice(0, cut) + text + proper.slice(cut + (at % 3))).toString();
      });
    fc.assert(
      fc.property(spoiled, (text) => {
        const bytes = Buffer.from(text);
        assert.equal(
          new JsonWalker(new Shape(), [], true).walk(bytes, 0, bytes.length),
          isJson(text),
        );
      }),
    );
  });

  it('finds the last value of each name, in any order and number of names', () => {
    const key = fc.constantFrom('a', 'b', 'a"', 'é', '__proto__');
    const member = fc.tuple(
      key,
      json.map((value) => JSON.stringify(value)),
    );
    fc.assert(
      fc.property(fc.array(member, { maxLength: 6 }), (members) => {
        const written = members.map(([name, value]) => `${JSON.stringify(name)}:${value}`);
        const text = `{${written.join(' , ')}}`;
        const bytes = Buffer.from(text);
        const shape = new Shape();
        new JsonWalker(shape, [], true).walk(bytes, 0, bytes.length);
        const nodes = shape.nodes.filter(({ depth }) => depth === 1);
        const walker = new JsonWalker(shape, nodes, false);
        assert.ok(walker.walk(bytes, 0, bytes.length));
        const found = nodes.map(
          ({ name }, slot) =>
            [name, bytes.toString('utf8', walker.starts[slot], walker.ends[slot])] as const,
        );
        assert.deepEqual(new Map<string, string>(found), new Map<string, string>(members));
      }),
    );
  });
});

function isJson(text: string): boolean {
  try {
    JSON.parse(text);
    return true;
  } catch {
    return false;
  }
}

function csvFields(text: string, delimiter: string, chunkBytes: number): string[][] {
  const code = delimiter.charCodeAt(0);
  const shape = new Shape();
  const fields = new CsvFields(shape, code, undefined);
  const value = newValue();
  return recordsOf(text, new CsvSplitter(code), chunkBytes).map((record) => {
    const bytes = Buffer.from(record);
    fields.create([], true).walk(bytes, 0, bytes.length);
    const nodes = shape.nodes.filter(({ depth }) => depth === 1);
    const walker = fields.create(nodes, false);
    assert.ok(walker.walk(bytes, 0, bytes.length), `invalid record ${record}`);
    return nodes.flatMap((_, slot) => {
      if ((walker.starts[slot] ?? -1) < 0) {
        return [];
      }
      walker.read(slot, bytes, value);
      return [value.bytes.toString('utf8', value.from, value.to)];
    });
  });
}
