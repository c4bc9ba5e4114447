import assert from 'node:assert/strict';
import {
  kindBoolean,
  kindDate,
  kindInvalid,
  kindJson,
  kindMissing,
  kindNull,
  kindNumber,
  kindText,
} from '../../../src/engine/values/kinds';
import { Kernel } from '../../../src/engine/threads/kernel';
import { Shape } from '../../../src/engine/read/records/shape';
import { CsvFields } from '../../helpers/plainReader/csvWalker';
import { parseDate } from '../../helpers/plainReader/values';
import { fc } from '../../helpers/property';
import { KernelMemory, readable, type Spot, spots } from './kernelMemory';

const kernel = new Kernel();
const exports = kernel.exports;
const anySpot: Spot = { offset: 5, around: 0x61 };
const source = new KernelMemory(kernel, 400_000);
const noLimit = 0x7fff_ffff;
const firstValueCode = 3;

const csvForm = 0;
const linesForm = 1;
const invalidFlag = 1;
const brokenFlag = 2;
const tooLongFlag = 4;
const escapesFlag = 0x8000_0000;

/** A value with its kind, as the dictionary has it. */
interface Entry {
  readonly kind: number;
  readonly bytes: Buffer;
}

/** What a dictionary should hold. */
class PlainTexts {
  readonly entries: Entry[] = [];
  private readonly numbers = new Map<string, number>();

  add(kind: number, bytes: Buffer): number {
    const key = `${kind} ${bytes.toString('latin1')}`;
    const number = this.numbers.get(key) ?? this.entries.length;
    if (number === this.entries.length) {
      this.numbers.set(key, number);
      this.entries.push({ kind, bytes });
    }
    return number;
  }
}

function withTexts(test: (texts: number) => void): void {
  const texts = exports.newTexts();
  try {
    test(texts);
  } finally {
    exports.freeTexts(texts);
  }
}

function add(texts: number, kind: number, bytes: Buffer, spot = anySpot): number {
  return exports.addText(texts, kind, ...source.put(bytes, spot));
}

function entriesOf(texts: number): Entry[] {
  const count = exports.textCount(texts);
  const arena = exports.textsArena(texts);
  const offsets = exports.textsOffsets(texts) >>> 2;
  const kinds = exports.textsKinds(texts);
  const { bytes, words } = kernel;
  assert.equal(words[offsets + count], exports.textBytes(texts));
  return Array.from({ length: count }, (_, number) => {
    const [from = 0, to = 0] = words.subarray(offsets + number);
    return {
      kind: bytes[kinds + number] ?? -1,
      bytes: Buffer.from(bytes.subarray(arena + from, arena + to)),
    };
  });
}

