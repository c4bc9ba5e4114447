import assert from 'node:assert/strict';
import * as fs from 'node:fs';
import * as os from 'node:os';
import * as path from 'node:path';
import { FileLock, LockLostError } from '../../../src/files/fileLock';
import type { Processes } from '../../../src/files/processes';
import { localSyncDisk, type SyncDisk } from '../../../src/files/syncDisk';
import { FakeClock } from '../../helpers/fakeClock';
import { Cleanup } from '../service/findings/support';

const times = { heartbeatMs: 1_000, goneMs: 2_500, silentMs: 10_000 };

describe('The file lock', () => {
  const cleanup = new Cleanup();
  let root: string;
  let folder: string;
  let alive: Set<number>;

  beforeEach(() => {
    root = fs.mkdtempSync(path.join(os.tmpdir(), 'lock-'));
    folder = path.join(root, 'lock');
    alive = new Set([1, 2, 3]);
    cleanup.add(() => {
      fs.rmSync(root, { recursive: true });
    });
  });
  afterEach(() => cleanup.run());

  /** A process that may own the lock; its clock stops while it is asleep. */
  function process(
    own: number,
    changes: Partial<SyncDisk> = {},
    processes: Partial<Processes> = {},
  ) {
    const ownClock = new FakeClock();
    const lock = new FileLock(folder, {
      clock: ownClock,
      disk: { ...localSyncDisk, ...changes },
      processes: {
        ownPid: own,
        machine: 'here',
        isAlive: (pid) => alive.has(pid),
        startOf: () => '77',
        ...processes,
      },
      times,
    });
    cleanup.add(() => {
      lock.tryRelease();
    });
    return { lock, clock: ownClock };
  }

  /** Lets some processes run for a while, and the others sleep; the last one tries to acquire at each heartbeat. */
  function pass(ms: number, awake: { clock: FakeClock }[], taker?: FileLock): number | undefined {
    for (let passed = 0; passed <= ms; passed += times.heartbeatMs) {
      if (taker?.tryAcquire()) {
        return passed;
      }
      awake.forEach((each) => {
        each.clock.advance(times.heartbeatMs);
      });
    }
    return undefined;
  }

  const write = (lock: FileLock, text: string) => lock.replace(path.join(root, 'record'), text);
  const written = () => fs.readFileSync(path.join(root, 'record'), 'utf8');

  it('The file lock belongs to the first process that acquires it, as long as it sends heartbeats', async () => {
    const [first, second] = [process(1), process(2)];
    assert.equal(first.lock.isOwnedElsewhere(), false);
    assert.ok(first.lock.tryAcquire() && first.lock.tryAcquire());
    assert.equal(second.lock.isOwnedElsewhere(), true);
    assert.equal(first.lock.isOwnedElsewhere(), false);
    assert.equal(pass(60_000, [first, second], second.lock), undefined);
    await write(first.lock, 'first');
    await assert.rejects(write(second.lock, 'second'), LockLostError);
    assert.equal(written(), 'first');
  });

  it('The file lock is free at once after a release, and leaves nothing behind', () => {
    const [first, second] = [process(1), process(2)];
    for (const { lock } of [first, second, first, second]) {
      assert.ok(lock.tryAcquire());
      lock.release();
      assert.equal(lock.isOwned(), false);
      assert.deepEqual(fs.readdirSync(root), []);
    }
    assert.equal(first.clock.pending + second.clock.pending, 0, 'no timer is left');
  });

  it('The file lock passes to another process at once when its owner has ended', () => {
    const starts = new Map([[1, '77']]);
    const processes = { startOf: (pid: number) => starts.get(pid) ?? '78' };
    for (const end of [() => alive.delete(1), () => starts.set(1, '79')]) {
      const [first, second] = [process(1, {}, processes), process(2, {}, processes)];
      first.lock.tryAcquire();
      pass(3_000, [first]);
      assert.equal(second.lock.tryAcquire(), false);
      end();
      assert.equal(second.lock.tryAcquire(), true);
      assert.equal(first.lock.isOwned(), false);
      second.lock.release();
      alive.add(1);
    }
  });

  it('The file lock passes on within four seconds when its owner on another machine is silent', () => {
    const elsewhere = { machine: 'there' };
    const [first, second] = [process(1, {}, elsewhere), process(2)];
    // Here, another process has the same ID.
    for (const isAlive of [true, false]) {
      alive = new Set(isAlive ? [1, 2] : [2]);
      assert.ok(first.lock.tryAcquire());
      assert.equal(pass(5_000, [first, second], second.lock), undefined);
      const after = pass(60_000, [second], second.lock);
      assert.ok(after !== undefined && after >= 2_500 && after <= 4_000, String(after));
      assert.equal(first.lock.isOwned(), false);
      second.lock.release();
    }
  });

  it('The file lock passes on after ten seconds without a heartbeat even if its process is alive', () => {
    const [first, second] = [process(1), process(2)];
    first.lock.tryAcquire();
    const after = pass(60_000, [second], second.lock);
    assert.ok(after !== undefined && after >= 10_000 && after <= 12_000, String(after));
    assert.equal(first.lock.isOwned(), false, 'the sleeper sees it at its next step');
  });

  it('The file lock tells whether the process of its owner exists', () => {
    const [first, second] = [process(1), process(2)];
    assert.equal(second.lock.isOwnerAlive(), false, 'nobody owns it');
    first.lock.tryAcquire();
    assert.equal(second.lock.isOwnerAlive(), true);
    alive.delete(1);
    assert.equal(second.lock.isOwnerAlive(), false);
    assert.equal(second.lock.isOwnedElsewhere(), true);
  });

  for (const [where, processes] of [
    ['on another machine', { machine: 'there' }],
    ['where the system does not tell when a process has started', { startOf: () => undefined }],
  ] as const) {
    it(`The file lock tells that its owner is alive by its heartbeat ${where}`, () => {
      const [first, second] = [process(1, {}, processes), process(2)];
      first.lock.tryAcquire();
      assert.equal(second.lock.tryAcquire(), false);
      assert.equal(second.lock.isOwnerAlive(), false, 'another process may have its ID');
      pass(1_000, [first, second], second.lock);
      assert.equal(second.lock.isOwnerAlive(), true);
      first.lock.release();
      assert.equal(second.lock.isOwnerAlive(), false);
      const third = process(3, {}, processes);
      third.lock.tryAcquire();
      second.lock.tryAcquire();
      assert.equal(second.lock.isOwnerAlive(), false, 'it is the lock of another one');
    });
  }

  it("The file lock passes on when its owner has this process's own id from an earlier boot", () => {
    process(2).lock.tryAcquire();
    const second = process(2);
    assert.ok(pass(60_000, [second], second.lock) !== undefined);
  });

  it('The file lock stays with its owner after the machine sleeps, even if one clock counted the sleep', () => {
    const [first, second] = [process(1), process(2)];
    first.lock.tryAcquire();
    pass(3_000, [first, second], second.lock);
    // The waiting process wakes up first, and its clock has counted the night.
    second.clock.advance(8 * 3_600_000);
    assert.equal(second.lock.tryAcquire(), false);
    pass(3_000, [first, second], second.lock);
    assert.equal(first.lock.isOwned(), true);
  });

  it('The file lock stays with its owner after the machine sleeps, even if nothing has changed since the last look', () => {
    const [first, second] = [process(1), process(2)];
    first.lock.tryAcquire();
    pass(3_000, [first, second], second.lock);
    assert.equal(second.lock.tryAcquire(), false);
    second.clock.advance(8 * 3_600_000);
    assert.equal(second.lock.tryAcquire(), false);
    first.clock.advance(times.heartbeatMs);
    assert.equal(second.lock.tryAcquire(), false);
    assert.equal(first.lock.isOwned(), true);
  });

  it('The file lock ignores jumps of the wall clock', () => {
    const [first, second] = [process(1), process(2)];
    first.lock.tryAcquire();
    for (const jump of [86_400_000, -2 * 86_400_000]) {
      second.clock.jump(jump);
      first.clock.jump(-jump);
      assert.equal(pass(5_000, [first, second], second.lock), undefined);
    }
  });

  it('The file lock is never owned by two processes that acquire it at the same moment, at any step', () => {
    let reached = 0;
    for (const isLeft of [false, true]) {
      for (let step = 1; step <= 3; step += 1) {
        fs.rmSync(folder, { recursive: true, force: true });
        const [dead, third] = [process(1), process(3)];
        let taken: boolean | undefined;
        let steps = 0;
        const meanwhile = () => {
          steps += 1;
          if (steps === step) {
            taken = third.lock.tryAcquire();
            reached += 1;
          }
        };
        const second = process(2, {
          makeFolder: (name) => {
            meanwhile();
            localSyncDisk.makeFolder(name);
          },
          move: (from, to) => {
            meanwhile();
            localSyncDisk.move(from, to);
          },
        });
        if (isLeft) {
          dead.lock.tryAcquire();
          alive.delete(1);
        }
        const got = second.lock.tryAcquire() || (pass(1_000, [second], second.lock) ?? -1) >= 0;
        assert.notDeepEqual([taken, got], [true, true], `step ${step}, ${isLeft}`);
        assert.notDeepEqual([second.lock.isOwned(), third.lock.isOwned()], [true, true]);
        alive.add(1);
        [second, third].forEach(({ lock }) => {
          lock.tryRelease();
        });
      }
    }
    assert.ok(reached >= 3, String(reached));
  });

  it('The file lock is not owned by a process that was asleep while it acquired it', () => {
    const third = process(3);
    const second = process(2, {
      makeFolder: (name) => {
        localSyncDisk.makeFolder(name);
        if (path.dirname(name) === folder) {
          assert.ok(pass(60_000, [third], third.lock) !== undefined);
        }
      },
    });
    assert.equal(second.lock.tryAcquire(), false);
    assert.equal(third.lock.isOwned(), true);
  });

  it('The file lock blocks the write of a process that lost it while asleep in that write', async () => {
    for (const step of ['write', 'sync', 'move'] as const) {
      fs.rmSync(folder, { recursive: true, force: true });
      const second = process(2);
      let isAsleep = true;
      const first = process(1, {
        [step]: (...args: [string, string]) => {
          if (isAsleep) {
            isAsleep = false;
            // It falls asleep here, and wakes up after the other process has read and written the record.
            assert.ok(pass(60_000, [second], second.lock) !== undefined);
            second.lock.replaceNow(path.join(root, 'record'), 'second');
          }
          localSyncDisk[step](...args);
        },
      });
      first.lock.tryAcquire();
      await assert.rejects(write(first.lock, 'first'), LockLostError);
      assert.equal(written(), 'second', step);
      assert.equal(first.lock.isOwned(), false);
      second.lock.tryRelease();
    }
  });

  it('The file lock is given up by its former owner at the next heartbeat, which leaves no timer', () => {
    const [first, second] = [process(1), process(2)];
    first.lock.tryAcquire();
    pass(60_000, [second], second.lock);
    first.clock.advance(times.heartbeatMs);
    assert.equal(first.clock.pending, 0);
    assert.throws(() => {
      first.lock.require();
    }, LockLostError);
  });

  it('The file lock is lost when its folder is deleted, even if another process acquires it anew', async () => {
    const [first, second] = [process(1), process(2)];
    first.lock.tryAcquire();
    fs.rmSync(folder, { recursive: true });
    assert.ok(second.lock.tryAcquire());
    await assert.rejects(write(first.lock, 'first'), LockLostError);
    assert.equal(second.lock.isOwned(), true);
    first.lock.release();
    assert.equal(second.lock.isOwned(), true, 'whoever lost it releases nothing');
  });

  it('The file lock cannot be acquired while its parent does not exist, and does not create it', () => {
    const { lock } = process(1);
    fs.rmSync(root, { recursive: true });
    assert.equal(lock.tryAcquire(), false);
    assert.equal(fs.existsSync(root), false);
    fs.mkdirSync(root);
  });

  it('The file lock passes on from processes that died halfway through acquiring it', () => {
    for (const left of [
      [],
      ['1-77@here abcdefabcdef'],
      ['1-77@here abcdefabcdef', '4-77@here abcdefabcdef'],
    ]) {
      fs.mkdirSync(folder);
      left.forEach((name) => {
        fs.mkdirSync(path.join(folder, name));
      });
      alive.delete(1);
      const second = process(2);
      assert.ok(pass(60_000, [second], second.lock) !== undefined, String(left));
      assert.equal(fs.readdirSync(folder).length, 1);
      second.lock.release();
    }
  });

  it('The file lock ignores files that are not of an owner', () => {
    fs.mkdirSync(folder);
    fs.writeFileSync(path.join(folder, '.DS_Store'), '');
    const { lock } = process(1);
    assert.equal(lock.isOwnedElsewhere(), false);
    assert.ok(lock.tryAcquire());
    lock.release();
    assert.deepEqual(fs.readdirSync(folder), ['.DS_Store']);
  });

  it('The file lock waits while Windows does not rename the folder of the former owner', () => {
    process(1).lock.tryAcquire();
    alive.delete(1);
    let isInUse = true;
    const second = process(2, {
      move: (from, to) => {
        if (isInUse) {
          throw Object.assign(new Error('in use'), { code: 'EPERM', syscall: 'rename' });
        }
        localSyncDisk.move(from, to);
      },
    });
    assert.equal(pass(20_000, [second], second.lock), undefined);
    isInUse = false;
    assert.equal(pass(60_000, [second], second.lock), 0);
  });

  it('The file lock does not take what it did itself for the work of another, where answers of the disk are lost, as on NFS', async () => {
    const lost = (code: string) => Object.assign(new Error('lost'), { code, syscall: 'x' });
    const changes: Partial<SyncDisk> = {
      makeFolder: (name) => {
        localSyncDisk.makeFolder(name);
        throw lost('EEXIST');
      },
      move: (from, to) => {
        localSyncDisk.move(from, to);
        throw lost('ENOENT');
      },
    };
    const [first, second] = [process(1, changes), process(2, changes)];
    assert.ok(first.lock.tryAcquire());
    await write(first.lock, 'first');
    alive.delete(1);
    assert.ok(second.lock.tryAcquire());
    await write(second.lock, 'second');
    assert.equal(written(), 'second');
    await assert.rejects(write(first.lock, 'late'), LockLostError);
    assert.equal(written(), 'second');
  });

  it('The file lock keeps the old file and leaves no draft when the disk is full', async () => {
    const first = process(1);
    first.lock.tryAcquire();
    await write(first.lock, 'old');
    first.lock.release();
    const full = process(2, {
      write: (file) => {
        fs.writeFileSync(file, 'ha');
        throw Object.assign(new Error('full'), { code: 'ENOSPC', syscall: 'write' });
      },
    });
    full.lock.tryAcquire();
    await assert.rejects(write(full.lock, 'new'), /full/);
    assert.equal(written(), 'old');
    assert.equal(full.lock.isOwned(), true);
    assert.equal(fs.readdirSync(folder, { recursive: true }).length, 1);
  });
});
