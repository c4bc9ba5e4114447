import { once } from '../../base/events/once';
import { isPlainObject, type JsonObject } from '../../base/json/json';
import { isUuid } from '../../base/text/uuid';
import {
  findCompanies,
  eventsAt,
  listedCompanies,
  portfoliosAt,
  scoresAt,
} from '../data/collectionEntries';
import { collectionPage, cursorPage, nextLink } from './collectionPages';
import { findingList, type ScorecardData } from '../data/demoData';
import {
  badBody,
  type DemoRequest,
  type DemoResponse,
  parseIntegers,
  readObject,
  RefusedError,
  type RollingLimit,
} from '../http/exchange';
import { parseFilter, type FindingPages } from './findingPages';
import type { DemoReports } from './demoReports';
import type { Routes } from '../http/router';
import { requireFollowed } from '../data/companyData';

/** What a service has. */
export interface DemoState {
  /** See `referenceDay`. */
  readonly reference: number;
  readonly pages: FindingPages;
  readonly reports: DemoReports;
  readonly detailedLimit: RollingLimit;
  /** What was said about findings, by their ids. */
  readonly feedback: Map<string, JsonObject>;
}

/** The interface of the specification. */
export function interfaceRoutes(state: DemoState): Routes {
  const { reference, reports } = state;
  const portfolios = once(() => portfoliosAt(reference));
  const events = once(() => eventsAt(reference));
  const scores = once(() => scoresAt(reference));
  return {
    'POST /companies/*/issues/*/paginated': (request, identifier = '', issueType = '') =>
      findings(state, request, identifier, issueType),
    'POST /reports/full-dump': (request) => startReport(state, request, 'full'),
    'POST /reports/detailed': (request) => {
      state.detailedLimit.enforce('detailed reports');
      return startReport(state, request, 'detailed');
    },
    'GET /reports/*/download': async (request, id = '') => {
      const report = reports.find(id);
      if (!report) {
        throw new RefusedError(404, 'report not found', { key: 'report_not_found' });
      }
      const waitMs = reports.waitMs(report);
      if (waitMs <= 0) {
        return reports.file(report, request);
      }
      // No Retry-After in the last second: clients must also work without it.
      const advice = waitMs > 1000 ? { 'Retry-After': String(Math.ceil(waitMs / 1000)) } : {};
      return { status: 202, headers: advice, json: findRecord(request, id) };
    },
    'GET /portfolios': (request) => collectionPage(portfolios(), request),
    'GET /portfolios/*/companies': (request, id = '') => {
      const portfolio = portfolios().find((each) => each.id === id);
      if (!portfolio) {
        throw new RefusedError(404, 'portfolio not found', { key: 'portfolio_not_found' });
      }
      return collectionPage(findCompanies(portfolio), request);
    },
    'GET /companies': (request) => collectionPage(listedCompanies(), request),
    'GET /score-history': (request) => collectionPage(scores(), request),
    'GET /events': (request) => cursorPage(events(), request),
  };
}

/**
 * POST of a report. Without a body, or without a `scorecard_identifier` in it (at the top or in `params`), the report
 * covers all scorecards.
 */
async function startReport(
  { reports }: DemoState,
  request: DemoRequest,
  kind: 'full' | 'detailed',
): Promise<DemoResponse> {
  const body = (await readObject(request.message)) ?? {};
  const params = isPlainObject(body.params) ? body.params : {};
  const identifier = body.scorecard_identifier ?? params.scorecard_identifier ?? undefined;
  const scorecard = identifier === undefined ? undefined : requireScorecard(identifier);
  const id = reports.start(kind, kind === 'full' ? 'ndjson' : 'csv', scorecard);
  return { status: 200, json: findRecord(request, id) };
}

function findRecord({ origin }: DemoRequest, id: string): JsonObject {
  return { report_url: `${origin}/reports/${id}/download`, status: 'processing' };
}

async function findings(
  { pages }: DemoState,
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

/**
 * Returns the scorecard that a request names.
 * @throws RefusedError unless the request names the UUID of a scorecard that the key may see
 */
function requireScorecard(identifier: unknown): ScorecardData {
  if (typeof identifier !== 'string' || !isUuid(identifier)) {
    // A domain name is what users try first (spec section 7).
    throw new RefusedError(
      400,
      `Validation failed:\n  - scorecard_identifier: must be a UUID (got ${JSON.stringify(identifier).slice(0, 80)})\n` +
        "A domain name is not accepted here.\nUse the scorecard's UUID, such as 7d1c4f52-9a3e-4c86-b0f1-2e5a6d8c9b04.",
      { key: 'invalid_scorecard_identifier' },
    );
  }
  return requireFollowed(identifier);
}
