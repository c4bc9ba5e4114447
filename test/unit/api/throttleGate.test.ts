import assert from 'node:assert/strict';
import { mock } from 'node:test';
import { throttleGate } from '../../../src/api/throttleGate';

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
});
