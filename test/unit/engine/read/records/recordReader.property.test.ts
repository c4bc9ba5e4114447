import assert from 'node:assert/strict';
import { mock } from 'node:test';
import { isUtf8 } from 'node:buffer';
import { parse } from 'csv-parse/sync';
import type { ByteSource } from '../../../../../src/engine/read/bytes/byteSource';
import { RecordIndex } from '../../../../../src/engine/read/records/recordIndex';
import {
  newValue,
  type RecordForm,
  RecordReader,
  recordsIn,
} from '../../../../../src/engine/read/records/recordReader';
import { Shape, type ShapeNode } from '../../../../../src/engine/read/records/shape';
import { YieldBudget } from '../../../../../src/engine/threads/yieldBudget';
import { recordText } from '../../../../helpers/tableFiles';
import { fc } from '../../../../helpers/property';

/** Bytes in memory, as a source that has them all. */
function sourceOf(bytes: Buffer): ByteSource {
  return {
    available: bytes.length,
    complete: true,
    bytesRead: bytes.length,
    size: bytes.length,
    truncation: undefined,
    cacheFolder: '',
    descriptor: -1,
    read: (target, offset, length, position) =>
      bytes.copy(target, offset, position, Math.min(bytes.length, position + length)),
    more: () => Promise.resolve(),
    changed: () => undefined,
    close: () => undefined,
  };
}

/** The records that a reader finds when it reads so many bytes at a time. */
function recordsOf(text: string, form: RecordForm, chunkBytes: number, start = 0): string[] {
  const reader = new RecordReader(sourceOf(Buffer.from(text)), form, { chunkBytes });
  reader.seek(start);
  const records: string[] = [];
  for (let step = reader.next(); step !== 'end'; step = reader.next()) {
    for (let record = 0; step === 'records' && record < reader.count; record += 1) {
      records.push(recordText(reader, record));
    }
  }
  reader.dispose();
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

describe('Record readers', () => {
  it('Record readers find the lines of NDJSON in pieces of any size', () => {
    const line = fc.oneof(
      json.map((value) => JSON.stringify(value)),
      fc.constantFrom('', ' ', '{"a'),
    );
    fc.assert(
      fc.property(fc.array(line, { maxLength: 5 }), lineEnd, fc.boolean(), (lines, eol, ends) => {
        const text = lines.join(eol) + (ends ? eol : '');
        const expected = lines.map((one) => one.trimEnd()).filter((one) => one !== '');
        forEveryBorder(text, (chunkBytes) => {
          assert.deepEqual(recordsOf(text, { kind: 'lines' }, chunkBytes), expected);
        });
      }),
    );
  });

  it('Record readers find the elements of a JSON array in pieces of any size', () => {
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
            assert.deepEqual(recordsOf(text, { kind: 'array' }, chunkBytes, 1), expected);
          });
        },
      ),
    );
  });

  it('Record readers find consecutive JSON values, and the elements of consecutive arrays', () => {
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
          assert.deepEqual(recordsOf(text, { kind: 'texts' }, chunkBytes), texts);
          assert.deepEqual(
            recordsOf(arrays.join(blank), { kind: 'topArray' }, chunkBytes, 1),
            texts.flatMap((each) => [each.replaceAll('\n', start), '1']),
          );
        });
      }),
    );
  });

  it('Record readers find the fields of CSV as csv-parse does, in pieces of any size', () => {
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

  it('Record readers give up a quote that is never closed, and continue with the next line', () => {
    const records = recordsOf('a,b\n1,"2\n3,4\n5,6', { kind: 'csv', delimiter: 0x2c }, 3);
    assert.deepEqual(records, ['a,b', '1,"2', '3,4', '5,6']);
  });

  it('Record readers continue after a record that is too long', () => {
    const cases: [RecordForm, string, number][] = [
      [{ kind: 'lines' }, `{"a":1}\n"${'x'.repeat(500)}"\n{"a":2}`, 0],
      [{ kind: 'array' }, `[{"a":1},["${'],\\"'.repeat(100)}"],{"a":2}]`, 1],
    ];
    for (const [form, text, start] of cases) {
      const reader = new RecordReader(sourceOf(Buffer.from(text)), form, {
        chunkBytes: 16,
        maxRecordBytes: 64,
      });
      reader.seek(start);
      const found: string[] = [];
      for (let step = reader.next(); step !== 'end'; step = reader.next()) {
        for (let record = 0; step === 'records' && record < reader.count; record += 1) {
          found.push(reader.tooLong ? 'too long' : recordText(reader, record));
        }
      }
      reader.dispose();
      assert.deepEqual(found, ['{"a":1}', 'too long', '{"a":2}']);
    }
  });
});

