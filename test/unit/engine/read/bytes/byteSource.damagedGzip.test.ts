import assert from 'node:assert/strict';
import { constants, gzipSync } from 'node:zlib';
import { gzipSource, openGzip, tableFolder } from '../../../../helpers/tableFiles';
import { fc, runs } from '../../../../helpers/property';

describe('A damaged gzip file', () => {
  const folder = tableFolder();
  const count = 3000;
  const lines = Array.from({ length: count }, (_, row) => `{"row":${row}}\n`).join('');
  const packed = gzipSync(lines);
  /** So many rows that a fault after them does not hide all. */
  const many = Buffer.concat(Array<Buffer>(100).fill(packed));
  /** The same with some bits of a byte changed. */
  const changed = (at: number, mask: number) =>
    packed.map((byte, index) => (index === at ? byte ^ mask : byte));

  async function infoOf(...parts: readonly Uint8Array[]) {
    const file = folder.write('a.ndjson.gz', Buffer.concat(parts));
    const core = await openGzip(file, folder.path);
    const { rows, invalidRows, truncated } = core.info();
    core.close();
    return { rows, invalidRows, truncated };
  }

  const fine = { invalidRows: 0, truncated: undefined };

  it('A damaged gzip file shows all rows when its last checksum or length is invalid', async () => {
    for (const back of [8, 4, 1]) {
      const spoiled = changed(packed.length - back, 1);
      const shown = { ...fine, truncated: 'damaged' };
      assert.deepEqual(await infoOf(spoiled), { ...shown, rows: count });
      assert.deepEqual(await infoOf(packed, packed, spoiled), { ...shown, rows: 3 * count });
    }
  });

  it('A damaged gzip file says so when other bytes follow, except for zeros', async () => {
    for (const behind of ['x', '\n', 'PK', 'gateway']) {
      const { rows, truncated } = await infoOf(packed, packed, Buffer.from(behind, 'latin1'));
      assert.equal(rows, 2 * count);
      // A single byte may be the first of another member.
      assert.equal(truncated, behind.length === 1 ? 'gzip' : 'damaged');
    }
    const { rows, truncated } = await infoOf(many, Buffer.alloc(300_000, 'y'));
    assert.ok(rows > 0 && rows <= 100 * count, `${rows} rows`);
    assert.equal(truncated, 'damaged');
    // Blocks of tapes are filled up.
    assert.deepEqual(await infoOf(packed, Buffer.alloc(1000)), { ...fine, rows: count });
  });

  it('A damaged gzip file shows all rows before missing data, each time', async () => {
    const cut = folder.write('cut.gz', Buffer.concat([packed, flushed(lines)]));
    for (let time = 0; time < 50; time += 1) {
      const source = gzipSource(cut, folder.path);
      while (!source.complete) {
        await source.more();
      }
      assert.equal(source.available, 2 * lines.length);
      source.close();
    }
    for (const [rows, ...parts] of [
      [2 * count, packed, flushed(lines)],
      [count, packed.subarray(0, -8)],
      [count, packed, packed.subarray(0, 9)],
    ] as const) {
      assert.deepEqual(await infoOf(...parts), { ...fine, rows, truncated: 'gzip' });
    }
  });

  it('A damaged gzip file shows most rows before a fault of a small file', async () => {
    const faulty = [
      [changed(packed.length - 8, 1)],
      [packed, changed(packed.length - 4, 1)],
      [packed, Buffer.from('<html>gateway timeout</html>')],
      [changed(Math.floor(packed.length * 0.9), 0x55)],
    ];
    for (const parts of faulty) {
      const { rows, truncated } = await infoOf(...parts);
      assert.ok(rows >= 0.8 * count, `${rows} rows`);
      assert.equal(truncated, 'damaged');
    }
  });

  it('A damaged gzip file is not a table when nothing can be unpacked', async () => {
    await assert.rejects(infoOf(Buffer.from([0x1f, 0x8b, 9, 0, 0, 0, 0, 0, 0, 0, 0])), {
      code: 'notATable',
    });
    await assert.rejects(infoOf(packed.subarray(0, 10)), { code: 'notATable' });
  });

  it('A damaged gzip file shows rows before a random fault', async () => {
    await fc.assert(
      fc.asyncProperty(
        fc.nat(packed.length - 1),
        fc.integer({ min: 1, max: 255 }),
        fc.nat(packed.length),
        async (at, mask, length) => {
          const { rows } = await infoOf(many, changed(at, mask).subarray(0, length));
          assert.ok(rows > 0, `${rows} rows`);
        },
      ),
      { numRuns: Math.ceil(runs / 4) },
    );
  });
});

/** The beginning of a gzip file, with all of the text but no end. */
function flushed(text: string): Buffer {
  return gzipSync(text, { finishFlush: constants.Z_SYNC_FLUSH });
}
