import { dayName, endedByDay } from '../../../../src/service/reports/storedReport';
import { storedReport } from '../../../helpers/storedReport';

/** The days of reports that ended around a night on which clocks go forward, in the time zone TZ. */
const reports = ['2026-03-30T00:05', '2026-03-29T00:05', '2026-03-28T23:55'].map((time) =>
  storedReport({ id: time, requestedAt: new Date(time).toISOString() }),
);
// 24 hours before the start of this day is still the day before yesterday.
const now = new Date('2026-03-30T23:30').getTime();
process.stdout.write(
  JSON.stringify({
    zone: Intl.DateTimeFormat().resolvedOptions().timeZone,
    names: endedByDay(reports).map(({ start }) => [
      new Date(start).getDate(),
      dayName(start, now) ?? null,
    ]),
  }),
);
