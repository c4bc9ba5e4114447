import { isPlainObject, type JsonObject } from '../../base/json/json';
import { findIssueType, issueTypes } from '../../vocabulary/issueTypes';
import { nextLink } from './collectionPages';
import { findingList, findingLists } from '../data/demoData';
import {
  badBody,
  type DemoRequest,
  type DemoResponse,
  parseIntegers,
  readObject,
  RefusedError,
} from '../http/exchange';
import type { FindingFilter } from './findingPages';
import { demoSeverity, type ReportOrder } from '../data/reportLines';
import type { DemoReport } from './demoReports';
import type { Routes } from '../http/router';
import type { DemoState } from './interfaceRoutes';
import {
  companiesOfPortfolio,
  companySummary,
  createFactors,
  portfolios,
  requireFollowed,
  scoreHistory,
} from '../data/companyData';
import { companyEvents } from '../data/companyEvents';
import { recommendation, titled } from '../data/issuesTable';

/** Findings per page; the reference names no size, and clients follow the links. */
const findingsPerPage = 500;

/**
 * The interface that the public API reference of SecurityScorecard describes, with the data of the demo. Only the
 * endpoints that this extension uses.
 */
export function securityScorecardRoutes(state: DemoState): Routes {
  const { reports } = state;
  return {
    'GET /portfolios': () => counted(portfolios()),
    'GET /portfolios/*/companies': ({ query }, id = '') => counted(companiesOfPortfolio(id, query)),
    'GET /companies/*': (_, company = '') => ({ status: 200, json: companySummary(company) }),
    'GET /companies/*/factors': async ({ origin }, company = '') =>
      counted(await factors(state, origin, company)),
    'GET /companies/*/summary-factors': async ({ origin }, company = '') => ({
      status: 200,
      json: {
        ...companySummary(company),
        factors: await factors(state, origin, company),
      },
    }),
    'GET /companies/*/history/score': ({ query }, company = '') =>
      answerList(scoreHistory(company, state.reference, query.get('from'))),
    'GET /companies/*/history/events/': ({ query, origin }, company = '') =>
      answerList(companyEvents(origin, company, state.reference, query)),
    'GET /companies/*/issues/*': (request, company = '', issueType = '') =>
      issues(state, request, company, issueType),
    // As its addresses in the factors of a company end.
    'GET /companies/*/issues/*/': (request, company = '', issueType = '') =>
      issues(state, request, company, issueType),
    'POST /companies/*/issues/*/feedback/': (request, company = '', issueType = '') =>
      takeFeedback(state, request, company, issueType),
    'GET /metadata/issue-types': () => answerList(issueTypes.map(({ key }) => issueTypeItem(key))),
    'GET /metadata/issue-types/*': (_, key = '') =>
      findIssueType(key) ? { status: 200, json: issueTypeInFull(key) } : notFound(),
    'POST /reports/issues': (request) => startReport(state, request, 'issues'),
    'POST /reports/full-scorecard-json': (request) => startReport(state, request, 'full'),
    'POST /reports/detailed': (request) => {
      state.detailedLimit.enforce('detailed reports');
      return startReport(state, request, 'detailed');
    },
    'GET /reports/recent': ({ origin }) => recentReports(state, origin),
    // First a redirect, as the reference says that it may be, then the file.
    'GET /reports/files/*': ({ origin }, id = '') => {
      const location = `${origin}/reports/files/${readyReport(state, id).id}/export`;
      return { status: 302, headers: { Location: location } };
    },
    'GET /reports/files/*/export': (request, id = '') =>
      reports.file(readyReport(state, id), request),
  };
}

type ReportKind = Exclude<ReportOrder['kind'], 'earlier'>;

/** What the service calls each kind of report, and its formats. */
const kinds = {
  issues: { type: 'issues', formats: ['csv', 'pdf'] },
  full: { type: 'full-scorecard-json', formats: ['json'] },
  detailed: { type: 'detailed', formats: ['pdf'] },
} as const satisfies Record<ReportKind, unknown>;

