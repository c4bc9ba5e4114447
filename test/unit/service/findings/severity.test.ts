import assert from 'node:assert/strict';
import type { ListRow } from '../../../../src/service/lists/listRows';
import { WorstSeverityCache } from '../../../../src/service/findings/severity';
import {
  compareWorst,
  severityPosition,
  findWorst,
} from '../../../../src/vocabulary/worstSeverity';

const rowOf = (severity: string, index: number): ListRow => ({
  key: `k${index}`,
  number: index + 1,
  entry: { severity },
});

describe('The severity of findings', () => {
  it('The severity of findings is a word of the scale in one of their fields, in any case', () => {
    assert.equal(severityPosition({ severity: 'Critical' }), 0);
    assert.equal(severityPosition({ severity: null, issue_severity: 'HIGH' }), 1);
    assert.equal(
      severityPosition({ severity_level: 'moderate' }),
      severityPosition({ severity: 'medium' }),
    );
    assert.equal(severityPosition({ severity: 'urgent' }), 0);
    for (const entry of [{}, { severity: 9 }, { severity: 'unknown' }, { severity: ['high'] }]) {
      assert.equal(severityPosition(entry), undefined);
    }
  });

  it('The severity of findings is the worst so far, with its count, while rows are added', () => {
    const worst = new WorstSeverityCache();
    const rows: ListRow[] = [];
    const grow = (...words: string[]) => {
      words.forEach((word) => rows.push(rowOf(word, rows.length)));
      return worst.of(rows);
    };
    assert.equal(grow('unknown', 'N/A'), undefined);
    assert.deepEqual(grow('low', 'high', 'low'), { position: 1, count: 1 });
    assert.deepEqual(grow('medium', 'high'), { position: 1, count: 2 });
    assert.deepEqual(grow('critical'), { position: 0, count: 1 });
    assert.deepEqual(grow(), { position: 0, count: 1 });
  });

  it('The severity of findings leaves out those that are known, also when others are', () => {
    const worst = new WorstSeverityCache();
    const rows = ['high', 'low', 'high', 'medium'].map(rowOf);
    const without = (version: number | undefined, ...words: string[]) =>
      worst.of(rows, { version, has: ({ severity }) => words.some((word) => word === severity) });
    assert.deepEqual(without(undefined), { position: 1, count: 2 });
    assert.deepEqual(without(1, 'high'), { position: 2, count: 1 });
    assert.deepEqual(without(2, 'high', 'medium'), { position: 3, count: 1 });
    assert.deepEqual(without(undefined), { position: 1, count: 2 });
  });

  it('The severity of findings is the worst of several lists, with the sum of its counts', () => {
    const high = { position: 1, count: 3 };
    assert.equal(findWorst([undefined]), undefined);
    assert.deepEqual(findWorst([undefined, high, { position: 3, count: 9 }, high]), {
      position: 1,
      count: 6,
    });
  });

  it('The severity of findings sorts the worst first, then by count, and unknown severities last', () => {
    const [critical, manyHigh, high] = [
      { position: 0, count: 1 },
      { position: 1, count: 9 },
      { position: 1, count: 2 },
    ];
    assert.deepEqual([undefined, high, manyHigh, critical].sort(compareWorst), [
      critical,
      manyHigh,
      high,
      undefined,
    ]);
    assert.equal(compareWorst(undefined, undefined), 0);
  });
});
