import { dateLanguage, formatDate } from '../base/text/dates';
import { changeTitles } from './changeCounts';
import type { PageTextKey } from './pageTexts';
import { datePeriod, dayOfDate } from '../vocabulary/datePeriod';
import { findScorecard, formatShown, type ReadNames, ShownNames } from '../vocabulary/shownNames';
import type { Cell, Filter } from '../engine/page';
import type { ColumnRole } from '../vocabulary/columnRole';

/** The most values that a typed name finds: each becomes a condition of the query. */
const maxMatches = 50;

type TextFilter = Extract<Filter, { op: 'contains' | 'equals' | 'startsWith' | 'endsWith' }>;

/** The values of a column and the names that users read instead. */
type Names = Iterable<readonly [value: string, name: string]>;

/**
 * Extends a filter that was typed, so that it also finds values by their names.
 * @param areKeys whether spaces of a name may be underscores in its value, and an exact text means the value.
 * @param most the most values that are found.
 */
function withNames(
  typed: Filter,
  names: Names,
  {
    areKeys = false,
    most = maxMatches,
  }: { readonly areKeys?: boolean; readonly most?: number } = {},
): Filter {
  switch (typed.op) {
    case 'not':
      return { ...typed, of: withNames(typed.of, names, { areKeys, most }) };
    case 'or': {
      const mostOfEach = Math.floor(most / typed.of.length);
      return {
        ...typed,
        of: typed.of.map((one) => withNames(one, names, { areKeys, most: mostOfEach })),
      };
    }
    case 'contains':
    case 'equals':
    case 'startsWith':
    case 'endsWith': {
      if (areKeys && typed.matchCase) {
        return typed;
      }
      const { column } = typed;
      const found = Array.from(names)
        .filter(([value, name]) => isLike(name, typed) && !isLike(value, typed))
        .slice(0, most)
        .map(([text]) => ({ op: 'equals', column, text }) as const);
      const key = typed.text.trim().replaceAll(' ', '_');
      const more = [...(areKeys && key !== typed.text ? [{ ...typed, text: key }] : []), ...found];
      return more.length > 0 ? { op: 'or', of: [typed, ...more] } : typed;
    }
    default:
      return typed;
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
export class Texts implements ReadNames {
  readonly changes: Readonly<Partial<Record<string, string>>>;
  private readonly numbers: Intl.NumberFormat;
  private readonly differences: Intl.NumberFormat;
  private readonly probabilities: Intl.NumberFormat;
  /** For times with a zone, in the local zone. Then for times without a zone, for days, and for months. */
  private readonly times: Intl.DateTimeFormat;
  private readonly clockTimes: Intl.DateTimeFormat;
  private readonly days: Intl.DateTimeFormat;
  private readonly months: Intl.DateTimeFormat;

  constructor(
    private readonly texts: Readonly<Record<string, string>>,
    /** BCP 47. */
    readonly locale: string,
    /** The names of the scorecards that the host knows, by UUID in lower case. Files, filters and copies have UUIDs. */
    public scorecards: Readonly<Record<string, string>> = {},
    /** Those of the host, or else of the texts. */
    readonly names = new ShownNames(texts),
  ) {
    this.numbers = new Intl.NumberFormat(locale);
    this.differences = new Intl.NumberFormat(locale, { signDisplay: 'exceptZero' });
    this.probabilities = new Intl.NumberFormat(locale, {
      style: 'percent',
      maximumFractionDigits: 2,
    });
    this.changes = Object.fromEntries(
      Object.entries(changeTitles).map(([change, key]) => [change, this.get(key)]),
    );
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

  /** The name of the scorecard with this UUID, which may be in upper or lower case. */
  findScorecard(text: string): string | undefined {
    return findScorecard(text, this.scorecards);
  }

  /** Names scorecards that the host does not know. @param domains of their companies, by UUID in lower case. */
  addDomains(domains: Readonly<Record<string, string>> = {}): void {
    this.scorecards = { ...domains, ...this.scorecards };
  }

  /** The text with the names of scorecards in place of UUIDs. */
  withScorecards(text: string): string {
    return text.replace(/[\da-f-]{36}/gi, (uuid) => this.findScorecard(uuid) ?? uuid);
  }

  number(value: number): string {
    return this.numbers.format(value);
  }

  /** A probability between 0 and 1 as `94.36%`, in the two digits in which FIRST shows EPSS. */
  probability(value: number): string {
    return this.probabilities.format(value);
  }

  /** Extends a filter that was typed for a column of this role, so that it also finds what users read. */
  extendFilter(typed: Filter, role: ColumnRole | undefined): Filter {
    switch (role) {
      case 'id':
        return withNames(typed, Object.entries(this.scorecards));
      case 'severity':
        return withNames(typed, this.names.severities, { areKeys: true });
      case 'issueType':
        return withNames(typed, this.names.titles, { areKeys: true });
      case 'status':
        return withNames(typed, this.names.statuses, { areKeys: true });
      case 'factor':
        return withNames(typed, [], { areKeys: true });
      case 'fix':
        return withNames(typed, [['fixed', this.names.fixAvailable]], { areKeys: true });
      default:
        return typed;
    }
  }

  /** A value as users read it: a severity, a key of the service, a change, or a scorecard by its name. */
  value(cell: Cell, role: ColumnRole | undefined): string {
    return formatShown(cell, role, this);
  }

  /** A difference with its sign, such as `+1,576`. */
  difference(value: number): string {
    return this.differences.format(value);
  }

  /** A share as `43%`, rounded down so that running work is never at 100%. */
  percent(share: number): string {
    return new Intl.NumberFormat(this.locale, { style: 'percent' }).format(
      Math.floor(Math.min(1, Math.max(0, share)) * 100) / 100,
    );
  }

  /** The day of a time in UTC, as everywhere in filters. */
  utcDay(time: number): string {
    return formatDate(this.days, time);
  }

  /** The month of a time in UTC. */
  month(time: number): string {
    return formatDate(this.months, time);
  }

  /** The day of an ISO 8601 date in UTC, as filters know it. `undefined` for other texts. */
  dayOf(iso: string): string | undefined {
    const day = dayOfDate(iso);
    return day === undefined ? undefined : this.utcDay(day);
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
