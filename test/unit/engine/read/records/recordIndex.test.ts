import assert from 'node:assert/strict';
import type { ByteSource } from '../../../../../src/engine/read/bytes/byteSource';
import { YieldBudget } from '../../../../../src/engine/threads/yieldBudget';
import { type RecordForm, RecordReader } from '../../../../../src/engine/read/records/recordReader';
import { Shape } from '../../../../../src/engine/read/records/shape';
import { TableFile } from '../../../../../src/engine/read/tableFile';
import { threadKernel } from '../../../../../src/engine/threads/kernel';
import { columnType } from '../../../../../src/engine/values/kinds';

/** A file that arrives in pieces, as one that is unpacked does. */
class Arriving implements ByteSource {
  available = 0;
  bytesRead = 0;
  readonly size: number;
  readonly truncation = undefined;
  readonly cacheFolder = '';
  readonly descriptor = -1;

  constructor(
    private readonly content: Buffer,
    private readonly piece: number,
  ) {
    this.size = content.length;
  }

  get complete(): boolean {
    return this.available === this.size;
  }

  read(target: Uint8Array, offset: number, length: number, position: number): number {
    const to = Math.min(position + length, this.available);
    target.set(this.content.subarray(position, to), offset);
    return Math.max(0, to - position);
  }

  more(): Promise<void> {
    this.available = Math.min(this.size, this.available + this.piece);
    return Promise.resolve();
  }

  changed(): undefined {
    return undefined;
  }

  close(): void {
    // Nothing is open.
  }
}

/** Goes to the end; counts the bytes that were searched for the ends of records. */
async function go(source: ByteSource, form: RecordForm, maxRecordBytes?: number) {
  let searched = 0;
  const kernel = threadKernel();
  const { exports } = kernel;
  const counting: typeof exports = {
    ...exports,
    find: (reader, from, to, isFinal, most) => {
      searched += to - from;
      return exports.find(reader, from, to, isFinal, most);
    },
  };
  Object.assign(kernel, { exports: counting });
  const options = {
    chunkBytes: 64 * 1024,
    ...(maxRecordBytes !== undefined && { maxRecordBytes }),
  };
  const reader = new RecordReader(source, form, options);
  const records: { length: number; tooLong: boolean }[] = [];
  for (let step = reader.next(); step !== 'end'; step = reader.next()) {
    for (let record = 0; step === 'records' && record < reader.count; record += 1) {
      records.push({ length: reader.end(record) - reader.start(record), tooLong: reader.tooLong });
    }
    if (step !== 'records') {
      await source.more();
    }
  }
  reader.dispose();
  Object.assign(kernel, { exports });
  return { records, searched };
}

