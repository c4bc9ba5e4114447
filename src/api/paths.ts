import { isUuid } from '../base/text/uuid';
import { message } from '../base/message';
import { BadRequestError } from './http/errors';
import { type FindingsQuery, largestPage } from './types';

/** The longest issue type that is sent; real ones have at most about forty characters. */
const longestIssueType = 200;

/**
 * Identifies an endpoint in limits and log lines by method and route template, so that all addresses of an
 * endpoint share its limit and no ID appears in the log.
 */
export interface Route {
  /** Printable ASCII. */
  readonly label: string;
  /**
   * Whether a 429 here says nothing about other endpoints: the endpoint has a limit of its own
   * (spec section 8) or belongs to another host.
   */
  readonly ownLimit: boolean;
}

function serviceRoute(label: string, { ownLimit = false } = {}): Route {
  return { label, ownLimit };
}

export const findingsRoute = serviceRoute(
  'POST /companies/{scorecard_identifier}/issues/{issue_type}/paginated',
);

/** The same where the pages of a list follow each other by links. */
export const linkedFindingsRoute = serviceRoute(
  'GET /companies/{scorecard_identifier}/issues/{issue_type}',
);

/** The routes of report requests, over all services. */
export const reportRoutes = {
  full: serviceRoute('POST /reports/full-dump'),
  detailed: serviceRoute('POST /reports/detailed', { ownLimit: true }),
  issues: serviceRoute('POST /reports/issues'),
  fullScorecard: serviceRoute('POST /reports/full-scorecard-json'),
};

export const recentReportsRoute = serviceRoute('GET /reports/recent');

/** A company with its score, and its counts of issues. */
export const companyRoutes = {
  summary: serviceRoute('GET /companies/{scorecard_identifier}/summary-factors'),
  company: serviceRoute('GET /companies/{scorecard_identifier}'),
  factors: serviceRoute('GET /companies/{scorecard_identifier}/factors'),
  history: serviceRoute('GET /companies/{scorecard_identifier}/history/score'),
  portfolios: serviceRoute('GET /portfolios'),
  portfolioCompanies: serviceRoute('GET /portfolios/{id}/companies'),
  issueTypes: serviceRoute('GET /metadata/issue-types'),
};

export const reportUrlRoute = serviceRoute('GET {report_url}');

/** What a call was about. `reportLink`: the address that a report is downloaded from. */
export type Subject = 'findings' | 'company' | 'collection' | 'report' | 'reportLink';

/**
 * What the call of an error was about.
 * @param endpoint the label of its endpoint. For another host the result is `undefined`, because the
 * request may have been for anything. The label of a collection has its path from the settings, so any other
 * `GET` counts as one.
 */
export function subjectOf(endpoint: string | undefined): Subject | undefined {
  switch (endpoint) {
    case findingsRoute.label:
      return 'findings';
    case linkedFindingsRoute.label:
    case companyRoutes.summary.label:
    case companyRoutes.company.label:
    case companyRoutes.factors.label:
    case companyRoutes.history.label:
      return 'company';
    case reportRoutes.full.label:
    case reportRoutes.detailed.label:
    case reportRoutes.issues.label:
    case reportRoutes.fullScorecard.label:
      return 'report';
    case reportUrlRoute.label:
      return 'reportLink';
    case recentReportsRoute.label:
      // It is no link that could expire.
      return undefined;
    default:
      return endpoint?.startsWith('GET /') ? 'collection' : undefined;
  }
}

/** For another origin, such as object storage. */
export function foreignRoute(method: string, url: URL): Route {
  return { label: `${method} ${url.origin}`, ownLimit: true };
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

/** An issue type as one path segment. Its characters cannot add a segment or a query to the path. */
function issueTypeSegment(issueType: string): string {
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
