import type { JsonObject } from '../../base/json/json';
import { findIssueType, issueTypes } from '../../base/text/issueTypes';
import { nextLink } from '../collectionResponses';
import { findingList, findingLists } from '../demoData';
import { RefusedError, parseIntegers, type DemoRequest, type DemoResponse } from '../exchange';
import type { FindingFilter } from '../findingPages';
import { demoSeverity } from '../reportRows';
import { enforceLimit, requireMethod, segments, type Endpoints } from '../routes';
import {
  companiesOfPortfolio,
  companySummary,
  factorsOf,
  portfolios,
  requireFollowed,
  scoreHistory,
} from './companyData';
import { recommendation, titled } from './issuesTable';
import { isRecentKind } from './recentReportList';

/** Findings per page; the reference names no size, and clients follow the links. */
const findingsPerPage = 500;

/**
 * Answers a request as the public API reference of SecurityScorecard describes it, with the data of the demo. Only the
 * endpoints that this extension uses.
 */
export async function securityScorecardRoute(
  endpoints: Endpoints,
  request: DemoRequest,
): Promise<DemoResponse> {
  const parts = segments(request.path.replace(/\/$/, ''));
  const [first = '', second = '', third, fourth, ...rest] = parts;
  if (first === 'reports' && parts.length === 2 && isRecentKind(second)) {
    requireMethod(request, 'POST');
    if (second === 'detailed') {
      enforceLimit(endpoints.detailedLimit, 'detailed reports');
    }
    return endpoints.recentReports.start(second, request);
  }
  requireMethod(request, 'GET', 'HEAD');
  switch (`${first}/${parts.length}`) {
    case 'portfolios/1':
      return counted(portfolios());
    case 'portfolios/3':
      return third === 'companies' ? counted(companiesOfPortfolio(second)) : notFound();
    case 'companies/2':
      return { status: 200, json: companySummary(second) };
    case 'companies/3':
      if (third === 'summary-factors') {
        const list = await factors(endpoints, request.origin, second);
        return { status: 200, json: { ...companySummary(second), factors: list } };
      }
      return third === 'factors'
        ? counted(await factors(endpoints, request.origin, second))
        : notFound();
    case 'companies/4':
      if (third === 'history' && fourth === 'score') {
        const from = request.query.get('from');
        return listOf(scoreHistory(second, endpoints.reference, from));
      }
      return third === 'issues' ? issues(endpoints, request, second, fourth ?? '') : notFound();
    case 'metadata/2':
      return second === 'issue-types'
        ? listOf(issueTypes.map(({ key }) => issueTypeItem(key)))
        : notFound();
    case 'metadata/3':
      return second === 'issue-types' && third !== undefined && findIssueType(third)
        ? { status: 200, json: issueTypeInFull(third) }
        : notFound();
    default:
      break;
  }
  if (first === 'reports' && second === 'recent' && third === undefined) {
    return endpoints.recentReports.list(request);
  }
  return first === 'reports' && second === 'files' && third !== undefined && rest.length === 0
    ? endpoints.recentReports.file(third, fourth, request)
    : notFound();
}

function notFound(): never {
  throw new RefusedError(404, 'not found', { key: 'not_found' });
}

function listOf(entries: JsonObject[]): DemoResponse {
  return { status: 200, json: { entries } };
}

function counted(entries: JsonObject[]): DemoResponse {
  return { status: 200, json: { entries, total: entries.length } };
}

function issueTypeItem(key: string): JsonObject {
  return {
    key,
    severity: demoSeverity(key).toUpperCase(),
    short_description: findIssueType(key)?.title ?? titled(key),
    long_description: 'What was found, and why it matters.',
    recommendation: recommendation(key),
  };
}

function issueTypeInFull(key: string): JsonObject {
  const { factor = '', title = titled(key) } = findIssueType(key) ?? {};
  return { ...issueTypeItem(key), severity: demoSeverity(key), factor, title };
}

/** The service counts and lists active findings only; its reports have the others, too. */
const active: FindingFilter = {
  key: 'active',
  matches: ({ group_status: status }) => status === 'active',
};

async function factors(
  { pages }: Endpoints,
  origin: string,
  identifier: string,
): Promise<JsonObject[]> {
  const scorecard = requireFollowed(identifier);
  const counts: Record<string, number> = {};
  for (const list of findingLists(scorecard)) {
    counts[list.issueType] = await pages.count(list, active);
  }
  return factorsOf(origin, scorecard.domain, counts);
}

/** A page of the active findings of an issue type; a Link header leads to the next one. Of the filters: by issue_id. */
async function issues(
  { pages }: Endpoints,
  request: DemoRequest,
  identifier: string,
  issueType: string,
): Promise<DemoResponse> {
  const scorecard = requireFollowed(identifier);
  if (!findIssueType(issueType) && !Object.hasOwn(scorecard.counts, issueType)) {
    notFound();
  }
  const { from } = parseIntegers(request.query, {
    from: { fallback: 0, min: 0, max: Number.MAX_SAFE_INTEGER },
  });
  const list = findingList(scorecard, issueType);
  const id = request.query.get('issue_id');
  const ofId: FindingFilter = {
    key: `issue_id=${id}`,
    matches: (entry) => active.matches(entry) && entry.issue_id === id,
  };
  const page = await pages.page(list, from, findingsPerPage, id === null ? active : ofId);
  const query = Object.fromEntries(request.query);
  return {
    status: 200,
    headers: nextLink(
      request,
      page.has_more ? { ...query, from: from + findingsPerPage } : undefined,
    ),
    json: { entries: page.entries },
  };
}
