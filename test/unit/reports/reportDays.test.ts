import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import * as path from 'node:path';
import { groupReports, type StoredReport } from '../../../src/reports/reportRecord';
import { storedReport } from '../../helpers/storedReport';

const at = (day: number, hour: number, month = 2) =>
  new Date(2026, month, day, hour, 30).toISOString();

function report(id: string, changes: Partial<StoredReport>): StoredReport {
  return storedReport({ id, requestedAt: at(1, 0), ...changes });
}

describe('Grouping reports by day', () => {
  const now = new Date(2026, 2, 30, 0, 10).getTime();

  it('separates running reports, in their order', () => {
    const { running, days } = groupReports(
      [
        report('a', { state: 'generating' }),
        report('b', { state: 'ready', finishedAt: at(29, 12) }),
        report('c', { state: 'requested' }),
        report('d', { state: 'downloading' }),
      ],
      now,
    );
    assert.deepEqual(
      running.map(({ id }) => id),
      ['a', 'c', 'd'],
    );
    assert.equal(days.length, 1);
  });

  it('uses the local day on which a report ended, newest first', () => {
    const { days } = groupReports(
      [
        report('requested first', { finishedAt: at(30, 0) }),
        report('late yesterday', { finishedAt: at(29, 23) }),
        report('early yesterday', { finishedAt: at(29, 0), state: 'failed' }),
        report('before', { finishedAt: at(28, 23), state: 'cancelled' }),
        report('never ended', { requestedAt: at(5, 4, 0), state: 'failed' }),
        report('no time', { requestedAt: 'soon', state: 'failed' }),
      ].reverse(),
      now,
    );
    assert.deepEqual(
      days.slice(0, -1).map(({ key, name, reports }) => [key, name, reports.map(({ id }) => id)]),
      [
        ['2026-03-30', 'today', ['requested first']],
        ['2026-03-29', 'yesterday', ['late yesterday', 'early yesterday']],
        ['2026-03-28', undefined, ['before']],
        ['2026-01-05', undefined, ['never ended']],
      ],
    );
    assert.deepEqual(
      days.map(({ isNewest }) => isNewest),
      [true, false, false, false, false],
    );
    assert.deepEqual(
      days.at(-1)?.reports.map(({ id }) => id),
      ['no time'],
    );
  });

  it('handles a day of 23 hours when clocks are put forward', () => {
    // Clocks in Berlin go forward in the night to 29 March 2026. Another time zone needs another process.
    const child = spawnSync(process.execPath, [path.join(__dirname, 'reportDays.process.js')], {
      env: { ...process.env, TZ: 'Europe/Berlin' },
      encoding: 'utf8',
    });
    assert.equal(child.stderr, '');
    assert.deepEqual(JSON.parse(child.stdout), {
      zone: 'Europe/Berlin',
      names: [
        ['2026-03-30', 'today'],
        ['2026-03-29', 'yesterday'],
        ['2026-03-28', null],
      ],
    });
  });
});
