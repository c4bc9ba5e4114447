import assert from 'node:assert/strict';
import {
  chmodSync,
  lstatSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { CancelledError } from '../../../src/base/cancelledError';
import { localDisk } from '../../../src/files/disk';
import { FileError } from '../../../src/files/fileError';
import { writeWhole } from '../../../src/files/wholeFile';
import { Gate } from '../service/findings/support';

describe('A file that is written whole', () => {
  let folder: string;
  let path: string;

  beforeEach(() => {
    folder = mkdtempSync(join(tmpdir(), 'whole-'));
    path = join(folder, 'rows.csv');
  });
  afterEach(() => {
    rmSync(folder, { recursive: true });
  });

  const write = (text: string, replace: boolean) =>
    writeWhole(localDisk, { path, replace }, (put) => put(text));

  const isTaken = (error: unknown) => error instanceof FileError && error.reason === 'exists';

  it('A file that is written whole replaces none that appears meanwhile, also where there are no hard links', async () => {
    const unsupported = Object.assign(new Error('no links'), { code: 'ENOTSUP', syscall: 'link' });
    for (const disk of [localDisk, { ...localDisk, link: () => Promise.reject(unsupported) }]) {
      rmSync(path, { force: true });
      const written = writeWhole(disk, { path, replace: false }, async (put) => {
        await put('ours');
        writeFileSync(path, 'another');
      });
      await assert.rejects(written, isTaken);
      assert.equal(readFileSync(path, 'utf8'), 'another');
      assert.deepEqual(readdirSync(folder), ['rows.csv']);
    }
  });

  describe('where answers of the disk are lost, as on NFS', () => {
    const lost = (code: string) => Object.assign(new Error('lost'), { code, syscall: 'x' });
    const disks: [string, boolean, Partial<typeof localDisk>][] = [
      [
        'a link',
        false,
        {
          link: async (from, to) => {
            await localDisk.link(from, to);
            throw lost('EEXIST');
          },
        },
      ],
      ...[false, true].map((replace): [string, boolean, Partial<typeof localDisk>] => [
        'a rename',
        replace,
        {
          link: () => Promise.reject(lost('ENOTSUP')),
          rename: async (from, to) => {
            await localDisk.rename(from, to);
            throw lost('ENOENT');
          },
        },
      ]),
    ];
    for (const [step, replace, changes] of disks) {
      it(`A file that is written whole has its name although ${step} fails that did its work${replace ? ', over another file' : ''}`, async () => {
        if (replace) {
          writeFileSync(path, 'old');
        }
        const disk = { ...localDisk, ...changes };
        await writeWhole(disk, { path, replace }, (put) => put('new'));
        assert.equal(readFileSync(path, 'utf8'), 'new');
        assert.deepEqual(readdirSync(folder), ['rows.csv']);
      });
    }

    it('A file that is written whole is refused if the file that a link finds is another one', async () => {
      const disk: typeof localDisk = {
        ...localDisk,
        link: (from, to) => {
          writeFileSync(String(to), 'of another program');
          return localDisk.link(from, to);
        },
      };
      await assert.rejects(
        writeWhole(disk, { path, replace: false }, (put) => put('new')),
        isTaken,
      );
      assert.equal(readFileSync(path, 'utf8'), 'of another program');
      assert.deepEqual(readdirSync(folder), ['rows.csv']);
    });
  });

  for (const replace of [false, true]) {
    const last = replace ? 'replaces the first' : 'is refused';
    it(`A file that is written whole is whole when another one is written to its path meanwhile, which ${last}`, async () => {
      const writeSlowly = (letter: string, gate: Gate) =>
        writeWhole(localDisk, { path, replace }, async (put) => {
          await put(letter.repeat(1_000));
          await gate.promise;
          await put(letter.repeat(1_000));
        });
      const gates = [new Gate(), new Gate()] as const;
      const first = writeSlowly('a', gates[0]);
      const second = writeSlowly('b', gates[1]);
      gates[0].open();
      await first;
      assert.equal(readFileSync(path, 'utf8'), 'a'.repeat(2_000));
      gates[1].open();
      if (replace) {
        await second;
      } else {
        await assert.rejects(second, isTaken);
      }
      assert.deepEqual(readdirSync(folder), ['rows.csv']);
      assert.equal(readFileSync(path, 'utf8'), (replace ? 'b' : 'a').repeat(2_000));
    });
  }

  for (const [replace, steps] of [
    [false, ['sync', 'link']],
    [true, ['sync', 'rename']],
  ] as const) {
    it(`A file that is written whole is synced before it gets its name${replace ? ', over another file' : ''}`, async () => {
      const done: string[] = [];
      const disk: typeof localDisk = {
        ...localDisk,
        open: async (...args) => {
          const file = await localDisk.open(...args);
          if (args[1] === 'wx') {
            const sync = file.sync.bind(file);
            file.sync = async () => {
              assert.equal((await file.stat()).size, 3, 'all of it');
              done.push('sync');
              await sync();
            };
          }
          return file;
        },
        link: (from, to) => {
          done.push('link');
          return localDisk.link(from, to);
        },
        rename: (from, to) => {
          done.push('rename');
          return localDisk.rename(from, to);
        },
      };
      await writeWhole(disk, { path, replace }, (put) => put('new'));
      assert.deepEqual(done, steps);
    });
  }

  it('A file that is written whole leaves the file before it as it was where it cannot be replaced', async () => {
    writeFileSync(path, 'mine');
    const failed = Object.assign(new Error('i/o error'), { code: 'EIO', syscall: 'rename' });
    const disk = { ...localDisk, rename: () => Promise.reject(failed) };
    const written = writeWhole(disk, { path, replace: true }, (put) => put('new'));
    await assert.rejects(written, FileError);
    assert.equal(readFileSync(path, 'utf8'), 'mine');
    assert.deepEqual(readdirSync(folder), ['rows.csv']);
  });

  it('A file that is written whole does not begin where another file is, unless that is replaced', async () => {
    writeFileSync(path, 'mine');
    let isBegun = false;
    const refused = writeWhole(localDisk, { path, replace: false }, () => {
      isBegun = true;
      return Promise.resolve();
    });
    await assert.rejects(refused, isTaken);
    assert.equal(isBegun, false);
    await write('new', true);
    assert.equal(readFileSync(path, 'utf8'), 'new');
  });

  it('A file that is written whole leaves nothing when it is cancelled, and the file before it as it was', async () => {
    writeFileSync(path, 'mine');
    const abort = new AbortController();
    const cancelled = writeWhole(
      localDisk,
      { path, replace: true },
      async (put) => {
        await put('half');
        abort.abort(new CancelledError());
        await put('whole');
      },
      abort.signal,
    );
    await assert.rejects(cancelled, CancelledError);
    assert.equal(readFileSync(path, 'utf8'), 'mine');
    assert.deepEqual(readdirSync(folder), ['rows.csv']);
  });

  if (process.platform !== 'win32') {
    it('A file that is written whole is private to the user, and keeps the mode of a file that it replaces', async () => {
      await write('new', false);
      assert.equal(statSync(path).mode & 0o777, 0o600);
      chmodSync(path, 0o640);
      await write('newer', true);
      assert.equal(statSync(path).mode & 0o777, 0o640);
    });

    it('A file that is written whole replaces the target of a symbolic link, not the link', async () => {
      const real = join(folder, 'real.csv');
      writeFileSync(real, 'mine');
      symlinkSync('real.csv', path);
      await write('new', true);
      assert.equal(readFileSync(real, 'utf8'), 'new');
      assert.ok(lstatSync(path).isSymbolicLink());
    });
  }
});
