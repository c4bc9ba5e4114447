import * as v from 'valibot';
import { ExactNumber, isPlainObject, type JsonObject } from '../../base/json/json';
import { message } from '../../base/message';
import { asciiDomain } from '../../base/text/asciiDomain';
import { plainText } from '../../base/text/plainText';
import { isUuid } from '../../base/text/uuid';
import type { KnownReason } from '../../vocabulary/knownReasons';
import { BadRequestError, ForbiddenError, NotFoundError, ProtocolError } from '../http/errors';
import { issueTypeSegment } from '../paths';
import { allEntries } from '../paging/collectionPages';
import type { CallOptions, CollectionSource } from '../types';
import { type CompanyEvent, eventsPath, parseEvents } from './companyEvents';
import { informational, number, parsed, present, text } from './servedMembers';

/** What is needed of a client. */
interface Source extends CollectionSource {
  /** GET of what is about a company or its issues. */
  company(path: string, options: CallOptions): Promise<unknown>;
  /** POST of a JSON object; the answer needs no body. Not repeated if the service may have accepted it. */
  tell(path: string, body: JsonObject, options: CallOptions): Promise<void>;
  /** See Service. */
  readonly companyPage?: string | undefined;
}

/** What an account can tell the service about findings, in the words of the service: by the reason. */
export const feedbackTypes = {
  falsePositive: 'false_positive',
  notOurs: 'misattribution',
  fixed: 'technical_remediation',
  compensatingControl: 'compensating_control',
} as const satisfies Partial<Record<KnownReason, string>>;

export type FeedbackType = (typeof feedbackTypes)[keyof typeof feedbackTypes];

/** What is told about findings of one issue type. */
export interface Feedback {
  readonly issueType: string;
  /** At most `maxFeedbackIds`. */
  readonly issueIds: readonly string[];
  readonly type: FeedbackType;
  readonly comment?: string;
}

/** The most findings of one request. */
export const maxFeedbackIds = 100;

/** The path of a request with feedback. @throws BadRequestError */
export function feedbackPath(identifier: string, issueType: string): string {
  return `${companyPath(identifier)}/issues/${issueTypeSegment(issueType)}/feedback/`;
}

/** What the service can be asked about the companies of a portfolio; all of it must be true. */
export interface CompanyQuestion {
  /** Whether it had a breach in so many days. */
  readonly breachWithinDays?: number;
  /** The id of a vulnerability that it has, such as `CVE-2021-44228`. */
  readonly vulnerability?: string;
  /** An issue type that it has findings of. */
  readonly issueType?: string;
}

/** The path of the portfolios that a key may see. */
export const portfoliosPath = '/portfolios';

/** The companies that a key may see. All calls but `sendFeedback` are reads: retried. */
export type Companies = ReturnType<typeof createCompanies>;
/** A company of a portfolio. */
export type PortfolioCompany = Awaited<ReturnType<Companies['ofPortfolio']>>[number];
/** A company with its score, and its counts of issues. */
export type CompanySummary = Awaited<ReturnType<Companies['summary']>>;
export type IssueTypeSummary = CompanySummary['issueTypes'][number];
/** A score of a company; `at` is in milliseconds since the epoch. */
export type ScorePoint = Awaited<ReturnType<Companies['history']>>[number];

