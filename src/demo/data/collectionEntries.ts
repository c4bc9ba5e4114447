import { once } from '../../base/events/once';
import { fnv1a } from '../../base/fnv1a';
import type { JsonObject, JsonValue } from '../../base/json/json';
import { dayMs } from './finding';
import { scorecardData } from './demoData';
import { Random } from './random';

/** The companies that the service knows. The first ones have findings; the others only a score. */
export const listedCompanies = once(() =>
  createEntries('companies', 137, (random, index) => {
    const id = random.uuid();
    const first = random.pick([
      'Alder',
      'Brack',
      'Cinder',
      'Dray',
      'Ember',
      'Fallow',
      'Gild',
      'Hollow',
    ]);
    const second = random.pick(['moor', 'ford', 'wick', 'stead', 'mere', 'haven', 'gate', 'field']);
    const trade = random.pick(['Logistics', 'Foods', 'Software', 'Insurance', 'Optics', 'Metals']);
    const scorecard = scorecardData[index];
    const score = companyScore(index);
    return {
      scorecard_identifier: scorecard?.id ?? id,
      name: scorecard?.name ?? `${first}${second} ${trade}`,
      domain: scorecard?.domain ?? `${first}${second}-${trade}${index}.example`.toLowerCase(),
      industry:
        scorecard?.industry ??
        random.pick(['transportation', 'financial_services', 'healthcare', 'energy', 'retail']),
      size: random.pick(['size_11_to_50', 'size_501_to_1000', 'size_more_than_10000', null]),
      score,
      grade: grade(score),
      last30day_score_change: random.below(15) - 8,
    };
  }),
);

/** @param reference see `referenceDay` */
export function portfoliosAt(reference: number): JsonObject[] {
  const names = ['My company', 'Critical suppliers', 'Acquisition targets', 'Cloud providers'];
  return createEntries('portfolios', 23, (random, index) => {
    const id = random.hex(24);
    return {
      id,
      name:
        names[index] ?? `${random.pick(['Suppliers', 'Subsidiaries', 'Partners'])} ${index - 3}`,
      description: random.chance(0.4)
        ? null
        : 'Reviewed every quarter by the third-party risk team.',
      privacy: random.pick(['private', 'shared', 'team']),
      read_only: random.chance(0.2),
      companies: scorecardData
        .filter((_, at) => (index === 0 ? at === 0 : random.chance(0.5)))
        .map((scorecard) => scorecard.id),
      created_at: time(reference - random.below(900 * dayMs)),
    };
  });
}

/** The companies of one portfolio: only those that have findings. */
export function findCompanies(portfolio: JsonObject): JsonObject[] {
  const ids = portfolio.companies as JsonValue[];
  return listedCompanies().filter(({ scorecard_identifier: id = null }) => ids.includes(id));
}

/** The newest first, as event lists are. @param reference see `referenceDay` */
export function eventsAt(reference: number): JsonObject[] {
  return createEntries('events', 1203, (random, index) => {
    const id = random.uuid();
    const scorecard = random.pick(scorecardData);
    const type = random.pick([
      'issue_found',
      'issue_resolved',
      'score_changed',
      'report_generated',
    ]);
    return {
      id,
      type,
      created_at: time(reference - index * 0.15 * dayMs - random.below(3_000_000)),
      scorecard_identifier: scorecard.id,
      domain: scorecard.domain,
      details: type.startsWith('issue_')
        ? { issue_type: random.pick(Object.keys(scorecard.counts)), findings: random.below(40) + 1 }
        : type === 'score_changed'
          ? { from: 60 + random.below(40), to: 60 + random.below(40) }
          : null,
    };
  });
}

/** @param reference see `referenceDay` */
export function scoresAt(reference: number): JsonObject[] {
  return createEntries('score-history', 365, (random, index) => {
    const scorecardIndex = index % scorecardData.length;
    const scorecard = scorecardData[scorecardIndex];
    const daysAgo = Math.floor(index / scorecardData.length);
    const score = scoreOn(listedCompanies()[scorecardIndex] ?? {}, daysAgo);
    return {
      date: time(reference - daysAgo * dayMs).slice(0, 10),
      scorecard_identifier: scorecard?.id ?? null,
      score,
      grade: grade(score),
      factors: { network_security: score - random.below(20), dns_health: 100 - random.below(9) },
    };
  });
}

/** The score of a company some days ago: that of its entry today, and 30 days ago less the change that it tells. */
export function scoreOn(
  { score, last30day_score_change: change }: JsonObject,
  daysAgo: number,
): number {
  const trend = Number(change) * Math.min(1, daysAgo / 30);
  const lost = Math.round(trend + 2 * Math.sin((Math.PI * daysAgo) / 15));
  return Math.min(100, Math.max(0, Number(score) - lost));
}

/** The entries of a collection. Each is computed from the numbers of its own generator. */
function createEntries(
  collection: string,
  total: number,
  entry: (random: Random, index: number) => JsonObject,
): JsonObject[] {
  return Array.from({ length: total }, (_, index) => entry(randomFor(collection, index), index));
}

function randomFor(path: string, index: number): Random {
  return new Random(fnv1a(Buffer.from(path)), index);
}

/** From 50 to 99. */
function companyScore(index: number): number {
  return 50 + randomFor('scores', index).below(50);
}

function time(ms: number): string {
  return new Date(ms).toISOString();
}

function grade(score: number): string {
  return score >= 90 ? 'A' : score >= 80 ? 'B' : score >= 70 ? 'C' : score >= 60 ? 'D' : 'F';
}
