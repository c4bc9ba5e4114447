import { fnv1a } from '../../base/fnv1a';
import type { JsonObject, JsonValue } from '../../base/json/json';
import { isUuid } from '../../base/text/uuid';
import { findIssueType, issueTypes } from '../../vocabulary/issueTypes';
import { listedCompanies, scoreOn } from './collectionEntries';
import {
  type DemoCollection,
  findingLists,
  findScorecard,
  scorecardData,
  type ScorecardData,
} from './demoData';
import { RefusedError } from '../http/exchange';
import { dayMs, findingAt } from './finding';
import { Random } from './random';
import { demoSeverity } from './reportLines';

/** The collections of this demo as settings. */
export const portfolioCollections: readonly DemoCollection[] = [
  { name: 'Portfolios', path: '/portfolios', style: 'link' },
  { name: 'Companies of the portfolio', path: '/portfolios/{id}/companies', style: 'link' },
];

/** The names of the portfolios, with how many of the scorecards each has. */
const portfolioSizes = [
  ['My company', 1],
  ['Critical suppliers', 3],
  ['All vendors', scorecardData.length],
] as const;

export function portfolios(): JsonObject[] {
  return portfolioSizes.map(([name], index) => ({
    id: portfolioId(index),
    name,
    description: 'Reviewed every quarter.',
    privacy: index === 0 ? 'private' : 'shared',
    read_only: index === 0,
  }));
}

/**
 * The companies of a portfolio, of which what the query asks for is true.
 * @throws RefusedError for an unknown portfolio
 */
export function companiesOfPortfolio(id: string, query: URLSearchParams): JsonObject[] {
  const index = portfolioSizes.findIndex((_, at) => portfolioId(at) === id);
  const [, size] = portfolioSizes[index] ?? [];
  if (size === undefined) {
    throw new RefusedError(404, 'portfolio not found', {
      key: 'portfolio_not_found',
      data: { id },
    });
  }
  const days = query.get('had_breach_within_last_days');
  const cve = query.get('vulnerability');
  const issueType = query.get('issue_type');
  return listedCompanies()
    .slice(0, size)
    .filter(
      ({ scorecard_identifier: of }) =>
        days === null || daysSinceBreach(of as string) <= Number(days),
    )
    .filter(({ scorecard_identifier: of }) => cve === null || hasVulnerability(of as string, cve))
    .filter(
      ({ scorecard_identifier: of }) =>
        issueType === null || (findScorecard(of as string)?.counts[issueType] ?? 0) > 0,
    )
    .map(listItem);
}

/** Each second company had a breach. */
export function daysSinceBreach(scorecardId: string): number {
  const company = scorecardData.findIndex(({ id }) => id === scorecardId);
  return company % 2 === 1 ? 10 + 15 * company : Infinity;
}

/** Whether an open finding of a scorecard has this id. */
function hasVulnerability(scorecardId: string, cve: string): boolean {
  const scorecard = findScorecard(scorecardId);
  return (scorecard ? findingLists(scorecard) : []).some((list) => {
    const entryAt = (position: number) => findingAt(list, position, 0)?.entry;
    return (
      entryAt(0)?.vulnerability_id !== undefined &&
      Array.from({ length: list.positions }, (_, position) => entryAt(position)).some(
        (entry) => entry?.vulnerability_id === cve && entry.group_status === 'active',
      )
    );
  });
}

function listItem(company: JsonObject): JsonObject {
  const { domain, name, industry, score, grade, size, last30day_score_change: change } = company;
  return {
    ...withoutNull({ domain, name, industry, score, grade, size }),
    grade_url: gradeUrl(grade),
    last30days_score_change: change ?? 0,
  };
}

function portfolioId(index: number): string {
  return new Random(fnv1a(Buffer.from('portfolios of companies')), index).uuid();
}

