import { type SeverityLevel, severityLevels } from '../vocabulary/severity';

const dayMs = 86_400_000;

/** The levels whose findings are problems: their counts make a trend. */
export const trendLevels = severityLevels.filter((level) => level !== 'positive');
export type TrendLevel = Exclude<SeverityLevel, 'positive'>;

/** How many findings are open of each severity. */
export type SeverityCounts = Readonly<Record<TrendLevel, number>>;

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
  /** From 0 to 100, and its letter. */
  readonly score?: number;
  readonly grade?: string;
  /** `recalibration`: the service has changed how it counts, so that points before and after cannot be compared. */
  readonly mark?: 'recalibration' | 'breach';
  /** The id of the report that it shows, or what else its file is found by. */
  readonly source?: string;
}

/** Counts without any finding. */
export const noSeverities: SeverityCounts = { critical: 0, high: 0, medium: 0, low: 0, info: 0 };

/** The lowest score of each grade, as SecurityScorecard gives them. */
export const gradeBands = [
  ['A', 90],
  ['B', 80],
  ['C', 70],
  ['D', 60],
  ['F', 0],
] as const;

/** The grade of a score from 0 to 100. */
export function gradeOfScore(score: number): string {
  return gradeBands.find(([, lowest]) => score >= lowest)?.[0] ?? 'F';
}

/**
 * The point that was the latest some days before the last one; `undefined` if nothing is known of that time, or if the
 * service has changed how it counts since.
 * @param points the oldest first.
 */
export function pointBefore(points: readonly TrendPoint[], days: number): TrendPoint | undefined {
  const last = points.at(-1);
  if (!last) {
    return undefined;
  }
  const at = points.findLastIndex((point) => point.at <= last.at - days * dayMs);
  const isRecalibrated = points.slice(at + 1).some(({ mark }) => mark === 'recalibration');
  return at < 0 || isRecalibrated ? undefined : points[at];
}
