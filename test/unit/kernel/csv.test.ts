import assert from 'node:assert/strict';
import { parse } from 'csv-parse/sync';
import { CsvFields } from '../../helpers/plainReader/csvWalker';
import { CsvSplitter, record } from '../../helpers/plainReader/recordSplitter';
import { Shape } from '../../../src/engine/read/records/shape';
import { newValue } from '../../helpers/plainReader/walker';
import { Kernel } from '../../../src/engine/threads/kernel';
import { fc } from '../../helpers/property';

const kernel = new Kernel();
const room = 8192;
const window = kernel.exports.allocate(room + 128);
const maxFields = 8;

interface Found {
  readonly range: readonly number[];
  readonly isValid: boolean;
  readonly values: readonly (string | undefined)[];
}

/** All records, as the kernel finds them in pieces of a window. */
function found(bytes: Buffer, delimiter: number, offset: number, pieceSize: number, most: number) {
  const reader = kernel.exports.newReader(0, delimiter, 16);
  kernel.exports.setNodeCount(reader, maxFields);
  kernel.exports.setSlotCount(reader, maxFields);
  for (let field = 0; field < maxFields; field += 1) {
    kernel.exports.setSlot(reader, field, field);
  }
  kernel.exports.setMode(reader, 1);
  const base = window + offset;
  // What is before and behind the bytes must not matter.
  kernel.bytes.fill(0x22, window, window + room + 128);
  const records: Found[] = [];
  let filled = Math.min(pieceSize, bytes.length);
  let at = base;
  for (;;) {
    bytes.copy(kernel.bytes, base, 0, filled);
    const isFinal = filled === bytes.length;
    const count = kernel.exports.find(reader, at, base + filled, isFinal ? 1 : 0, most);
    const words = kernel.words;
    const first = kernel.exports.recordsOf(reader) >>> 2;
    const values = kernel.exports.valuesOf(reader) >>> 2;
    for (let each = 0; each < count; each += 1) {
      const [start = 0, end = 0, next = 0, flags = 0] = words.subarray(first + 4 * each);
      records.push({
        range: [start - base, end - base, next - base],
        isValid: (flags & 1) === 0,
        values: Array.from({ length: maxFields }, (_, field) => {
          const [from = 0, to = 0] = words.subarray(values + 2 * (each * maxFields + field));
          if (from === -1) {
            return undefined;
          }
          const text = kernel.bytes.toString('latin1', from, to & 0x7fff_ffff);
          assert.equal(to < 0 && !text.includes('"'), false);
          return to < 0 ? text.replaceAll('""', '"') : text;
        }),
      });
    }
    at = kernel.result(1);
    const reason = kernel.result(0);
    if (reason === 2) {
      return records;
    }
    if (reason === 1) {
      assert.ok(!isFinal);
      filled = Math.min(bytes.length, filled + pieceSize);
    }
  }
}

/** The same by plain code. */
function expected(bytes: Buffer, delimiter: number): Found[] {
  const splitter = new CsvSplitter(delimiter);
  const fields = new CsvFields(new Shape(), delimiter, Array.from({ length: maxFields }, String));
  const shape = new Shape();
  const nodes = Array.from({ length: maxFields }, (_, field) =>
    shape.member(shape.top, String(field)),
  ).flatMap((node) => node ?? []);
  const walker = fields.create(nodes, false);
  const value = newValue();
  const records: Found[] = [];
  let at = 0;
  while (splitter.find(bytes, at, bytes.length, true) === record) {
    const { start, end, next } = splitter;
    const isValid = walker.walk(bytes, start, end);
    records.push({
      range: [start, end, next],
      isValid,
      values: Array.from({ length: maxFields }, (_, field) => {
        if ((walker.starts[field] ?? -1) < 0) {
          return undefined;
        }
        walker.read(field, bytes, value);
        return value.bytes.toString('latin1', value.from, value.to);
      }),
    });
    at = next;
  }
  return records;
}

const piece = fc.oneof(
  {
    arbitrary: fc.constantFrom('a', '"', '""', ',', '\n', '\r\n', '\r', ' ', '\t', ';'),
    weight: 6,
  },
  {
    arbitrary: fc.constantFrom('","', '"\n"', '"a,b"', '"x\ny"', '"a""b"', ',,', '"a"b'),
    weight: 4,
  },
  { arbitrary: fc.nat(70).map((length) => 'x'.repeat(length)), weight: 2 },
  { arbitrary: fc.constantFrom('\0', 'é', '😀', '.9', '-5'), weight: 1 },
);
const hostile = fc.array(piece, { maxLength: 40 }).map((parts) => parts.join(''));

describe('The kernel on CSV', () => {
  it('The kernel on CSV finds the records and fields of any text, in pieces of any size', () => {
    fc.assert(
      fc.property(
        hostile,
        fc.constantFrom(0x2c, 0x3b, 0x09),
        fc.nat(70),
        fc.integer({ min: 1, max: 200 }),
        fc.integer({ min: 1, max: 20 }),
        (text, delimiter, offset, pieceSize, most) => {
          const bytes = Buffer.from(text);
          assert.deepEqual(
            found(bytes, delimiter, offset, pieceSize, most),
            expected(bytes, delimiter),
          );
        },
      ),
    );
  });

  it('The kernel on CSV finds the fields of proper CSV as csv-parse does', () => {
    const field = fc
      .tuple(hostile, fc.boolean())
      .map(([text, quotes]) =>
        quotes || /["\r\n,]/.test(text) ? `"${text.replaceAll('"', '""')}"` : text,
      );
    fc.assert(
      fc.property(
        fc.array(fc.array(field, { minLength: 2, maxLength: maxFields }), { maxLength: 6 }),
        fc.constantFrom('\n', '\r\n', '\r'),
        fc.nat(64),
        (rows, end, offset) => {
          const filled = rows.filter((row) => row.some((each) => !/^[ \t]*$/.test(each)));
          const text = filled.map((row) => row.join(',')).join(end);
          const parsed: string[][] = parse(text, {
            relax_column_count: true,
            record_delimiter: ['\n', '\r\n', '\r'],
          });
          const records = found(Buffer.from(text, 'utf8'), 0x2c, offset, 100, 16);
          assert.deepEqual(
            records.map(({ values }) =>
              values
                .filter((value) => value !== undefined)
                .map((value) => Buffer.from(value, 'latin1').toString()),
            ),
            parsed,
          );
          assert.ok(records.every(({ isValid }) => isValid));
        },
      ),
    );
  });
});
