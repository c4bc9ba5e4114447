import assert from 'node:assert/strict';
import { mock } from 'node:test';
import { windowMs } from '../../../src/api/rollingWindow';
import { throttleGate } from '../../../src/api/throttleGate';
import { fc } from '../../helpers/property';

describe('the last gate', () => {
  // p-throttle has no clock parameter: it takes the global Date and timers.
  beforeEach(() => {
    mock.timers.enable({ apis: ['Date', 'setTimeout'], now: Date.UTC(2026, 0, 1) });
  });
  afterEach(() => {
    mock.timers.reset();
  });

  it('TH1 lets the limit through at once, and the next one an hour after the first', () => {
    const gate = throttleGate(5);
    let started = 0;
    for (let number = 0; number < 6; number += 1) {
      gate(() => (started += 1));
    }
    assert.equal(started, 5);
    mock.timers.tick(3_599_999);
    assert.equal(started, 5);
    mock.timers.tick(1);
    assert.equal(started, 6);
  });

  it('TH1 lets no burst through at the edge of a window', () => {
    const gate = throttleGate(5);
    let started = 0;
    const ask = (times: number) => {
      for (let number = 0; number < times; number += 1) {
        gate(() => (started += 1));
      }
    };
    ask(1);
    mock.timers.tick(3_599_000);
    ask(4);
    mock.timers.tick(2000);
    // One has left the window; the default mode of p-throttle would begin a new one here.
    ask(5);
    assert.equal(started, 6);
  });

  it('holds nothing that has a place: what has left the window is not counted', () => {
    const gate = throttleGate(3);
    let started = 0;
    for (const minutes of [0, 50, 20, 1]) {
      mock.timers.tick(minutes * 60_000);
      gate(() => (started += 1));
    }
    // The first has left. Without weights p-throttle holds the fourth for 19 minutes.
    assert.equal(started, 4);
  });

  it('holds nothing that has a place, in a window of any position', () => {
    fc.assert(
      fc.property(
        fc.integer({ min: 1, max: 6 }),
        fc.array(fc.integer({ min: 0, max: 2_400_000 }), { maxLength: 60 }),
        (limit, pauses) => {
          const gate = throttleGate(limit);
          const times: number[] = [];
          for (const pause of pauses) {
            mock.timers.tick(pause);
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
});