describe('A dictionary of the kernel', () => {
  const values = fc.tuple(
    fc.nat(4),
    fc.oneof(
      fc.constantFrom('', '\0', '\0\0', 'a', 'a\0', 'a'.repeat(16), 'a'.repeat(17)),
      fc
        .tuple(
          fc.constantFrom(
            0,
            1,
            15,
            16,
            17,
            31,
            32,
            33,
            47,
            63,
            64,
            65,
            127,
            128,
            129,
            255,
            256,
            257,
          ),
          fc.constantFrom('', 'x', '\0', '\xff'),
        )
        .map(([length, end]) => 'b'.repeat(length) + end),
      fc.array(fc.nat(255), { maxLength: 300 }).map((each) => Buffer.from(each).toString('latin1')),
    ),
  );

  it('A dictionary of the kernel numbers values by kind and bytes, in the order in which they come', () => {
    fc.assert(
      fc.property(fc.array(fc.tuple(values, spots), { maxLength: 200 }), (added) => {
        withTexts((texts) => {
          const plain = new PlainTexts();
          for (const [[kind, text], spot] of added) {
            const bytes = Buffer.from(text, 'latin1');
            assert.equal(add(texts, kind, bytes, spot), plain.add(kind, bytes));
          }
          assert.deepEqual(entriesOf(texts), plain.entries);
        });
      }),
    );
  });

  it('A dictionary of the kernel tells long values apart by any of their bytes', () => {
    withTexts((texts) => {
      const bytes = Buffer.alloc(1000, 'a');
      assert.equal(add(texts, kindText, bytes), 0);
      for (let at = 0; at < bytes.length; at += 1) {
        bytes[at] = 0xe1;
        assert.equal(add(texts, kindText, bytes), at + 1);
        bytes[at] = 0x61;
      }
      assert.equal(add(texts, kindText, bytes), 0);
    });
  });

  it('A dictionary of the kernel grows to many values, and finds all of them again', () => {
    // Some of them have equal hashes of 32 bits.
    const entries = Array.from({ length: 300_000 }, (_, number) => ({
      kind: number % 5,
      bytes: Buffer.from(`${number}${'-'.repeat(number % 40)}`),
    }));
    withTexts((texts) => {
      for (let round = 0; round < 2; round += 1) {
        assert.ok(merged(texts, entries).every((number, at) => number === at));
      }
      assert.equal(exports.textCount(texts), entries.length);
      assert.deepEqual(entriesOf(texts).at(-1), entries.at(-1));
    });
  });

  it('A dictionary of the kernel gives its memory back', () => {
    const fill = () => {
      withTexts((texts) => {
        for (let number = 0; number < 5_000; number += 1) {
          add(texts, kindText, Buffer.from(`${number}${' '.repeat(100)}`));
        }
      });
    };
    fill();
    const before = kernel.bytes.length;
    for (let round = 0; round < 20; round += 1) {
      fill();
    }
    assert.equal(kernel.bytes.length, before);
  });

  it('A dictionary of the kernel has the same numbers with each seed', () => {
    for (const byte of [0, 1, 0xff]) {
      const other = new Kernel();
      other.hashSeed.fill(byte);
      const inner = other.exports;
      const memory = new KernelMemory(other, 1000);
      const texts = inner.newTexts();
      for (let number = 0; number < 1000; number += 1) {
        const range = memory.put(Buffer.from(String(number)), anySpot);
        assert.equal(inner.addText(texts, kindText, ...range), number);
        assert.equal(inner.addText(texts, kindText, ...range), number);
      }
    }
  });

  it('A dictionary of the kernel takes over the values of another one', () => {
    fc.assert(
      fc.property(
        fc.array(values, { maxLength: 50 }),
        fc.array(values, { maxLength: 50 }),
        (first, second) => {
          const plain = new PlainTexts();
          const other = new PlainTexts();
          withTexts((texts) => {
            for (const [kind, text] of first) {
              const bytes = Buffer.from(text, 'latin1');
              plain.add(kind, bytes);
              add(texts, kind, bytes);
            }
            for (const [kind, text] of second) {
              other.add(kind, Buffer.from(text, 'latin1'));
            }
            assert.deepEqual(
              merged(texts, other.entries),
              other.entries.map(({ kind, bytes }) => plain.add(kind, bytes)),
            );
            assert.deepEqual(entriesOf(texts), plain.entries);
          });
        },
      ),
    );
  });
});

/** A value of a record. */
interface Written {
  /** As it is in the file; in CSV without its quotes. */
  readonly bytes: Buffer;
  readonly hasEscapes: boolean;
  /** What it is decoded; `undefined` for null. */
  readonly value: Entry | undefined;
}

/** A record, and its value unless it has none. */
interface Field {
  readonly flags: number;
  readonly written: Written | undefined;
}

const dates = fc.constantFrom(
  '2026-11-21',
  '2026-11-21T08:30:00Z',
  ' 2026-11-21 08:30',
  '2026-13-01',
);
const plainTexts = fc.oneof(
  fc.constantFrom('', 'y"', 'y""'),
  dates,
  fc.constantFrom(
    '',
    'true',
    'false',
    'null',
    '5',
    '-0.5',
    '0,5',
    '007',
    '"',
    'a"b',
    'a\nb',
    'ä😀',
  ),
  fc.constantFrom('x'.repeat(15), 'x'.repeat(16), 'x'.repeat(17), 'x'.repeat(33), 'y"'.repeat(40)),
  fc.string(),
);

const delimiters = fc.constantFrom(0x2c, 0x3b);

function csvField(text: string, isQuoted: boolean, delimiter: number): Written {
  const bytes = Buffer.from(text);
  const kind = new CsvFields(new Shape(), delimiter, undefined).kindOf(bytes, 0, bytes.length, {
    time: NaN,
  });
  const hasEscapes = isQuoted && text.includes('"');
  return {
    bytes: hasEscapes ? Buffer.from(text.replaceAll('"', '""')) : bytes,
    hasEscapes,
    value: kind === kindNull ? undefined : { kind, bytes },
  };
}

