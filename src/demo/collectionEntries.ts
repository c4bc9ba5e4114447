import { once } from '../base/events/once';
import { fnv1a } from '../base/fnv1a';
import type { JsonObject } from '../base/json/json';
import { dayMs } from './finding';
import { scorecardData } from './demoData';
import { Random } from './random';

/** A collection whose entries are computed one by one. */
export interface EntryList {
  readonly total: number;
  entry(index: number, reference: number): JsonObject;
}

const companies: EntryList = {
  total: 137,
  entry: (index) => {
    const random = randomFor('companies', index);
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
  },
};

const portfolios: EntryList = {
  total: 23,
  entry: (index, reference) => {
    const random = randomFor('portfolios', index);
    const id = random.hex(24);
    const names = ['My company', 'Critical suppliers', 'Acquisition targets', 'Cloud providers'];
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
  },
};

/** The companies of one portfolio: only those that have findings. */
function companiesOf(reference: number, portfolioId: string): EntryList | undefined {
  const indexes = Array.from({ length: portfolios.total }, (_, index) => index);
  const portfolio = indexes
    .map((index) => portfolios.entry(index, reference))
    .find(({ id }) => id === portfolioId);
  const ids = portfolio?.companies as string[] | undefined;
  const listed = scorecardData.flatMap(({ id }, index) => (ids?.includes(id) ? [index] : []));
  return (
    ids && {
      total: listed.length,
      entry: (index) => companies.entry(listed[index] ?? 0, 0),
    }
  );
}

const events: EntryList = {
  total: 1203,
  entry: (index, reference) => {
    const random = randomFor('events', index);
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
      // Newest first, as event lists are.
      created_at: time(reference - index * 0.15 * dayMs - random.below(3_000_000)),
      scorecard_identifier: scorecard.id,
      domain: scorecard.domain,
      details: type.startsWith('issue_')
        ? { issue_type: random.pick(Object.keys(scorecard.counts)), findings: random.below(40) + 1 }
        : type === 'score_changed'
          ? { from: 60 + random.below(40), to: 60 + random.below(40) }
          : null,
    };
  },
};

const scoreHistory: EntryList = {
  total: 365,
  entry: (index, reference) => {
    const random = randomFor('score-history', index);
    const scorecardIndex = index % scorecardData.length;
    const scorecard = scorecardData[scorecardIndex];
    const score = companyScore(scorecardIndex) - random.below(6);
    return {
      date: time(reference - Math.floor(index / scorecardData.length) * dayMs).slice(0, 10),
      scorecard_identifier: scorecard?.id ?? null,
      score,
      grade: grade(score),
      factors: { network_security: score - random.below(20), dns_health: 100 - random.below(9) },
    };
  },
};

/** The collections in page/size style (spec section 4.1), by path. */
const pageCollections: ReadonlyMap<string, EntryList> = new Map([
  ['/portfolios', portfolios],
  ['/companies', companies],
  ['/score-history', scoreHistory],
]);

/** Finds a collection in page/size style by its path, including the collections of a portfolio. */
export function pageCollection(reference: number, path: string): EntryList | undefined {
  const portfolio = /^\/portfolios\/([0-9a-f]{24})\/companies$/.exec(path)?.[1];
  return portfolio === undefined ? pageCollections.get(path) : companiesOf(reference, portfolio);
}

/** The collections in cursor style (spec section 4.2), by path. */
export const cursorCollections: ReadonlyMap<string, EntryList> = new Map([['/events', events]]);

/** The companies that the service knows. The first ones have findings; the others only a score. */
export const listedCompanies = once((): readonly JsonObject[] =>
  Array.from({ length: companies.total }, (_, index) => companies.entry(index, 0)),
);

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
