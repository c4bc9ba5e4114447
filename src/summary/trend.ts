import { type SeverityLevel, severityLevels } from '../vocabulary/severity';

const dayMs = 86_400_000;

/** The levels whose findings are problems: their counts make a trend. */
export const trendLevels = severityLevels.filter((level) => level !== 'positive');
export type TrendLevel = Exclude<SeverityLevel, 'positive'>;

/** How many findings are open of each severity. */
export type SeverityCounts = Readonly<Record<TrendLevel, number>>;

/** `recalibration`: the service has changed how it counts, so that points before and after cannot be compared. */
export type TrendMark = 'recalibration' | 'breach';

/** What the times of a trend are relative to. */
export interface TrendTime {
  /** In milliseconds since the epoch. */
  readonly now: number;
  /** Whose days the points are: those of UTC, by which a service counts, or of this machine, as of all other files. */
  readonly days: 'utc' | 'local';
}

/** What was known at one time of a report, a file or a company. */
export interface TrendPoint {
  /** In milliseconds since the epoch. */
  readonly at: number;
  /** Open findings, also of other severities than those below, and of none. */
  readonly open: number;
  readonly severity: SeverityCounts;
  /** How many came since the point before, and how many are no longer there; absent if that is not known. */
  readonly new?: number;
  readonly gone?: number;
  /** How many of those that were open then have a closed status now; absent if none has. */
  readonly closed?: number;
  /** From 0 to 100, and its letter. */
  readonly score?: number;
  readonly grade?: string;
  /** What happened on the day; absent if nothing did. */
  readonly marks?: readonly TrendMark[];
  /** The id of the report that it shows, or what else its file is found by. */
  readonly source?: string;
}

/** How many of the open findings have another severity than those of a trend, such as one that is unknown, or none. */
export function countOthers({ open, severity }: Pick<TrendPoint, 'open' | 'severity'>): number {
  return trendLevels.reduce((left, level) => left - severity[level], open);
}

/** Counts without any finding. */
export const noSeverities: SeverityCounts = { critical: 0, high: 0, medium: 0, low: 0, info: 0 };

/** How long before the day that is asked for a report may be made to stand for that day. */
const closeMs = 7 * dayMs;

/** An earlier point, and whether it says how it was on the day that was asked for. */
export interface EarlierPoint {
  readonly point: TrendPoint;
  /** A company has a point of each day on which it changed. A report says little of times long after it. */
  readonly isClose: boolean;
}

/**
 * The point that was the latest some days ago; `undefined` if nothing is known of that time, if it is the last point, or
 * if the service has changed how it counts since.
 * @param points the oldest first.
 */
export function pointBefore(
  points: readonly TrendPoint[],
  days: number,
  time: TrendTime,
): EarlierPoint | undefined {
  const end = endOfDay(days, time);
  const at = points.findLastIndex((each) => each.at < end);
  const point = points[at];
  const isRecalibrated = points.slice(at + 1).some((each) => isRecalibration(each));
  if (!point || at === points.length - 1 || isRecalibrated) {
    return undefined;
  }
  return { point, isClose: time.days === 'utc' || point.at >= end - dayMs - closeMs };
}

/** Whether a point is about today: of reports and files, only a recent one says so. */
export function isOfToday({ at }: TrendPoint, { now, days }: TrendTime): boolean {
  return days === 'utc' || at >= now - closeMs;
}

export function isRecalibration({ marks = [] }: TrendPoint): boolean {
  return marks.includes('recalibration');
}

/** When the day so many days ago ended, in milliseconds since the epoch. */
function endOfDay(daysAgo: number, { now, days }: TrendTime): number {
  if (days === 'utc') {
    return (Math.floor(now / dayMs) + 1 - daysAgo) * dayMs;
  }
  // Not as many times 24 hours: days on which clocks are changed are longer or shorter.
  const date = new Date(now);
  return new Date(date.getFullYear(), date.getMonth(), date.getDate() + 1 - daysAgo).getTime();
}
