import assert from 'node:assert/strict';
import * as fs from 'node:fs';
import * as os from 'node:os';
import * as path from 'node:path';
import { type Disk, localDisk } from '../../../src/api/download/disk';
import { Lease } from '../../../src/reports/reportLeases';
import { LeaseLostError } from '../../../src/reports/reportErrors';
import { FakeClock } from '../../helpers/fakeClock';
import { Cleanup } from '../findings/support';

const times = { heartbeatMs: 1_000, goneMs: 2_500, silentMs: 10_000, idleMs: 5_000 };

describe('The lease', () => {
  const cleanup = new Cleanup();
  let root: string;
  let folder: string;
  let alive: Set<number>;

  beforeEach(() => {
    root = fs.mkdtempSync(path.join(os.tmpdir(), 'lease-'));
    folder = path.join(root, 'lease');
    alive = new Set([1, 2, 3]);
    cleanup.add(() => {
      fs.rmSync(root, { recursive: true });
    });
  });
  afterEach(() => cleanup.run());

  /** A process that may hold the lease; its clock stops while it is asleep. */
  function process(own: number, changes: Partial<Disk> = {}) {
    const ownClock = new FakeClock();
    const losses: string[] = [];
    const lease = cleanup.own(
      new Lease(
        folder,
        {
          clock: ownClock,
          disk: { ...localDisk, ...changes },
          processes: { ownPid: own, isAlive: (pid) => alive.has(pid) },
          times,
        },
        () => losses.push('lost'),
      ),
    );
    return { lease, clock: ownClock, losses };
  }

  /** Lets some processes run for a while, and the others sleep; the last one tries to acquire at each heartbeat. */
  function pass(ms: number, awake: { clock: FakeClock }[], taker?: Lease): number | undefined {
    for (let passed = 0; passed <= ms; passed += times.heartbeatMs) {
      if (taker?.acquire()) {
        return passed;
      }
      awake.forEach((each) => {
        each.clock.advance(times.heartbeatMs);
      });
    }
    return undefined;
  }

  const write = (lease: Lease, text: string) => {
    lease.replace(path.join(root, 'record'), text, { isDurable: true });
  };
  const written = () => fs.readFileSync(path.join(root, 'record'), 'utf8');

  it('belongs to the first process that acquires it, as long as it sends heartbeats', () => {
    const [first, second] = [process(1), process(2)];
    assert.equal(first.lease.isHeldElsewhere(), false);
    assert.ok(first.lease.acquire() && first.lease.acquire());
    assert.equal(second.lease.isHeldElsewhere(), true);
    assert.equal(first.lease.isHeldElsewhere(), false);
    assert.equal(pass(60_000, [first, second], second.lease), undefined);
    write(first.lease, 'first');
    assert.throws(() => {
      write(second.lease, 'second');
    }, LeaseLostError);
    assert.equal(written(), 'first');
    assert.deepEqual([first.lease.epoch, second.lease.epoch], [1, 0]);
  });

  it('is free at once after a release, and each term has a higher number', () => {
    const [first, second] = [process(1), process(2)];
    for (const turn of [1, 2, 3, 4]) {
      const { lease } = turn % 2 === 1 ? first : second;
      assert.ok(lease.acquire());
      assert.equal(lease.epoch, turn);
      lease.release();
      assert.equal(lease.holds(), false);
      assert.equal(fs.readdirSync(folder).length, 1, 'what is over is cleaned up');
    }
    assert.deepEqual([first.losses, second.losses], [[], []], 'who releases has lost nothing');
    assert.equal(first.clock.pending + second.clock.pending, 0, 'no timer is left');
  });

  it('passes to another process within four seconds after its holder is gone', () => {
    const [first, second] = [process(1), process(2)];
    first.lease.acquire();
    alive.delete(1);
    const after = pass(60_000, [second], second.lease);
    assert.ok(after !== undefined && after <= 4_000, String(after));
    assert.equal(second.lease.epoch, 2);
  });

  it('passes on after ten seconds without a heartbeat even if a process with that id is alive', () => {
    const [first, second] = [process(1), process(2)];
    first.lease.acquire();
    const after = pass(60_000, [second], second.lease);
    assert.ok(after !== undefined && after >= 10_000 && after <= 12_000, String(after));
    assert.equal(first.lease.holds(), false, 'the sleeper sees it at its next step');
    assert.deepEqual(first.losses, ['lost']);
  });

  it("passes on when its holder has this process's own id from an earlier boot", () => {
    process(2).lease.acquire();
    const second = process(2);
    assert.ok(pass(60_000, [second], second.lease) !== undefined);
  });

  it('stays with its holder after the machine sleeps, even if one clock counted the sleep', () => {
    const [first, second] = [process(1), process(2)];
    first.lease.acquire();
    pass(3_000, [first, second], second.lease);
    // The waiting process wakes up first, and its clock has counted the night.
    second.clock.advance(8 * 3_600_000);
    assert.equal(second.lease.acquire(), false);
    pass(3_000, [first, second], second.lease);
    assert.equal(first.lease.holds(), true);
  });

  it('ignores jumps of the wall clock', () => {
    const [first, second] = [process(1), process(2)];
    first.lease.acquire();
    for (const jump of [86_400_000, -2 * 86_400_000]) {
      second.clock.jump(jump);
      first.clock.jump(-jump);
      assert.equal(pass(5_000, [first, second], second.lease), undefined);
    }
  });

  it('goes to only one of two processes that acquire it at the same moment', () => {
    process(1).lease.acquire();
    alive.delete(1);
    const third = process(3);
    let inTheSameMoment: boolean | undefined;
    const second = process(2, {
      makeFolder: (name) => {
        inTheSameMoment ??= third.lease.acquire();
        localDisk.makeFolder(name);
      },
    });
    for (let beat = 0; inTheSameMoment === undefined; beat += 1) {
      assert.ok(beat < 10);
      second.clock.advance(times.heartbeatMs);
      if (beat < 3) {
        third.lease.acquire();
        third.clock.advance(times.heartbeatMs);
      }
      assert.equal(second.lease.acquire(), false);
    }
    assert.equal(inTheSameMoment, true);
    assert.deepEqual([second.lease.holds(), third.lease.holds()], [false, true]);
  });

  it('is not acquired by a process that paused between check and step, however many terms passed', () => {
    for (const turns of [1, 2, 3]) {
      fs.rmSync(folder, { recursive: true, force: true });
      let away = true;
      const others = [process(1), process(3)];
      const late = process(2, {
        makeFolder: (name) => {
          if (away) {
            away = false;
            for (let turn = 1; turn <= turns; turn += 1) {
              others[turn % 2]?.lease.acquire();
              if (turn < turns) {
                others[turn % 2]?.lease.release();
              }
            }
          }
          localDisk.makeFolder(name);
        },
      });
      assert.equal(late.lease.acquire(), false, `${turns} turns`);
      assert.equal(others[turns % 2]?.lease.holds(), true);
      assert.equal(late.lease.holds(), false);
      others.forEach(({ lease }) => {
        lease.dispose();
      });
    }
  });

  it('blocks the write of a process that lost it while asleep in that write', () => {
    for (const step of ['write', 'sync', 'move'] as const) {
      fs.rmSync(folder, { recursive: true, force: true });
      const second = process(2);
      const first = process(1, {
        [step]: (...args: [string, string]) => {
          // It falls asleep here, and wakes up after the other process has read and written the record.
          assert.ok(pass(60_000, [second], second.lease) !== undefined);
          write(second.lease, 'second');
          localDisk[step](...args);
        },
      });
      first.lease.acquire();
      assert.throws(() => {
        write(first.lease, 'first');
      }, LeaseLostError);
      assert.equal(written(), 'second', step);
      assert.deepEqual(first.losses, ['lost']);
      second.lease.dispose();
    }
  });

  it('reports its loss to the former holder at the next heartbeat, and leaves no timer', () => {
    const [first, second] = [process(1), process(2)];
    first.lease.acquire();
    pass(60_000, [second], second.lease);
    assert.deepEqual(first.losses, []);
    first.clock.advance(times.heartbeatMs);
    assert.deepEqual(first.losses, ['lost']);
    assert.equal(first.clock.pending, 0);
    assert.throws(() => {
      first.lease.require();
    }, LeaseLostError);
  });

  it('is lost when its folder is deleted, even if another process acquires it anew', () => {
    const [first, second] = [process(1), process(2)];
    first.lease.acquire();
    fs.rmSync(folder, { recursive: true });
    assert.ok(second.lease.acquire());
    assert.equal(second.lease.epoch, 1, 'the numbers begin anew');
    assert.throws(() => {
      write(first.lease, 'first');
    }, LeaseLostError);
    assert.equal(second.lease.holds(), true);
  });

  it('passes on from a process that died halfway through acquiring it', () => {
    fs.mkdirSync(path.join(folder, '00000007'), { recursive: true });
    const second = process(2);
    assert.ok(pass(60_000, [second], second.lease) !== undefined);
    assert.equal(second.lease.epoch, 8);
  });

  it('can be acquired after a term that is both open and closed on disk', () => {
    for (const name of ['00000007', '00000007.closed']) {
      fs.mkdirSync(path.join(folder, name, '1-abc'), { recursive: true });
      fs.writeFileSync(path.join(folder, name, '1-abc', 'heartbeat'), '1');
    }
    const second = process(2);
    assert.ok(pass(60_000, [second], second.lease) !== undefined);
    assert.equal(second.lease.epoch, 8);
    assert.deepEqual(fs.readdirSync(folder), ['00000008']);
  });

  it('can be acquired after a process died while opening a term that others had closed', () => {
    const [first, third] = [process(1), process(3)];
    let steps = 0;
    const killed = process(2, {
      makeFolder: (name) => {
        steps += 1;
        if (steps === 2) {
          throw new Error('killed');
        }
        // It was asleep: the term that it is about to begin has already ended, and the holder folder of
        // that term could not be removed.
        first.lease.acquire();
        first.lease.release();
        fs.mkdirSync(path.join(folder, '00000001.closed', '1-abc'));
        localDisk.makeFolder(name);
      },
    });
    assert.throws(() => killed.lease.acquire(), /killed/);
    assert.deepEqual(fs.readdirSync(folder).sort(), ['00000001', '00000001.closed']);
    assert.ok(pass(60_000, [third], third.lease) !== undefined);
    assert.deepEqual(fs.readdirSync(folder), ['00000002']);
  });

  it('leaves no folder behind while the previous term cannot be closed', () => {
    process(1).lease.acquire();
    alive.delete(1);
    let isInUse = true;
    const second = process(2, {
      move: (from, to) => {
        if (isInUse) {
          throw Object.assign(new Error('in use'), { code: 'EPERM', syscall: 'rename' });
        }
        localDisk.move(from, to);
      },
    });
    let failures = 0;
    for (let beat = 0; beat < 20; beat += 1) {
      try {
        assert.equal(second.lease.acquire(), false);
      } catch (error) {
        assert.match(String(error), /in use/);
        failures += 1;
      }
      second.clock.advance(times.heartbeatMs);
    }
    assert.ok(failures > 1, String(failures));
    assert.deepEqual(fs.readdirSync(folder), ['00000001']);
    isInUse = false;
    assert.ok(pass(60_000, [second], second.lease) !== undefined);
    assert.equal(second.lease.epoch, 2);
  });

  it('has term numbers that only grow, even beyond eight digits', () => {
    fs.mkdirSync(path.join(folder, '99999999.closed'), { recursive: true });
    const [first, second] = [process(1), process(2)];
    for (const [index, { lease }] of [first, second, first].entries()) {
      assert.ok(lease.acquire());
      assert.equal(lease.epoch, 100_000_000 + index);
      assert.equal((lease === first.lease ? second : first).lease.isHeldElsewhere(), true);
      lease.release();
    }
    assert.deepEqual(fs.readdirSync(folder), ['100000002.closed']);
  });

  it('keeps the old file and leaves no draft when the disk is full', () => {
    const first = process(1);
    first.lease.acquire();
    write(first.lease, 'old');
    const full = process(2, {
      write: (file) => {
        fs.writeFileSync(file, 'ha');
        throw Object.assign(new Error('full'), { code: 'ENOSPC', syscall: 'write' });
      },
    });
    first.lease.release();
    full.lease.acquire();
    assert.throws(() => {
      write(full.lease, 'new');
    }, /full/);
    assert.equal(written(), 'old');
    assert.equal(full.lease.holds(), true);
    const left = fs.readdirSync(folder, { recursive: true, encoding: 'utf8' });
    assert.deepEqual(
      left.filter((name) => name.endsWith('.draft')),
      [],
    );
  });
});