const csvColumns = fc
  .tuple(delimiters, fc.array(fc.tuple(plainTexts, fc.boolean()), { minLength: 1, maxLength: 20 }))
  .map(([delimiter, each]) => ({
    form: csvForm,
    delimiter,
    pool: each.map(([text, isQuoted]) => csvField(text, isQuoted, delimiter)),
  }));

function jsonField(value: unknown, isEscaped: boolean): Written {
  const escapes =
    isEscaped && typeof value === 'string'
      ? value.split('').map((unit) => `\\u${unit.charCodeAt(0).toString(16).padStart(4, '0')}`)
      : [];
  const text = escapes.length > 0 ? `"${escapes.join('')}"` : JSON.stringify(value);
  const hasEscapes = typeof value === 'string' && text.includes('\\');
  const bytes = Buffer.from(typeof value === 'string' ? value : text);
  return {
    bytes: Buffer.from(text),
    hasEscapes,
    value: value === null ? undefined : { kind: jsonKind(value, bytes), bytes },
  };
}

function jsonKind(value: unknown, bytes: Buffer): number {
  switch (typeof value) {
    case 'string':
      return Number.isNaN(parseDate(bytes, 0, bytes.length)) ? kindText : kindDate;
    case 'number':
      return kindNumber;
    case 'boolean':
      return kindBoolean;
    default:
      return kindJson;
  }
}

const jsonColumns = fc
  .array(
    fc.tuple(
      fc.oneof(
        plainTexts,
        fc.constant(null),
        fc.constantFrom(null, true, false, 5, -0.5, '5', 'true', 'null'),
        fc.jsonValue({ maxDepth: 2 }),
      ),
      fc.boolean(),
    ),
    { minLength: 1, maxLength: 20 },
  )
  .map((each) => ({
    form: linesForm,
    delimiter: 0,
    pool: each.map(([value, isEscaped]) => jsonField(value, isEscaped)),
  }));

/** A column of up to 600 records with values from a pool, some of them in runs. */
const columns = fc
  .tuple(
    fc.oneof(csvColumns, jsonColumns),
    fc.array(fc.tuple(fc.nat(23), fc.integer({ min: 1, max: 6 })), { maxLength: 150 }),
  )
  .map(([{ form, delimiter, pool }, runs]) => ({
    form,
    delimiter,
    fields: runs.flatMap(([choice, length]) => Array<Field>(length).fill(fieldOf(pool, choice))),
  }));

function fieldOf(pool: readonly Written[], choice: number): Field {
  const flags = [invalidFlag, brokenFlag, tooLongFlag, invalidFlag | brokenFlag][choice - 20] ?? 0;
  return { flags, written: choice === 19 ? undefined : pool[choice % pool.length] };
}

function fieldsOf(values: readonly Written[]): Field[] {
  return values.map((written) => ({ flags: 0, written }));
}

const slots = 3;
const slot = 2;

interface Column {
  readonly form: number;
  readonly delimiter: number;
  readonly fields: readonly Field[];
}

/** A reader as after a search that found the records of a column, whose values are in its last slot. */
function withReader(
  { form, delimiter, fields }: Column,
  spot: Spot,
  test: (reader: number) => void,
): void {
  const reader = exports.newReader(form, delimiter, Math.max(fields.length, 1));
  exports.setSlotCount(reader, slots);
  const between = Buffer.from([spot.around]);
  const window = fields.flatMap(({ written }) => (written ? [written.bytes, between] : [between]));
  let [at] = source.put(Buffer.concat(window), spot);
  const { words } = kernel;
  const records = exports.recordsOf(reader) >>> 2;
  const values = exports.valuesOf(reader) >>> 2;
  fields.forEach(({ flags, written }, record) => {
    const end = at + (written?.bytes.length ?? 0);
    words.set([at, end, end + 1, flags], records + 4 * record);
    for (let each = 0; each < slots; each += 1) {
      const hasValue = each === slot && written;
      const mark = written?.hasEscapes ? escapesFlag : 0;
      words.set(hasValue ? [at, end | mark] : [-1, 0], values + 2 * (record * slots + each));
    }
    at = end + 1;
  });
  try {
    test(reader);
  } finally {
    exports.freeReader(reader);
  }
}

