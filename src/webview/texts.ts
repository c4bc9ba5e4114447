import { issueTypeTitle, titleMessages } from '../base/text/issueTypes';
import { dateLanguage, dayText, formatDate, momentText, sinceText } from '../base/text/dates';
import type { PageTextKey } from './pageTexts';
import { datePeriod } from '../engine/values/datePeriod';
import type { Filter } from '../engine/types';

/** The most scorecards that a typed name finds: each becomes a condition of the query. */
const maxMatches = 50;
const uuidLength = 36;

type TextFilter = Extract<Filter, { op: 'contains' | 'equals' | 'startsWith' | 'endsWith' }>;

/**
 * The names of the scorecards that the host knows. They are only for display: files, filters and copies
 * contain UUIDs.
 */
export class ScorecardNames {
  private byId: ReadonlyMap<string, string>;

  /** @param names by UUID in lower case. */
  constructor(names: Readonly<Record<string, string>> = {}) {
    this.byId = new Map(Object.entries(names));
  }

  set(names: Readonly<Record<string, string>>): void {
    this.byId = new Map(Object.entries(names));
  }

  /** The name of the scorecard with this UUID, which may be in upper or lower case. */
  of(text: string): string | undefined {
    return text.length === uuidLength ? this.byId.get(text.toLowerCase()) : undefined;
  }

  /** The text with names in place of UUIDs. */
  inText(text: string): string {
    return this.byId.size === 0
      ? text
      : text.replace(/[\da-f-]{36}/gi, (uuid) => this.of(uuid) ?? uuid);
  }

  /** Extends a filter that was typed for a column of IDs, so that it also finds scorecards by name. */
  filterOf(typed: Filter): Filter {
    switch (typed.op) {
      case 'not':
        return { ...typed, of: this.filterOf(typed.of) };
      case 'contains':
      case 'equals':
      case 'startsWith':
      case 'endsWith': {
        const { column } = typed;
        const found = [...this.byId].filter(([, name]) => isLike(name, typed)).slice(0, maxMatches);
        const ids = found.map(([id]) => ({ op: 'equals', column, text: id }) as const);
        return ids.length > 0 ? { op: 'or', of: [typed, ...ids] } : typed;
      }
      default:
        return typed;
    }
  }
}

function isLike(name: string, { op, text, matchCase }: TextFilter): boolean {
  const [whole, part] = matchCase ? [name, text] : [name.toLowerCase(), text.toLowerCase()];
  switch (op) {
    case 'equals':
      return whole === part;
    case 'contains':
      return whole.includes(part);
    case 'startsWith':
      return whole.startsWith(part);
    case 'endsWith':
      return whole.endsWith(part);
  }
}

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
  /** For times with a zone, in the local zone. Then for times without a zone, for days, and for months. */
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

  /** The title of an issue type or factor. Their keys are in snake case, unlike those of the other texts. */
  titleOf(key: string): string {
    return Object.hasOwn(titleMessages, key)
      ? (this.texts[key] ?? issueTypeTitle(key))
      : issueTypeTitle(key);
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

  /** A time in milliseconds since the epoch, as day and minute in the local time zone. */
  moment(time: number, now = Date.now()): string {
    return momentText(time, this.locale, now);
  }

  /** The day of a time in the local time zone. */
  dayOf(time: number, now = Date.now()): string {
    return dayText(time, this.locale, now);
  }

  /** The day of a time in the local time zone; if it is today, with the minute. */
  sinceOf(time: number, now = Date.now()): string {
    return sinceText(time, this.locale, now);
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
