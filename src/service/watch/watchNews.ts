import type { CompanyEvent } from '../../api/services/companyEvents';
import {
  noSeverities,
  type SeverityCounts,
  type TrendLevel,
  trendLevels,
} from '../../summary/trend';
import { findSeverityLevel } from '../../vocabulary/severity';

/** What is new about a scorecard. */
export interface WatchNews {
  /** New findings: of all severities, and of each. */
  readonly count: number;
  readonly severity: SeverityCounts;
  readonly isBreached: boolean;
}

/** Whether news are worth a notification: a breach, or findings of at least a severity. */
export function isWorthTelling(
  { severity, isBreached }: WatchNews,
  leastSeverity: TrendLevel,
): boolean {
  const levels = trendLevels.slice(0, trendLevels.indexOf(leastSeverity) + 1);
  return isBreached || levels.some((level) => severity[level] > 0);
}

/** The worst severity of new findings, with their number; `undefined` if none has one. */
export function worstNews({
  severity,
}: WatchNews): { level: TrendLevel; count: number } | undefined {
  const level = trendLevels.find((each) => severity[each] > 0);
  return level === undefined ? undefined : { level, count: severity[level] };
}

/** Both together. */
export function addNews(one: WatchNews, other: WatchNews): WatchNews {
  const severity = { ...one.severity };
  trendLevels.forEach((level) => (severity[level] += other.severity[level]));
  return {
    count: one.count + other.count,
    severity,
    isBreached: one.isBreached || other.isBreached,
  };
}

/**
 * What events say is new.
 * @param severityOf that of an issue type, for events that say none.
 */
export function newsOfEvents(
  events: readonly CompanyEvent[],
  severityOf: (issueType: string) => string | undefined,
): WatchNews {
  const severity: Record<TrendLevel, number> = { ...noSeverities };
  let count = 0;
  for (const { issues } of events) {
    if (issues?.status === 'active') {
      count += issues.count;
      const level = findSeverityLevel(issues.severity ?? severityOf(issues.issueType) ?? '');
      if (level !== undefined && level !== 'positive') {
        severity[level] += issues.count;
      }
    }
  }
  return { count, severity, isBreached: events.some(({ kind }) => kind === 'breach') };
}