/** The portfolios and companies of a service that has them. */
export function createCompanies(source: Source) {
  const summaryOf = summaryReader(source);
  return {
    portfolios: async (options: CallOptions = {}) =>
      parsed(portfolio, await allEntries(source, portfoliosPath, options)),
    /** The companies of a portfolio: all, or those that the service says a question is true of. */
    ofPortfolio: async (
      portfolioId: string,
      { breachWithinDays, vulnerability, issueType }: CompanyQuestion = {},
      options: CallOptions = {},
    ) => {
      const path = `${portfoliosPath}/${encodeURIComponent(portfolioId)}/companies`;
      const asked = {
        had_breach_within_last_days: breachWithinDays?.toString(),
        vulnerability,
        issue_type: issueType,
      };
      const query = Object.entries(asked).flatMap(([name, value]) =>
        value === undefined ? [] : [`${name}=${encodeURIComponent(value)}`],
      );
      const suffix = query.length > 0 ? `?${query.join('&')}` : '';
      return parsed(portfolioCompany, await allEntries(source, path + suffix, options));
    },
    /**
     * A company, with one request, or with two where the account cannot use the one.
     * @param identifier the UUID of its scorecard, or its domain.
     * @throws ForbiddenError if it is in no portfolio.
     */
    summary: async (identifier: string, options: CallOptions = {}) => {
      const { about, factors } = await summaryOf(companyPath(identifier), options);
      const company = parseCompany(about, identifier.trim());
      const domain = asciiDomain(company.domain);
      return present({
        ...company,
        page: domain === undefined ? domain : source.companyPage?.replace('{domain}', domain),
        factors: parsed(factorSummary, factors),
        issueTypes: factors.flatMap(parseIssueTypes),
      });
    },
    /**
     * The scores that a company has had, the oldest first.
     * @param since the first day, in milliseconds since the epoch.
     */
    history: async (identifier: string, since: number, options: CallOptions = {}) => {
      const from = new Date(since).toISOString().slice(0, 10);
      const path = `${companyPath(identifier)}/history/score?from=${from}`;
      const entries = await allEntries(source, path, options);
      return entries
        .flatMap(parseScorePoint)
        .filter(({ at }) => at >= Date.parse(from))
        .sort((first, second) => first.at - second.at);
    },
    /**
     * What has happened to a company from one time to another, in milliseconds since the epoch; the oldest first.
     * @throws ForbiddenError if it is in no portfolio.
     */
    events: async (
      identifier: string,
      period: { readonly from: number; readonly to: number },
      options: CallOptions = {},
    ): Promise<CompanyEvent[]> =>
      parseEvents(await allEntries(source, eventsPath(companyPath(identifier), period), options)),
    /** The titles of all issue types, by their keys, with one request. */
    issueTypeTitles: async (options: CallOptions = {}): Promise<ReadonlyMap<string, string>> => {
      const entries = await allEntries(source, issueTypesPath, options);
      return new Map(entries.flatMap(parseTitle));
    },
    /** What the service recommends against findings of an issue type, as plain text; `undefined` if it says nothing. */
    recommendation: async (issueType: string, options: CallOptions = {}) => {
      const path = `${issueTypesPath}/${issueTypeSegment(issueType)}`;
      const about = await source.company(path, options);
      const result = v.safeParse(v.object({ recommendation: text }), about);
      return result.success ? plainText(result.output.recommendation, 2_000) : undefined;
    },
    /**
     * Tells the service about findings. Repeated only if the service certainly did not accept it (429).
     * @param identifier as for `summary`.
     */
    sendFeedback: (
      identifier: string,
      { issueType, issueIds, type, comment }: Feedback,
      options: CallOptions = {},
    ): Promise<void> =>
      source.tell(
        feedbackPath(identifier, issueType),
        {
          issue_ids: [...issueIds],
          feedback_type: type,
          ...(comment !== undefined && { comment }),
        },
        options,
      ),
  };
}

/** A page of the metadata of all issue types. */
const issueTypesPath = '/metadata/issue-types';

/** @throws BadRequestError */
function companyPath(identifier: string): string {
  const text = identifier.trim().toLowerCase();
  const id = isUuid(text) ? text : asciiDomain(text);
  if (id === undefined) {
    throw new BadRequestError(
      message('The company must be a domain such as example.com, or the UUID of its scorecard.'),
    );
  }
  return `/companies/${id}`;
}

/**
 * Reads companies with their factors. The service has both in one answer, but says that it sets up endpoints for each
 * client; an account without that one needs two requests.
 */
