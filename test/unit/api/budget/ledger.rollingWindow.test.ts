import assert from 'node:assert/strict';
import { Ledger } from '../../../../src/api/budget/ledger';
import { FakeClock } from '../../../helpers/fakeClock';
import { fc } from '../../../helpers/property';

describe('A rolling window', () => {
  it('A rolling window of 5 per 1000 ms lets the sixth request wait until 1000 ms have passed', () => {
    const clock = new FakeClock();
    const window = new Ledger(5, clock, 1000);
    for (let sent = 0; sent < 5; sent += 1) {
      assert.equal(window.waitMs(1), 0);
      window.record();
      clock.advance(10);
    }
    assert.equal(window.waitMs(1), 950);
    assert.equal(window.waitMs(2), 960);
    assert.equal(window.waitMs(6), 1000);
    clock.advance(950);
    assert.deepEqual([window.waitMs(1), window.used()], [0, 4]);
  });

  it('A rolling window frees no place when the system time jumps', () => {
    const clock = new FakeClock();
    const window = new Ledger(1, clock, 1000);
    window.record();
    clock.jump(1_000_000);
    assert.equal(window.waitMs(1), 1000);
  });

  it('A rolling window holds a lowered limit until enough requests have left the window', () => {
    const clock = new FakeClock();
    const window = new Ledger(3, clock, 1000);
    for (let sent = 0; sent < 3; sent += 1) {
      window.record();
      clock.advance(100);
    }
    window.limit = 1;
    assert.equal(window.waitMs(1), 900);
  });

  it('A rolling window never holds more than the limit, at any position in time', () => {
    fc.assert(
      fc.property(
        fc.integer({ min: 1, max: 6 }),
        fc.array(fc.integer({ min: 0, max: 700 }), { maxLength: 200 }),
        (limit, pauses) => {
          const clock = new FakeClock();
          const window = new Ledger(limit, clock, 1000);
          const sent: number[] = [];
          for (const pause of pauses) {
            clock.advance(pause);
            if (window.waitMs(1) === 0) {
              window.record();
              sent.push(clock.monotonic());
            }
          }
          for (const [index, time] of sent.entries()) {
            const earlier = sent[index - limit];
            assert.ok(earlier === undefined || time - earlier >= 1000);
          }
        },
      ),
    );
  });

  it('A rolling window counts only the requests of the latest window after 200 windows', () => {
    const clock = new FakeClock();
    const window = new Ledger(100, clock, 1000);
    for (let sent = 0; sent < 20_000; sent += 1) {
      clock.advance(10);
      assert.equal(window.waitMs(1), 0);
      window.record();
    }
    assert.equal(window.used(), 100);
  });
});
