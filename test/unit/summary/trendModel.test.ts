import assert from 'node:assert/strict';
import { pageTexts } from '../../../src/summary/pageTexts';
import { Texts } from '../../../src/summary/texts';
import { noSeverities, type TrendPoint, type TrendTime } from '../../../src/summary/trend';
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

/** At noon of that day, in the time zone of this machine. */
function local(date: string): number {
  return new Date(`${date}T12:00:00`).getTime();
}

function today(date: string, days: TrendTime['days'] = 'local'): TrendTime {
  return { now: local(date), days };
}

const company = today('2026-11-20', 'utc');

/** Fourteen weekly reports. */
const quarter = Array.from({ length: 14 }, (_, week) => ({
  ...point('2026-08-29', 10 + week, 100 - week, { source: `r${week}`, new: 3, gone: week }),
  at: local('2026-08-29') + week * 7 * 86_400_000,
}));

describe('trendModel', () => {
  it('trendModel says how a quarter of weekly reports differs from 30 and 90 days ago', () => {
    assert.deepEqual(trendFacts(quarter, texts, today('2026-11-28')), [
      'Critical 23, 5 more than 30 days ago, 13 more than 90 days ago',
      'High 87, 5 fewer than 30 days ago, 13 fewer than 90 days ago',
      '39 new, 91 no longer reported since 29 Aug: 110 open, as many as before',
    ]);
  });

  it('trendModel says how many findings have an unknown severity, or another one that has no line', () => {
    const points = [
      point('2026-10-01', 1, 0, { open: 3 }),
      { ...point('2026-10-31', 1, 0, { open: 6 }), at: local('2026-10-31') },
    ].map((each, at) => ({ ...each, at: local(at === 0 ? '2026-10-01' : '2026-10-31') }));
    const time = today('2026-10-31');
    assert.deepEqual(trendFacts(points, texts, time).slice(0, 2), [
      'Critical 1, as many as 30 days ago',
      'Other or unknown 5, 3 more than 30 days ago',
    ]);
    const { headings, rows } = trendModel(points, texts, time);
    const column = headings.indexOf('Other or unknown');
    assert.deepEqual(
      rows.map(({ cells }) => cells[column]),
      ['5', '2'],
    );
  });

  it('trendModel says what came, went and is left since the first report, or that nothing changed', () => {
    type Said = Partial<TrendPoint> & { readonly high: number };
    const facts = (...rest: readonly Said[]) =>
      trendFacts(
        rest.map(({ high, ...more }, at) => ({
          ...point('2026-11-01', 0, high, more),
          at: local('2026-11-01') + at * 86_400_000,
        })),
        texts,
        today('2026-11-04'),
      );
    const said = (...rest: readonly Said[]) => facts(...rest).at(-1);
    const none = { new: 0, gone: 0 };
    assert.equal(
      said(
        { high: 5, new: 5 },
        { high: 9, new: 6, gone: 2 },
        { high: 8, new: 1, gone: 1, closed: 1 },
      ),
      '7 new, 3 no longer reported, 1 closed since 1 Nov: 5 → 8 open (3 more)',
    );
    assert.equal(
      said({ high: 5 }, { high: 3, new: 0, gone: 2 }),
      '0 new, 2 no longer reported since 1 Nov: 5 → 3 open (2 fewer)',
    );
    assert.equal(said({ high: 5 }, { high: 5, ...none }), 'No changes since 1 Nov');
    // Of one scorecard, only the numbers are known.
    assert.equal(said({ high: 5 }, { high: 7 }), '5 → 7 open (2 more) since 1 Nov');
    const recalibrated = [
      { high: 5 },
      { high: 7, ...none, new: 2, marks: ['recalibration'] },
    ] as const;
    assert.deepEqual(facts(...recalibrated).slice(-2), [
      '2 new, 0 no longer reported since 1 Nov',
      'Scores were recalibrated on 2 Nov: not compared with what was before',
    ]);
    assert.equal(said({ high: 5, ...none }), 'High 5');
  });

  it('trendModel draws lines from the first to the last report, and bars of what changed', () => {
    const { findings, changes, targets, score, days } = trendModel(
      quarter,
      texts,
      today('2026-11-28'),
    );
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
    assert.deepEqual(changes.bars.at(-1), { x: 1, new: 3, gone: 13, closed: 0 });
    assert.equal(changes.title, 'New and no longer reported');
    assert.equal(targets.at(-1)?.label, '28 Nov: 110 open, Critical 23, High 87');
    assert.equal(score, undefined);
    assert.deepEqual(days, ['29 Aug', '28 Nov']);
  });

  it('trendModel has the numbers as a table, the newest first, whose reports can be opened and compared', () => {
    const { headings, rows } = trendModel(quarter, texts, today('2026-11-28'));
    assert.deepEqual(headings, ['Date', 'Open', 'Critical', 'High', 'New', 'No longer reported']);
    assert.deepEqual(rows[0], {
      cells: ['28 Nov', '110', '23', '87', '3', '13'],
      source: 'r13',
      canCompare: true,
    });
    assert.equal(rows.length, 14);
    assert.equal(rows.at(-1)?.canCompare, false);
  });

  it('trendModel says how many were closed, as good news beside those that are no longer reported', () => {
    const [first, second, third] = quarter;
    assert.ok(first && second && third);
    const points = [
      // Before the trend begins.
      { ...first, closed: 9 },
      { ...second, closed: 4 },
      { ...third, closed: 2 },
    ];
    const { facts, changes, headings, rows } = trendModel(points, texts, today('2026-09-12'));
    assert.equal(
      facts.at(-1),
      '6 new, 3 no longer reported, 6 closed since 29 Aug: 110 open, as many as before',
    );
    assert.equal(changes?.title, 'New, no longer reported and closed');
    assert.deepEqual(changes.bars.at(1), { x: 0.5, new: 3, gone: 1, closed: 4 });
    assert.equal(changes.most, 9, 'bars of good news are one on another');
    assert.deepEqual(headings.slice(-2), ['No longer reported', 'Closed']);
    assert.deepEqual(
      rows.map(({ cells }) => cells.slice(-2)),
      [
        ['2', '2'],
        ['1', '4'],
        ['0', '9'],
      ],
    );
    // A day on which some were closed is not one like that before.
    const days = [1, 2, 3].map((day) =>
      point(`2026-11-0${day}`, 0, 5, day === 2 ? { closed: 1 } : {}),
    );
    assert.deepEqual(
      trendModel(days, texts, company).rows.map(({ cells: [day] }) => day),
      ['3 Nov 2026', '2 Nov 2026', '1 Nov 2026'],
    );
  });

  it('trendModel compares a score with that of earlier days, unless the service counts in another way since', () => {
    const scores = [
      point('2026-08-01', 0, 5, { score: 71, grade: 'C' }),
      point('2026-10-20', 0, 5, { score: 75, grade: 'C' }),
      point('2026-11-20', 0, 5, { score: 69, grade: 'D' }),
    ];
    assert.deepEqual(trendFacts(scores, texts, company), [
      'Score 69 (D), 6 lower than 30 days ago, 2 lower than 90 days ago',
      'High 5, as many as 30 days ago, as many as 90 days ago',
    ]);
    const recalibrated = scores.map((each, index) =>
      index === 1 ? { ...each, marks: ['breach', 'recalibration'] as const } : each,
    );
    assert.deepEqual(trendFacts(recalibrated, texts, company), [
      'Score 69 (D), 6 lower than 30 days ago',
      'High 5, as many as 30 days ago',
      'Scores were recalibrated on 20 Oct 2026: not compared with what was before',
    ]);
    const { score, marks, findings } = trendModel(recalibrated, texts, company);
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
      ['20 Oct 2026: Breach', '20 Oct 2026: Scores recalibrated'],
    );
  });

  it('trendModel leaves out days on which nothing has changed', () => {
    const days = ['2026-11-01', '2026-11-02', '2026-11-03', '2026-11-04'].map((date, index) =>
      point(date, 0, index === 2 ? 6 : 5, { score: 80, grade: 'B', new: 0, gone: 0 }),
    );
    assert.deepEqual(
      trendModel(days, texts, company).rows.map(({ cells: [date] }) => date),
      ['4 Nov 2026', '3 Nov 2026', '1 Nov 2026'],
    );
  });

  it('trendModel shows the first and the last of many points that are equal', () => {
    const days = ['2026-11-01', '2026-11-02', '2026-11-03'].map((date) => point(date, 0, 5));
    const { rows } = trendModel(days, texts, company);
    assert.deepEqual(
      rows.map(({ cells: [day] }) => day),
      ['3 Nov 2026', '1 Nov 2026'],
    );
  });

  it('trendModel keeps days on which something came, went or happened, also if the numbers are those of before', () => {
    const quiet = { new: 0, gone: 0 };
    const days = [
      point('2026-11-01', 0, 5, quiet),
      point('2026-11-02', 0, 5, { new: 3, gone: 3 }),
      point('2026-11-03', 0, 5, { new: 3, gone: 3 }),
      point('2026-11-04', 0, 5, { ...quiet, marks: ['breach'] }),
      point('2026-11-05', 0, 5, { ...quiet, marks: ['breach'] }),
      point('2026-11-06', 0, 5, quiet),
    ];
    assert.deepEqual(
      trendModel(days, texts, company).rows.map(({ cells }) => [cells[0], ...cells.slice(-3)]),
      [
        ['6 Nov 2026', '0', '0', ''],
        ['5 Nov 2026', '0', '0', 'Breach'],
        ['4 Nov 2026', '0', '0', 'Breach'],
        ['3 Nov 2026', '3', '3', ''],
        ['2 Nov 2026', '3', '3', ''],
        ['1 Nov 2026', '0', '0', ''],
      ],
    );
  });

  it('trendFacts names the day of a report that is not of 30 or 90 days ago', () => {
    const report = (date: string, critical: number) => ({
      ...point(date, critical, 0),
      at: local(date),
    });
    const [winter, autumn, late] = [
      report('2026-01-10', 4),
      report('2026-10-05', 9),
      report('2026-11-29', 16),
    ];
    const facts = (points: readonly TrendPoint[], date = '2026-11-29') =>
      trendFacts(points, texts, today(date)).filter((fact) => fact.startsWith('Critical'));
    assert.deepEqual(facts([winter, late]), ['Critical 16, 12 more than on 10 Jan']);
    assert.deepEqual(facts([winter, autumn, late]), [
      'Critical 16, 7 more than on 5 Oct, 12 more than on 10 Jan',
    ]);
    // A week before the day that is asked for is close enough, and so is any time of that day.
    assert.deepEqual(facts([report('2026-10-23', 9), late]), [
      'Critical 16, 7 more than 30 days ago',
    ]);
    const evening = { ...winter, at: local('2026-10-30') + 8 * 3_600_000 };
    assert.deepEqual(facts([evening, late]), ['Critical 16, 12 more than 30 days ago']);
    assert.deepEqual(facts([report('2026-10-31', 9), late]), ['Critical 16']);
    // What a company has was the same until the next day on which something changed.
    assert.deepEqual(trendFacts([winter, late], texts, today('2026-11-29', 'utc')), [
      'Critical 16, 12 more than 30 days ago, 12 more than 90 days ago',
      '4 → 16 open (12 more) since 10 Jan 2026',
    ]);
  });

  it('trendFacts counts days from today, and says so if the last report is old', () => {
    const reports = [10, 40].map((age, index) => ({
      ...point('2026-01-01', 5 + index, 0),
      at: local('2026-11-29') - (index === 0 ? 95 : age) * 86_400_000,
    }));
    assert.deepEqual(trendFacts(reports, texts, today('2026-11-29')), [
      'As of 20 Oct',
      'Critical 6, 1 more than 90 days ago',
      '5 → 6 open (1 more) since 26 Aug',
    ]);
    assert.deepEqual(trendFacts(reports.slice(1), texts, today('2026-11-29')), [
      'As of 20 Oct',
      'Critical 6',
    ]);
  });

  it('trendModel tells several reports of a day apart by their times, and names local days', () => {
    const at = (text: string) => ({
      ...point('2026-11-28', 1, 2, { source: text }),
      at: new Date(text).getTime(),
    });
    const { targets, rows, days } = trendModel(
      [at('2026-11-27T00:10:00'), at('2026-11-28T09:00:00'), at('2026-11-28T09:00:30')],
      texts,
      today('2026-11-28'),
    );
    const expected = ['27 Nov', '28 Nov 09:00:00', '28 Nov 09:00:30'];
    assert.deepEqual(
      targets.map(({ label }) => label),
      expected.map((day) => `${day}: 3 open, Critical 1, High 2`),
    );
    assert.deepEqual(rows.map(({ cells: [day] }) => day).reverse(), expected);
    assert.deepEqual(days, [expected[0], expected[2]]);
  });

  it('trendModel has nothing to draw without a point, and one point in the middle', () => {
    assert.deepEqual(trendModel([], texts, company).rows, []);
    assert.deepEqual(trendModel([], texts, company).facts, []);
    const { findings, facts } = trendModel(quarter.slice(0, 1), texts, today('2026-08-29'));
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