function summaryReader(source: Source) {
  let isMissing = false;
  const inOne = async (path: string, options: CallOptions) => {
    const about = await source.company(`${path}/summary-factors`, options);
    const factors: unknown = isPlainObject(about) ? about.factors : undefined;
    return Array.isArray(factors)
      ? { about, factors: factors.filter(isPlainObject) as JsonObject[] }
      : undefined;
  };
  return async (path: string, options: CallOptions) => {
    if (!isMissing) {
      try {
        const both = await inOne(path, options);
        if (both) {
          return both;
        }
      } catch (error) {
        // The company may be what is not there, or not allowed: the other requests tell.
        if (!(error instanceof NotFoundError || error instanceof ForbiddenError)) {
          throw error;
        }
      }
    }
    const [about, factors] = await Promise.all([
      source.company(path, options),
      allEntries(source, `${path}/factors`, options),
    ]);
    isMissing = true;
    return { about, factors };
  };
}

/** `?` while the service calculates it. */
const grade = v.pipe(text, v.notValue('?'));
const portfolio = v.object({
  /** A number may have more digits than a double can hold. */
  id: v.pipe(v.union([text, v.number(), v.instance(ExactNumber)]), v.transform(String)),
  name: v.fallback(text, ''),
});

const named = {
  domain: text,
  name: v.fallback(text, ''),
  /** From 0 to 100. */
  score: informational(number),
  grade: informational(grade),
};

/** The members of a portfolio have no UUID. */
const portfolioCompany = v.pipe(
  v.object({
    ...named,
    /** By how much the score has changed in 30 days. */
    last30days_score_change: informational(number),
  }),
  v.transform(({ last30days_score_change: scoreChange, ...rest }) => ({ ...rest, scoreChange })),
);

const company = v.pipe(
  v.object({
    ...named,
    uuid: v.fallback(text, ''),
    /** By how much the score has changed in 30 days. */
    last30day_score_change: informational(number),
  }),
  v.transform(({ last30day_score_change: scoreChange, ...rest }) => ({ ...rest, scoreChange })),
);

/** A factor by its key, for example `network_security`, also where it is written as a title. */
const factorName = v.pipe(
  text,
  v.transform((name) => name.toLowerCase().replace(/[\s-]+/g, '_')),
);

/** One of the groups of issue types that a company is graded by. */
const factorSummary = v.object({
  name: factorName,
  score: informational(number),
  grade: informational(grade),
});

/** How many findings a company has of an issue type. */
const issueSummary = v.pipe(
  v.object({
    type: text,
    count: informational(v.pipe(number, v.safeInteger(), v.minValue(0))),
    /** As served. */
    severity: informational(text),
    /** How much the score of the company would rise without these findings. */
    total_score_impact: informational(number),
    factor: informational(factorName),
  }),
  v.transform(({ type: issueType, total_score_impact: scoreImpact, ...rest }) => ({
    ...rest,
    issueType,
    scoreImpact,
  })),
);

/** @param identifier what was asked for: if it is a UUID, the caller knows the company by it. */
function parseCompany(json: unknown, identifier: string) {
  const [served] = parsed(company, [json]);
  if (!served) {
    throw new ProtocolError(message('The service sent no company with a domain.'));
  }
  const { uuid, ...about } = served;
  const id = isUuid(identifier) ? identifier : uuid;
  if (!isUuid(id)) {
    throw new ProtocolError(
      message(
        'The service sent {0} without the UUID of its scorecard, which findings are requested by. Enter that UUID instead of the domain.',
        about.domain,
      ),
    );
  }
  return { ...about, id: id.toLowerCase() };
}

/** The key and the title of an issue type, which the reference calls its short description. */
function parseTitle({
  key,
  title,
  short_description: description,
}: JsonObject): [string, string][] {
  const named = [title, description].find((each) => typeof each === 'string' && each !== '');
  return typeof key === 'string' && typeof named === 'string' ? [[key, plainText(named, 100)]] : [];
}

function parseScorePoint({ date, score }: JsonObject) {
  const at = typeof date === 'string' ? Date.parse(date) : Number.NaN;
  const result = v.safeParse(number, score);
  return Number.isNaN(at) || !result.success ? [] : [{ at, score: result.output }];
}

/** The counts in one of the factors of a company. */
function parseIssueTypes({ name, issue_summary: list }: JsonObject) {
  return parsed(
    issueSummary,
    (Array.isArray(list) ? list : []).map((each) =>
      isPlainObject(each) ? { ...each, factor: name } : each,
    ),
  );
}
