import assert from 'node:assert/strict';
import { formatOpenOverview, formatOverview } from '../../../src/summary/overviewValues';
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
});
