import assert from 'node:assert/strict';
import {
  areAllKnown,
  compareListed,
  gradeScale,
  scaleOf,
  severityScale,
  statusScale,
} from '../../../../src/base/text/orderedWords';

describe('Ordered words', () => {
  it('are listed in their natural order in any case, before other words by count', () => {
    const listed = (scale: typeof severityScale | undefined, ...words: string[]) =>
      words
        .map((word, count) => ({ word, count }))
        .sort((one, other) => compareListed(scale, one, other))
        .map(({ word }) => word);
    assert.deepEqual(
      listed(severityScale, 'own', 'positive', 'None', 'low', 'Moderate', 'HIGH', 'critical', 'x'),
      ['critical', 'HIGH', 'Moderate', 'low', 'None', 'positive', 'x', 'own'],
    );
    assert.deepEqual(listed(gradeScale, 'F', 'b', 'A', 'E', 'D', 'C'), [
      'A',
      'b',
      'C',
      'D',
      'E',
      'F',
    ]);
    assert.deepEqual(listed(statusScale, 'decayed', 'departed', 'active', 'resolved'), [
      'active',
      'resolved',
      'departed',
      'decayed',
    ]);
    assert.deepEqual(listed(undefined, 'high', 'low'), ['low', 'high']);
  });

  it('have a higher sort position the worse they are', () => {
    const sorted = (scale: typeof severityScale, ...words: string[]) =>
      words.sort((one, other) => scale.sortPositionOf(other) - scale.sortPositionOf(one));
    assert.deepEqual(sorted(severityScale, 'own', 'low', 'critical', 'info'), [
      'critical',
      'low',
      'info',
      'own',
    ]);
    assert.deepEqual(sorted(gradeScale, 'A', 'F', 'C'), ['F', 'C', 'A']);
    assert.deepEqual(sorted(statusScale, 'decayed', 'active'), ['active', 'decayed']);
  });

  it('need all values of a column to match a scale, or a column name that says so', () => {
    assert.equal(scaleOf('any', ['high', '', 'LOW']), severityScale);
    assert.equal(scaleOf('any', ['A', 'f']), gradeScale);
    assert.equal(scaleOf('any', ['active', 'resolved']), statusScale);
    assert.equal(scaleOf('issue_severity', ['high', 'low', 'own']), severityScale);
    assert.equal(scaleOf('group_status', ['active', 'decayed', 'own']), statusScale);
    for (const words of [[], ['high'], ['high', 'High'], ['high', 'own'], ['high', 'A']]) {
      assert.equal(scaleOf('any', words), undefined, String(words));
    }
    assert.equal(scaleOf('severity', ['1', '2']), undefined);
    const many = ['info', 'none', 'Info', 'NONE', 'low', 'Low', 'LOW', 'high'];
    assert.deepEqual(
      [areAllKnown(severityScale, many), areAllKnown(severityScale, [...many, 'HIGH'])],
      [true, false],
    );
  });
});
