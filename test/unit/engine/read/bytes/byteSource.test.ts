import assert from 'node:assert/strict';
import fs from 'node:fs';
import { gzipSync } from 'node:zlib';
import {
  type CopiedSource,
  openPlain,
  type PlainSource,
} from '../../../../../src/engine/read/bytes/byteSource';
import {
  countRows,
  gzipSource,
  openCore,
  openGzip,
  tableFolder,
  work,
} from '../../../../helpers/tableFiles';

/** Seconds since the epoch, long ago: a write always changes it. */
const fileTime = 1_000_000_000;

describe('PlainSource', () => {
  const folder = tableFolder();
  const line = (row: number) => `{"row":${row},"fill":"${'x'.repeat(80)}"}\n`;
  const short = line(1) + line(2);
  /** More than what is compared at either end. */
  const long = Array.from({ length: 3000 }, (_, row) => line(row)).join('');

  function after(content: string, change: (file: string) => void): unknown[] {
    const file = folder.write('a.ndjson', content);
    fs.utimesSync(file, fileTime, fileTime);
    const source = openRead(file);
    change(file);
    const changes = [source.changed(), source.changed()];
    source.close();
    return changes;
  }

  /** Opens a file and reads all of it, in pieces as tables do. */
  function openRead(file: string): PlainSource {
    const source = openPlain(file);
    const piece = Buffer.alloc(100_000);
    for (let at = 0; source.read(piece, 0, piece.length, at) > 0;) {
      at += piece.length;
    }
    return source;
  }

  it('PlainSource has grown when bytes are only appended', () => {
    for (const content of ['', short, long]) {
      const changes = after(content, (file) => {
        fs.appendFileSync(file, line(0));
      });
      assert.deepEqual(changes, ['grown', 'grown']);
    }
  });

  it('PlainSource is modified when it gets longer in another way', () => {
    for (const content of [short, long]) {
      for (const changed of [line(0) + content, content.slice(0, -2) + line(0)]) {
        const changes = after(content, (file) => {
          fs.writeFileSync(file, changed);
        });
        assert.deepEqual(changes, ['modified', 'modified']);
      }
    }
  });

  it('PlainSource is modified when it is edited in the middle and then gets longer', () => {
    const middle = long.length / 2;
    const changes = after(long, (file) => {
      writeAt(file, 'y', middle);
      fs.appendFileSync(file, line(0));
    });
    assert.deepEqual(changes, ['modified', 'modified']);
  });

  it('PlainSource is modified when it is rewritten with the same size and time', () => {
    for (const content of [short, long]) {
      const changes = after(content, (file) => {
        rewritten(file, () => {
          writeAt(file, 'y', content.length / 2);
        });
      });
      assert.deepEqual(changes, ['modified', 'modified']);
    }
  });

  it('PlainSource is unchanged when only its mode changes, or its content and time are restored', () => {
    const changes = after(long, (file) => {
      rewritten(file, () => {
        fs.chmodSync(file, 0o600);
        fs.writeFileSync(file, long);
      });
    });
    assert.deepEqual(changes, [undefined, undefined]);
  });

  it('PlainSource detects edits of files far larger than the compared blocks, also of their last bytes', () => {
    // Sparse: a quarter of a gigabyte that is not there, or little more than what is compared.
    for (const [bytes, position, edited] of [
      [2 ** 28, 2 ** 27, 8 * 1024 ** 2],
      [2 ** 28, 2 ** 28 - 1, 1],
      [65 * 1024 ** 2 + 7, 65 * 1024 ** 2 + 6, 1],
    ] as const) {
      const file = folder.write('a.ndjson', short);
      fs.truncateSync(file, bytes);
      const source = openRead(file);
      writeAt(file, 'y'.repeat(edited), position);
      fs.appendFileSync(file, line(0));
      assert.equal(source.changed(), 'modified', `${edited} at ${position}`);
      source.close();
    }
  });

  it('PlainSource checks again after another change', () => {
    const file = folder.write('a.ndjson', short);
    const source = openRead(file);
    fs.appendFileSync(file, line(3));
    assert.equal(source.changed(), 'grown');
    fs.writeFileSync(file, line(0) + short + line(3));
    assert.equal(source.changed(), 'modified');
    source.close();
  });

  it('PlainSource is removed when its name cannot be read any more', function () {
    if (process.platform === 'win32') {
      this.skip();
    }
    const changes = after(short, (file) => {
      fs.rmSync(file);
      // A name that leads in circles is an error, not a file that is missing.
      fs.symlinkSync(file, file);
    });
    assert.deepEqual(changes, ['removed', 'removed']);
  });

  it('PlainSource refuses rows after the content at their offsets has changed', async () => {
    const file = folder.write('a.ndjson', short);
    const core = await openCore(file);
    fs.writeFileSync(file, line(0) + short);
    await assert.rejects(countRows(core, { op: 'present', column: '/row' }), {
      code: 'changed',
    });
    assert.throws(() => core.rows({ view: 0, from: 0, count: 2 }, work()), { code: 'changed' });
    assert.equal(core.info().changed, 'modified');
    core.close();
  });
});