async function startReport(
  { reports }: DemoState,
  request: DemoRequest,
  kind: ReportKind,
): Promise<DemoResponse> {
  const body = (await readObject(request.message)) ?? {};
  const { formats } = kinds[kind];
  const order: unknown = kind === 'full' ? body.params : body;
  if (!isPlainObject(order)) {
    throw badBody('must have the object params');
  }
  if (typeof order.scorecard_identifier !== 'string') {
    throw badBody('must have a scorecard_identifier');
  }
  const format = formats.find((each) => each === (order.format ?? formats[0]));
  if (format === undefined) {
    throw badBody(`format must be ${formats.join(' or ')}`);
  }
  const scorecard = requireFollowed(order.scorecard_identifier);
  const id = reports.start(kind, format === 'json' ? 'ndjson' : format, scorecard);
  return { status: 200, json: { id } };
}

/** The list of reports, the newest first. */
function recentReports({ reports }: DemoState, origin: string): DemoResponse {
  const ordered = reports.recent().reverse();
  return answerList(
    ordered.flatMap((report) => {
      const { kind, format, scorecard, startedAt } = report.order;
      if (kind === 'earlier') {
        return [];
      }
      const { type } = kinds[kind];
      return {
        id: report.id,
        title: `${scorecard?.name ?? ''} ${type} report`,
        format: format === 'ndjson' ? 'json' : format,
        report_type: type,
        created_at: new Date(startedAt).toISOString(),
        ...(reports.waitMs(report) <= 0 && {
          completed_at: new Date(report.readyAt).toISOString(),
          download_url: `${origin}/reports/files/${report.id}`,
        }),
      };
    }),
  );
}

function readyReport({ reports }: DemoState, id: string): DemoReport {
  const report = reports.find(id);
  if (!report || reports.waitMs(report) > 0) {
    throw new RefusedError(404, 'report not found', { key: 'report_not_found' });
  }
  return report;
}

function notFound(): never {
  throw new RefusedError(404, 'not found', { key: 'not_found' });
}

function answerList(entries: JsonObject[]): DemoResponse {
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
  { pages }: DemoState,
  origin: string,
  identifier: string,
): Promise<JsonObject[]> {
  const scorecard = requireFollowed(identifier);
  const counts: Record<string, number> = {};
  for (const list of findingLists(scorecard)) {
    counts[list.issueType] = (await pages.findMatches(list, active)).length;
  }
  return createFactors(origin, scorecard.domain, counts);
}

/** A page of the active findings of an issue type; a Link header leads to the next one. Of the filters: by issue_id. */
async function issues(
  { pages, feedback }: DemoState,
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
  const entries = page.entries.map((entry) => {
    const told = feedback.get(entry.issue_id as string);
    return told ? { ...entry, feedback: [told] } : entry;
  });
  return {
    status: 200,
    headers: nextLink(
      request,
      page.has_more ? { ...query, from: from + findingsPerPage } : undefined,
    ),
    json: { entries },
  };
}

const feedbackTypes = [
  'technical_remediation',
  'compensating_control',
  'misattribution',
  'false_positive',
];

/** Takes what an account says about findings of an issue type; the findings have it from then on. */
async function takeFeedback(
  { feedback }: DemoState,
  request: DemoRequest,
  identifier: string,
  issueType: string,
): Promise<DemoResponse> {
  const scorecard = requireFollowed(identifier);
  if (!Object.hasOwn(scorecard.counts, issueType)) {
    notFound();
  }
  const body = (await readObject(request.message)) ?? {};
  const { issue_ids: ids, feedback_type: type, comment = '' } = body;
  if (!Array.isArray(ids) || ids.length === 0 || ids.length > 100) {
    throw badBody('must have the list issue_ids, of 1 to 100 ids');
  }
  if (typeof type !== 'string' || !feedbackTypes.includes(type)) {
    throw badBody(`feedback_type must be one of ${feedbackTypes.join(', ')}`);
  }
  for (const id of ids as string[]) {
    feedback.set(id, { status: 'open', type, comment, meta: { votes: null } });
  }
  return { status: 201 };
}
