import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import * as path from 'node:path';
import {
  dayName,
  endedByDay,
  type StoredReport,
} from '../../../../src/service/reports/storedReport';
import { storedReport } from '../../../helpers/storedReport';

const at = (day: number, hour: number, month = 2) =>
  new Date(2026, month, day, hour, 30).toISOString();

function report(id: string, changes: Partial<StoredReport>): StoredReport {
  return storedReport({ id, requestedAt: at(1, 0), ...changes });
}

describe('Grouping reports by day', () => {
  const now = new Date(2026, 2, 30, 0, 10).getTime();

  it('Grouping reports by day uses the local day on which a report ended, newest first, and leaves out running ones', () => {
    const days = endedByDay(
      [
        report('running', { state: 'generating' }),
        report('requested first', { finishedAt: at(30, 0) }),
        report('late yesterday', { finishedAt: at(29, 23) }),
        report('early yesterday', { finishedAt: at(29, 0), state: 'failed' }),
        report('before', { finishedAt: at(28, 23), state: 'cancelled' }),
        report('never ended', { requestedAt: at(5, 4, 0), state: 'failed' }),
        report('no time', { requestedAt: 'soon', state: 'failed' }),
      ].reverse(),
    );
    const midnight = (day: number, month = 2) => new Date(2026, month, day).getTime();
    assert.deepEqual(
      days
        .slice(0, -1)
        .map(({ start, reports }) => [start, dayName(start, now), reports.map(({ id }) => id)]),
      [
        [midnight(30), 'today', ['requested first']],
        [midnight(29), 'yesterday', ['late yesterday', 'early yesterday']],
        [midnight(28), undefined, ['before']],
        [midnight(5, 0), undefined, ['never ended']],
      ],
    );
    assert.deepEqual(
      days.at(-1)?.reports.map(({ id }) => id),
      ['no time'],
    );
  });

  it('Grouping reports by day handles a day of 23 hours when clocks are put forward', () => {
    // Clocks in Berlin go forward in the night to 29 March 2026. Another time zone needs another process.
    const child = spawnSync(process.execPath, [path.join(__dirname, 'reportDays.process.js')], {
      env: { ...process.env, TZ: 'Europe/Berlin' },
      encoding: 'utf8',
    });
    assert.equal(child.stderr, '');
    assert.deepEqual(JSON.parse(child.stdout), {
      zone: 'Europe/Berlin',
      names: [
        [30, 'today'],
        [29, 'yesterday'],
        [28, null],
      ],
    });
  });
});
