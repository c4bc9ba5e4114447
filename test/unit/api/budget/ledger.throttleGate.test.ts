import assert from 'node:assert/strict';
import { mock } from 'node:test';
import { Ledger, windowMs, maxClockDriftMs, throttleGate } from '../../../../src/api/budget/ledger';
import { endpoints } from '../../../../src/api/paths';
import { marginMs } from '../../../../src/api/budget/sharedLedger';
import { FakeClock } from '../../../helpers/fakeClock';
import { fc } from '../../../helpers/property';

describe('The throttle gate', () => {
  let clock: FakeClock;

  // p-throttle has no clock parameter: it uses the global Date and timers.
  beforeEach(() => {
    mock.timers.enable({ apis: ['Date', 'setTimeout'], now: Date.UTC(2026, 0, 1) });
    clock = new FakeClock(Date.now());
  });
  afterEach(() => {
    mock.timers.reset();
  });

  function advance(ms: number): void {
    clock.advance(ms);
    mock.timers.tick(ms);
  }

  /** Sets the wall clock alone. */
  function jump(ms: number): void {
    clock.jump(ms);
    mock.timers.setTime(Date.now() + ms);
  }

  it('The throttle gate passes as many requests as the limit at once, and the next one an hour after the first', () => {
    const gate = throttleGate(5, clock);
    let started = 0;
    for (let number = 0; number < 6; number += 1) {
      gate(() => (started += 1));
    }
    assert.equal(started, 5);
    advance(3_599_999);
    assert.equal(started, 5);
    advance(1);
    assert.equal(started, 6);
  });

  it('The throttle gate passes no burst at the edge of a window', () => {
    const gate = throttleGate(5, clock);
    let started = 0;
    const ask = (times: number) => {
      for (let number = 0; number < times; number += 1) {
        gate(() => (started += 1));
      }
    };
    ask(1);
    advance(3_599_000);
    ask(4);
    advance(2000);
    // One has left the window; the default mode of p-throttle would begin a new one here.
    ask(5);
    assert.equal(started, 6);
  });

  it('The throttle gate does not count requests that have left the window', () => {
    const gate = throttleGate(3, clock);
    let started = 0;
    for (const minutes of [0, 50, 20, 1]) {
      advance(minutes * 60_000);
      gate(() => (started += 1));
    }
    // The first has left. Without weights p-throttle holds the fourth for 19 minutes.
    assert.equal(started, 4);
  });

  it('The throttle gate passes every request that has a place in the window, at any position in time', () => {
    fc.assert(
      fc.property(
        fc.integer({ min: 1, max: 6 }),
        fc.array(fc.integer({ min: 0, max: 2_400_000 }), { maxLength: 60 }),
        (limit, pauses) => {
          const gate = throttleGate(limit, clock);
          const times: number[] = [];
          for (const pause of pauses) {
            advance(pause);
            const now = Date.now();
            if (times.filter((time) => time > now - windowMs).length < limit) {
              gate(() => times.push(Date.now()));
              assert.equal(times.at(-1), now);
            }
          }
        },
      ),
    );
  });

  for (const hours of [-2, -0.5, 2]) {
    it(`The throttle gate does not stall when the system time jumps by ${hours} h`, () => {
      const gate = throttleGate(1, clock);
      const started: string[] = [];
      gate(() => started.push('first'));
      advance(windowMs);
      jump(hours * windowMs);
      gate(() => started.push('second'));
      assert.deepEqual(started, ['first', 'second']);
    });
  }

  it('The throttle gate keeps its count while the clocks drift apart a little', () => {
    const gate = throttleGate(2, clock);
    const started: string[] = [];
    gate(() => started.push('first'));
    jump(maxClockDriftMs);
    advance(1000);
    gate(() => started.push('second'));
    gate(() => started.push('held'));
    assert.deepEqual(started, ['first', 'second']);
  });

  it('The throttle gate passes every request that the ledger grants, however the system time jumps', () => {
    fc.assert(
      fc.property(
        fc.integer({ min: 1, max: 4 }),
        fc.array(
          fc.record({
            passes: fc.oneof(fc.nat({ max: 2_400_000 }), fc.constant(windowMs + marginMs)),
            jumps: fc.oneof(
              fc.constant(0),
              fc.integer({ min: -maxClockDriftMs, max: maxClockDriftMs }),
              fc.integer({ min: -2 * windowMs, max: 2 * windowMs }),
            ),
          }),
          { maxLength: 60 },
        ),
        (limit, steps) => {
          const ledger = new Ledger(limit, clock, windowMs + marginMs);
          const gate = throttleGate(limit, clock);
          for (const { passes, jumps } of steps) {
            advance(passes);
            jump(jumps);
            while (ledger.tryReserve(endpoints.findings)) {
              let hasStarted = false;
              gate(() => {
                hasStarted = true;
              });
              assert.ok(hasStarted);
            }
          }
        },
      ),
    );
  });
});
