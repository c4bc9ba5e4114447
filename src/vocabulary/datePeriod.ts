const form =
  /^(\d{4})(?:-(\d{2})(?:-(\d{2})(?:[T ](\d{2}):(\d{2})(?::(\d{2})(\.\d{1,9})?)?(Z|[+-]\d{2}:?\d{2})?)?)?)?$/i;

const msPerDay = 86_400_000;

/**
 * The period of an ISO 8601 date: a year, a month, a day, a minute or a second. From (inclusive) to
 * (exclusive), in milliseconds since the epoch; in UTC if the date has no zone.
 */
export function datePeriod(text: string): readonly [number, number] | undefined {
  const match = form.exec(text.trim());
  if (!match) {
    return undefined;
  }
  const [, year, month, day, hour, minute = '00', second, fraction = '', zone = ''] = match;
  const date = `${year}-${month ?? '01'}-${day ?? '01'}`;
  const milliseconds = fraction.slice(1, 4).padEnd(3, '0');
  const written = `${date}T${hour ?? '00'}:${minute}:${second ?? '00'}.${milliseconds}Z`;
  const from = new Date(written);
  // `Date` takes `2026-02-31` for a day in March.
  const isDate = !Number.isNaN(from.getTime()) && from.toISOString() === written;
  if (!isDate || !/^$|^Z$|^.(0\d|1[0-4]):?[0-5]\d$/i.test(zone)) {
    return undefined;
  }
  const to = new Date(from);
  if (month === undefined) {
    to.setUTCFullYear(to.getUTCFullYear() + 1);
  } else if (day === undefined) {
    to.setUTCMonth(to.getUTCMonth() + 1);
  } else {
    const unit = fraction ? 1 : second ? 1000 : hour ? 60_000 : msPerDay;
    to.setTime(to.getTime() + unit);
  }
  const shift = zoneOffset(zone);
  return [from.getTime() - shift, to.getTime() - shift];
}

/** The day of an ISO 8601 date, with a time or without, as the time when it begins in UTC. */
export function dayOfDate(text: string): number | undefined {
  const period = /^\d{4}-\d{2}-\d{2}/.test(text) ? datePeriod(text) : undefined;
  return period && Math.floor(period[0] / msPerDay) * msPerDay;
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

/** The offset of a zone from UTC in milliseconds. */
function zoneOffset(zone: string): number {
  const [, sign, hours, minutes] = /^([+-])(\d{2}):?(\d{2})$/.exec(zone) ?? [];
  return sign ? (sign === '-' ? -1 : 1) * (Number(hours) * 60 + Number(minutes)) * 60_000 : 0;
}
