const form =
  /^(\d{4})(?:-(\d{2})(?:-(\d{2})(?:[T ](\d{2}):(\d{2})(?::(\d{2})(\.\d{1,9})?)?(Z|[+-]\d{2}:?\d{2})?)?)?)?$/i;

/**
 * The period of an ISO 8601 date: a year, a month, a day, a minute or a second. From (inclusive) to
 * (exclusive), in milliseconds since the epoch; in UTC if the date has no zone.
 */
export function datePeriod(text: string): readonly [number, number] | undefined {
  const match = form.exec(text.trim());
  if (!match) {
    return undefined;
  }
  const [, year, month, day, hour, minute, second, fraction, zone] = match;
  const from = utc(
    Number(year),
    Number(month ?? 1) - 1,
    Number(day ?? 1),
    ...([hour ?? 0, minute ?? 0, second ?? 0].map(Number) as [number, number, number]),
    Number((fraction ?? '').slice(1, 4).padEnd(3, '0')),
  );
  // `Date` takes `2026-02-31` for a day in March.
  const made = new Date(from);
  if (
    made.getUTCFullYear() !== Number(year) ||
    made.getUTCMonth() !== Number(month ?? 1) - 1 ||
    made.getUTCDate() !== Number(day ?? 1) ||
    made.getUTCHours() !== Number(hour ?? 0) ||
    made.getUTCSeconds() !== Number(second ?? 0) ||
    !/^$|^Z$|^.(0\d|1[0-4]):?[0-5]\d$/i.test(zone ?? '')
  ) {
    return undefined;
  }
  const shift = zoneOffset(zone);
  return [from - shift, lengthened(made, match) - shift];
}

/** English and German, which share most of them. */
const monthNames =
  /^(?:(jan)|(feb)|(m[aä]r)|(apr)|(ma[iy])|(jun)|(jul)|(aug)|(sep)|(o[ck]t)|(nov)|(de[cz]))/i;

/**
 * The period of a date as somebody types it: see {@link datePeriod}, or as a table shows dates, such as
 * `3 Nov 2026`, `3. Nov. 2026`, `Nov 3, 2026`, `Nov 2026` and `03.11.2026`.
 */
export function typedPeriod(typed: string): readonly [number, number] | undefined {
  return datePeriod(typed) ?? shownPeriod(typed);
}

/** The period of a day or a month in a form that a table shows, and that is not ISO 8601. */
export function shownPeriod(typed: string): readonly [number, number] | undefined {
  const numbers = /^(\d{1,2})\.(\d{1,2})\.(\d{4})$/.exec(typed.trim());
  const words = /^(?:(\d{1,2})\.? )?(\p{L}{3,9})\.? (\d{4})$/u.exec(typed.trim());
  const american = /^(\p{L}{3,9})\.? (\d{1,2}), (\d{4})$/u.exec(typed.trim());
  const [, day, month = '', year] = american
    ? ['', american[2], american[1], american[3]]
    : (numbers ?? words ?? []);
  const named = monthNames.exec(month);
  const number = named ? named.findIndex((name, at) => at > 0 && name) : month;
  return datePeriod(
    [year, number, day]
      .filter((part) => part !== undefined)
      .map((part) => String(part).padStart(2, '0'))
      .join('-'),
  );
}

function lengthened(from: Date, match: RegExpExecArray): number {
  const [, , month, day, hour, , second, fraction] = match;
  if (month === undefined) {
    return utc(from.getUTCFullYear() + 1, 0, 1);
  }
  if (day === undefined) {
    return utc(from.getUTCFullYear(), from.getUTCMonth() + 1, 1);
  }
  const unit = fraction ? 1 : second ? 1000 : hour ? 60_000 : 86_400_000;
  return from.getTime() + unit;
}

/** Unlike `Date.UTC`, which takes years 0 to 99 for 1900 to 1999. */
function utc(
  year: number,
  month: number,
  day: number,
  ...clock: [hour?: number, minute?: number, second?: number, millisecond?: number]
): number {
  const time = new Date(0);
  time.setUTCFullYear(year, month, day);
  const [hour = 0, minute = 0, second = 0, millisecond = 0] = clock;
  return time.setUTCHours(hour, minute, second, millisecond);
}

/** The offset of a zone from UTC in milliseconds. */
function zoneOffset(zone: string | undefined): number {
  const [, sign, hours, minutes] = /^([+-])(\d{2}):?(\d{2})$/.exec(zone ?? '') ?? [];
  return sign ? (sign === '-' ? -1 : 1) * (Number(hours) * 60 + Number(minutes)) * 60_000 : 0;
}