describe('Values of records', () => {
  const blank = fc.constantFrom('', ' ', '\n', ' '.repeat(40));
  /** CSV and NDJSON, of which some records are invalid, or have other names. */
  const csv = fc
    .array(fc.array(fc.oneof(hostileText, hostileText.map(quoted)), { maxLength: 5 }), {
      maxLength: 12,
    })
    .map((rows) => rows.map((row) => row.join(',')).join('\n'));
  const line = fc.oneof(
    { weight: 6, arbitrary: fc.dictionary(fc.constantFrom('a', 'b', 'é', '"'), json) },
    { weight: 1, arbitrary: json },
  );
  const ndjson = fc
    .array(fc.tuple(line, blank, fc.nat(12)), { maxLength: 12 })
    .map((lines) =>
      lines
        .map(([value, before, how]) => before + JSON.stringify(value).slice(how === 0 ? 1 : 0))
        .join('\n'),
    );
  const files = fc.oneof(
    csv.map((text) => ({ text, form: { kind: 'csv' as const, delimiter: 0x2c } })),
    ndjson.map((text) => ({ text, form: { kind: 'lines' as const } })),
    ndjson.map((text) => ({ text, form: { kind: 'texts' as const } })),
  );

  it('Values of records are the same whether few of them are read or all, in pieces of any size', () => {
    fc.assert(
      fc.property(
        files,
        fc.integer({ min: 1, max: 70 }),
        fc.integer({ min: 1, max: 9 }),
        fc.nat(2 ** 30),
        ({ text, form }, chunkBytes, most, bits) => {
          const { shape, records: all } = valuesOf(text, form, {});
          const known = valuesOf(text, form, { shape, nodes: shape.nodes.slice(1) });
          assert.deepEqual(known.records, all);
          const nodes = shape.nodes.filter((_, at) => at > 0 && ((bits >>> (at % 30)) & 1) === 0);
          const mayStop = !shape.hasDuplicates && all.every(({ invalid }) => invalid === undefined);
          const options = { shape, nodes, mayStop, chunkBytes, most };
          const expected = all.map((record) => ({
            ...record,
            values: record.values.filter(([id]) => nodes.some((node) => node.id === id)),
          }));
          assert.deepEqual(valuesOf(text, form, options).records, expected);
        },
      ),
    );
  });
});

describe('The index of records', () => {
  it('The index of records tells whether a file is UTF-8, in pieces of any size', async () => {
    const part = fc.oneof(
      fc.constantFrom('a', 'é', '你', '🚀', '\n').map((letter) => Buffer.from(letter)),
      fc.constantFrom(0xe9, 0xf0, 0x9f, 0x80, 0xc0, 0xff, 0x0a).map((byte) => Buffer.from([byte])),
    );
    const parts = fc.oneof(
      fc.array(part, { maxLength: 12 }),
      fc.array(
        fc.constantFrom('a', 'é', '你', '🚀', '\n').map((letter) => Buffer.from(letter)),
        { maxLength: 12 },
      ),
    );
    const form = fc.constantFrom<RecordForm>(
      { kind: 'lines' },
      { kind: 'texts' },
      { kind: 'array' },
      { kind: 'csv', delimiter: 0x2c },
    );
    await fc.assert(
      fc.asyncProperty(
        parts,
        form,
        fc.integer({ min: 1, max: 9 }),
        async (all, each, chunkBytes) => {
          const bytes = Buffer.concat(all);
          const index = new RecordIndex(sourceOf(bytes), each, 0, { chunkBytes });
          await index.build(new YieldBudget(), () => undefined);
          assert.equal(index.isUtf8, isUtf8(bytes));
        },
      ),
    );
  });

  it('The index of records also knows the bytes before the records', async () => {
    for (const [head, expected] of [
      ['\xc3\xa9\n', true],
      ['\xe9\n', false],
    ] as const) {
      const bytes = Buffer.from(`${head}a\n`, 'latin1');
      const index = new RecordIndex(sourceOf(bytes), { kind: 'lines' }, head.length);
      await index.build(new YieldBudget(), () => undefined);
      assert.equal(index.isUtf8, expected);
    }
  });
});