/** The kind of a field that has no value, otherwise the value; `null` has none either. */
function expected(field: Field, form: number): number | Entry {
  // Fields of CSV are found in any record that is not too long.
  if ((form === csvForm ? field.flags & tooLongFlag : field.flags) !== 0) {
    return kindInvalid;
  }
  return field.written ? (field.written.value ?? kindNull) : kindMissing;
}

function codesIn(
  reader: number,
  count: number,
  texts: number,
  maxValues = noLimit,
  maxBytes = noLimit,
) {
  const codes = exports.allocate(4 * count + 8);
  kernel.words.fill(-1, codes >>> 2, (codes >>> 2) + count + 1);
  const done = exports.codesOf(reader, count, slot, texts, codes, maxValues, maxBytes);
  const found = kernel.words.slice(codes >>> 2, (codes >>> 2) + count + 1);
  exports.release(codes);
  assert.equal(found[count], -1);
  return { done, codes: Array.from(found.subarray(0, done)) };
}

function codeIn(plain: PlainTexts, value: number | Entry): number {
  return typeof value === 'number'
    ? value - kindNull
    : plain.add(value.kind, value.bytes) + firstValueCode;
}

describe('A column of the kernel', () => {
  it('A column of the kernel has the codes of its values', () => {
    fc.assert(
      fc.property(columns, spots, (column, spot) => {
        withReader(column, spot, (reader) => {
          withTexts((texts) => {
            const plain = new PlainTexts();
            const codes = column.fields.map((field) => codeIn(plain, expected(field, column.form)));
            const { length } = codes;
            assert.deepEqual(codesIn(reader, length, texts), { done: length, codes });
            // All values are known now.
            assert.deepEqual(codesIn(reader, length, texts), { done: length, codes });
            assert.deepEqual(entriesOf(texts), plain.entries);
          });
        });
      }),
    );
  });

  it('A column of the kernel stops after the value that is too much, and goes on from there', () => {
    fc.assert(
      fc.property(columns, spots, fc.nat(20), fc.nat(100), (column, spot, maxValues, maxBytes) => {
        withReader(column, spot, (reader) => {
          withTexts((texts) => {
            const plain = new PlainTexts();
            const codes: number[] = [];
            for (const field of column.fields) {
              const before = plain.entries.length;
              codes.push(codeIn(plain, expected(field, column.form)));
              const bytes = plain.entries.reduce((sum, entry) => sum + entry.bytes.length, 0);
              const { length } = plain.entries;
              if (length > before && (length > maxValues || bytes > maxBytes)) {
                break;
              }
            }
            const found = codesIn(reader, column.fields.length, texts, maxValues, maxBytes);
            assert.deepEqual(found, { done: codes.length, codes });
          });
        });
      }),
    );
  });

  it('A column of the kernel has the kinds, times and bytes of its values', () => {
    fc.assert(
      fc.property(columns, spots, (column, spot) => {
        withReader(column, spot, (reader) => {
          const count = column.fields.length;
          const values = column.fields.map((field) => expected(field, column.form));
          const dates = exports.newDates(0, 1000);
          exports.addDates(dates, reader, count, slot);
          exports.readDates(dates);
          const times = kernel.result(4) >>> 3;
          assert.deepEqual(
            Array.from(kernel.doubles.subarray(times, times + count)),
            values.map(timeIn),
          );
          exports.freeDates(dates);
          values.forEach((value, record) => {
            assert.equal(exports.readValue(reader, record, slot), kindIn(value));
            if (typeof value !== 'number') {
              const bytes = kernel.bytes.subarray(kernel.result(8), kernel.result(9));
              assert.deepEqual(Buffer.from(bytes), value.bytes);
            }
            if (kindIn(value) === kindDate) {
              assert.equal(kernel.resultNumber, timeIn(value));
            }
          });
        });
      }),
    );
  });

  it('A column of the kernel has runs of values that differ in any one of their bytes, or are null', () => {
    const text = 'a'.repeat(100);
    const texts = [
      ...Array.from(text, (_, at) => `${text.slice(0, at)}b${text.slice(at + 1)}`),
      ...['x', '', '', 'x', 'y"', 'y""', 'y""', 'y"'],
    ];
    const csv = texts.map((each, at) => csvField(each, at < 105 || at === 107, 0x2c));
    assertColumn({ form: csvForm, delimiter: 0x2c, fields: fieldsOf(csv) });
    const values = [...texts, 'null', null, null, 'null', '', '', 'null', null, null, true, null];
    const json = values.map((each) => jsonField(each, false));
    assertColumn({ form: linesForm, delimiter: 0, fields: fieldsOf(json) });
  });

  it('A column of the kernel may have thousands of values, of which many have escapes and some are long', () => {
    const texts = Array.from(
      { length: 4000 },
      (_, number) => `${number}\n${'"'.repeat(number % 23)}`,
    );
    texts[100] = '\t'.repeat(1000);
    texts[201] = '\t"'.repeat(300);
    for (const count of [2, 700, 4000]) {
      const chosen = texts.map((_, at) => texts[(at * 7) % count] ?? '');
      const json = fieldsOf(chosen.map((text) => jsonField(text, false)));
      assertColumn({ form: linesForm, delimiter: 0, fields: json });
      const csv = fieldsOf(chosen.map((text) => csvField(text, true, 0x2c)));
      assertColumn({ form: csvForm, delimiter: 0x2c, fields: csv });
    }
  });

  it('A column of the kernel may have more decoded values at once than there is room for', () => {
    const texts = Array.from({ length: 150 }, (_, number) => `${number}${'"'.repeat(900)}`);
    const csv = fieldsOf(texts.map((text) => csvField(text, true, 0x2c)));
    assertColumn({ form: csvForm, delimiter: 0x2c, fields: csv });
  });

  it('A column of the kernel may have a value that is longer than the room for decoded values', () => {
    const texts = ['a\n', 'b"'.repeat(40_000), 'c\n', 'a\n'];
    const fields = fieldsOf(texts.map((text) => jsonField(text, false)));
    assertColumn({ form: linesForm, delimiter: 0, fields });
  });

  it('A column of the kernel is found in a large dictionary that grows with each of its records', () => {
    withTexts((texts) => {
      const plain = new PlainTexts();
      for (let number = 0; number < 8_000; number += 1) {
        const bytes = Buffer.from(`${number} `);
        assert.equal(add(texts, kindNumber, bytes), plain.add(kindNumber, bytes));
      }
      const values = Array.from({ length: 30_000 }, (_, number) =>
        csvField(`${number % 2 === 0 ? (number * 7919) % 8_000 : number + 8_000} `, false, 0x2c),
      );
      const column = { form: csvForm, delimiter: 0x2c, fields: fieldsOf(values) };
      withReader(column, anySpot, (reader) => {
        const codes = column.fields.map((field) => codeIn(plain, expected(field, csvForm)));
        assert.deepEqual(codesIn(reader, codes.length, texts).codes, codes);
        assert.deepEqual(entriesOf(texts), plain.entries);
      });
    });
  });
});

