import assert from 'node:assert/strict';
import fs from 'node:fs';
import * as os from 'node:os';
import * as path from 'node:path';
import { gzipSync } from 'node:zlib';
import { CancelledError } from '../../../src/base/cancelledError';
import { type Disk, type DiskFile, localDisk } from '../../../src/files/disk';
import {
  defaultUnpackLimits,
  unpack,
  UnpackError,
  type UnpackOptions,
  type UnpackReason,
} from '../../../src/files/unpack';
import { UnpackedReports } from '../../../src/service/reports/unpackedReports';
import { ReportStore } from '../../../src/service/reports/reportStore';
import { silentLogger } from '../../../src/base/logger';
import { zipOf, type ZipEntry } from '../../helpers/zip';
import { tick, until } from '../api/support';
import { Cleanup, Gate } from '../service/findings/support';

const options: UnpackOptions = {
  limits: { maxBytes: 4_000_000, maxRatio: 100, unratedBytes: 100_000, maxEntries: 10 },
};
const text = Buffer.from('a,b\n1,2\n');

describe('Unpacking', () => {
  const cleanup = new Cleanup();
  let folder: string;
  let target: string;

  beforeEach(() => {
    folder = fs.mkdtempSync(path.join(os.tmpdir(), 'unpack-'));
    target = path.join(folder, 'target');
    fs.mkdirSync(target);
    cleanup.add(() => {
      fs.rmSync(folder, { recursive: true });
    });
  });
  afterEach(() => cleanup.run());

  function archive(bytes: Uint8Array, name = 'r.csv.gz'): string {
    const file = path.join(folder, name);
    fs.writeFileSync(file, bytes);
    return file;
  }

  async function refused(bytes: Uint8Array, kind: 'gzip' | 'zip', reason: UnpackReason) {
    await assert.rejects(unpack(archive(bytes), kind, target, options), (error) => {
      assert.ok(error instanceof UnpackError, String(error));
      assert.equal(error.reason, reason);
      return true;
    });
    assert.deepEqual(fs.readdirSync(target), []);
    assert.deepEqual(fs.readdirSync(folder).sort(), ['r.csv.gz', 'target']);
  }

  const single = (entry: Partial<ZipEntry>) => zipOf([{ name: 'r.csv', data: text, ...entry }]);

  it('Unpacking writes the content of a gzip file, private to the user', async () => {
    const file = await unpack(archive(gzipSync(text)), 'gzip', target, options);
    assert.equal(file, path.join(target, 'r.csv'));
    assert.deepEqual(fs.readFileSync(file), text);
    assert.equal(fs.statSync(file).mode & 0o777, process.platform === 'win32' ? 0o666 : 0o600);
  });

  it('Unpacking concatenates the members of a gzip file', async () => {
    const bytes = Buffer.concat([gzipSync(text), gzipSync(text)]);
    const file = await unpack(archive(bytes, 'report'), 'gzip', target, options);
    assert.equal(path.basename(file), 'report');
    assert.deepEqual(fs.readFileSync(file), Buffer.concat([text, text]));
  });

  it('Unpacking extracts the only file of a ZIP archive, and ignores folders and __MACOSX', async () => {
    const bytes = zipOf([
      { name: 'out/', mode: 0o040755 },
      { name: 'out/r\u00e9sum\u00e9.csv', data: text },
      { name: '__MACOSX/out/._r.csv', data: text },
    ]);
    const file = await unpack(archive(bytes), 'zip', target, options);
    assert.equal(file, path.join(target, 'r\u00e9sum\u00e9.csv'));
    assert.deepEqual(fs.readFileSync(file), text);
  });

  it('Unpacking ignores files such as .DS_Store and Thumbs.db beside the report', async () => {
    const left = [
      '.DS_Store',
      'out/.DS_Store',
      'out/._r.csv',
      '__MACOSX/._r.csv',
      '.Spotlight-V100/store.db',
      'Thumbs.db',
      'out/desktop.ini',
    ];
    for (const name of ['r.csv', './r.csv', 'out/r.csv', 'out\\r.csv']) {
      const entries = [...left, name].map((each) => ({ name: each, data: text }));
      const file = await unpack(archive(zipOf(entries)), 'zip', target, options);
      assert.equal(file, path.join(target, 'r.csv'));
      fs.rmSync(file);
    }
    // There is no other file, so this is the report.
    const file = await unpack(archive(single({ name: '.r.csv' })), 'zip', target, options);
    assert.deepEqual(fs.readFileSync(file), text);
  });

  it('Unpacking accepts backslashes as separators in archives made on Windows', async () => {
    const bytes = zipOf([{ name: 'out\\' }, { name: 'out\\r.csv', data: text }]);
    const file = await unpack(archive(bytes), 'zip', target, options);
    assert.equal(file, path.join(target, 'r.csv'));
  });

  it('Unpacking reads entry names as UTF-8 if they are valid UTF-8, else as code page 437', async () => {
    for (const [rawName, name] of [
      [Buffer.from('r\x82sum\x82.csv', 'latin1'), 'r\u00e9sum\u00e9.csv'],
      [Buffer.from('\x9aber\x81.csv', 'latin1'), '\u00dcber\u00fc.csv'],
      // The archives of macOS do not say that their names are UTF-8.
      [Buffer.from('r\u00e9sum\u00e9.csv'), 'r\u00e9sum\u00e9.csv'],
    ] as const) {
      const file = await unpack(archive(single({ rawName })), 'zip', target, options);
      assert.equal(path.basename(file), name);
      assert.deepEqual(fs.readFileSync(file), text);
      fs.rmSync(file);
    }
  });

  it('Unpacking overwrites no file', async () => {
    fs.writeFileSync(path.join(target, 'r.csv'), 'mine');
    const zip = archive(single({}), 'r.zip');
    for (const [file, kind] of [
      [archive(gzipSync(text)), 'gzip'],
      [zip, 'zip'],
    ] as const) {
      await assert.rejects(unpack(file, kind, target, options), { reason: 'exists' });
      assert.equal(fs.readFileSync(path.join(target, 'r.csv'), 'utf8'), 'mine');
    }
  });

  it('Unpacking stops when it is cancelled, and leaves no file', async () => {
    const lines = Buffer.from(Array.from({ length: 50_000 }, (_, n) => `${n}`).join('\n'));
    const abort = new AbortController();
    const { signal } = abort;
    const unpacking = unpack(archive(gzipSync(lines)), 'gzip', target, { ...options, signal });
    abort.abort();
    await assert.rejects(unpacking, CancelledError);
    assert.deepEqual(fs.readdirSync(target), []);
  });

  it('Unpacking reads no further while the disk is slow', async () => {
    const lines = Buffer.from(Array.from({ length: 100_000 }, (_, n) => `${n}`).join('\n'));
    const gate = new Gate();
    const disk: Disk = {
      ...localDisk,
      open: async (...given) => {
        const opened = await localDisk.open(...given);
        const writev = opened.writev.bind(opened);
        const writeLate: DiskFile['writev'] = async (pieces, at) => {
          await gate.promise;
          return writev(pieces, at);
        };
        return Object.assign(opened, { writev: writeLate });
      },
    };
    let chunks = 0;
    const onProgress = () => {
      chunks += 1;
    };
    const packed = archive(gzipSync(lines));
    const unpacking = unpack(packed, 'gzip', target, { ...options, disk, onProgress });
    await until(() => chunks >= 2);
    for (let rounds = 0; rounds < 1000; rounds += 1) {
      await tick();
    }
    // The first one is on its way to the disk, and the next one waits.
    assert.equal(chunks, 2);
    gate.open();
    assert.ok(fs.readFileSync(await unpacking).equals(lines));
  });

  for (const kind of ['gzip', 'zip'] as const) {
    it(`Unpacking leaves no file when the disk gets full while a ${kind} file is unpacked`, async () => {
      const lines = Buffer.from(Array.from({ length: 100_000 }, (_, n) => `${n}`).join('\n'));
      const file = archive(kind === 'gzip' ? gzipSync(lines) : single({ data: lines }));
      let bytes = 0;
      const disk: Disk = {
        ...localDisk,
        open: async (...given) => {
          const opened = await localDisk.open(...given);
          const writev = opened.writev.bind(opened);
          const writeOnce: DiskFile['writev'] = (pieces, at) => {
            const written = bytes;
            bytes += pieces.reduce((sum, { byteLength }) => sum + byteLength, 0);
            return written === 0
              ? writev(pieces, at)
              : Promise.reject(Object.assign(new Error('no space'), { code: 'ENOSPC' }));
          };
          return Object.assign(opened, { writev: writeOnce });
        },
      };
      await assert.rejects(unpack(file, kind, target, { ...options, disk }), {
        reason: 'noSpace',
      });
      assert.ok(bytes > 0 && bytes < lines.length, 'some of it was written');
      assert.deepEqual(fs.readdirSync(target), []);
    });
  }

  it('Unpacking calls an unknown compression method unsupported, not damaged', async () => {
    await refused(single({ method: 9 }), 'zip', 'unsupported');
  });

  it('Unpacking refuses a gzip bomb by its ratio, and a large file by its size', async () => {
    await refused(gzipSync(Buffer.alloc(3_000_000)), 'gzip', 'ratio');
    const lines = Buffer.from(Array.from({ length: 700_000 }, (_, n) => `${n}`).join('\n'));
    await refused(gzipSync(lines), 'gzip', 'tooLarge');
  });

  it('Unpacking allows a small file any compression ratio', async () => {
    const bytes = Buffer.alloc(90_000);
    const file = await unpack(archive(gzipSync(bytes)), 'gzip', target, options);
    assert.deepEqual(fs.readFileSync(file), bytes);
  });

  it('Unpacking refuses a ZIP archive by its declared size or ratio before it writes anything', async () => {
    let pieces = 0;
    const onProgress = () => (pieces += 1);
    for (const [entry, reason] of [
      [{ claimedSize: 4_000_001 }, 'tooLarge'],
      [{ data: Buffer.alloc(3_000_000) }, 'ratio'],
    ] as const) {
      const unpacking = unpack(archive(single(entry)), 'zip', target, { ...options, onProgress });
      await assert.rejects(unpacking, { reason });
    }
    assert.deepEqual([pieces, fs.readdirSync(target)], [0, []]);
  });

  it('Unpacking reports rising progress up to 1', async () => {
    const lines = Buffer.from(Array.from({ length: 300_000 }, (_, n) => `${n}`).join('\n'));
    for (const [bytes, kind] of [
      [gzipSync(lines), 'gzip'],
      [single({ data: lines }), 'zip'],
    ] as const) {
      const shares: number[] = [];
      const onProgress = (share: number) => shares.push(share);
      fs.rmSync(await unpack(archive(bytes), kind, target, { ...options, onProgress }));
      assert.ok(shares.length > 5);
      assert.deepEqual(
        shares,
        shares.toSorted((one, other) => one - other),
      );
      assert.ok(shares.every((share) => share > 0 && share <= 1));
      assert.equal(shares.at(-1), 1);
    }
  });

  it('Unpacking refuses a ZIP bomb, even if it declares a false size', async () => {
    await refused(single({ data: Buffer.alloc(3_000_000) }), 'zip', 'ratio');
    await refused(single({ claimedSize: 5_000_000 }), 'zip', 'tooLarge');
    await refused(single({ data: Buffer.alloc(3_000_000), claimedSize: 10 }), 'zip', 'damaged');
  });

  for (const name of ['/etc/passwd', 'C:/r.csv', 'C:\\r.csv', '../r.csv', 'a/../../r.csv']) {
    it(`Unpacking refuses an archive with the entry name ${name}`, () =>
      refused(single({ name }), 'zip', 'unsafe'));
  }
  it('Unpacking refuses entry names with a backslash path or a NUL', async () => {
    await refused(single({ name: '..\\r.csv' }), 'zip', 'unsafe');
    await refused(single({ name: 'r.csv\0.txt' }), 'zip', 'unsafe');
  });

  it('Unpacking refuses a parent path in an entry name that is not UTF-8', async () => {
    const rawName = Buffer.from('..\\\x82.csv', 'latin1');
    await refused(single({ rawName }), 'zip', 'unsafe');
  });

  it('Unpacking refuses a symbolic link', async () => {
    await refused(single({ mode: 0o120777, data: Buffer.from('/etc/passwd') }), 'zip', 'unsafe');
  });

  it('Unpacking refuses an encrypted archive', async () => {
    await refused(single({ isEncrypted: true }), 'zip', 'encrypted');
  });

  it('Unpacking refuses an archive with no file, two files, or too many entries', async () => {
    await refused(zipOf([]), 'zip', 'entries');
    await refused(zipOf([{ name: 'out/', mode: 0o040755 }]), 'zip', 'entries');
    await refused(zipOf([{ name: 'a.csv', data: text }, { name: 'b.csv' }]), 'zip', 'entries');
    const many = Array.from({ length: 11 }, (_, n) => ({ name: `${n}/`, mode: 0o040755 }));
    await refused(zipOf([{ name: 'a.csv', data: text }, ...many]), 'zip', 'entries');
  });

  it('Unpacking calls truncated data, a wrong checksum and another format damaged', async () => {
    const lines = Buffer.from(Array.from({ length: 50_000 }, (_, n) => `${n}`).join('\n'));
    const gzip = gzipSync(lines);
    await refused(gzip.subarray(0, gzip.length - 20), 'gzip', 'damaged');
    await refused(gzip.subarray(0, 5), 'gzip', 'damaged');
    await refused(Buffer.concat([gzip.subarray(0, -8), Buffer.alloc(8)]), 'gzip', 'damaged');
    await refused(text, 'gzip', 'damaged');
    const zip = single({ data: lines });
    await refused(zip.subarray(0, zip.length / 2), 'zip', 'damaged');
    await refused(zip.subarray(0, -10), 'zip', 'damaged');
    await refused(single({ claimedCrc: 1 }), 'zip', 'damaged');
    await refused(gzip, 'zip', 'damaged');
  });

  describe('of a report', () => {
    const store = { folderOf: (id: string) => path.join(folder, 'reports', id) };
    const unpacked = new UnpackedReports(store);

    it('Unpacking of a report happens once per file, and again after the report was retried', async () => {
      fs.mkdirSync(store.folderOf('x'), { recursive: true });
      const source = archive(gzipSync(text));
      let calls = 0;
      const counting = new UnpackedReports(store, (...args) => {
        calls += 1;
        return unpack(...args);
      });
      const file = await counting.of('x', source, 'gzip');
      const parent = path.dirname(file);
      fs.rmSync(parent, { recursive: true });
      const all = await Promise.all(
        Array.from({ length: 6 }, () => counting.of('x', source, 'gzip')),
      );
      assert.deepEqual(new Set(all), new Set([file]));
      assert.equal(calls, 2, 'once before, and once for all six');
      assert.equal(await counting.of('x', source, 'gzip'), file);
      assert.equal(calls, 2);
      assert.ok(counting.owns('x', file));
      assert.ok(!counting.owns('x', path.join(parent, '..', 'record.json')));
      assert.ok(!counting.owns('y', file));
      assert.equal(fs.readdirSync(parent).length, 1);
      await new ReportStore(path.join(folder, 'reports'), silentLogger).forgetEnd('x');
      archive(gzipSync('other'));
      const other = await counting.of('x', source, 'gzip');
      assert.equal(fs.readFileSync(other, 'utf8'), 'other');
      assert.equal(calls, 3);
    });

    it('Unpacking of a report starts over for a waiting caller when the first caller cancels', async () => {
      fs.mkdirSync(store.folderOf('x'), { recursive: true });
      const source = archive(gzipSync(text));
      const abort = new AbortController();
      const ended = unpacked.of('x', source, 'gzip', { signal: abort.signal });
      const waiting = unpacked.of('x', source, 'gzip', {
        signal: new AbortController().signal,
      });
      abort.abort();
      await assert.rejects(ended, CancelledError);
      assert.deepEqual(fs.readFileSync(await waiting), text);
    });

    it('Unpacking of a report starts over for a waiting caller with a higher size limit', async () => {
      fs.mkdirSync(store.folderOf('x'), { recursive: true });
      const source = archive(gzipSync(text));
      const limits = { ...defaultUnpackLimits, maxBytes: 1 };
      const small = unpacked.of('x', source, 'gzip', { limits });
      const large = unpacked.of('x', source, 'gzip');
      await assert.rejects(small, { reason: 'tooLarge' });
      assert.deepEqual(fs.readFileSync(await large), text);
    });

    it('Unpacking of a report reuses an unpacked file even beside a .DS_Store', async () => {
      fs.mkdirSync(store.folderOf('x'), { recursive: true });
      const source = archive(gzipSync(text));
      const file = await unpacked.of('x', source, 'gzip');
      fs.writeFileSync(path.join(path.dirname(file), '.DS_Store'), '');
      assert.equal(await unpacked.of('x', source, 'gzip'), file);
    });

    it('Unpacking of a report leaves nothing of a process that ended, once it is old', async () => {
      fs.mkdirSync(store.folderOf('x'), { recursive: true });
      let started: () => void = () => undefined;
      const hasStarted = new Promise<void>((resolve) => {
        started = resolve;
      });
      const ended = new UnpackedReports(store, async (_archive, _kind, draft) => {
        fs.writeFileSync(path.join(draft, 'half.csv'), 'h');
        started();
        return await new Promise<string>(() => undefined);
      });
      void ended.of('x', archive(gzipSync(text)), 'gzip');
      await hasStarted;
      const reports = path.join(folder, 'reports');
      const left = () => fs.readdirSync(reports, { recursive: true }).join().includes('half.csv');
      await new ReportStore(reports, silentLogger).removeLeftovers(Date.now());
      assert.ok(left(), 'another window may still write it');
      await new ReportStore(reports, silentLogger).removeLeftovers(Date.now() + 3_600_000);
      assert.ok(!left());
      assert.ok(fs.existsSync(store.folderOf('x')));
    });

    it('Unpacking of a report leaves nothing when it fails, and does not recreate the folder of a removed report', async () => {
      fs.mkdirSync(store.folderOf('x'), { recursive: true });
      await assert.rejects(unpacked.of('x', archive(text), 'gzip'), UnpackError);
      assert.deepEqual(fs.readdirSync(store.folderOf('x')), []);
      await assert.rejects(unpacked.of('gone', archive(gzipSync(text)), 'gzip'));
      assert.equal(fs.existsSync(store.folderOf('gone')), false);
    });
  });
});
