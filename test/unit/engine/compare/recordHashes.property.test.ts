import assert from 'node:assert/strict';
import { RecordHashes, RecordHashTask } from '../../../../src/engine/compare/recordHashes';
import type { ComparisonMode } from '../../../../src/engine/compare/meaning';
import { type RecordForm, RecordReader } from '../../../../src/engine/read/records/recordReader';
import { Shape } from '../../../../src/engine/read/records/shape';
import { fc } from '../../../helpers/property';

const names = ['id', 'a', 'b'] as const;
type Row = Readonly<Record<(typeof names)[number], string>>;

/** The hashes of the contents of records. */
function contentsOf(text: string, form: RecordForm, comparing: ComparisonMode): bigint[] {
  const bytes = Buffer.from(text);
  const source = {
    available: bytes.length,
    complete: true,
    read: (target: Uint8Array, offset: number, length: number, position: number) =>
      bytes.copy(target, offset, position, position + length),
  };
  const isCsv = form.kind === 'csv';
  const [heading = ''] = isCsv ? text.split('\n') : [];
  const shape = new Shape(undefined, isCsv ? heading.split(',') : undefined);
  const file = { shape };
  const hashes = new RecordHashes(1000);
  const options = { comparing, columns: [], needsPlace: false };
  const task = new RecordHashTask(file, isCsv, [], options, hashes, 0);
  const reader = new RecordReader(source, form, { shape });
  reader.seek(isCsv ? Buffer.byteLength(heading) + 1 : 0);
  let rows = 0;
  try {
    for (;;) {
      reader.select(task);
      const step = reader.next();
      if (step === 'end') {
        break;
      }
      if (step === 'records') {
        task.visit(reader, rows);
        rows += reader.count;
      }
    }
    const view = new DataView(hashes.kernel.bytes.buffer);
    return Array.from({ length: rows }, (_, row) => view.getBigUint64(hashes.content(row), true));
  } finally {
    reader.dispose();
    hashes.release();
  }
}

const csvForm: RecordForm = { kind: 'csv', delimiter: 0x2c };

function csv(rows: readonly Row[], order: readonly (typeof names)[number][], isQuoted: boolean) {
  const field = (text: string) =>
    isQuoted || /["\n\r,]/.test(text) ? `"${text.replaceAll('"', '""')}"` : text;
  return [
    order.join(),
    ...rows.map((row) => order.map((name) => field(row[name])).join()),
    '',
  ].join('\n');
}

function lines(rows: readonly Row[], isEscaped: boolean): string {
  const string = (text: string) =>
    isEscaped
      ? `"${text.replace(/[^]/g, (unit) => `\\u${unit.charCodeAt(0).toString(16).padStart(4, '0')}`)}"`
      : JSON.stringify(text);
  return rows
    .map(
      ({ id, ...row }) =>
        `{"b":${string(row.b)}, "id":${id}${row.a === '' ? '' : `,"a":${string(row.a)}`}}\n`,
    )
    .join('');
}

const text = fc.constantFrom(
  '',
  'x',
  'y',
  '"',
  '""',
  'x,y',
  '\n',
  'é',
  '😀',
  'x'.repeat(31),
  'x'.repeat(200),
);
const rows = fc.array(fc.record({ id: fc.constantFrom('1', '2'), a: text, b: text }), {
  minLength: 1,
  maxLength: 30,
});

describe('Hashes of records', () => {
  it('Hashes of records of CSV are the same with the same values in columns of the same names', () => {
    fc.assert(
      fc.property(
        rows,
        fc.shuffledSubarray([...names], { minLength: 3 }),
        fc.boolean(),
        (all, order, isQuoted) => {
          const hashes = contentsOf(csv(all, order, isQuoted), csvForm, 'text');
          assert.equal(hashes.length, all.length);
          assert.deepEqual(hashes, contentsOf(csv(all, names, false), csvForm, 'text'));
          checkEquality(all, hashes);
        },
      ),
    );
  });

  it('Hashes of records of CSV and JSON are the same with the same texts', () => {
    fc.assert(
      fc.property(rows, fc.boolean(), (all, isEscaped) => {
        const hashes = contentsOf(csv(all, names, false), csvForm, 'mixed');
        assert.deepEqual(contentsOf(lines(all, isEscaped), { kind: 'lines' }, 'mixed'), hashes);
        checkEquality(all, hashes);
      }),
    );
  });

  it('Hashes of records tell apart values that are in each other’s columns, or are names', () => {
    const all = [
      { id: '1', a: 'b', b: '' },
      { id: '1', a: '', b: 'a' },
      { id: '1', a: 'a', b: 'b' },
      { id: '1', a: 'b', b: 'a' },
      { id: 'a', a: '1', b: '' },
      { id: 'b', a: '', b: '1' },
      { id: '1', a: 'b', b: 'b' },
    ];
    checkEquality(all, contentsOf(csv(all, names, false), csvForm, 'text'));
  });

  /** Equal hashes are those of equal rows. */
  function checkEquality(all: readonly Row[], hashes: readonly bigint[]): void {
    const written = all.map((row) => JSON.stringify(names.map((name) => row[name])));
    for (const [at, hash] of hashes.entries()) {
      assert.deepEqual(
        hashes.map((other) => other === hash),
        written.map((other) => other === written[at]),
      );
    }
  }
});
