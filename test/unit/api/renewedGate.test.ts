import assert from 'node:assert/strict';
import { mock } from 'node:test';
import { mostPartingMs, RenewedGate } from '../../../src/api/renewedGate';
import { throttleGate } from '../../../src/api/throttleGate';
import { FakeClock } from '../../helpers/fakeClock';

const hourMs = 3_600_000;

describe('the gate that follows the clocks', () => {
  beforeEach(() => {
    mock.timers.enable({ apis: ['Date', 'setTimeout'], now: Date.UTC(2026, 0, 1) });
  });
  afterEach(() => {
    mock.timers.reset();
  });

  function setup(limit: number) {
    const clock = new FakeClock(Date.now());
    let made = 0;
    const gate = new RenewedGate(
      (requestsPerHour) => {
        made += 1;
        return throttleGate(requestsPerHour);
      },
      limit,
      clock,
    );
    const started: string[] = [];
    const enter = (name: string) => {
      gate.enter(() => started.push(name));
    };
    const advance = (ms: number) => {
      mock.timers.tick(ms);
      clock.advance(ms);
    };
    const jump = (ms: number) => {
      mock.timers.setTime(Date.now() + ms);
      clock.jump(ms);
    };
    return { clock, gate, enter, started, advance, jump, made: () => made };
  }

  for (const hours of [-2, 2]) {
    it(`a system time set by ${hours} h makes it anew, and nothing stalls in it`, () => {
      const { enter, started, advance, jump, made } = setup(1);
      enter('first');
      advance(hourMs);
      jump(hours * hourMs);
      enter('second');
      assert.deepEqual([started, made()], [['first', 'second'], 2]);
    });
  }

  it('is kept while the clocks go together, and drift by less', () => {
    const { enter, started, advance, jump, made } = setup(2);
    enter('first');
    jump(mostPartingMs);
    advance(1000);
    enter('second');
    enter('held');
    assert.deepEqual([started, made()], [['first', 'second'], 1]);
  });

  it('what the old gate holds goes through the new one, once, also when nothing else enters', () => {
    const { clock, enter, started, advance, jump, made } = setup(1);
    enter('first');
    enter('held');
    jump(-2 * hourMs);
    advance(1000);
    assert.deepEqual([started, made()], [['first', 'held'], 2]);
    advance(4 * hourMs);
    assert.deepEqual([started, clock.pending], [['first', 'held'], 0]);
  });

  it('another limit takes what is held along', () => {
    const { gate, enter, started } = setup(1);
    enter('first');
    enter('held');
    gate.renew(2);
    assert.deepEqual(started, ['first', 'held']);
  });

  it('disposed it starts nothing more and leaves no timer', () => {
    const { clock, gate, enter, started, advance } = setup(1);
    enter('first');
    enter('held');
    gate.dispose();
    advance(hourMs);
    assert.deepEqual([started, clock.pending], [['first'], 0]);
  });
});