function assertColumn(column: Column): void {
  withReader(column, anySpot, (reader) => {
    withTexts((texts) => {
      const plain = new PlainTexts();
      const codes = column.fields.map((field) => codeIn(plain, expected(field, column.form)));
      assert.deepEqual(codesIn(reader, codes.length, texts).codes, codes);
      assert.deepEqual(entriesOf(texts), plain.entries);
    });
  });
}

function kindIn(value: number | Entry): number {
  return typeof value === 'number' ? value : value.kind;
}

function timeIn(value: number | Entry): number {
  return typeof value === 'number' || value.kind !== kindDate
    ? NaN
    : parseDate(value.bytes, 0, value.bytes.length);
}

/** Copies the arrays of another dictionary into memory, and adds its values. */
function merged(texts: number, entries: readonly Entry[]): number[] {
  const bytes = Buffer.concat(entries.map((entry) => entry.bytes));
  const count = entries.length;
  const arena = exports.allocate(bytes.length + readable);
  const offsets = exports.allocate(4 * (count + 1));
  const kinds = exports.allocate(count + 1);
  const numbers = exports.allocate(4 * count + 4);
  kernel.bytes.set(bytes, arena);
  let at = 0;
  kernel.words[offsets >>> 2] = 0;
  entries.forEach((entry, number) => {
    at += entry.bytes.length;
    kernel.words[(offsets >>> 2) + number + 1] = at;
    kernel.bytes[kinds + number] = entry.kind;
  });
  exports.mergeTexts(texts, arena, offsets, kinds, count, numbers);
  const found = Array.from(kernel.words.subarray(numbers >>> 2, (numbers >>> 2) + count));
  for (const address of [arena, offsets, kinds, numbers]) {
    exports.release(address);
  }
  return found;
}
