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

describe('the ledger that windows share', () => {
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

  it('a place that another window was faster to take costs nothing', () => {
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

  it('outlives its windows', () => {
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

  it('only to look makes no file', () => {
    assert.deepEqual([ledger().refresh(), fs.existsSync(folder)], [false, false]);
  });

  it('keeps files that nobody else may read', function () {
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
    it(`a system time set by ${hours} h frees nothing and blocks nothing${what}`, () => {
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

  describe('after the machine was started again', () => {
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

    it('never counts for too short when the system time was set back in the meantime', () => {
      clock.advance(10 * hourMs);
      assert.equal(reserveAll(ledger()), 3);
      startAgain(-5 * hourMs, 300_000);
      assert.equal(ledger().waitMs(1), 0);
      const after = ledger();
      after.refresh();
      assert.equal(after.waitMs(1), windowMs + marginMs - 300_000);
    });

    it('does not take what was sent yesterday at this hour for sent just now', () => {
      clock.advance(600_000);
      assert.equal(reserveAll(ledger()), 3);
      startAgain(23 * hourMs, 900_000);
      assert.equal(reserveAll(ledger()), 3);
    });

    it('counts for too long in doubt, where its starts have no number', () => {
      clock.advance(600_000);
      assert.equal(reserveAll(ledger()), 3);
      startAgain(23 * hourMs, 900_000);
      boot = 0;
      const after = ledger();
      assert.equal(reserveAll(after), 0);
      assert.equal(after.waitMs(1), windowMs + marginMs - 300_000);
    });

    it('counts by the wall clock, too, where its starts have no number', () => {
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

  it('passes over what is no record', () => {
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

  it('continues in the next file when one is full, and removes those that are over', () => {
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

  it('what is added to a file that was left is not relied on', () => {
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

  it('a folder that is removed under it is made again, and nothing that was sent forgotten', () => {
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

  describe('where it cannot be written', () => {
    let warnings: string[];
    let logger: Logger;

    beforeEach(() => {
      warnings = [];
      logger = { ...silentLogger, warn: (line) => warnings.push(line) };
      fs.mkdirSync(path.dirname(folder), { recursive: true });
      // Not permissions: they do not bind root, which tests in containers run as.
      fs.writeFileSync(folder, '');
    });

    it('a window counts by itself, says so once, and blocks nothing', () => {
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

    it('shares again after a minute when it can', () => {
      const alone = ledger(3, { logger });
      assert.ok(alone.tryReserve(findingsRoute));
      fs.rmSync(folder);
      const other = ledger(3);
      assert.ok(other.tryReserve(findingsRoute));
      clock.advance(60_000);
      assert.ok(alone.tryReserve(findingsRoute));
      assert.equal(reserveAll(alone), 0);
    });

    it('a full disk in the middle loses no count', () => {
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

  describe('a pause', () => {
    it('beyond the hour is kept to its end, also for a window that comes later', () => {
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

    it('holds every window', () => {
      const [one, two] = [ledger(100), ledger(100)];
      two.refresh();
      one.pause(findingsRoute, 20_000);
      assert.equal(two.tryReserve(findingsRoute), false);
      assert.ok(two.tryReserve(reportRoutes.detailed));
      assert.equal(two.pauses.endpointMs(findings), 20_000);
      clock.advance(20_000);
      assert.ok(two.tryReserve(findingsRoute));
    });

    it('of a second endpoint holds every endpoint, whichever windows were told', () => {
      const [one, two] = [ledger(100), ledger(100)];
      one.pause(findingsRoute, 20_000);
      two.pause(reportUrlRoute, 30_000);
      one.refresh();
      for (const each of [one, two, ledger(100)]) {
        assert.equal(each.tryReserve(reportRoutes.full), false);
        assert.equal(each.pauses.allMs(), 30_000);
      }
    });

    it('outlives its window, however the system time is set', () => {
      ledger(100).pause(findingsRoute, 20_000);
      clock.advance(5000);
      clock.jump(-2 * hourMs);
      const after = ledger(100);
      assert.equal(after.tryReserve(findingsRoute), false);
      assert.equal(after.pauses.endpointMs(findings), 15_000);
    });

    it('of garbage lengths ends within the hour', () => {
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

  it('a changed limit holds at once', () => {
    const one = ledger(1);
    assert.equal(reserveAll(one), 1);
    one.limit = 2;
    assert.equal(reserveAll(one), 1);
    one.limit = 1;
    clock.advance(windowMs + marginMs);
    assert.equal(reserveAll(one), 1);
  });
});