/** The summary of a company, which anybody may see. @throws RefusedError */
export function companySummary(identifier: string): JsonObject {
  const company = requireCompany(identifier);
  const { scorecard_identifier: uuid, domain, name, industry, size, score, grade } = company;
  return {
    ...withoutNull({ name, domain, grade, score, industry, size, uuid }),
    grade_url: gradeUrl(grade),
    last30day_score_change: company.last30day_score_change ?? 0,
    is_custom: false,
    is_entity: false,
    created_at: '2017-04-23T20:59:17.549Z',
    disputed: false,
  };
}

/**
 * The score of a company on each day from one to the last one. The changes of 30 days are those of its summary.
 * @param from as `YYYY-MM-DD`; any other text is 30 days ago. @throws RefusedError
 */
export function scoreHistory(
  identifier: string,
  lastDay: number,
  from: string | null,
): JsonObject[] {
  const company = requireCompany(identifier);
  const given = Date.parse(from ?? '');
  const first = Number.isNaN(given) ? lastDay - 30 * dayMs : Math.max(given, lastDay - 400 * dayMs);
  const days = Math.max(0, 1 + Math.floor((lastDay - first) / dayMs));
  return Array.from({ length: days }, (_, index) => {
    const ago = days - 1 - index;
    return {
      domain: company.domain ?? '',
      date: new Date(lastDay - ago * dayMs).toISOString(),
      score: scoreOn(company, ago),
    };
  });
}

/**
 * The scorecard of a company, with its findings.
 * @throws RefusedError with 403 unless the company is in a portfolio.
 */
export function requireFollowed(identifier: JsonValue | undefined): ScorecardData {
  const company = requireCompany(identifier);
  const scorecard = scorecardData.find(({ id }) => id === company.scorecard_identifier);
  if (!scorecard) {
    const { domain = null } = company;
    throw new RefusedError(
      403,
      `company must be added to a portfolio first: ${JSON.stringify(domain)}`,
      { key: 'company_not_in_a_portfolio', data: { domain } },
    );
  }
  return scorecard;
}

function requireCompany(identifier: JsonValue | undefined): JsonObject {
  const key = typeof identifier === 'string' ? identifier.toLowerCase() : '';
  const member = isUuid(key) ? 'scorecard_identifier' : 'domain';
  const company = listedCompanies().find((each) => each[member] === key);
  if (!company) {
    throw new RefusedError(404, 'company not found', {
      key: 'company_not_found',
      data: { scorecard_identifier: key },
    });
  }
  return company;
}

const factors = [...new Set(issueTypes.map(({ factor }) => factor))];

/**
 * The factors of a scorecard, each with its types of issues.
 * @param counts how many active findings it has of each type.
 */
export function createFactors(
  origin: string,
  domain: string,
  counts: Readonly<Record<string, number>>,
): JsonObject[] {
  return factors.map((factor) => {
    const types = Object.entries(counts).filter(
      ([type, count]) => count > 0 && (findIssueType(type)?.factor ?? factors[0]) === factor,
    );
    const issues = types.map(([type, count]) => ({
      type,
      count,
      severity: demoSeverity(type),
      total_score_impact: rateImpact(type, count),
      detail_url: `${origin}/companies/${domain}/issues/${type}/`,
    }));
    const lost = issues.reduce((sum, { total_score_impact: impact }) => sum + impact, 0);
    const score = Math.max(50, Math.round(100 - 4 * lost));
    const grade = 'FFFFFFDCBAA'.charAt(Math.floor(score / 10));
    return { name: factor, score, grade, grade_url: gradeUrl(grade), issue_summary: issues };
  });
}

function rateImpact(type: string, count: number): number {
  const weight = { high: 0.5, medium: 0.2, low: 0.05 }[demoSeverity(type)];
  return Math.round(100 * weight * Math.log10(1 + count)) / 100;
}

function gradeUrl(grade: JsonValue | undefined): string {
  return `https://grades.example/factor_${typeof grade === 'string' ? grade.toLowerCase() : 'none'}.svg`;
}

/** An object without the members that have no value. */
function withoutNull(object: Record<string, JsonValue | undefined>): JsonObject {
  return Object.fromEntries(
    Object.entries(object).filter(([, value]) => value !== null && value !== undefined),
  ) as JsonObject;
}
