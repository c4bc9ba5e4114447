import assert from 'node:assert/strict';
import fs from 'node:fs';
import * as os from 'node:os';
import * as path from 'node:path';
import { mock } from 'node:test';
import {
  marginMs,
  SharedLedger,
  type SharedLedgerOptions,
} from '../../../../src/api/budget/sharedLedger';
import { endpoints } from '../../../../src/api/paths';
import { windowMs } from '../../../../src/api/budget/ledger';
import type { Clock } from '../../../../src/base/events/clock';
import type { Logger } from '../../../../src/base/logger';
import { silentLogger } from '../../../../src/base/logger';
import { FakeClock } from '../../../helpers/fakeClock';
import { fc } from '../../../helpers/property';

const hourMs = 3_600_000;
const findings = endpoints.findings;

describe('The shared ledger', () => {
  let root: string;
  let folder: string;
  let clock: FakeClock;
  let open: SharedLedger[];

  beforeEach(() => {
    root = fs.mkdtempSync(path.join(os.tmpdir(), 'ledger-'));
    folder = path.join(root, 'budget', 'abcdef');
    clock = new FakeClock();
    open = [];
  });
  afterEach(() => {
    mock.restoreAll();
    fs.rmSync(root, { recursive: true, force: true });
  });

  function ledger(limit = 3, changes: Partial<SharedLedgerOptions> = {}): SharedLedger {
    const logger = {
      ...silentLogger,
      warn: (line: string) => {
        assert.fail(line);
      },
    };
    const made = new SharedLedger({ folder, limit, clock, logger, ...changes });
    open.push(made);
    return made;
  }

  /** Reserves places until none is left. */
  function reserveAll(from: SharedLedger): number {
    let count = 0;
    while (from.tryReserve(endpoints.findings)) {
      count += 1;
    }
    return count;
  }

  /** Runs a step after a window has looked for a place and before it reserves it. */
  function beforeNextWrite(race: () => void): void {
    const { appendFileSync } = fs;
    const append = mock.method(fs, 'appendFileSync', (...given: unknown[]) => {
      append.mock.restore();
      race();
      Reflect.apply(appendFileSync, fs, given);
    });
  }

  const log = () => path.join(folder, 'requests.log');
  const lines = () => fs.readFileSync(log(), 'utf8').trimEnd().split('\n');

  it('The shared ledger gives two windows one budget', () => {
    const [one, two] = [ledger(), ledger()];
    assert.ok(one.tryReserve(endpoints.findings));
    assert.ok(two.tryReserve(endpoints.findings));
    assert.ok(one.tryReserve(endpoints.findings));
    assert.equal(two.tryReserve(endpoints.findings), false);
    assert.deepEqual([one.refresh(), one.used(), two.used()], [false, 3, 3]);
    assert.equal(two.waitMs(1), windowMs + marginMs);
    clock.advance(windowMs + marginMs - 1);
    assert.equal(reserveAll(one) + reserveAll(two), 0);
    clock.advance(1);
    assert.equal(reserveAll(two) + reserveAll(one), 3);
  });

  it('The shared ledger wastes no place when another window reserves the last one first', () => {
    const [one, two] = [ledger(1), ledger(1)];
    // Both look and see a place.
    one.refresh();
    two.refresh();
    assert.ok(one.tryReserve(endpoints.findings));
    assert.equal(two.tryReserve(endpoints.findings), false);
    one.refresh();
    assert.deepEqual([one.used(), two.used(), ledger(1).refresh()], [1, 1, true]);
    clock.advance(windowMs + marginMs);
    assert.deepEqual(
      [two.tryReserve(endpoints.findings), one.tryReserve(endpoints.findings)],
      [true, false],
    );
  });

  it('The shared ledger remembers its requests when its windows are closed', () => {
    const before = ledger();
    assert.equal(reserveAll(before), 3);
    clock.advance(hourMs / 2);
    const after = ledger();
    assert.ok(after.refresh());
    assert.deepEqual([after.used(), reserveAll(after)], [3, 0]);
    clock.advance(hourMs / 2 + marginMs);
    assert.equal(reserveAll(after), 3);
  });

  it('The shared ledger reads its log once after each change of it', () => {
    const [one, two] = [ledger(9), ledger(9)];
    let reads = 0;
    const { openSync } = fs;
    mock.method(fs, 'openSync', (...given: Parameters<typeof openSync>) => {
      reads += given[0] === log() ? 1 : 0;
      return openSync(...given);
    });
    const refreshed = () => {
      reads = 0;
      const isNew = [two.refresh(), two.refresh(), two.refresh()];
      return [...isNew, reads];
    };
    assert.deepEqual(refreshed(), [false, false, false, 1], 'there is none');
    assert.deepEqual(refreshed(), [false, false, false, 0]);
    one.tryReserve(findings);
    assert.deepEqual(refreshed(), [true, false, false, 1]);
    one.tryReserve(findings);
    one.pause(findings, hourMs);
    assert.deepEqual(refreshed(), [true, false, false, 1]);
    assert.deepEqual([two.used(), two.pauses.endpointMs(findings)], [2, hourMs]);
    fs.copyFileSync(log(), `${log()}-2`);
    fs.renameSync(`${log()}-2`, log());
    assert.deepEqual(refreshed(), [false, false, false, 1], 'replaced by the same');
  });

  it('The shared ledger creates no file on a refresh', () => {
    assert.deepEqual([ledger().refresh(), fs.existsSync(folder)], [false, false]);
  });

  it('The shared ledger creates files that only the current user can read', function () {
    if (process.platform === 'win32') {
      this.skip();
    }
    ledger().tryReserve(endpoints.findings);
    assert.equal(fs.statSync(log()).mode & 0o777, 0o600);
    assert.equal(fs.statSync(folder).mode & 0o777, 0o700);
  });

  for (const hours of [-500, -2, 2, 13, 500]) {
    it(`The shared ledger counts right when the system time jumps by ${hours} h`, () => {
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

  it('The shared ledger counts for up to an hour too long, never too short, after the system time is set back by less', () => {
    const busy = ledger();
    assert.equal(reserveAll(busy), 3);
    clock.advance(2_400_000);
    clock.jump(-1_800_000);
    const started = ledger();
    assert.equal(reserveAll(started), 0);
    assert.equal(started.waitMs(1), windowMs + marginMs - 600_000);
    assert.equal(busy.waitMs(1), windowMs + marginMs - 2_400_000, 'it had read them before');
    clock.advance(windowMs + marginMs - 2_400_000);
    assert.equal(reserveAll(busy), 3);
  });

  it('The shared ledger never counts a request too short, however the system time jumps or the machine restarts', () => {
    const step = fc.oneof(
      fc.record({ passMs: fc.nat({ max: hourMs }) }),
      fc.record({ jumpMs: fc.integer({ min: -3 * hourMs, max: 3 * hourMs }) }),
      fc.record({ offMs: fc.nat({ max: hourMs }) }),
    );
    fc.assert(
      fc.property(fc.array(step, { maxLength: 12 }), (steps) => {
        fs.rmSync(folder, { recursive: true, force: true });
        clock.advance(hourMs / 3);
        assert.ok(ledger(1).tryReserve(endpoints.findings));
        // A restart and a time that is set forward are too much together.
        const isRestarted = steps.some((each) => 'offMs' in each);
        let trueAge = 0;
        for (const each of steps) {
          if ('passMs' in each) {
            clock.advance(each.passMs);
            trueAge += each.passMs;
          } else if ('jumpMs' in each) {
            clock.jump(isRestarted ? -Math.abs(each.jumpMs) : each.jumpMs);
          } else {
            clock = new FakeClock(clock.now() + each.offMs);
            trueAge += each.offMs;
          }
          if (trueAge < windowMs) {
            assert.equal(ledger(1).tryReserve(endpoints.findings), false);
          }
        }
      }),
    );
  });

  describe('after a restart of the machine', () => {
    const startAgain = (offMs: number, uptimeMs: number) => {
      clock = new FakeClock(clock.now() + offMs);
      clock.advance(uptimeMs);
    };

    it('The shared ledger after a restart of the machine counts by the wall clock', () => {
      clock.advance(10 * hourMs);
      assert.equal(reserveAll(ledger()), 3);
      startAgain(600_000, 300_000);
      assert.equal(ledger().tryReserve(endpoints.findings), false);
      const after = ledger();
      after.refresh();
      assert.equal(after.waitMs(1), windowMs + marginMs - 900_000);
      clock.advance(windowMs + marginMs - 900_000);
      assert.equal(reserveAll(ledger()), 3);
    });

    it('The shared ledger after a restart of the machine counts from now on when the system time was set back in the meantime', () => {
      clock.advance(10 * hourMs);
      assert.equal(reserveAll(ledger()), 3);
      startAgain(-5 * hourMs, 300_000);
      const after = ledger();
      assert.equal(reserveAll(after), 0);
      assert.equal(after.waitMs(1), windowMs + marginMs);
    });

    it('The shared ledger after a restart of the machine counts too long in doubt, when the machine has run for as long as yesterday', () => {
      clock.advance(600_000);
      assert.equal(reserveAll(ledger()), 3);
      startAgain(23 * hourMs, 900_000);
      const after = ledger();
      assert.equal(reserveAll(after), 0);
      assert.equal(after.waitMs(1), windowMs + marginMs - 300_000);
    });

    it('The shared ledger after a restart of the machine does not count requests of yesterday while it has not run for as long', () => {
      clock.advance(600_000);
      assert.equal(reserveAll(ledger()), 3);
      startAgain(23 * hourMs, 300_000);
      assert.equal(reserveAll(ledger()), 3);
    });
  });

  describe('with a log from the future', () => {
    /** The clock is ahead by 30 days, is corrected, and the machine restarts. */
    const correct = () => {
      clock = new FakeClock(clock.now() - 30 * 24 * hourMs);
      clock.advance(300_000);
    };
    beforeEach(() => {
      clock.jump(30 * 24 * hourMs);
      clock.advance(10 * hourMs);
    });

    it('The shared ledger with a log from the future counts it for an hour in all, however many windows find it', () => {
      assert.equal(reserveAll(ledger()), 3);
      correct();
      for (let minute = 0; minute < 60; minute += 20) {
        const found = ledger();
        found.refresh();
        assert.equal(reserveAll(found), 0);
        assert.equal(found.waitMs(1), windowMs + marginMs - minute * 60_000);
        clock.advance(20 * 60_000);
      }
      clock.advance(marginMs);
      assert.equal(reserveAll(ledger()), 3);
    });

    it('The shared ledger with a log from the future counts each of its requests once, in windows that read it at the same time', () => {
      assert.ok(ledger().tryReserve(findings));
      correct();
      const [one, two, later] = [ledger(), ledger(), ledger()];
      one.refresh();
      two.refresh();
      assert.ok(one.tryReserve(findings) && two.tryReserve(findings));
      for (const each of [one, two, later]) {
        each.refresh();
        assert.deepEqual([each.used(), reserveAll(each)], [3, 0]);
      }
    });

    it('The shared ledger with a log from the future keeps its pause for an hour in all', () => {
      ledger().pause(findings, 24 * hourMs);
      correct();
      const found = ledger();
      found.refresh();
      assert.equal(found.pauses.endpointMs(findings), hourMs);
      clock.advance(hourMs / 2);
      const later = ledger();
      later.refresh();
      assert.equal(later.pauses.endpointMs(findings), hourMs / 2);
      clock.advance(hourMs / 2);
      assert.ok(ledger().tryReserve(findings));
    });

    it('The shared ledger with a log from the future keeps a pause for an hour when the machine has run longer than before', () => {
      ledger().pause(findings, 24 * hourMs);
      correct();
      clock.advance(11 * hourMs);
      const found = ledger();
      found.refresh();
      assert.equal(found.pauses.endpointMs(findings), hourMs);
      clock.advance(hourMs);
      assert.ok(ledger().tryReserve(findings));
    });
  });

  describe('with a damaged log', () => {
    it('The shared ledger with a damaged log of any size counts the requests of an hour, and no more', () => {
      for (const damage of ['x\n'.repeat(2 ** 20), 'x'.repeat(2 ** 26), '\n'.repeat(2 ** 26)]) {
        fs.mkdirSync(folder, { recursive: true });
        fs.writeFileSync(log(), damage);
        const found = ledger(10_000);
        assert.ok(found.tryReserve(findings));
        assert.equal(found.used(), 5001);
        assert.ok(fs.statSync(log()).size < 2 ** 20);
      }
    });

    it('The shared ledger with a damaged log counts a line that is not understood as a request, in every window', () => {
      const one = ledger(5);
      assert.ok(one.tryReserve(endpoints.findings));
      clock.advance(1000);
      fs.appendFileSync(log(), 'half a request\n');
      const two = ledger(5);
      assert.equal(reserveAll(two), 3);
      assert.equal(reserveAll(ledger(5)), 0);
      one.refresh();
      assert.ok(one.used() >= 5);
      assert.equal(two.waitMs(1), windowMs + marginMs - 1000);
      clock.advance(windowMs + marginMs - 1000);
      assert.deepEqual(
        [reserveAll(two), two.waitMs(1)],
        [1, 1000],
        'it counts from when it was read',
      );
    });

    it('The shared ledger with a damaged log counts half a line at its end, and the line that follows', () => {
      assert.ok(ledger(5).tryReserve(endpoints.findings));
      const whole = lines().at(-1) ?? '';
      for (const half of [whole, whole.slice(0, -1), whole.slice(0, 20), '1']) {
        fs.appendFileSync(log(), half);
        const before = ledger(100);
        before.refresh();
        const used = before.used();
        assert.ok(before.tryReserve(endpoints.findings));
        const after = ledger(100);
        after.refresh();
        assert.ok(after.used() >= used + (half === whole ? 1 : 2), half);
        assert.ok(before.used() >= used + (half === whole ? 1 : 2), half);
      }
    });

    it('The shared ledger with a damaged log counts as many requests as bytes without a line may have been', () => {
      const one = ledger(100);
      for (let count = 0; count < 10; count += 1) {
        assert.ok(one.tryReserve(endpoints.findings));
      }
      const { length } = fs.readFileSync(log());
      fs.writeFileSync(log(), Buffer.alloc(length));
      for (const each of [one, ledger(100)]) {
        assert.ok(each.tryReserve(endpoints.findings));
        assert.ok(each.used() >= 11);
      }
    });

    it('The shared ledger with a damaged log is repaired by the next request, so that the damage does not count again in later windows', () => {
      assert.ok(ledger(5).tryReserve(endpoints.findings));
      fs.appendFileSync(log(), 'damaged\nhalf');
      assert.ok(ledger(5).tryReserve(endpoints.findings));
      clock.advance(windowMs + marginMs);
      assert.equal(reserveAll(ledger(5)), 5);
    });

    it('The shared ledger with a damaged log neither forgets nor repeats a request when a part of the log is removed', () => {
      const one = ledger(5);
      assert.ok(one.tryReserve(endpoints.findings) && one.tryReserve(endpoints.findings));
      one.refresh();
      fs.truncateSync(log(), 17);
      assert.equal(reserveAll(one), 3);
      assert.equal(one.used(), 5);
    });
  });

  it('The shared ledger rewrites a large log without the requests that do not count any more', () => {
    const options = { largeBytes: 500 };
    const [one, two] = [ledger(10, options), ledger(10, options)];
    two.refresh();
    assert.equal(reserveAll(one), 10);
    assert.equal(reserveAll(two), 0);
    clock.advance(windowMs + marginMs);
    assert.ok(two.tryReserve(endpoints.findings));
    assert.equal(lines().length, 2, lines().join('\n'));
    assert.equal(reserveAll(one), 9);
    assert.deepEqual([reserveAll(two), two.used(), reserveAll(ledger(10))], [0, 10, 0]);
  });

  describe('while another window has the lock', () => {
    it('The shared ledger while another window has the lock reserves nothing, and reserves as soon as that window is done', () => {
      const [one, two] = [ledger(2), ledger(2)];
      assert.ok(one.tryReserve(endpoints.findings));
      assert.ok(two.tryReserve(endpoints.findings));
      clock.advance(windowMs + marginMs);
      beforeNextWrite(() => {
        assert.equal(one.tryReserve(endpoints.findings), false);
        assert.equal(one.waitMs(1), 0);
      });
      assert.ok(two.tryReserve(endpoints.findings));
      assert.equal(reserveAll(one), 1);
    });

    it('The shared ledger while another window has the lock pauses at once, and tells the other windows with its next request', () => {
      const [one, two] = [ledger(5), ledger(5)];
      assert.ok(one.tryReserve(endpoints.findings));
      beforeNextWrite(() => {
        two.pause(endpoints.findings, 20_000);
      });
      assert.ok(one.tryReserve(endpoints.findings));
      assert.equal(two.tryReserve(endpoints.findings), false);
      assert.ok(two.tryReserve(endpoints.reportUrl));
      assert.equal(one.tryReserve(endpoints.findings), false);
      assert.equal(one.pauses.endpointMs(findings), 20_000);
    });
  });

  describe('when a window is stopped while it has the lock', () => {
    /** A clock whose timers do not run. */
    const stopped = (): Clock => ({
      now: () => clock.now(),
      monotonic: () => clock.monotonic(),
      setTimeout: () => () => undefined,
    });

    /** Another window waits for the lock until it may take it over. */
    const takeOver = (other: SharedLedger) => {
      let waited = 0;
      while (!other.tryReserve(endpoints.findings)) {
        clock.advance(500);
        waited += 500;
        assert.ok(waited < 20_000);
      }
      return waited;
    };

    it('The shared ledger when a window is stopped while it has the lock does not send what it writes when it wakes up', () => {
      const [one, two] = [ledger(2, { clock: stopped() }), ledger(2)];
      assert.ok(one.tryReserve(endpoints.findings));
      beforeNextWrite(() => {
        assert.ok(takeOver(two) >= 10_000);
      });
      assert.equal(one.tryReserve(endpoints.findings), false);
      assert.equal(reserveAll(one) + reserveAll(two) + reserveAll(ledger(2)), 0);
      clock.advance(windowMs + marginMs);
      assert.equal(reserveAll(two), 2);
    });

    it('The shared ledger when a window is stopped while it has the lock rewrites nothing when it wakes up', function () {
      if (process.platform === 'win32') {
        // There, nobody takes over from a window that has a file in the folder of the lock open.
        this.skip();
      }
      const [one, two] = [ledger(4, { clock: stopped(), largeBytes: 1 }), ledger(4)];
      assert.ok(one.tryReserve(endpoints.findings));
      const { fsyncSync } = fs;
      const sync = mock.method(fs, 'fsyncSync', (file: number) => {
        sync.mock.restore();
        takeOver(two);
        assert.ok(two.tryReserve(endpoints.findings));
        fsyncSync(file);
      });
      assert.equal(one.tryReserve(endpoints.findings), false);
      assert.equal(reserveAll(one), 1);
      assert.equal(reserveAll(two) + reserveAll(ledger(4)), 0);
    });

    it('The shared ledger when a window is stopped while it has the lock does not send what it writes after another window has it, however soon', () => {
      const [one, two] = [ledger(2), ledger(2)];
      assert.ok(one.tryReserve(endpoints.findings));
      beforeNextWrite(() => {
        fs.rmSync(path.join(folder, 'lock'), { recursive: true });
        assert.ok(two.tryReserve(endpoints.findings));
      });
      assert.equal(one.tryReserve(endpoints.findings), false);
    });

    it('The shared ledger when a window is stopped while it has the lock does not send long after the time at which its request counts', () => {
      const one = ledger(2);
      assert.ok(one.tryReserve(endpoints.findings));
      beforeNextWrite(() => {
        clock.advance(windowMs / 2);
      });
      assert.equal(one.tryReserve(endpoints.findings), false);
    });
  });

  it('The shared ledger recreates its folder when it is removed, and forgets no request', () => {
    const [one, two] = [ledger(), ledger()];
    assert.ok(one.tryReserve(endpoints.findings));
    assert.ok(two.tryReserve(endpoints.findings));
    one.refresh();
    fs.rmSync(folder, { recursive: true });
    assert.ok(one.tryReserve(endpoints.findings));
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

    it('The shared ledger when its folder cannot be written counts for one window alone, warns once, and blocks nothing', () => {
      const alone = ledger(3, { logger });
      assert.equal(reserveAll(alone), 3);
      alone.pause(endpoints.detailedReport, 60_000);
      assert.equal(alone.pauses.endpointMs(endpoints.detailedReport), 60_000);
      clock.advance(windowMs + marginMs);
      assert.equal(reserveAll(alone), 3);
      assert.deepEqual(warnings, [
        'The request budget cannot be shared with other windows (EEXIST): this one counts by itself.',
      ]);
    });

    it('The shared ledger when its folder cannot be written shares again after a minute when the folder can be written', () => {
      const alone = ledger(3, { logger });
      assert.ok(alone.tryReserve(endpoints.findings));
      fs.rmSync(folder);
      const other = ledger(3);
      assert.ok(other.tryReserve(endpoints.findings));
      clock.advance(60_000);
      assert.ok(alone.tryReserve(endpoints.findings));
      assert.equal(reserveAll(alone), 0);
    });

    it('The shared ledger when its folder cannot be written loses no count when the disk is full in the meantime', () => {
      fs.rmSync(folder);
      const [one, two] = [ledger(3, { logger }), ledger(3)];
      assert.ok(one.tryReserve(endpoints.findings));
      const { appendFileSync } = fs;
      const full = mock.method(fs, 'appendFileSync', (file: string) => {
        appendFileSync(file, '12345');
        throw Object.assign(new Error('full'), { code: 'ENOSPC' });
      });
      assert.ok(one.tryReserve(endpoints.findings));
      full.mock.restore();
      assert.ok(two.tryReserve(endpoints.findings));
      clock.advance(60_000);
      // The half line counts, too.
      assert.deepEqual([reserveAll(one), one.used()], [0, 4]);
      assert.equal(warnings.length, 1);
    });
  });

  describe('with a pause', () => {
    it('The shared ledger with a pause keeps a pause beyond the hour to its end, also for a window that opens later', () => {
      const one = ledger(100, { largeBytes: 1 });
      one.pause(endpoints.findings, 3 * hourMs);
      one.tryReserve(endpoints.reportUrl);
      clock.advance(2 * hourMs);
      for (let number = 0; number < 4; number += 1) {
        assert.ok(one.tryReserve(endpoints.reportUrl));
      }
      const later = ledger(100);
      assert.equal(later.tryReserve(endpoints.findings), false);
      assert.equal(later.pauses.endpointMs(findings), hourMs);
    });

    it('The shared ledger with a pause pauses the endpoint in every window', () => {
      const [one, two] = [ledger(100), ledger(100)];
      two.refresh();
      one.pause(endpoints.findings, 20_000);
      assert.equal(two.tryReserve(endpoints.findings), false);
      assert.ok(two.tryReserve(endpoints.detailedReport));
      assert.equal(two.pauses.endpointMs(findings), 20_000);
      clock.advance(20_000);
      assert.ok(two.tryReserve(endpoints.findings));
    });

    it('The shared ledger with a pause pauses every endpoint when a second one is paused, whichever windows were refused', () => {
      const [one, two] = [ledger(100), ledger(100)];
      one.pause(endpoints.findings, 20_000);
      two.pause(endpoints.reportUrl, 30_000);
      one.refresh();
      for (const each of [one, two, ledger(100)]) {
        assert.equal(each.tryReserve(endpoints.fullReport), false);
        assert.equal(each.pauses.allMs(), 30_000);
      }
    });

    it('The shared ledger with a pause keeps the pause when its window closes, however the system time jumps', () => {
      ledger(100).pause(endpoints.findings, 20_000);
      clock.advance(5000);
      clock.jump(-2 * hourMs);
      const after = ledger(100);
      assert.equal(after.tryReserve(endpoints.findings), false);
      assert.equal(after.pauses.endpointMs(findings), 15_000);
    });

    it('The shared ledger with a pause takes a pause of an impossible length for damage, of as many requests as it may have been', () => {
      ledger(2).pause(endpoints.findings, 1000);
      clock.advance(1000);
      fs.writeFileSync(log(), fs.readFileSync(log(), 'utf8').replace(' 1000 ', ' 4294967295 '));
      const window = ledger(2);
      window.refresh();
      assert.deepEqual([window.pauses.endpointMs(findings), window.used()], [0, 4]);
    });
  });

  it('The shared ledger applies a changed limit at once', () => {
    const one = ledger(1);
    assert.equal(reserveAll(one), 1);
    one.limit = 2;
    assert.equal(reserveAll(one), 1);
    one.limit = 1;
    clock.advance(windowMs + marginMs);
    assert.equal(reserveAll(one), 1);
  });
});
