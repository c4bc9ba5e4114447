import { dateLanguage, dayText, formatDate, momentText } from '../../base/dates';
import type { PageTextKey } from '../pageTexts';
import { datePeriod } from '../engine/query/datePeriod';
import { ScorecardNames } from './scorecardNames';

const day: Intl.DateTimeFormatOptions = { year: 'numeric', month: 'short', day: 'numeric' };

/** Time to the second. */
const clock: Intl.DateTimeFormatOptions = {
  ...day,
  hour: '2-digit',
  minute: '2-digit',
  second: '2-digit',
};

/** The texts, numbers and dates of the page in the display language. */
export class Texts {
  private readonly numbers: Intl.NumberFormat;
  /** Times with a zone, in the local one; times without one; days. */
  private readonly times: Intl.DateTimeFormat;
  private readonly clockTimes: Intl.DateTimeFormat;
  private readonly days: Intl.DateTimeFormat;
  private readonly months: Intl.DateTimeFormat;

  constructor(
    private readonly texts: Readonly<Record<string, string>>,
    /** BCP 47. */
    readonly locale: string,
    readonly scorecards = new ScorecardNames(),
  ) {
    this.numbers = new Intl.NumberFormat(locale);
    const dates = dateLanguage(locale);
    this.times = new Intl.DateTimeFormat(dates, { ...clock, timeZoneName: 'short' });
    this.clockTimes = new Intl.DateTimeFormat(dates, { ...clock, timeZone: 'UTC' });
    this.days = new Intl.DateTimeFormat(dates, { ...day, timeZone: 'UTC' });
    this.months = new Intl.DateTimeFormat(dates, {
      month: 'short',
      year: 'numeric',
      timeZone: 'UTC',
    });
  }

  /** A text with its placeholders filled in; numbers are formatted. */
  readonly get = (key: PageTextKey, ...values: readonly (string | number)[]): string =>
    // One pass, so that a value may contain `{0}`.
    (this.texts[key] ?? key).replace(/\{(\d)\}/g, (_, at: string) => {
      const value = values[Number(at)] ?? '';
      return typeof value === 'number' ? this.number(value) : value;
    });

  number(value: number): string {
    return this.numbers.format(value);
  }

  /** A share as `43%`, rounded down so that running work is never at 100%. */
  percent(share: number): string {
    return new Intl.NumberFormat(this.locale, { style: 'percent' }).format(
      Math.floor(Math.min(1, Math.max(0, share)) * 100) / 100,
    );
  }

  /** A time, in milliseconds since the epoch, as day and minute in the zone of the person. */
  moment(time: number, now = Date.now()): string {
    return momentText(time, this.locale, now);
  }

  /** The day of a time in the zone of the person. */
  dayOf(time: number, now = Date.now()): string {
    return dayText(time, this.locale, now);
  }

  /** The day of a time in UTC, as everywhere in filters. */
  utcDay(time: number): string {
    return formatDate(this.days, time);
  }

  /** The month of a time in UTC. */
  month(time: number): string {
    return formatDate(this.months, time);
  }

  /**
   * A formatted ISO 8601 date: a time with a zone is in the local zone, which is shown; a time
   * without one, and a day, stay as written. `undefined` for other texts.
   */
  date(iso: string): string | undefined {
    const period = /^\d{4}-\d{2}-\d{2}/.test(iso) ? datePeriod(iso) : undefined;
    if (!period) {
      return undefined;
    }
    const isDay = iso.trim().length === 10;
    const hasZone = /(Z|[+-]\d{2}:?\d{2})$/i.test(iso.trim().slice(10));
    return formatDate(isDay ? this.days : hasZone ? this.times : this.clockTimes, period[0]);
  }
}
