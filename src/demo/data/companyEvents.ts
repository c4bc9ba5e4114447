import { fnv1a } from '../../base/fnv1a';
import type { JsonObject } from '../../base/json/json';
import { findIssueType } from '../../vocabulary/issueTypes';
import type { ScorecardData } from './demoData';
import { dayMs } from './finding';
import { Random } from './random';
import { demoSeverity } from './reportLines';
import { daysSinceBreach, requireFollowed } from './companyData';

const weeks = 26;
/** When the service has changed how it counts, in days before today. */
const recalibrated = 63;
/** Issue types with fewer findings have had the same ones all the time. */
const leastCount = 100;

/**
 * What has happened to a company in a period, the newest first.
 * @param lastDay see `referenceDay`.
 * @throws RefusedError with 403 unless the company is in a portfolio.
 */
export function companyEvents(
  origin: string,
  identifier: string,
  lastDay: number,
  query: URLSearchParams,
): JsonObject[] {
  const scorecard = requireFollowed(identifier);
  const read = (name: string, fallback: number) => {
    const at = Date.parse(query.get(name) ?? '');
    return Number.isNaN(at) ? fallback : at;
  };
  const [from, to] = [read('date_from', lastDay - 30 * dayMs), read('date_to', lastDay + dayMs)];
  return [...issueEvents(origin, scorecard, lastDay), ...otherEvents(scorecard, lastDay)]
    .filter(({ date }) => {
      const at = Date.parse(date as string);
      return at >= from && at <= to;
    })
    .sort((first, second) => ((first.date as string) < (second.date as string) ? 1 : -1));
}

/** Each week, some findings arrive, and most of those of the week before are no longer seen. */
function issueEvents(
  origin: string,
  { id, domain, counts }: ScorecardData,
  lastDay: number,
): JsonObject[] {
  const types = Object.keys(counts).filter((type) => (counts[type] ?? 0) >= leastCount);
  if (types.length === 0) {
    return [];
  }
  return Array.from({ length: weeks }, (_, week) => {
    const random = new Random(fnv1a(Buffer.from(`events of ${id}`)), week);
    const type = random.pick(types);
    const arrived = 3 + random.below(20);
    const event = (daysAgo: number, status: string, count: number) => ({
      id: random.uuid(),
      date: new Date(lastDay - daysAgo * dayMs).toISOString(),
      event_type: 'issues',
      group_status: status,
      issue_count: count,
      total_score_impact: -count / 100,
      issue_type: type,
      severity: demoSeverity(type),
      factor: findIssueType(type)?.factor ?? '',
      detail_url: `${origin}/companies/${domain}/issues/${type}/`,
    });
    return [
      event(7 * week + 2, 'active', arrived),
      ...(week === 0 ? [] : [event(7 * week - 3, 'departed', random.below(arrived))]),
      ...(random.chance(0.2) ? [event(7 * week + 1, 'resolved', 1)] : []),
    ].filter(({ issue_count: count }) => count > 0);
  }).flat();
}

function otherEvents({ id }: ScorecardData, lastDay: number): JsonObject[] {
  const random = new Random(fnv1a(Buffer.from(`other events of ${id}`)), 0);
  const event = (type: string, daysAgo: number) => ({
    id: random.uuid(),
    date: new Date(lastDay - daysAgo * dayMs).toISOString(),
    event_type: type,
  });
  const breach = daysSinceBreach(id);
  return [
    event('recalibration', recalibrated),
    ...(breach === Infinity
      ? []
      : [
          {
            ...event('breach', breach),
            breach_data: {
              description: 'A list of customers was found on a forum.',
              link: 'https://news.example/breach',
              root_cause: 'Phishing',
              records_lost: '12,000',
              type_of_breach: 'Unauthorized access',
            },
          },
        ]),
  ];
}
