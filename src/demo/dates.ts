import type { Random } from './random';

export const dayMs = 86_400_000;
const nightlyScanMs = 5 * 60_000;

/**
 * The day that all dates are relative to: the start of the UTC day of `now`. Day by day and not by
 * the moment, so that pages fetched one after the other show of the same findings. The first ten
 * minutes belong to the day before, or the findings of the nightly scan would lie in the future.
 */
export function referenceDay(now: number): number {
  return Math.floor((now - 2 * nightlyScanMs) / dayMs) * dayMs;
}

/** When a finding was seen first and last, in milliseconds since the epoch. */
export interface Seen {
  readonly first: number;
  readonly last: number;
}

/**
 * Half of all findings are younger than two months and a few were found by the last nightly scan,
 * so that "first seen this month" is never empty.
 */
export function seen(random: Random, reference: number, active: boolean): Seen {
  const scan = reference + random.below(nightlyScanMs);
  const age = Math.floor(400 * random.fraction() ** 3);
  const timeOfDay = random.below(dayMs);
  const first = random.chance(0.03) ? scan : reference - (age + 1) * dayMs + timeOfDay;
  // What is still there was seen by the last scan or a few before it.
  const quiet = active
    ? random.below(random.pick([1, 1, 1, 1, 20 * dayMs]))
    : (scan - first) * random.fraction();
  const last = Math.floor(scan - quiet);
  return { first: Math.min(first, scan), last: Math.max(last, first) };
}

/** The ways in which the service writes a time: split by `T` or a space, fraction optional, always UTC. */
export type TimeFormat = 'fraction' | 'seconds' | 'space' | 'spaceFraction';

/** The result has the same length for every time, which reports rely on to know their size. */
export function formatTime(time: number, format: TimeFormat): string {
  const iso = new Date(time).toISOString();
  switch (format) {
    case 'fraction':
      return iso;
    case 'seconds':
      return `${iso.slice(0, 19)}Z`;
    case 'space':
      return `${iso.slice(0, 10)} ${iso.slice(11, 19)}Z`;
    case 'spaceFraction':
      return `${iso.slice(0, 10)} ${iso.slice(11)}`;
  }
}
