import assert from 'node:assert/strict';
import { compareRatings, worstRated } from '../../../src/vocabulary/grade';

describe('The order of rated companies', () => {
  it('The worst grade comes first, of the same grade the lowest score, and companies that are not rated come last', () => {
    const rated = {
      none: {},
      good: { score: 96, grade: 'A' },
      worse: { score: 41, grade: 'F' },
      bad: { score: 58, grade: 'f' },
      fair: { score: 73 },
      onlyGrade: { grade: 'D' },
    };
    assert.deepEqual(worstRated(rated), ['worse', 'bad', 'onlyGrade', 'fair', 'good']);
    assert.deepEqual(
      [undefined, rated.good, rated.none, rated.worse].toSorted(compareRatings),
      [rated.worse, rated.good, undefined, rated.none].toSorted(compareRatings),
    );
    assert.equal(compareRatings(undefined, rated.none), 0);
  });

  it('A grade leads, also where the score of another company is lower', () => {
    const [graded, scored] = [
      { score: 75, grade: 'F' },
      { score: 70, grade: 'C' },
    ];
    assert.ok(compareRatings(graded, scored) < 0);
  });
});
