import assert from 'node:assert/strict';
import { mock } from 'node:test';
import { throttleGate } from '../../../../src/api/budget/ledger';
import { fc } from '../../../helpers/property';

const limit = 200;

describe('The throttle gate', () => {
  // p-throttle has no clock parameter: it uses the global Date and timers.
  beforeEach(() => {
    mock.timers.enable({ apis: ['Date', 'setTimeout'], now: Date.UTC(2026, 0, 1) });
  });
  afterEach(() => {
    mock.timers.reset();
  });

  const countedGate = () => {
    const times: number[] = [];
    const gate = throttleGate();
    const ask = (requests: number) => {
      for (let number = 0; number < requests; number += 1) {
        gate(() => times.push(Date.now()));
      }
    };
    return { times, ask };
  };

  it('The throttle gate passes 200 requests at once, and the next one a second after the first', () => {
    const { times, ask } = countedGate();
    ask(limit + 1);
    assert.equal(times.length, limit);
    mock.timers.tick(999);
    assert.equal(times.length, limit);
    mock.timers.tick(1);
    assert.equal(times.length, limit + 1);
  });

  it('The throttle gate passes no burst at the edge of a second', () => {
    const { times, ask } = countedGate();
    ask(1);
    mock.timers.tick(900);
    ask(limit - 1);
    mock.timers.tick(200);
    // One is more than a second old; the default mode of p-throttle would begin a new second here.
    ask(5);
    assert.equal(times.length, limit + 1);
  });

  it('The throttle gate passes each request that has a place in its second, and never more than 200 in any', () => {
    fc.assert(
      fc.property(
        fc.array(fc.tuple(fc.nat({ max: 900 }), fc.nat({ max: 150 })), { maxLength: 20 }),
        (steps) => {
          const { times, ask } = countedGate();
          let asked = 0;
          for (const [pause, requests] of steps) {
            mock.timers.tick(pause);
            const recent = times.filter((time) => time > Date.now() - 1000).length;
            const [before, waiting] = [times.length, asked - times.length];
            ask(requests);
            asked += requests;
            const places = Math.max(0, limit - recent - waiting);
            assert.ok(times.length - before >= Math.min(requests, places));
          }
          for (let tick = 0; tick < 400; tick += 1) {
            // All timers of one tick see its end.
            mock.timers.tick(50);
          }
          assert.equal(times.length, asked);
          times.forEach((time, index) => {
            const earlier = times[index - limit];
            assert.ok(earlier === undefined || time - earlier >= 1000);
          });
        },
      ),
    );
  });

  for (const hours of [-2, -0.5, 2]) {
    it(`The throttle gate does not stall when the system time jumps by ${hours} h`, () => {
      const { times, ask } = countedGate();
      ask(limit);
      mock.timers.tick(1000);
      mock.timers.setTime(Date.now() + hours * 3_600_000);
      ask(limit);
      assert.equal(times.length, 2 * limit);
    });
  }
});
