/** The headers of a response that say when to come back; see `Headers` of the Fetch standard. */
interface WaitHeaders {
  get(name: 'retry-after' | 'date'): string | null;
}

/** Between the values of a header that occurs twice: an HTTP-date has a comma inside. */
const betweenValues = /,\s*(?=\d+(?:\.\d+)?\s*(?:,|$)|(?:Mon|Tue|Wed|Thu|Fri|Sat|Sun)[a-z]*[, ])/;

/**
 * Parses a Retry-After header (RFC 9110 section 10.2.3). A date in it is compared with the Date of the same
 * response (section 6.6.1), because the clock of this machine may be wrong. If a gateway added a second
 * value, the longest wait counts.
 *
 * @param now wall-clock time in milliseconds, for a response without Date.
 * @returns the wait in milliseconds, 0 for a date that has passed, `undefined` when there is no value that
 * is seconds or an HTTP-date: lenient parsing of invalid values has made clients wait for weeks, or not at
 * all.
 */
export function parseRetryAfter(headers: WaitHeaders, now: number): number | undefined {
  const [sentAt = now] = parseValues(headers.get('date')).flatMap(
    (value) => parseHttpDate(value) ?? [],
  );
  const waits = parseValues(headers.get('retry-after')).flatMap(
    (value) => parseWait(value, sentAt) ?? [],
  );
  return waits.length === 0 ? undefined : Math.max(...waits);
}

function parseValues(header: string | null): string[] {
  return (header ?? '').split(betweenValues).map((value) => value.trim());
}

function parseWait(text: string, sentAt: number): number | undefined {
  // The RFC allows only whole seconds. Some services send 1.5. It is rounded up, because a request that
  // comes too early is refused.
  if (/^\d+(\.\d+)?$/.test(text)) {
    return Math.ceil(Number(text)) * 1000;
  }
  const date = parseHttpDate(text);
  return date === undefined ? undefined : Math.max(0, date - sentAt);
}

const time = '\\d{2}:\\d{2}:(?:[0-5]\\d|60)';
const month = '(?:Jan|Feb|Mar|Apr|May|Jun|Jul|Aug|Sep|Oct|Nov|Dec)';

/** The three forms of HTTP-date (RFC 9110 section 5.6.7): the current one, RFC 850, asctime. */
const httpDate = new RegExp(
  `^[A-Z][a-z]+(?:, \\d{2} ${month} \\d{4} ${time} GMT|, \\d{2}-${month}-\\d{2} ${time} GMT| ${month} [ \\d]\\d ${time} \\d{4})$`,
);

/** Reads an HTTP-date. @returns milliseconds since the epoch. */
export function parseHttpDate(text: string): number | undefined {
  // Only asctime has no time zone; it is GMT, too. A leap second counts as the second before it.
  const gmt = text.replace(/:60(?= )/, ':59').replace(/(?: GMT)?$/, ' GMT');
  const date = httpDate.test(text) ? Date.parse(gmt) : Number.NaN;
  // The first number is the day: 31 February does not exist.
  return new Date(date).getUTCDate() === Number(/\d+/.exec(text)?.[0]) ? date : undefined;
}
