/*
 * Formats times for display, such as when a report was made: the day first, no AM or PM, and the year only
 * if it is not the current one. Times are milliseconds since the epoch, in the zone of this machine.
 */

/** The language to format dates in. `en` without a country would put the month first, like `en-US`. */
export function dateLanguage(language: string): string {
  return /^en(-us)?$/i.test(language) ? 'en-GB' : language;
}

/** Formats a date. `Sept`, the only month that British English abbreviates to four letters, becomes `Sep`. */
export function formatDate(format: Intl.DateTimeFormat, time: number): string {
  const text = format.format(time);
  return format.resolvedOptions().locale.startsWith('en') ? text.replace(/\bSept\b/, 'Sep') : text;
}

/** A day: `22 Nov`. */
export function dayText(time: number, language: string, now = Date.now()): string {
  const sameYear = new Date(time).getFullYear() === new Date(now).getFullYear();
  const format = new Intl.DateTimeFormat(dateLanguage(language), {
    day: 'numeric',
    month: 'short',
    ...(sameYear ? {} : { year: 'numeric' }),
  });
  return formatDate(format, time);
}

/** A time on a known day: `14:03`. */
export function clockText(
  time: number,
  language: string,
  timeStyle: 'short' | 'medium' = 'short',
): string {
  return new Intl.DateTimeFormat(dateLanguage(language), { timeStyle }).format(time);
}

/** A day and time: `22 Nov 14:03`. */
export function momentText(time: number, language: string, now = Date.now()): string {
  return `${dayText(time, language, now)} ${clockText(time, language)}`;
}

/** A time as short as it differs from another one: `22 Nov`, `22 Nov 14:03` or `22 Nov 14:03:05`. */
export function differingText(
  time: number,
  other: number,
  language: string,
  now = Date.now(),
): string {
  const texts = [dayText, momentText, secondText];
  const differs = texts.find((text) => text(time, language, now) !== text(other, language, now));
  return (differs ?? momentText)(time, language, now);
}

function secondText(time: number, language: string, now: number): string {
  return `${dayText(time, language, now)} ${clockText(time, language, 'medium')}`;
}

/** When a state began: the day, with the time if it is today. */
export function sinceText(time: number, language: string, now = Date.now()): string {
  return (isToday(time, now) ? momentText : dayText)(time, language, now);
}

export function isToday(time: number, now: number): boolean {
  return new Date(time).toDateString() === new Date(now).toDateString();
}
