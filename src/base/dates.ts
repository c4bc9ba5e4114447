/*
 * How a time of ours is written, such as when a report was made: the day first, no AM or PM, and the year
 * only where it is not this one. Times are milliseconds since the epoch, in the zone of this machine.
 */

/** The language to write dates in. English of no country would put the month first. */
export function dateLanguage(language: string): string {
  return /^en(-us)?$/i.test(language) ? 'en-GB' : language;
}

/** The only month that British English writes with four letters gets three, as all others have. */
export function formatDate(format: Intl.DateTimeFormat, time: number): string {
  const text = format.format(time);
  return format.resolvedOptions().locale.startsWith('en') ? text.replace(/\bSept\b/, 'Sep') : text;
}

/** A day: `22 Nov`. */
export function dayText(time: number, language: string, now: number): string {
  const sameYear = new Date(time).getFullYear() === new Date(now).getFullYear();
  const format = new Intl.DateTimeFormat(dateLanguage(language), {
    day: 'numeric',
    month: 'short',
    ...(sameYear ? {} : { year: 'numeric' }),
  });
  return formatDate(format, time);
}

/** A minute of a day that is known: `14:03`. */
export function clockText(time: number, language: string): string {
  return new Intl.DateTimeFormat(dateLanguage(language), { timeStyle: 'short' }).format(time);
}

/** A day and minute: `22 Nov 14:03`. */
export function momentText(time: number, language: string, now: number): string {
  return `${dayText(time, language, now)} ${clockText(time, language)}`;
}

/** Since when something is so: a day, or where that is today, its minute, too. */
export function sinceText(time: number, language: string, now: number): string {
  const isToday = new Date(time).toDateString() === new Date(now).toDateString();
  return (isToday ? momentText : dayText)(time, language, now);
}
