const months = ['Jan', 'Feb', 'Mar', 'Apr', 'May', 'Jun', 'Jul', 'Aug', 'Sep', 'Oct', 'Nov', 'Dec'];
const monthName = `(?<month>${months.join('|')})`;
const time = '(?<hour>\\d{2}):(?<minute>\\d{2}):(?<second>\\d{2})';

/** The three forms of HTTP-date (RFC 9110 section 5.6.7): the current one, RFC 850, asctime. */
const dateForms = [
  `(?:Mon|Tue|Wed|Thu|Fri|Sat|Sun), (?<day>\\d{2}) ${monthName} (?<year>\\d{4}) ${time} GMT`,
  `(?:Mon|Tues|Wednes|Thurs|Fri|Satur|Sun)day, (?<day>\\d{2})-${monthName}-(?<year>\\d{2}) ${time} GMT`,
  `(?:Mon|Tue|Wed|Thu|Fri|Sat|Sun) ${monthName} (?<day>[ \\d]\\d) ${time} (?<year>\\d{4})`,
].map((form) => new RegExp(`^${form}$`));

/**
 * Reads a Retry-After header (RFC 9110 section 10.2.3).
 *
 * @param value the header, `null` when there is none.
 * @param now wall-clock time in milliseconds.
 * @returns the wait in milliseconds, 0 for a date that has passed, `undefined` when the value is
 * neither seconds nor an HTTP-date: a lenient reading of a broken value has made clients
 * wait for weeks, or not at all.
 */
export function parseRetryAfter(value: string | null, now: number): number | undefined {
  const text = value?.trim() ?? '';
  // The RFC has whole seconds alone. Some services send 1.5, and what comes too early is refused.
  if (/^\d+(\.\d+)?$/.test(text)) {
    return Math.ceil(Number(text)) * 1000;
  }
  const date = parseHttpDate(text, now);
  return date === undefined ? undefined : Math.max(0, date - now);
}

/**
 * Reads an HTTP-date (RFC 9110 section 5.6.7), strictly.
 * @returns milliseconds since the epoch.
 */
export function parseHttpDate(text: string, now: number): number | undefined {
  const parts = dateForms.map((form) => form.exec(text)?.groups).find((groups) => groups);
  if (!parts) {
    return undefined;
  }
  const number = (name: string) => Number(parts[name]);
  const date = new Date(0);
  const month = months.indexOf(parts.month ?? '');
  date.setUTCFullYear(fullYear(parts.year ?? '', now), month, number('day'));
  // 31 February and 24:00:00 do not exist; a leap second (:60) is the next minute.
  const exists =
    date.getUTCDate() === number('day') &&
    number('hour') < 24 &&
    number('minute') < 60 &&
    number('second') <= 60;
  return exists ? date.setUTCHours(number('hour'), number('minute'), number('second')) : undefined;
}

/** A year of two digits more than 50 years ahead is the last one that ended so (RFC 9110 section 5.6.7). */
function fullYear(digits: string, now: number): number {
  if (digits.length === 4) {
    return Number(digits);
  }
  const thisYear = new Date(now).getUTCFullYear();
  const year = thisYear - (thisYear % 100) + Number(digits);
  return year > thisYear + 50 ? year - 100 : year;
}
