import type { PageTextKey } from '../../src/table/pageTexts';

/** The sentences and numbers of the page in the person's language. */
export class Texts {
  private readonly numbers: Intl.NumberFormat;
  private readonly dates: Intl.DateTimeFormat;
  private readonly days: Intl.DateTimeFormat;

  constructor(
    private readonly texts: Readonly<Record<string, string>>,
    /** BCP 47. */
    readonly locale: string,
  ) {
    this.numbers = new Intl.NumberFormat(locale);
    this.dates = new Intl.DateTimeFormat(locale, { dateStyle: 'medium', timeStyle: 'medium' });
    this.days = new Intl.DateTimeFormat(locale, { dateStyle: 'medium', timeZone: 'UTC' });
  }

  /** A sentence with its `{0}`, `{1}` filled in; numbers are written as people write them. */
  readonly get = (key: PageTextKey, ...values: readonly (string | number)[]): string =>
    // One pass, so that a value with `{0}` in it stays what it is.
    (this.texts[key] ?? key).replace(/\{(\d)\}/g, (_, at: string) => {
      const value = values[Number(at)] ?? '';
      return typeof value === 'number' ? this.number(value) : value;
    });

  number(value: number): string {
    return this.numbers.format(value);
  }

  /** A share as `43%`, rounded down so that what runs is never done. */
  percent(share: number): string {
    return new Intl.NumberFormat(this.locale, { style: 'percent' }).format(
      Math.floor(Math.min(1, Math.max(0, share)) * 100) / 100,
    );
  }

  /** An ISO 8601 date as people write it, in their time zone; a mere day stays that day. */
  date(iso: string): string | undefined {
    const time = new Date(iso);
    if (Number.isNaN(time.getTime())) {
      return undefined;
    }
    return (/^\d{4}-\d{2}-\d{2}$/.test(iso) ? this.days : this.dates).format(time);
  }
}
