import { fnv1a } from '../base/fnv1a';
import { isUuid } from '../base/uuid';
import { message } from '../base/message';
import { BadRequestError } from './http/errors';
import { type FindingsQuery, largestPage, type ReportKind } from './types';

/** The longest issue type that is sent; real ones have at most some forty characters. */
const longestIssueType = 200;

/**
 * What limits and log lines know an endpoint by: method and route template, so that two addresses
 * of one endpoint share its limit and no id stands in a log.
 */
export interface Route {
  readonly label: string;
  /**
   * Whether a 429 here says nothing about other endpoints: the endpoint has a limit of its own
   * (spec section 8) or belongs to another host.
   */
  readonly ownLimit: boolean;
}

export const findingsRoute: Route = {
  label: 'POST /companies/{scorecard_identifier}/issues/{issue_type}/paginated',
  ownLimit: false,
};

export const reportRoutes: Record<ReportKind, Route> = {
  full: { label: 'POST /reports/full-dump', ownLimit: false },
  detailed: { label: 'POST /reports/detailed', ownLimit: true },
};

export const reportPaths: Record<ReportKind, string> = {
  full: '/reports/full-dump',
  detailed: '/reports/detailed',
};

/** What stands in the budget for hosts that only another window has asked. */
export const otherHostsLabel = 'GET (another host)';

export const reportUrlRoute: Route = { label: 'GET {report_url}', ownLimit: false };

/** What a call was about; `reportLink`: where a report is downloaded from. */
type Subject = 'findings' | 'collection' | 'report' | 'reportLink';

/**
 * What the endpoint of an error stands for.
 * @param endpoint its label; of another host, which may have been asked for anything, nothing is known.
 */
export function subjectOf(endpoint: string | undefined): Subject | undefined {
  switch (endpoint) {
    case findingsRoute.label:
      return 'findings';
    case reportRoutes.full.label:
    case reportRoutes.detailed.label:
      return 'report';
    case reportUrlRoute.label:
      return 'reportLink';
    default:
      return endpoint?.startsWith('GET /') ? 'collection' : undefined;
  }
}

const ids = new Map<string, number>();

/** What an endpoint is known by where its label does not fit: 32 bits of it, the same everywhere. */
export function endpointId(label: string): number {
  const id = ids.get(label) ?? fnv1a(Buffer.from(label));
  ids.set(label, id);
  return id;
}

/**
 * The label of an endpoint that this process knows: any of the service's, and other hosts it was
 * sent to itself.
 */
export function endpointLabel(id: number): string | undefined {
  return [...ids].find(([, known]) => known === id)?.[0];
}

for (const { label } of [findingsRoute, reportRoutes.full, reportRoutes.detailed, reportUrlRoute]) {
  endpointId(label);
}

/** The route of an address at another origin, such as object storage. */
export function foreignRoute(method: string, url: URL): Route {
  return { label: `${method} ${url.origin}`, ownLimit: true };
}

/**
 * Path and query of a page of findings (spec section 4.3).
 * @throws BadRequestError naming the part of the query that is wrong.
 */
export function findingsPath(query: FindingsQuery): string {
  const id = query.scorecardId.trim();
  if (!isUuid(id)) {
    throw new BadRequestError(
      message('The scorecard ID must be a UUID; domain names are not supported.'),
    );
  }
  const offset = checkedInteger('offset', query.offset, 0, Number.MAX_SAFE_INTEGER);
  const limit = checkedInteger('limit', query.limit, 1, largestPage);
  return `/companies/${id}/issues/${issueTypeSegment(query.issueType)}/paginated?offset=${offset}&limit=${limit}`;
}

/** An issue type as one path segment: whatever it holds, depth and query of the path stay. */
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
