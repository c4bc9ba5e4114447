import assert from 'node:assert/strict';
import fs from 'node:fs';
import * as os from 'node:os';
import * as path from 'node:path';
import { mock } from 'node:test';
import {
  encodeRecord,
  marginMs,
  recordBytes,
  SharedLedger,
  type SharedLedgerOptions,
} from '../../../../src/api/budget/sharedLedger';
import { endpointId, findingsRoute, reportRoutes, reportUrlRoute } from '../../../../src/api/paths';
import { windowMs } from '../../../../src/api/budget/ledger';
import type { Logger } from '../../../../src/base/logger';
import { silentLogger } from '../../../../src/base/logger';
import { FakeClock } from '../../../helpers/fakeClock';

const hourMs = 3_600_000;
const findings = endpointId(findingsRoute.label);

describe('The shared ledger', () => {
  let root: string;
  let folder: string;
  let clock: FakeClock;
  /** The start of the machine; 0 on a system that has no number for it. */
  let boot: number;
  let open: SharedLedger[];

  beforeEach(() => {
    root = fs.mkdtempSync(path.join(os.tmpdir(), 'ledger-'));
    folder = path.join(root, 'budget', 'abcdef');
    clock = new FakeClock();
    boot = 1;
    open = [];
  });
  afterEach(() => {
    mock.restoreAll();
    for (const ledger of open) {
      ledger.dispose();
    }
    fs.rmSync(root, { recursive: true, force: true });
  });

  function ledger(limit = 3, changes: Partial<SharedLedgerOptions> = {}): SharedLedger {
    const made = new SharedLedger({ folder, limit, clock, boot, logger: silentLogger, ...changes });
    open.push(made);
    return made;
  }

  /** Reserves places until none is left. */
  function reserveAll(from: SharedLedger): number {
    let count = 0;
    while (from.tryReserve(findingsRoute)) {
      count += 1;
    }
    return count;
  }

  /** Runs a step after a window has looked for a place and before it reserves it. */
  function beforeNextWrite(race: () => void): void {
    const { writeSync } = fs;
    const write = mock.method(fs, 'writeSync', (...given: unknown[]) => {
      write.mock.restore();
      race();
      return Reflect.apply(writeSync, fs, given) as number;
    });
  }

  const files = () => fs.readdirSync(folder).sort();
  const first = () => path.join(folder, '000001.requests');

  it('gives two windows one budget', () => {
    const [one, two] = [ledger(), ledger()];
    assert.ok(one.tryReserve(findingsRoute));
    assert.ok(two.tryReserve(findingsRoute));
    assert.ok(one.tryReserve(findingsRoute));
    assert.equal(two.tryReserve(findingsRoute), false);
    assert.deepEqual([one.refresh(), one.used(), two.used()], [false, 3, 3]);
    assert.equal(two.waitMs(1), windowMs + marginMs);
    clock.advance(windowMs + marginMs - 1);
    assert.equal(reserveAll(one) + reserveAll(two), 0);
    clock.advance(1);
    assert.equal(reserveAll(two) + reserveAll(one), 3);
  });

  it('wastes no place when another window reserves the last one first', () => {
    const [one, two] = [ledger(1), ledger(1)];
    // Both look and see a place; the record of the first is added while the second adds its own.
    one.refresh();
    two.refresh();
    beforeNextWrite(() => {
      assert.ok(one.tryReserve(findingsRoute));
    });
    assert.equal(two.tryReserve(findingsRoute), false);
    one.refresh();
    assert.deepEqual([one.used(), two.used(), ledger(1).refresh()], [1, 1, true]);
    clock.advance(windowMs + marginMs);
    assert.deepEqual([two.tryReserve(findingsRoute), one.tryReserve(findingsRoute)], [true, false]);
  });

  it('remembers its requests when its windows are closed', () => {
    const before = ledger();
    assert.equal(reserveAll(before), 3);
    before.dispose();
    clock.advance(hourMs / 2);
    const after = ledger();
    assert.ok(after.refresh());
    assert.deepEqual([after.used(), reserveAll(after)], [3, 0]);
    clock.advance(hourMs / 2 + marginMs);
    assert.equal(reserveAll(after), 3);
  });

  it('creates no file on a refresh', () => {
    assert.deepEqual([ledger().refresh(), fs.existsSync(folder)], [false, false]);
  });

  it('creates files that only the current user can read', function () {
    if (process.platform === 'win32') {
      this.skip();
    }
    ledger().tryReserve(findingsRoute);
    assert.equal(fs.statSync(first()).mode & 0o777, 0o600);
    assert.equal(fs.statSync(folder).mode & 0o777, 0o700);
  });

  for (const [hours, machine] of [-500, -2, 2, 13, 500].flatMap((each) => [
    [each, 1] as const,
    [each, 0] as const,
  ])) {
    const what = machine === 0 ? ', on a machine whose starts have no number' : '';
    it(`counts right when the system time jumps by ${hours} h${what}`, () => {
      boot = machine;
      const [busy, idle] = [ledger(), ledger()];
      idle.refresh();
      assert.equal(reserveAll(busy), 3);
      clock.advance(1000);
      clock.jump(hours * hourMs);
      const started = ledger();
      for (const each of [busy, idle, started]) {
        assert.equal(reserveAll(each), 0);
        assert.equal(each.waitMs(1), windowMs + marginMs - 1000);
      }
      clock.advance(windowMs + marginMs - 1000);
      assert.equal(reserveAll(idle) + reserveAll(started) + reserveAll(busy), 3);
    });
  }

  describe('after a restart of the machine', () => {
    const startAgain = (offMs: number, uptimeMs: number) => {
      boot += 1;
      clock = new FakeClock(clock.now() + offMs);
      clock.advance(uptimeMs);
    };

    it('counts by the wall clock', () => {
      clock.advance(10 * hourMs);
      assert.equal(reserveAll(ledger()), 3);
      startAgain(600_000, 300_000);
      const after = ledger();
      assert.equal(reserveAll(after), 0);
      assert.equal(after.waitMs(1), windowMs + marginMs - 900_000);
    });

    it('never counts too short when the system time was set back in the meantime', () => {
      clock.advance(10 * hourMs);
      assert.equal(reserveAll(ledger()), 3);
      startAgain(-5 * hourMs, 300_000);
      assert.equal(ledger().waitMs(1), 0);
      const after = ledger();
      after.refresh();
      assert.equal(after.waitMs(1), windowMs + marginMs - 300_000);
    });

    it('does not confuse requests of the same uptime yesterday with recent ones', () => {
      clock.advance(600_000);
      assert.equal(reserveAll(ledger()), 3);
      startAgain(23 * hourMs, 900_000);
      assert.equal(reserveAll(ledger()), 3);
    });

    it('counts too long in doubt, when the machine has no boot number', () => {
      clock.advance(600_000);
      assert.equal(reserveAll(ledger()), 3);
      startAgain(23 * hourMs, 900_000);
      boot = 0;
      const after = ledger();
      assert.equal(reserveAll(after), 0);
      assert.equal(after.waitMs(1), windowMs + marginMs - 300_000);
    });

    it('counts by the wall clock, too, when the machine has no boot number', () => {
      boot = 0;
      clock.advance(10 * hourMs);
      assert.equal(reserveAll(ledger()), 3);
      startAgain(600_000, 300_000);
      boot = 0;
      assert.equal(ledger().tryReserve(findingsRoute), false);
      clock.advance(windowMs + marginMs - 900_000);
      assert.equal(reserveAll(ledger()), 3);
    });
  });

  it('skips bytes that are not a record', () => {
    const one = ledger(5);
    assert.ok(one.tryReserve(findingsRoute));
    fs.appendFileSync(first(), Buffer.alloc(recordBytes / 2 + 3, 7));
    assert.ok(one.tryReserve(findingsRoute));
    fs.appendFileSync(first(), Buffer.from('half a record'));
    const two = ledger(5);
    assert.equal(reserveAll(two), 3);
    one.refresh();
    assert.deepEqual([one.used(), reserveAll(one)], [5, 0]);
  });

  it('continues in the next file when one is full, and removes expired files', () => {
    const [one, two] = [ledger(10, { fileRecords: 4 }), ledger(10, { fileRecords: 4 })];
    two.refresh();
    assert.equal(reserveAll(one), 10);
    assert.deepEqual(files(), ['000001.requests', '000002.requests', '000003.requests']);
    assert.equal(reserveAll(two), 0);
    assert.equal(reserveAll(ledger(10, { fileRecords: 4 })), 0);
    clock.advance(windowMs + marginMs);
    assert.equal(reserveAll(two), 10);
    assert.deepEqual(files(), ['000003.requests', '000004.requests', '000005.requests']);
    assert.equal(reserveAll(one), 0);
  });

  it('does not rely on a record that is added to a file after the ledger has left it', () => {
    const options = { fileRecords: 2 };
    const [slow, fast] = [ledger(4, options), ledger(4, options)];
    assert.ok(slow.tryReserve(findingsRoute));
    beforeNextWrite(() => {
      assert.ok(fast.tryReserve(findingsRoute));
      assert.ok(fast.tryReserve(findingsRoute));
      assert.deepEqual(files(), ['000001.requests', '000002.requests']);
    });
    assert.ok(slow.tryReserve(findingsRoute));
    assert.equal(reserveAll(fast), 0);
    assert.deepEqual([slow.used(), fast.used(), reserveAll(ledger(4, options))], [4, 4, 0]);
  });

  it('recreates its folder when it is removed, and forgets no request', () => {
    const [one, two] = [ledger(), ledger()];
    assert.ok(one.tryReserve(findingsRoute));
    assert.ok(two.tryReserve(findingsRoute));
    one.refresh();
    fs.rmSync(folder, { recursive: true });
    assert.ok(one.tryReserve(findingsRoute));
    assert.equal(reserveAll(one), 0);
    assert.equal(reserveAll(two), 0);
    assert.deepEqual([one.used(), two.used()], [3, 3]);
  });

  describe('when its folder cannot be written', () => {
    let warnings: string[];
    let logger: Logger;

    beforeEach(() => {
      warnings = [];
      logger = { ...silentLogger, warn: (line) => warnings.push(line) };
      fs.mkdirSync(path.dirname(folder), { recursive: true });
      // Not permissions: they do not bind root, which tests in containers run as.
      fs.writeFileSync(folder, '');
    });

    it('counts for one window alone, warns once, and blocks nothing', () => {
      const alone = ledger(3, { logger });
      assert.equal(reserveAll(alone), 3);
      alone.pause(reportRoutes.detailed, 60_000);
      assert.equal(alone.pauses.endpointMs(endpointId(reportRoutes.detailed.label)), 60_000);
      clock.advance(windowMs + marginMs);
      assert.equal(reserveAll(alone), 3);
      assert.deepEqual(warnings, [
        'The request budget cannot be shared with other windows (EEXIST): this one counts by itself.',
      ]);
    });

    it('shares again after a minute when the folder can be written', () => {
      const alone = ledger(3, { logger });
      assert.ok(alone.tryReserve(findingsRoute));
      fs.rmSync(folder);
      const other = ledger(3);
      assert.ok(other.tryReserve(findingsRoute));
      clock.advance(60_000);
      assert.ok(alone.tryReserve(findingsRoute));
      assert.equal(reserveAll(alone), 0);
    });

    it('loses no count when the disk is full in the meantime', () => {
      fs.rmSync(folder);
      const [one, two] = [ledger(3, { logger }), ledger(3)];
      assert.ok(one.tryReserve(findingsRoute));
      const full = mock.method(fs, 'writeSync', () => 5);
      assert.ok(one.tryReserve(findingsRoute));
      full.mock.restore();
      assert.ok(two.tryReserve(findingsRoute));
      clock.advance(60_000);
      assert.deepEqual([reserveAll(one), one.used()], [0, 3]);
      assert.equal(warnings.length, 1);
    });
  });

  describe('with a pause', () => {
    it('keeps a pause beyond the hour to its end, also for a window that opens later', () => {
      const one = ledger(100, { fileRecords: 2 });
      one.pause(findingsRoute, 3 * hourMs);
      one.tryReserve(reportUrlRoute);
      clock.advance(2 * hourMs);
      for (let number = 0; number < 4; number += 1) {
        assert.ok(one.tryReserve(reportUrlRoute));
      }
      assert.ok(files().includes('000003.requests'));
      const later = ledger(100);
      assert.equal(later.tryReserve(findingsRoute), false);
      assert.equal(later.pauses.endpointMs(findings), hourMs);
    });

    it('pauses the endpoint in every window', () => {
      const [one, two] = [ledger(100), ledger(100)];
      two.refresh();
      one.pause(findingsRoute, 20_000);
      assert.equal(two.tryReserve(findingsRoute), false);
      assert.ok(two.tryReserve(reportRoutes.detailed));
      assert.equal(two.pauses.endpointMs(findings), 20_000);
      clock.advance(20_000);
      assert.ok(two.tryReserve(findingsRoute));
    });

    it('pauses every endpoint when a second one is paused, whichever windows were refused', () => {
      const [one, two] = [ledger(100), ledger(100)];
      one.pause(findingsRoute, 20_000);
      two.pause(reportUrlRoute, 30_000);
      one.refresh();
      for (const each of [one, two, ledger(100)]) {
        assert.equal(each.tryReserve(reportRoutes.full), false);
        assert.equal(each.pauses.allMs(), 30_000);
      }
    });

    it('keeps the pause when its window closes, however the system time jumps', () => {
      ledger(100).pause(findingsRoute, 20_000);
      clock.advance(5000);
      clock.jump(-2 * hourMs);
      const after = ledger(100);
      assert.equal(after.tryReserve(findingsRoute), false);
      assert.equal(after.pauses.endpointMs(findings), 15_000);
    });

    it('ends a pause of a garbage length within the hour', () => {
      fs.mkdirSync(folder, { recursive: true });
      const wall = clock.now();
      fs.writeFileSync(
        first(),
        encodeRecord({
          kind: 'pause',
          ownLimit: false,
          wall,
          monotonic: 0,
          writer: 1,
          value: 2 ** 32 - 1,
          endpoint: findings,
          boot,
        }),
      );
      const window = ledger();
      window.refresh();
      assert.equal(window.pauses.endpointMs(findings), windowMs);
    });
  });

  it('applies a changed limit at once', () => {
    const one = ledger(1);
    assert.equal(reserveAll(one), 1);
    one.limit = 2;
    assert.equal(reserveAll(one), 1);
    one.limit = 1;
    clock.advance(windowMs + marginMs);
    assert.equal(reserveAll(one), 1);
  });
});
