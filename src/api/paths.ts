import { isUuid } from '../base/text/uuid';
import { message } from '../base/message';
import { BadRequestError } from './http/errors';
import { type FindingsQuery, largestPage } from './types';

/** The longest issue type that is sent; real ones have at most about forty characters. */
const longestIssueType = 200;

/**
 * The endpoints of the services. Method and route template identify an endpoint in limits and log lines, so that
 * all its addresses share its limit, and no ID appears in the log.
 */
export const endpoints = {
  findings: 'POST /companies/{scorecard_identifier}/issues/{issue_type}/paginated',
  /** The same where the pages of a list follow each other by links. */
  linkedFindings: 'GET /companies/{scorecard_identifier}/issues/{issue_type}',
  fullReport: 'POST /reports/full-dump',
  detailedReport: 'POST /reports/detailed',
  issuesReport: 'POST /reports/issues',
  fullScorecardReport: 'POST /reports/full-scorecard-json',
  recentReports: 'GET /reports/recent',
  reportUrl: 'GET {report_url}',
  companySummary: 'GET /companies/{scorecard_identifier}/summary-factors',
  company: 'GET /companies/{scorecard_identifier}',
  companyFactors: 'GET /companies/{scorecard_identifier}/factors',
  companyHistory: 'GET /companies/{scorecard_identifier}/history/score',
  companyEvents: 'GET /companies/{scorecard_identifier}/history/events/',
  feedback: 'POST /companies/{scorecard_identifier}/issues/{issue_type}/feedback/',
  portfolios: 'GET /portfolios',
  portfolioCompanies: 'GET /portfolios/{id}/companies',
  issueTypes: 'GET /metadata/issue-types',
  issueType: 'GET /metadata/issue-types/{issue_type}',
} as const;

const templates = [
  [/^(\/companies\/)[^/]+/, '$1{scorecard_identifier}'],
  [/^(\/companies\/[^/]+\/issues\/|\/metadata\/issue-types\/)[^/]+/, '$1{issue_type}'],
  [/^(\/portfolios\/)[^/]+/, '$1{id}'],
] as const;

/**
 * The endpoint of a path below the base address, also of a collection from the settings. What looks like an ID is
 * one. Printable ASCII.
 */
export function findEndpoint(method: string, path: string): string {
  const [known] = path
    .split('?', 1)
    .map((start) =>
      templates.reduce((text, [pattern, template]) => text.replace(pattern, template), start),
    );
  const segments = (known ?? '').split('/');
  const isId = (segment: string) => isUuid(segment) || /^\d+$|^[0-9a-f]{16,}$/i.test(segment);
  const template = segments
    .map((segment) => (isId(segment) ? '{id}' : segment.replace(/[^!-~]/gu, encodeURIComponent)))
    .join('/');
  return `${method} ${template}`;
}

/**
 * Whether a 429 of an endpoint says nothing about the others: it has a limit of its own (spec section 8) or
 * belongs to another host.
 */
export function hasOwnLimit(endpoint: string): boolean {
  return endpoint === endpoints.detailedReport || /^[A-Z]+ https?:/.test(endpoint);
}

/** What a call was about. `reportLink`: the address that a report is downloaded from. */
export type Subject = 'findings' | 'company' | 'collection' | 'report' | 'reportLink';

const companyEndpoints: readonly string[] = [
  endpoints.linkedFindings,
  endpoints.companySummary,
  endpoints.company,
  endpoints.companyFactors,
  endpoints.companyHistory,
  endpoints.companyEvents,
  endpoints.feedback,
];

/**
 * What the call of an error was about.
 * @param endpoint see findEndpoint. For another host the result is `undefined`, because the request may have been for
 * anything. That of a collection has its path from the settings, so any other `GET` counts as one.
 */
export function findSubject(endpoint = ''): Subject | undefined {
  if (endpoint === endpoints.findings) {
    return 'findings';
  }
  if (endpoint === endpoints.reportUrl) {
    return 'reportLink';
  }
  if (endpoint.startsWith('POST /reports/')) {
    return 'report';
  }
  if (companyEndpoints.includes(endpoint)) {
    return 'company';
  }
  // The list of reports is no link that could expire.
  const isCollection = endpoint.startsWith('GET /') && endpoint !== endpoints.recentReports;
  return isCollection ? 'collection' : undefined;
}

/**
 * Path and query of a page of findings (spec section 4.3).
 * @throws BadRequestError that names the invalid part of the query.
 */
export function findingsPath(query: FindingsQuery): string {
  const path = issuesPath(query);
  const { offset, limit } = checkedRange(query);
  return `${path}/paginated?offset=${offset}&limit=${limit}`;
}

/**
 * Path and query of the first page of findings where pages follow each other by links. The members of the body are
 * filters of the query.
 * @throws BadRequestError that names the invalid part of the query.
 */
export function linkedFindingsPath(query: FindingsQuery): string {
  checkedRange(query);
  const filters = Object.entries(query.body ?? {}).map(([name, value]) => {
    if (value === null || typeof value === 'object') {
      throw new BadRequestError(
        message(
          'This service filters findings by the query of the address: "{0}" must be a text, a number or true or false.',
          name,
        ),
      );
    }
    return `${encodeURIComponent(name)}=${encodeURIComponent(String(value))}`;
  });
  return issuesPath(query) + (filters.length > 0 ? `?${filters.join('&')}` : '');
}

function issuesPath({ scorecardId, issueType }: FindingsQuery): string {
  const id = scorecardId.trim();
  if (!isUuid(id)) {
    throw new BadRequestError(
      message('The scorecard ID must be a UUID; domain names are not supported.'),
    );
  }
  return `/companies/${id}/issues/${issueTypeSegment(issueType)}`;
}

function checkedRange(query: FindingsQuery): { offset: number; limit: number } {
  return {
    offset: checkedInteger('offset', query.offset, 0, Number.MAX_SAFE_INTEGER),
    limit: checkedInteger('limit', query.limit, 1, largestPage),
  };
}

/**
 * An issue type as one path segment. Its characters cannot add a segment or a query to the path.
 * @throws BadRequestError
 */
export function issueTypeSegment(issueType: string): string {
  if (
    issueType === '' ||
    issueType.length > longestIssueType ||
    /^\.{1,2}$|[\p{Cc}\p{Cs}]/u.test(issueType)
  ) {
    throw new BadRequestError(message('The issue type must be a key such as open_port.'));
  }
  return encodeURIComponent(issueType);
}

function checkedInteger(name: string, value: number, min: number, max: number): number {
  if (!Number.isSafeInteger(value) || value < min || value > max) {
    throw new BadRequestError(
      max === Number.MAX_SAFE_INTEGER
        ? message('"{0}" must be a whole number of at least {1}.', name, min)
        : message('"{0}" must be a whole number from {1} to {2}.', name, min, max),
    );
  }
  return value;
}