describe('JSON records', () => {
  it('JSON records are valid exactly if JSON.parse accepts them', () => {
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
        const [record] = recordsIn(bytes, { kind: 'whole' }, { from: 0 });
        assert.equal(record?.isValid ?? false, isJson(text));
      }),
    );
  });

  it('JSON records show thousands of new names in a few steps, however these are written', () => {
    for (const escape of ['', '\\\\', '\\u00e9']) {
      const members = Array.from(
        { length: 3000 },
        (_, at) => `"${at}${at % 2 ? escape : ''}":{"b":1}`,
      );
      const text = `{"a":1}\n{${members.join(',')}}\n`;
      const shape = new Shape();
      const reader = new RecordReader(sourceOf(Buffer.from(text)), { kind: 'lines' }, { shape });
      const added = mock.method(reader as unknown as { addNew(): void }, 'addNew');
      reader.select({ nodes: [], growsShape: true });
      while (reader.next() !== 'end') {
        // The second record is read again for its new names.
      }
      const grown = added.mock.callCount();
      reader.dispose();
      assert.equal(shape.top.members.length, 2000);
      assert.equal(shape.nodes.length, 1 + 2000 + 1999);
      assert.ok(grown < 10, `${grown} steps, escape ${escape}`);
    }
  });

  it('JSON records have the last value of each name, in any order and number of names', () => {
    const key = fc.constantFrom('a', 'b', 'a"', 'é', '__proto__');
    const member = fc.tuple(
      key,
      json.map((value) => JSON.stringify(value)),
    );
    fc.assert(
      fc.property(fc.array(member, { maxLength: 6 }), (members) => {
        const written = members.map(([name, value]) => `${JSON.stringify(name)}:${value}`);
        const text = `{${written.join(' , ')}}`;
        const found = fieldsOf(text, { kind: 'whole' }, 100, (reader, record, slot) => {
          const value = newValue();
          reader.read(record, slot, value);
          const isText = value.kind === 1 || value.kind === 2;
          const shown = value.bytes.toString('utf8', value.from, value.to);
          return isText ? JSON.stringify(shown) : shown;
        });
        const expected = new Map(members.map(([name, value]) => [name, normal(value)]));
        assert.deepEqual(new Map(found[0]), expected);
      }),
    );
  });
});

/** A text is compared by its value: escapes may be written in several ways. */
function normal(value: string): string {
  return value.startsWith('"') ? JSON.stringify(JSON.parse(value)) : value;
}

function isJson(text: string): boolean {
  try {
    JSON.parse(text);
    return true;
  } catch {
    return false;
  }
}

/** The values of all nodes of each record, by their names. */
function fieldsOf(
  text: string,
  form: RecordForm,
  chunkBytes: number,
  read: (reader: RecordReader, record: number, slot: number) => string,
): [string, string][][] {
  const shape = new Shape();
  const records: [string, string][][] = [];
  const reader = new RecordReader(sourceOf(Buffer.from(text)), form, { chunkBytes, shape });
  let nodes = shape.nodes.slice(1);
  reader.select({
    get nodes() {
      if (nodes.length !== shape.nodes.length - 1) {
        nodes = shape.nodes.slice(1);
      }
      return nodes;
    },
    growsShape: true,
  });
  for (let step = reader.next(); step !== 'end'; step = reader.next()) {
    for (let record = 0; step === 'records' && record < reader.count; record += 1) {
      assert.equal(reader.invalid(record), undefined, `invalid record ${record}`);
      records.push(
        nodes.flatMap((node, slot): [string, string][] =>
          node.depth === 1 && reader.has(record, slot)
            ? [[node.ownName, read(reader, record, slot)]]
            : [],
        ),
      );
    }
  }
  reader.dispose();
  return records;
}

function csvFields(text: string, delimiter: string, chunkBytes: number): string[][] {
  const form = { kind: 'csv' as const, delimiter: delimiter.charCodeAt(0) };
  const value = newValue();
  return fieldsOf(text, form, chunkBytes, (reader, record, slot) => {
    reader.read(record, slot, value);
    return value.bytes.toString('utf8', value.from, value.to);
  }).map((fields) => fields.map(([, field]) => field));
}

function quoted(text: string): string {
  return `"${text.replaceAll('"', '""')}"`;
}

interface ValuesOptions {
  /** Known before; otherwise it grows. */
  readonly shape?: Shape;
  /** Whose values are read; by default all. */
  readonly nodes?: readonly ShapeNode[];
  readonly mayStop?: boolean;
  readonly chunkBytes?: number;
  /** The most records of a step. */
  readonly most?: number;
}

/** The records, and the values that nodes have in each of them, in the order of nodes. */
function valuesOf(
  text: string,
  form: RecordForm,
  { shape: known, nodes: some, mayStop = false, chunkBytes = 4096, most }: ValuesOptions,
) {
  const shape = known ?? new Shape();
  shape.isComplete = mayStop;
  const reader = new RecordReader(sourceOf(Buffer.from(text)), form, { chunkBytes, shape });
  const value = newValue();
  const records: { text: string; invalid: unknown; values: [string, number, string][] }[] = [];
  let nodes = some ?? shape.nodes.slice(1);
  reader.select({
    get nodes() {
      if (!some && nodes.length !== shape.nodes.length - 1) {
        nodes = shape.nodes.slice(1);
      }
      return nodes;
    },
    growsShape: !known,
  });
  for (;;) {
    const step = reader.next(most);
    if (step === 'end') {
      reader.dispose();
      return { shape, records };
    }
    for (let record = 0; step === 'records' && record < reader.count; record += 1) {
      records.push({
        text: recordText(reader, record),
        invalid: reader.invalid(record),
        values: nodes.flatMap(({ id }, slot): [string, number, string][] => {
          reader.read(record, slot, value);
          const shown = value.bytes.toString('utf8', value.from, value.to);
          return reader.has(record, slot) ? [[id, value.kind, shown]] : [];
        }),
      });
    }
  }
}
