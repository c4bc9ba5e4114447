import assert from 'node:assert/strict';
import { spannedDays, weeklyScores } from '../../../../src/service/findings/companySummaries';

const day = 86_400_000;

describe('The scores of a history', () => {
  const daily = Array.from({ length: 15 }, (_, index) => ({ at: index * day, score: 80 + index }));

  it('The scores of a history are reduced to one a week, up to the last', () => {
    assert.deepEqual(weeklyScores(daily), [80, 87, 94]);
    assert.deepEqual(weeklyScores([]), []);
  });

  it('The scores of a history keep their number where the service has one a month', () => {
    const monthly = [0, 31, 59].map((days) => ({ at: days * day, score: days }));
    assert.deepEqual(weeklyScores(monthly), [0, 31, 59]);
    assert.equal(spannedDays(monthly), 59);
    assert.equal(spannedDays([]), 0);
  });
});
