import assert from 'node:assert/strict';
import { formatOpenOverview, formatOverview } from '../../../src/summary/overviewValues';
import { overviewModel } from '../../../src/summary/overviewModel';
import { Texts } from '../../../src/summary/texts';
import { openCore, tableFolder, work } from '../../helpers/tableFiles';

describe('The overview as values', () => {
  const folder = tableFolder();

  it('The overview as values gives programs what a page shows: of open findings, and with the scorecards', async () => {
    const [one, other] = [
      '7d1c4f52-9a3e-4c86-b0f1-2e5a6d8c9b04',
      '8d1c4f52-9a3e-4c86-b0f1-2e5a6d8c9b04',
    ];
    const rows = [`${one},high,active`, `${one},high,resolved`, `${other},low,active`];
    const file = folder.write(
      'open.csv',
      `scorecard_identifier,severity,status\n${rows.map((row) => `${row}\n`).join('')}`,
    );
    const core = await openCore(file);
    const overview = await core.readOverview(
      { now: Date.UTC(2026, 10, 27), scope: 'open' },
      work(),
    );
    const {
      rows: count,
      severity,
      notCounted,
      scorecards,
    } = formatOpenOverview(overview, core.info().columns);
    assert.equal(count, 2);
    assert.deepEqual(severity?.values, [
      { value: 'high', count: 1 },
      { value: 'low', count: 1 },
    ]);
    assert.deepEqual(notCounted, { rows: 1, statuses: ['resolved'] });
    assert.deepEqual(scorecards, [
      { scorecard: one, severities: [{ value: 'high', count: 1 }] },
      { scorecard: other, severities: [{ value: 'low', count: 1 }] },
    ]);
    core.close();
  });

  it('The overview as values gives programs plain names and values, and counts empty values as others', async () => {
    const text = 'Severity,user_name,Domain\nlow,ada,a.example\n,ada,\nHIGH,bo,a.example\n';
    const core = await openCore(folder.write('a.csv', text));
    const overview = await core.readOverview({ now: 0 }, work());
    assert.deepEqual(formatOverview(overview, core.info().columns), {
      rows: 3,
      severity: {
        column: 'Severity',
        values: [
          { value: 'HIGH', count: 1 },
          { value: 'low', count: 1 },
        ],
        other: 1,
      },
      assets: { column: 'Domain', distinct: 1, values: [{ value: 'a.example', count: 2 }] },
    });
    core.close();
  });

  it('The overview as values lists months as a page does: the latest first', async () => {
    const days = ['2026-01-03', '2026-03-05', '2025-11-30', '2026-03-09'];
    const rows = days.map((day) => `low,${day}\n`).join('');
    const core = await openCore(folder.write('months.csv', `severity,first_seen\n${rows}`));
    const now = Date.UTC(2026, 10, 27);
    const overview = await core.readOverview({ now }, work());
    const info = core.info();
    const { firstSeen } = formatOverview(overview, info.columns);
    const { sections } = overviewModel(overview, {
      texts: new Texts({}, 'en'),
      about: { title: 'Report' },
      info,
      now,
      added: [],
    });
    const shown = sections.find(({ id }) => id === 'months')?.rows;
    assert.deepEqual(firstSeen?.months, [
      { month: '2026-03', count: 2 },
      { month: '2026-01', count: 1 },
      { month: '2025-11', count: 1 },
    ]);
    assert.deepEqual(
      shown?.map(({ key, count }) => ({ month: key, count })),
      firstSeen.months,
    );
    core.close();
  });
});
