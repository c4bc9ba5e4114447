/* Dates beside ISO 8601 in plain code, by one regular expression for each form. */

const months =
  'january february march april may june july august september october november december'.split(
    ' ',
  );
const days = 'sunday monday tuesday wednesday thursday friday saturday'.split(' ');

/** A name or its first three letters, or four where that is usual. */
function anyOf(names: readonly string[]): string {
  const short = (name: string) => name.slice(0, 3);
  return [...names, ...names.map(short), 'sept', 'tues']
    .filter((name) => names.some((whole) => whole.startsWith(name)))
    .join('|');
}

const month = `(?<name>${anyOf(months)})`;
const time =
  '(?<hour>\\d{1,2}):(?<minute>\\d\\d)(?::(?<second>\\d\\d(?:[.,]\\d+)?))? *(?:(?<half>[ap])m(?![a-z]) *)?' +
  '(?:(?<offset>[+-]\\d\\d:?\\d\\d)(?: +(?:\\([a-z]{0,5}\\)|[a-z]{0,5}))?|(?<zone>[a-z]+))?';
const after = (separator: string) => `(?:${separator}(?:@ +)?${time})?`;

const forms = [
  `(?<year>\\d{4})(?<mark>[-/.])(?<month>\\d\\d)\\k<mark>(?<day>\\d\\d)${after(',? +')}`,
  `(?<day>\\d\\d)\\.(?<month>\\d\\d)\\.(?<year>\\d{4})${after(',? +')}`,
  `(?<day>\\d{1,2})(?<mark>[-/ ])${month}\\k<mark>(?<year>\\d{4})${after(',? +')}`,
  `(?<day>\\d{1,2})(?<mark>[-/])${month}\\k<mark>(?<year>\\d{2})${after(',? +')}`,
  `${month} +(?<day>\\d{1,2})(?:,? +)(?<year>\\d{4})${after(',? +')}`,
  `${month} +(?<day>\\d{1,2}) +${time} +(?<year>\\d{4})`,
].map((form) => new RegExp(`^(?:(?:${anyOf(days)}),? +)?${form} *$`, 'i'));

const zones: Readonly<Record<string, number>> = {
  z: 0,
  ut: 0,
  utc: 0,
  gmt: 0,
  est: -5,
  edt: -4,
  cst: -6,
  cdt: -5,
  mst: -7,
  mdt: -6,
  pst: -8,
  pdt: -7,
};

type Part =
  | 'year'
  | 'month'
  | 'name'
  | 'day'
  | 'hour'
  | 'minute'
  | 'second'
  | 'half'
  | 'offset'
  | 'zone';

/** Milliseconds since the epoch (UTC if there is no zone), or NaN if the text is not such a date. */
export function writtenTime(text: string): number {
  const trimmed = text.replace(/^ +| +$/g, '');
  if (trimmed.length < 8 || trimmed.length > 64) {
    return NaN;
  }
  const found = forms.map((form) => form.exec(trimmed)?.groups).find((groups) => groups);
  if (!found) {
    return NaN;
  }
  const parts: Partial<Record<Part, string>> = found;
  const { name, half, zone, offset = '', second = '0' } = parts;
  const day = Number(parts.day);
  const year =
    Number(parts.year) + (parts.year?.length === 2 ? (Number(parts.year) < 70 ? 2000 : 1900) : 0);
  const monthIndex = name
    ? months.findIndex((each) => each.startsWith(name.slice(0, 3).toLowerCase()))
    : Number(parts.month) - 1;
  const midnight = new Date(0).setUTCFullYear(year, monthIndex, day);
  const written = new Date(midnight);
  if (monthIndex < 0 || written.getUTCMonth() !== monthIndex || written.getUTCDate() !== day) {
    return NaN;
  }
  const [, sign, zoneHour = '0', zoneMinute = '0'] = /^(.)(\d\d):?(\d\d)$/.exec(offset) ?? [];
  const [hour, minute] = [Number(parts.hour ?? 0), Number(parts.minute ?? 0)];
  const seconds = secondsOf(second);
  const zoneMinutes = zone
    ? (zones[zone.toLowerCase()] ?? NaN) * 60
    : (sign === '-' ? -1 : 1) * (Number(zoneHour) * 60 + Number(zoneMinute));
  const isTime =
    hour <= (half ? 12 : 23) &&
    minute <= 59 &&
    seconds < 61 &&
    Number(zoneHour) <= 23 &&
    Number(zoneMinute) <= 59;
  const hours = half ? (hour % 12) + (half.toLowerCase() === 'p' ? 12 : 0) : hour;
  return isTime
    ? midnight + (hours * 60 + minute - zoneMinutes) * 60_000 + Math.round(seconds * 1e6) / 1e3
    : NaN;
}

/** Digit by digit, as the fraction is summed up elsewhere, so that a half is rounded in the same way. */
function secondsOf(text: string): number {
  const [whole = '', fraction = ''] = text.split(/[.,]/);
  let unit = 1;
  let sum = 0;
  for (const digit of fraction) {
    unit /= 10;
    sum += Number(digit) * unit;
  }
  return Number(whole) + sum;
}
