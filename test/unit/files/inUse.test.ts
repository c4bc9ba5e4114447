import assert from 'node:assert/strict';
import * as fs from 'node:fs';
import * as os from 'node:os';
import * as path from 'node:path';
import { createLocalDisk, onDisk, renameFile } from '../../../src/files/disk';
import { FileError } from '../../../src/files/fileError';
import { FileLock } from '../../../src/files/fileLock';
import { moveAside, removeAllPossible, removeIfPossible } from '../../../src/files/files';
import { isLastingUse, type Patience, whenFree, whenFreeNow } from '../../../src/files/inUse';
import { localProcesses } from '../../../src/files/processes';
import { localSyncDisk } from '../../../src/files/syncDisk';
import { FakeClock } from '../../helpers/fakeClock';
import { Cleanup } from '../service/findings/support';

const codes = ['EPERM', 'EACCES', 'EBUSY'];

function failure(code: string): NodeJS.ErrnoException {
  return Object.assign(new Error(code), { code, syscall: 'rename', path: '/a/from.csv' });
}

describe('Files in use', () => {
  const cleanup = new Cleanup();
  let clock: FakeClock;
  let waits: number[];
  let root: string;

  beforeEach(() => {
    clock = new FakeClock();
    waits = [];
    root = fs.mkdtempSync(path.join(os.tmpdir(), 'in-use-'));
    cleanup.add(() => {
      fs.rmSync(root, { recursive: true });
    });
  });
  afterEach(() => cleanup.run());

  /** Waits that end at once. They are noted; `meanwhile` is called in each. */
  function patience(
    platform: NodeJS.Platform = 'win32',
    meanwhile: () => void = () => undefined,
  ): Patience {
    return {
      platform,
      clock: {
        now: () => clock.now(),
        monotonic: () => clock.monotonic(),
        setTimeout: (callback, ms) => {
          waits.push(ms);
          setImmediate(() => {
            meanwhile();
            clock.advance(ms);
            callback();
          });
          return () => undefined;
        },
      },
      stop: (ms) => {
        waits.push(ms);
        meanwhile();
      },
    };
  }

  const sum = () => waits.reduce((total, ms) => total + ms, 0);

  for (const code of codes) {
    it(`Files in use on Windows are tried again after ${code}, with growing waits of ten seconds in all`, async () => {
      let attempts = 0;
      const error = await whenFree(() => {
        attempts += 1;
        throw failure(code);
      }, patience()).catch((thrown: unknown) => thrown);
      assert.equal((error as NodeJS.ErrnoException).code, code);
      assert.ok(isLastingUse(error));
      assert.equal(attempts, waits.length + 1);
      assert.equal(sum(), 10_000);
      const growing = waits.slice(0, 5);
      assert.ok(growing.every((ms, at) => at === 0 || ms > (growing[at - 1] ?? 0)));
    });
  }

  it('Files in use on Windows are free as soon as the other program closes them', async () => {
    let attempts = 0;
    const step = () => {
      attempts += 1;
      return attempts < 4 ? Promise.reject(failure('EBUSY')) : Promise.resolve('done');
    };
    assert.equal(await whenFree(step, patience()), 'done');
    assert.equal(waits.length, 3);
  });

  it('Files in use are tried once where the system does not refuse them, and for any other reason', async () => {
    for (const [platform, code] of [
      ['linux', 'EPERM'],
      ['darwin', 'EBUSY'],
      ['win32', 'ENOSPC'],
      ['win32', 'ENOENT'],
    ] as const) {
      let attempts = 0;
      const step = () => {
        attempts += 1;
        throw failure(code);
      };
      await assert.rejects(whenFree(step, patience(platform)), { code });
      assert.throws(() => whenFreeNow(step, patience(platform)), { code });
      assert.deepEqual([attempts, waits.length], [2, 0], `${platform} ${code}`);
    }
  });

  it('Files in use are waited for less than the time of two pictures where a window stands still', () => {
    assert.throws(
      () =>
        whenFreeNow(() => {
          throw failure('EPERM');
        }, patience()),
      { code: 'EPERM' },
    );
    assert.ok(waits.length > 0 && sum() < 34, String(waits));
  });

  it('Files in use are named in the reason when they stay so', async () => {
    const disk = {
      ...createLocalDisk(),
      rename: () => whenFree(() => Promise.reject(failure('EPERM')), patience()),
    };
    const file = path.join(root, 'from.csv');
    fs.writeFileSync(file, '');
    const error = await onDisk(() => renameFile(disk, file, path.join(root, 'to.csv'))).catch(
      (thrown: unknown) => thrown,
    );
    assert.ok(error instanceof FileError);
    assert.equal(error.reason, 'inUse');
    assert.equal(
      error.message,
      'Another program has from.csv open (EPERM). Close it there, then try again.',
    );
  });

  // The systems of these tests refuse nothing that is open, but each refuses to replace a folder that is not empty.
  it('Files in use are moved by the disk when a real step of the system no longer fails', async () => {
    const [from, to] = [path.join(root, 'from'), path.join(root, 'to')];
    [from, to].forEach((folder) => {
      fs.mkdirSync(folder);
    });
    fs.writeFileSync(path.join(from, 'new'), '');
    fs.writeFileSync(path.join(to, 'old'), '');
    const disk = createLocalDisk(
      patience('win32', () => {
        if (waits.length === 3) {
          fs.rmSync(to, { recursive: true });
        }
      }),
    );
    await renameFile(disk, from, to);
    assert.deepEqual(fs.readdirSync(to), ['new']);
    assert.equal(waits.length, 3);
  });

  it('Files in use stay when they are removed as far as possible, and all else goes', async () => {
    fs.mkdirSync(path.join(root, 'folder'));
    fs.writeFileSync(path.join(root, 'folder', 'file'), '');
    assert.deepEqual(await removeAllPossible(path.join(root, 'folder'), patience()), []);
    await removeIfPossible(path.join(root, 'missing'), patience());
    assert.deepEqual([fs.readdirSync(root), waits], [[], []]);
  });

  it('Files in use are put aside with the folders that they are in', () => {
    const [from, to] = [path.join(root, 'from'), path.join(root, 'to')];
    fs.mkdirSync(path.join(from, 'below'), { recursive: true });
    const file = path.join(from, 'below', 'file');
    fs.writeFileSync(file, 'text');
    const reader = fs.openSync(file, 'r');
    cleanup.add(() => {
      fs.closeSync(reader);
    });
    moveAside(from, to);
    assert.deepEqual(fs.readdirSync(root), ['to']);
    assert.equal(fs.readFileSync(reader, 'utf8'), 'text');
  });

  it('Files in use are put aside where some of what was beside them is already', () => {
    const [from, to] = [path.join(root, 'from'), path.join(root, 'to')];
    for (const name of ['first', 'second']) {
      fs.mkdirSync(from);
      fs.writeFileSync(path.join(from, name), name);
      moveAside(from, to);
    }
    assert.deepEqual(fs.readdirSync(root), ['to']);
    assert.deepEqual(fs.readdirSync(to).sort(), ['first', 'second']);
  });

  it('Files in use by readers of a record do not keep the owner of a lock from replacing it', async () => {
    const record = path.join(root, 'record');
    let refusals = 0;
    const lock = new FileLock(path.join(root, 'lock'), {
      clock,
      processes: localProcesses,
      times: { heartbeatMs: 1_000, goneMs: 2_500, silentMs: 10_000 },
      patience: patience(),
      disk: {
        ...localSyncDisk,
        move: (from, to) => {
          if (to === record && refusals > 0) {
            refusals -= 1;
            throw failure('EPERM');
          }
          localSyncDisk.move(from, to);
        },
      },
    });
    assert.ok(lock.tryAcquire());
    refusals = 3;
    await lock.replace(record, 'one');
    assert.equal(fs.readFileSync(record, 'utf8'), 'one');
    refusals = 3;
    lock.replaceNow(record, 'two');
    assert.equal(fs.readFileSync(record, 'utf8'), 'two');
    refusals = Infinity;
    await assert.rejects(lock.replace(record, 'three'), isLastingUse);
    assert.equal(fs.readFileSync(record, 'utf8'), 'two');
    assert.ok(lock.isOwned());
    refusals = 0;
    lock.release();
    assert.deepEqual(fs.readdirSync(root), ['record'], 'no draft is left');
  });
});
