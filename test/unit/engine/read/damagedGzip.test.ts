import assert from 'node:assert/strict';
import { constants, gzipSync } from 'node:zlib';
import { unpackDamaged } from '../../../../src/engine/read/bytes/damagedGzip';
import { openGzip, tableFolder } from '../../../helpers/tableFiles';
import { fc } from '../../../helpers/property';

describe('A damaged gzip file', () => {
  const folder = tableFolder();
  const count = 3000;
  const lines = Array.from({ length: count }, (_, row) => `{"row":${row}}\n`).join('');
  const packed = gzipSync(lines);
  /** The same with some bits of a byte changed. */
  const changed = (at: number, mask: number) =>
    packed.map((byte, index) => (index === at ? byte ^ mask : byte));

  async function infoOf(...parts: readonly Uint8Array[]) {
    const file = folder.write('a.ndjson.gz', Buffer.concat(parts));
    const core = await openGzip(file, folder.path);
    const { rows, invalidRows, truncated, trailingBytes } = core.info();
    core.close();
    return { rows, invalidRows, truncated, trailingBytes };
  }

  const fine = { invalidRows: 0, truncated: undefined, trailingBytes: undefined };

  it('shows all rows when a checksum or a length is invalid', async () => {
    for (const back of [8, 4, 1]) {
      const spoiled = changed(packed.length - back, 1);
      assert.deepEqual(await infoOf(spoiled), { ...fine, rows: count, truncated: 'damaged' });
      assert.deepEqual(await infoOf(packed, spoiled, packed), {
        ...fine,
        rows: 3 * count,
        truncated: 'damaged',
      });
    }
  });

  it('shows all rows when other bytes follow, and counts these bytes', async () => {
    for (const behind of [
      'x',
      '\n',
      'PK',
      '\x1f',
      '<html>gateway timeout</html>',
      'y'.repeat(300_000),
    ]) {
      assert.deepEqual(await infoOf(packed, packed, Buffer.from(behind, 'latin1')), {
        ...fine,
        rows: 2 * count,
        trailingBytes: behind.length,
      });
    }
    // Blocks of tapes are filled up.
    assert.deepEqual(await infoOf(packed, Buffer.alloc(1000)), { ...fine, rows: count });
  });

  it('is read less than four times over, for any number of members', async () => {
    const members = Array.from({ length: 200 }, () => packed);
    const file = Buffer.concat([...members, Buffer.from('x')]);
    let bytesRead = 0;
    const fault = await unpackDamaged(
      {
        size: file.length,
        read: (target, offset, length, position) => {
          const bytes = file.subarray(position, position + length);
          target.set(bytes, offset);
          bytesRead += bytes.length;
          return bytes.length;
        },
      },
      () => true,
    );
    assert.deepEqual(fault, { truncation: undefined, trailingBytes: 1 });
    const times = bytesRead / file.length;
    assert.ok(times < 4, `${times} times`);
  });

  it('shows the rows before damaged or missing data', async () => {
    // Behind all of the text a block of a type that does not exist.
    const spoiled = Buffer.concat([flushed(lines), Buffer.alloc(20, 0xff)]);
    const { rows, truncated } = await infoOf(packed, spoiled);
    assert.ok(rows > count && rows <= 2 * count, `${rows} rows`);
    assert.equal(truncated, 'damaged');
    assert.deepEqual(await infoOf(packed, flushed(lines)), {
      ...fine,
      rows: 2 * count,
      truncated: 'gzip',
    });
    assert.deepEqual(await infoOf(packed.subarray(0, -8)), {
      ...fine,
      rows: count,
      truncated: 'gzip',
    });
    assert.deepEqual(await infoOf(packed, packed.subarray(0, 9)), {
      ...fine,
      rows: count,
      truncated: 'gzip',
    });
  });

  it('may have all header fields that RFC 1952 allows', async () => {
    const header = Buffer.from(packed.subarray(0, 10));
    header[3] = 0b11110;
    const extra = Buffer.from([3, 0, 1, 2, 3]);
    const names = Buffer.from('name\0comment\0', 'latin1');
    const sum = Buffer.from([1, 2]);
    // The checksum of the header is wrong.
    assert.deepEqual(await infoOf(header, extra, names, sum, packed.subarray(10)), {
      ...fine,
      rows: count,
      truncated: 'damaged',
    });
  });

  it('is not a table when nothing can be unpacked', async () => {
    await assert.rejects(infoOf(Buffer.from([0x1f, 0x8b, 9, 0, 0, 0, 0, 0, 0, 0, 0])), {
      code: 'notATable',
    });
    await assert.rejects(infoOf(packed.subarray(0, 10)), { code: 'notATable' });
  });

  it('shows the rows before a random fault', async () => {
    await fc.assert(
      fc.asyncProperty(
        fc.nat(packed.length - 1),
        fc.integer({ min: 1, max: 255 }),
        fc.nat(packed.length),
        async (at, mask, length) => {
          const { rows } = await infoOf(packed, changed(at, mask).subarray(0, length));
          assert.ok(rows >= count, `${rows} rows`);
        },
      ),
      { numRuns: 50 },
    );
  });
});

/** The beginning of a gzip file, with all of the text but no end. */
function flushed(text: string): Buffer {
  return gzipSync(text, { finishFlush: constants.Z_SYNC_FLUSH });
}
