import type { CompanyEvent } from '../../api/services/companyEvents';
import type { IssueTypeSummary, ScorePoint } from '../../api/services/companies';
import { noSeverities, type TrendLevel, type TrendPoint } from '../../summary/trend';
import { gradeOfScore } from '../../vocabulary/grade';
import { findSeverityLevel } from '../../vocabulary/severity';

const dayMs = 86_400_000;

/** What is known of a company. */
interface CompanyHistory {
  /** The open findings of today, by issue type. */
  readonly issueTypes: readonly Pick<IssueTypeSummary, 'issueType' | 'count' | 'severity'>[];
  /** The oldest first. */
  readonly scores: readonly ScorePoint[];
  readonly events: readonly CompanyEvent[];
}

/** Numbers of findings by severity; `undefined` is every other severity. */
type Counts = Map<TrendLevel | undefined, number>;

/**
 * A point for each day that has a score or events, the oldest first. The service tells how many findings are open only
 * for today: the counts of earlier days follow from what has arrived and left since. Days are those of UTC.
 */
export function companyTrend({ issueTypes, scores, events }: CompanyHistory): TrendPoint[] {
  const severities = new Map(issueTypes.map(({ issueType, severity }) => [issueType, severity]));
  const levelOf = (issueType: string, severity = severities.get(issueType)) => readLevel(severity);
  const open: Counts = new Map();
  for (const { issueType, count = 0 } of issueTypes) {
    add(open, levelOf(issueType), count);
  }
  const scoreOf = new Map(scores.map(({ at, score }) => [dayOf(at), score]));
  const eventDays = events.map(({ at }) => dayOf(at));
  const days = [...new Set([...scoreOf.keys(), ...eventDays])].sort((one, two) => two - one);
  const points: TrendPoint[] = [];
  for (const day of days) {
    const ofDay = events.filter((_, index) => eventDays[index] === day);
    const issues = ofDay.flatMap((event) => event.issues ?? []);
    const arrived = issues.filter(({ status }) => status === 'active');
    const left = issues.filter(({ status }) => status !== 'active');
    const closed = left.filter(({ status }) => status === 'resolved');
    points.push({
      at: day,
      ...countsOf(open),
      new: sum(arrived),
      gone: sum(left) - sum(closed),
      ...(sum(closed) > 0 && { closed: sum(closed) }),
      ...withScore(scoreOf.get(day)),
      ...withMarks(ofDay),
    });
    for (const { issueType, severity, count } of arrived) {
      add(open, levelOf(issueType, severity), -count);
    }
    for (const { issueType, severity, count } of left) {
      add(open, levelOf(issueType, severity), count);
    }
  }
  return points.reverse();
}

function readLevel(severity = ''): TrendLevel | undefined {
  const level = findSeverityLevel(severity);
  return level === 'positive' ? undefined : level;
}

function add(counts: Counts, level: TrendLevel | undefined, count: number): void {
  // Events may be incomplete: there are never fewer than none.
  counts.set(level, Math.max(0, (counts.get(level) ?? 0) + count));
}

function countsOf(counts: Counts): Pick<TrendPoint, 'open' | 'severity'> {
  const { undefined: other = 0, ...severity } = Object.fromEntries(
    [...counts].map(([level, count]) => [String(level), count]),
  ) as Partial<Record<TrendLevel | 'undefined', number>>;
  const all = { ...noSeverities, ...severity };
  return { open: Object.values(all).reduce((one, two) => one + two, other), severity: all };
}

function sum(issues: readonly { readonly count: number }[]): number {
  return issues.reduce((total, { count }) => total + count, 0);
}

function withScore(score: number | undefined): Pick<TrendPoint, 'score' | 'grade'> {
  return score === undefined ? {} : { score, grade: gradeOfScore(score) };
}

function withMarks(events: readonly CompanyEvent[]): Pick<TrendPoint, 'marks'> {
  const marks = (['breach', 'recalibration'] as const).filter((each) =>
    events.some(({ kind }) => kind === each),
  );
  return marks.length === 0 ? {} : { marks };
}

/** The start of the day in UTC. */
function dayOf(at: number): number {
  return Math.floor(at / dayMs) * dayMs;
}