describe('RecordReader', () => {
  const long = 20 * 1024 ** 2;

  it('RecordReader does not search a long record from its start again while it grows', async () => {
    const json = Buffer.from(`1,"${'x'.repeat(long - 2)}",2]`);
    const csv = Buffer.from(`a,b\n"${'x\n'.repeat(long / 4)}",1\nc,d\n`);
    for (const [content, form, lengths] of [
      [json, { kind: 'array' }, [1, long, 1]],
      [csv, { kind: 'csv', delimiter: 0x2c }, [3, long / 2 + 4, 3]],
    ] as const) {
      const { records, searched } = await go(new Arriving(content, 64 * 1024), form);
      assert.deepEqual(
        records,
        lengths.map((length) => ({ length, tooLong: false })),
      );
      assert.ok(searched < 4 * content.length, `${searched / content.length} times its length`);
    }
  });

  it('RecordReader reads a record that just fits and skips a longer one, in pieces of any size', async () => {
    const most = 1_000_000;
    const text = (length: number) => `"${'x'.repeat(length - 2)}"`;
    const content = Buffer.from(`${text(most - 10)},${text(most + 100_000)},3]`);
    for (const piece of [10_000, 64 * 1024, 700_000, 1e9]) {
      const { records } = await go(new Arriving(content, piece), { kind: 'array' }, most);
      assert.deepEqual(
        records.map(({ tooLong }) => tooLong),
        [false, true, false],
      );
    }
  });

  it('RecordReader decides by the bytes of a record alone whether it is too long', () => {
    const maxRecordBytes = 100;
    // The last one has a quote that is closed neither in so many bytes, nor soon behind them.
    const csv = [
      'x'.repeat(99),
      'y'.repeat(100),
      `z,"a\nb",${'z'.repeat(40)}`,
      `${'w'.repeat(30)}\n,"${'v'.repeat(70)}`,
      `"${'u'.repeat(60)}"\n"${'t'.repeat(300)}`,
    ].join('\n');
    const found = (chunkBytes: number) => {
      const source = new Arriving(Buffer.from(csv), csv.length);
      void source.more();
      const reader = new RecordReader(
        source,
        { kind: 'csv', delimiter: 0x2c },
        { chunkBytes, maxRecordBytes },
      );
      const records: unknown[] = [];
      for (let step = reader.next(); step !== 'end'; step = reader.next()) {
        for (let record = 0; step === 'records' && record < reader.count; record += 1) {
          const { tooLong } = reader;
          const isBroken = reader.isBroken(record);
          records.push({ position: reader.position(record), tooLong, isBroken });
        }
      }
      reader.dispose();
      return records;
    };
    threadKernel().exports.setLongestQuoted(50);
    const expected = found(1);
    assert.ok(expected.length > 5);
    for (let chunkBytes = 2; chunkBytes < 2 * csv.length; chunkBytes += 1) {
      assert.deepEqual(found(chunkBytes), expected, `${chunkBytes} bytes at a time`);
    }
    threadKernel().exports.setLongestQuoted(16 * 1024 ** 2);
  });

  it('RecordReader finds the kinds of fields as they are read, where a quote is closed too far behind', () => {
    const content = Buffer.from(`p,q,5,6\n"${'x'.repeat(60)}\ny,z",7,8\n`);
    const source = new Arriving(content, content.length);
    void source.more();
    const shape = new Shape();
    const reader = new RecordReader(source, { kind: 'csv', delimiter: 0x2c }, { shape });
    reader.select({ nodes: [], growsShape: true });
    threadKernel().exports.setLongestQuoted(50);
    let rows = 0;
    for (let step = reader.next(); step !== 'end'; step = reader.next()) {
      rows += step === 'records' ? reader.count : 0;
    }
    reader.dispose();
    threadKernel().exports.setLongestQuoted(16 * 1024 ** 2);
    assert.equal(rows, 3);
    assert.deepEqual(
      shape.top.members.map(({ kinds }) => columnType(kinds)),
      ['text', 'text', 'number', 'number'],
    );
  });

  it('RecordReader finds the same records where a quote is closed too far behind, at the end of what is read', () => {
    const content = Buffer.from(`"${'x'.repeat(60)}\n${'y'.repeat(64)}"A,b\nc,d\n`);
    const found = (chunkBytes: number) => {
      const source = new Arriving(content, content.length);
      void source.more();
      const form = { kind: 'csv', delimiter: 0x2c } as const;
      const shape = new Shape();
      const reader = new RecordReader(source, form, { chunkBytes, maxRecordBytes: 127, shape });
      reader.select({ nodes: [], growsShape: true });
      const records: unknown[] = [];
      for (let step = reader.next(); step !== 'end'; step = reader.next()) {
        for (let record = 0; step === 'records' && record < reader.count; record += 1) {
          records.push([reader.position(record), reader.invalid(record)]);
        }
      }
      reader.dispose();
      return records;
    };
    threadKernel().exports.setLongestQuoted(50);
    const [few, many] = [found(66), found(4096)];
    threadKernel().exports.setLongestQuoted(16 * 1024 ** 2);
    assert.deepEqual(few, [
      [0, 'fields'],
      [62, undefined],
      [131, undefined],
    ]);
    assert.deepEqual(many, few);
  });

  it('RecordReader does not go through all nodes for each new name', () => {
    const names = Array.from({ length: 100 }, (_, at) => `{"name ${at}":1}\n`).join('');
    const content = Buffer.from(`{"a":{"b":{"c":{"d":1}}}}\n${names}`);
    const source = new Arriving(content, content.length);
    void source.more();
    const kernel = threadKernel();
    const { exports } = kernel;
    let closed = 0;
    const closeNode = () => {
      closed += 1;
    };
    Object.assign(kernel, { exports: { ...exports, closeNode } });
    const shape = new Shape();
    const reader = new RecordReader(source, { kind: 'lines' }, { shape });
    reader.select({ nodes: [], growsShape: true });
    let rows = 0;
    for (let step = reader.next(); step !== 'end'; step = reader.next()) {
      rows += step === 'records' ? reader.count : 0;
    }
    reader.dispose();
    Object.assign(kernel, { exports });
    assert.deepEqual([rows, shape.nodes.length, closed], [101, 105, 0]);
  });

  it('RecordReader finds quoted line breaks after many blank lines, in chunks of any size', () => {
    const blank = 60;
    const content = Buffer.from(`${'\n'.repeat(blank)}${'x'.repeat(50)},"l\nm"\nb,c\n`);
    for (let chunkBytes = 1; chunkBytes <= content.length; chunkBytes += 1) {
      const source = new Arriving(content, content.length);
      void source.more();
      const reader = new RecordReader(source, { kind: 'csv', delimiter: 0x2c }, { chunkBytes });
      const positions: number[] = [];
      for (let step = reader.next(); step !== 'end'; step = reader.next()) {
        for (let record = 0; step === 'records' && record < reader.count; record += 1) {
          positions.push(reader.position(record));
        }
      }
      reader.dispose();
      assert.deepEqual(positions, [blank, blank + 57], `${chunkBytes} bytes at a time`);
    }
  });

  it('RecordReader reads the last long record found while more are added', async () => {
    for (const length of [40_000, 70_000, 500_000]) {
      const content = Buffer.from(`${'x'.repeat(length - 1)}\n`.repeat(20));
      for (const piece of [30_000, 100_000, 180_000]) {
        const source = new Arriving(content, piece);
        const file = await TableFile.open('a.ndjson', source);
        let read = 0;
        await file.findAll(new YieldBudget(), () => {
          const { rows } = file.index;
          if (rows > 0) {
            const reader = file.read(rows - 1);
            assert.equal(reader.end(0) - reader.start(0), length - 1);
            read += 1;
          }
        });
        assert.ok(read > 0);
        assert.equal(file.index.rows, 20);
        file.close();
      }
    }
  });

  it('RecordReader reads any record after one that is too long', async () => {
    const content = Buffer.from(`a\n${'x'.repeat(1_000_000)}\nbb\n`);
    const options = { chunkBytes: 10_000, maxRecordBytes: 100_000 };
    const file = await TableFile.open('a.ndjson', new Arriving(content, 1e9), options);
    await file.findAll(new YieldBudget(), () => undefined);
    for (const row of [1, 0, 1, 2]) {
      const reader = file.read(row);
      const { tooLong } = reader;
      assert.deepEqual(
        [tooLong, tooLong || reader.end(0) - reader.start(0)],
        [row === 1, row === 1 || row / 2 + 1],
      );
    }
    file.close();
  });
});
