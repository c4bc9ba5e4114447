import assert from 'node:assert/strict';
import type { CompanyEvent } from '../../../../src/api/services/companyEvents';
import { companyTrend } from '../../../../src/service/findings/companyTrend';

const day = (text: string) => Date.parse(`2026-11-${text}`);

let count = 0;

function issues(at: string, status: 'active' | 'departed' | 'resolved', number: number) {
  count += 1;
  return {
    id: String(count),
    at: day(at),
    kind: 'issues',
    issues: { count: number, status, issueType: 'open_port', severity: 'high' },
  } as const satisfies CompanyEvent;
}

const issueTypes = [
  { issueType: 'open_port', count: 10, severity: 'high' },
  { issueType: 'spf_missing', count: 4, severity: 'low' },
  { issueType: 'own', count: 1 },
];

describe('companyTrend', () => {
  it('companyTrend follows the counts of today back through what arrived, left and was closed', () => {
    const points = companyTrend({
      issueTypes,
      scores: [
        { at: day('10'), score: 81 },
        { at: day('11T00:00:00Z'), score: 70 },
        { at: day('12'), score: 69.5 },
      ],
      events: [
        issues('11T23:00:00Z', 'active', 6),
        issues('11T01:00:00Z', 'resolved', 1),
        issues('12', 'departed', 2),
      ],
    });
    assert.deepEqual(
      points.map((point) => [
        new Date(point.at).toISOString().slice(0, 10),
        point.open,
        point.severity.high,
        point.severity.low,
        point.new,
        point.gone,
        point.closed,
        point.grade,
      ]),
      [
        ['2026-11-10', 12, 7, 4, 0, 0, undefined, 'B'],
        ['2026-11-11', 17, 12, 4, 6, 0, 1, 'C'],
        ['2026-11-12', 15, 10, 4, 0, 2, undefined, 'D'],
      ],
    );
  });

  it('companyTrend marks breaches and recalibrations, and days without a score', () => {
    const points = companyTrend({
      issueTypes: [],
      scores: [{ at: day('10'), score: 90 }],
      events: [
        { id: 'a', at: day('08'), kind: 'recalibration' },
        { id: 'b', at: day('12'), kind: 'recalibration' },
        { id: 'c', at: day('12T10:00:00Z'), kind: 'breach' },
      ],
    });
    assert.deepEqual(
      points.map(({ marks, score, grade }) => [marks, score, grade]),
      [
        [['recalibration'], undefined, undefined],
        [undefined, 90, 'A'],
        [['breach', 'recalibration'], undefined, undefined],
      ],
    );
  });

  it('companyTrend never counts fewer findings than none, whatever events leave out', () => {
    const [before, after] = companyTrend({
      issueTypes: [{ issueType: 'open_port', count: 2, severity: 'high' }],
      scores: [{ at: day('10'), score: 90 }],
      events: [issues('11', 'active', 5)],
    });
    assert.deepEqual([before?.severity.high, after?.severity.high], [0, 2]);
  });
});