describe('CopiedSource', () => {
  const folder = tableFolder();
  const lines = (name: string) =>
    Array.from({ length: 20_000 }, (_, row) => `{"${name}":${row}}\n`).join('');
  /** Of one size, in several members: a mixture of two such files has no fault. */
  const packed = (name: string) => {
    const member = gzipSync(lines(name), { level: 0 });
    return Buffer.concat([member, member, member, member]);
  };

  async function unpacked(change: (file: string, source: CopiedSource) => void | Promise<void>) {
    const file = folder.write('a.ndjson.gz', packed('old'));
    fs.utimesSync(file, fileTime, fileTime);
    const source = gzipSource(file, folder.path);
    await change(file, source);
    while (!source.complete) {
      await source.more();
    }
    const changes = [source.changed(), source.changed()];
    source.close();
    return changes;
  }

  it('CopiedSource stays modified when it is overwritten before all of it is unpacked', async () => {
    const changes = await unpacked((file, source) => {
      fs.writeFileSync(file, packed('new'));
      assert.equal(source.changed(), 'modified');
    });
    assert.deepEqual(changes, ['modified', 'modified']);
    // Also where nobody looked meanwhile.
    const unseen = await unpacked((file) => {
      fs.writeFileSync(file, packed('new'));
    });
    assert.deepEqual(unseen, ['modified', 'modified']);
  });

  it('CopiedSource is replaced when it is overwritten, or appended to, after all of it is unpacked', async () => {
    const ways = [
      (file: string) => {
        fs.writeFileSync(file, packed('new'));
      },
      (file: string) => {
        fs.appendFileSync(file, packed('new'));
      },
    ];
    for (const way of ways) {
      const changes = await unpacked(async (file, source) => {
        while (!source.complete) {
          await source.more();
        }
        way(file);
      });
      assert.deepEqual(changes, ['replaced', 'replaced']);
    }
  });

  it('CopiedSource refuses calls when old rows may be mixed with new ones', async () => {
    const file = folder.write('a.ndjson.gz', packed('old'));
    fs.utimesSync(file, fileTime, fileTime);
    const opening = openGzip(file, folder.path);
    fs.writeFileSync(file, packed('new'));
    const core = await opening;
    await assert.rejects(countRows(core, { op: 'present', column: '/old' }), {
      code: 'changed',
    });
    core.close();
  });

  it('CopiedSource counts as changed, not damaged, when it is truncated before it is unpacked', async () => {
    const file = folder.write('a.ndjson.gz', packed('old'));
    const opening = openGzip(file, folder.path);
    fs.truncateSync(file);
    await assert.rejects(opening, { code: 'changed' });
  });
});

function writeAt(file: string, text: string, position: number): void {
  const descriptor = fs.openSync(file, 'r+');
  fs.writeSync(descriptor, text, Math.floor(position));
  fs.closeSync(descriptor);
}

/** Changes a file and gives it its time back, as soon as the clock of the file system has moved on. */
function rewritten(file: string, change: () => void): void {
  const { ctimeNs } = fs.statSync(file, { bigint: true });
  do {
    change();
    fs.utimesSync(file, fileTime, fileTime);
  } while (fs.statSync(file, { bigint: true }).ctimeNs === ctimeNs);
}
