import { requireScorecard } from './access';
import { collectionPage, nextLink } from './collectionResponses';
import { findingList } from './demoData';
import {
  badBody,
  parseIntegers,
  readObject,
  RefusedError,
  type DemoResponse,
  type DemoRequest,
  type RollingLimit,
} from './exchange';
import { parseFilter, type FindingPages } from './findingPages';
import type { ReportGenerator } from './reportGenerator';
import type { RecentReportList } from './securityScorecard/recentReportList';

export interface Endpoints {
  /** The list of reports that the service of `securityScorecard` has. */
  readonly recentReports: RecentReportList;
  /** See `referenceDay`. */
  readonly reference: number;
  readonly pages: FindingPages;
  readonly reports: ReportGenerator;
  readonly detailedLimit: RollingLimit;
}

/** Answers a request whose key is valid and whose client is within the limit. */
export async function route(endpoints: Endpoints, request: DemoRequest): Promise<DemoResponse> {
  const [first, second, third, fourth, fifth, ...rest] = segments(request.path);
  if (first === 'companies' && third === 'issues' && fifth === 'paginated' && rest.length === 0) {
    requireMethod(request, 'POST');
    return findings(endpoints, request, second ?? '', fourth ?? '');
  }
  if (first === 'reports' && second === 'full-dump' && third === undefined) {
    requireMethod(request, 'POST');
    return endpoints.reports.start('full', request);
  }
  if (first === 'reports' && second === 'detailed' && third === undefined) {
    requireMethod(request, 'POST');
    enforceLimit(endpoints.detailedLimit, 'detailed reports');
    return endpoints.reports.start('detailed', request);
  }
  if (first === 'reports' && third === 'download' && fourth === undefined) {
    requireMethod(request, 'GET', 'HEAD');
    return endpoints.reports.download(second ?? '', request);
  }
  const page = collectionPage(endpoints.reference, request);
  if (page) {
    requireMethod(request, 'GET', 'HEAD');
    return page;
  }
  throw new RefusedError(404, 'not found', { key: 'not_found' });
}

/** Counts a request, and refuses it with 429 if there were too many (spec sections 7 and 8). */
export function enforceLimit(limit: RollingLimit, what: string): void {
  const seconds = limit.reserve();
  if (seconds > 0) {
    throw new RefusedError(429, `Too many ${what}. Try again in ${seconds} seconds.`, {
      key: 'rate_limit_exceeded',
      headers: { 'Retry-After': String(seconds) },
    });
  }
}

async function findings(
  { pages }: Endpoints,
  request: DemoRequest,
  identifier: string,
  issueType: string,
): Promise<DemoResponse> {
  const scorecard = requireScorecard(identifier);
  if (!/^[a-z0-9_]+$/.test(issueType)) {
    throw new RefusedError(400, 'Validation failed:\n  - issue_type: must match ^[a-z0-9_]+$', {
      key: 'validation_failed',
    });
  }
  const { offset, limit } = parseIntegers(request.query, {
    offset: { fallback: 0, min: 0, max: Number.MAX_SAFE_INTEGER },
    limit: { fallback: 100, min: 1, max: 500 },
  });
  const body = await readObject(request.message);
  if (!body) {
    throw badBody('must be a JSON object; an empty one is accepted');
  }
  const list = findingList(scorecard, issueType);
  const page = await pages.page(list, offset, limit, parseFilter(body));
  return {
    status: 200,
    headers: nextLink(request, page.has_more ? { offset: offset + limit, limit } : undefined),
    json: page,
  };
}

export function requireMethod({ message }: DemoRequest, ...methods: string[]): void {
  if (!methods.includes(message.method ?? '')) {
    throw new RefusedError(405, `${message.method ?? ''} is not allowed here.`, {
      key: 'method_not_allowed',
      headers: { Allow: methods.join(', ') },
    });
  }
}

export function segments(path: string): string[] {
  try {
    return path.split('/').slice(1).map(decodeURIComponent);
  } catch {
    throw new RefusedError(400, 'The path is not valid percent-encoding.', { key: 'bad_request' });
  }
}
