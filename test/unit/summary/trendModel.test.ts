import assert from 'node:assert/strict';
import { pageTexts } from '../../../src/summary/pageTexts';
import { Texts } from '../../../src/summary/texts';
import { noSeverities, type TrendPoint } from '../../../src/summary/trend';
import { trendFacts, trendModel, worstDifference } from '../../../src/summary/trendModel';

const english = Object.fromEntries(Object.entries(pageTexts).map(([key, { text }]) => [key, text]));
const texts = new Texts(english, 'en');

function point(date: string, critical: number, high: number, rest: Partial<TrendPoint> = {}) {
  return {
    at: Date.parse(date),
    open: critical + high,
    severity: { ...noSeverities, critical, high },
    ...rest,
  } satisfies TrendPoint;
}

/** Thirteen weekly reports. */
const quarter = Array.from({ length: 14 }, (_, week) => ({
  ...point('2026-08-29', 10 + week, 100 - week, { source: `r${week}`, new: 3, gone: week }),
  at: Date.parse('2026-08-29') + week * 7 * 86_400_000,
}));

describe('trendModel', () => {
  it('trendModel says how a quarter of weekly reports differs from 30 and 90 days ago', () => {
    assert.deepEqual(trendFacts(quarter, texts), [
      'Critical 23, 5 more than 30 days ago, 13 more than 90 days ago',
      'High 87, 5 fewer than 30 days ago, 13 fewer than 90 days ago',
    ]);
  });

  it('trendModel draws lines from the first to the last report, and bars of what changed', () => {
    const { findings, changes, targets, score, days } = trendModel(quarter, texts);
    assert.deepEqual(
      findings.lines.map(({ level, pieces }) => [level, pieces.length, pieces[0]?.length]),
      [
        ['critical', 1, 14],
        ['high', 1, 14],
      ],
    );
    assert.equal(findings.most, 100);
    assert.deepEqual(findings.lines[0]?.pieces[0]?.[0], { x: 0, y: 0.1 });
    assert.deepEqual(findings.lines[0].pieces[0].at(-1), { x: 1, y: 0.23 });
    assert.equal(changes?.most, 13);
    assert.deepEqual(changes.bars.at(-1), { x: 1, new: 3, gone: 13 });
    assert.equal(targets.at(-1)?.label, '28 Nov 2026: 110 open, Critical 23, High 87');
    assert.equal(score, undefined);
    assert.deepEqual(days, ['29 Aug 2026', '28 Nov 2026']);
  });

  it('trendModel has the numbers as a table, the newest first, whose reports can be opened and compared', () => {
    const { headings, rows } = trendModel(quarter, texts);
    assert.deepEqual(headings, ['Date', 'Open', 'Critical', 'High', 'New', 'No longer reported']);
    assert.deepEqual(rows[0], {
      cells: ['28 Nov 2026', '110', '23', '87', '3', '13'],
      source: 'r13',
      canCompare: true,
    });
    assert.equal(rows.length, 14);
    assert.equal(rows.at(-1)?.canCompare, false);
  });

  it('trendModel compares a score with that of earlier days, unless the service counts in another way since', () => {
    const scores = [
      point('2026-08-01', 0, 5, { score: 71, grade: 'C' }),
      point('2026-10-20', 0, 5, { score: 75, grade: 'C' }),
      point('2026-11-20', 0, 5, { score: 69, grade: 'D' }),
    ];
    assert.deepEqual(trendFacts(scores, texts), [
      'Score 69 (D), 6 lower than 30 days ago, 2 lower than 90 days ago',
      'High 5, as many as 30 days ago, as many as 90 days ago',
    ]);
    const recalibrated = scores.map((each, index) =>
      index === 1 ? { ...each, mark: 'recalibration' as const } : each,
    );
    assert.deepEqual(trendFacts(recalibrated, texts), [
      'Score 69 (D), 6 lower than 30 days ago',
      'High 5, as many as 30 days ago',
    ]);
    const { score, marks, findings } = trendModel(recalibrated, texts);
    assert.deepEqual(
      score?.pieces.map((piece) => piece.length),
      [1, 2],
    );
    assert.deepEqual(
      findings.lines[0]?.pieces.map((piece) => piece.length),
      [1, 2],
    );
    assert.deepEqual(
      marks.map(({ label }) => label),
      ['20 Oct 2026: Scores recalibrated'],
    );
  });

  it('trendModel leaves out days on which nothing has changed', () => {
    const days = ['2026-11-01', '2026-11-02', '2026-11-03', '2026-11-04'].map((date, index) =>
      point(date, 0, index === 2 ? 6 : 5, { score: 80, grade: 'B', new: 0, gone: 0 }),
    );
    assert.deepEqual(
      trendModel(days, texts).rows.map(({ cells: [date] }) => date),
      ['4 Nov 2026', '3 Nov 2026', '1 Nov 2026'],
    );
  });

  it('trendModel has nothing to draw without a point, and one point in the middle', () => {
    assert.deepEqual(trendModel([], texts).rows, []);
    assert.deepEqual(trendModel([], texts).facts, []);
    const { findings, facts } = trendModel(quarter.slice(0, 1), texts);
    assert.equal(findings.lines[0]?.pieces[0]?.[0]?.x, 0.5);
    assert.deepEqual(facts, ['Critical 10', 'High 100']);
  });

  it('worstDifference names the worst severity that differs from last time', () => {
    const before = point('2026-11-01', 4, 10);
    assert.equal(
      worstDifference(point('2026-11-08', 16, 3), before, texts),
      '12 more critical than last time',
    );
    assert.equal(
      worstDifference(point('2026-11-08', 4, 9), before, texts),
      '1 fewer high than last time',
    );
    assert.equal(worstDifference(point('2026-11-08', 4, 10), before, texts), undefined);
  });
});
