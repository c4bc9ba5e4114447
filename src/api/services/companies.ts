import * as v from 'valibot';
import { ExactNumber, isPlainObject, type JsonObject } from '../../base/json/json';
import { message } from '../../base/message';
import { asciiDomain } from '../../base/text/asciiDomain';
import { plainText } from '../../base/text/plainText';
import { isUuid } from '../../base/text/uuid';
import { BadRequestError, ForbiddenError, NotFoundError, ProtocolError } from '../http/errors';
import { companyRoutes, type Route } from '../paths';
import { collectionPages } from '../paging/collectionPages';
import type {
  Api,
  CallOptions,
  Companies,
  CompanySummary,
  FactorSummary,
  IssueTypeSummary,
  Portfolio,
  PortfolioCompany,
  ScorePoint,
} from '../types';

/** What is needed of a client. */
interface Source extends Pick<Api, 'collectionPage'> {
  /** GET of what is about a company or its issues. */
  company(route: Route, path: string, options: CallOptions): Promise<unknown>;
  /** See ServiceProfile. */
  readonly companyPage?: string | undefined;
}

/** The path of the portfolios that a key may see. */
export const portfoliosPath = '/portfolios';

/** The portfolios and companies of a service that has them. */
export function companiesOf(source: Source): Companies {
  const summaryOf = summaryReader(source);
  return {
    portfolios: async (options = {}) =>
      parsed(portfolio, await allEntries(source, portfoliosPath, options)),
    ofPortfolio: async (portfolioId, options = {}) => {
      const path = `${portfoliosPath}/${encodeURIComponent(portfolioId)}/companies`;
      const template = `${portfoliosPath}/{id}/companies`;
      return parsed(portfolioCompany, await allEntries(source, path, options, template));
    },
    summary: async (identifier, options = {}) => {
      const { about, factors } = await summaryOf(companyPath(identifier), options);
      const company = parseCompany(about, identifier.trim());
      const domain = asciiDomain(company.domain);
      return {
        ...company,
        ...(source.companyPage !== undefined &&
          domain !== undefined && { page: source.companyPage.replace('{domain}', domain) }),
        factors: parsed(factorSummary, factors),
        issueTypes: factors.flatMap(issueTypesOf),
      };
    },
    history: async (identifier, since, options = {}) => {
      const from = new Date(since).toISOString().slice(0, 10);
      const path = `${companyPath(identifier)}/history/score?from=${from}`;
      const entries = await allEntries(source, path, options, historyTemplate);
      return entries
        .flatMap(scorePointOf)
        .filter(({ at }) => at >= Date.parse(from))
        .sort((first, second) => first.at - second.at);
    },
    issueTypeTitles: async (options = {}) => {
      const entries = await allEntries(source, issueTypesPath, options);
      return new Map(entries.flatMap(titleOf));
    },
    recommendation: async (issueType, options = {}) => {
      const path = `${issueTypesPath}/${encodeURIComponent(issueType)}`;
      const about = v.safeParse(
        issueTypeAbout,
        await source.company(companyRoutes.company, path, options),
      );
      return about.success ? plainText(about.output.recommendation, 2_000) : undefined;
    },
  };
}

/** A page of the metadata of all issue types. */
const issueTypesPath = '/metadata/issue-types';

const factorsTemplate = '/companies/{scorecard_identifier}/factors';
const historyTemplate = '/companies/{scorecard_identifier}/history/score';

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

interface CompanyWithFactors {
  readonly about: unknown;
  readonly factors: JsonObject[];
}

/**
 * Reads companies with their factors. The service has both in one answer, but says that it sets up endpoints for each
 * client; an account without that one needs two requests.
 */
function summaryReader(source: Source) {
  let isMissing = false;
  const inOne = async (path: string, options: CallOptions) => {
    const route = companyRoutes.summary;
    const about = await source.company(route, `${path}/summary-factors`, options);
    const factors: unknown = isPlainObject(about) ? about.factors : undefined;
    return Array.isArray(factors) ? { about, factors: factors.filter(isPlainObject) } : undefined;
  };
  const inTwo = async (path: string, options: CallOptions) => {
    const [about, factors] = await Promise.all([
      source.company(companyRoutes.company, path, options),
      allEntries(source, `${path}/factors`, options, factorsTemplate),
    ]);
    return { about, factors };
  };
  return async (path: string, options: CallOptions): Promise<CompanyWithFactors> => {
    const both = isMissing
      ? undefined
      : await inOne(path, options).catch((error: unknown) => {
          // The company may be what is not there, or not allowed: the other requests tell.
          if (error instanceof NotFoundError || error instanceof ForbiddenError) {
            return undefined;
          }
          throw error;
        });
    if (both) {
      return both as CompanyWithFactors;
    }
    const read = await inTwo(path, options);
    isMissing = true;
    return read;
  };
}

/** The entries of all pages. */
async function allEntries(
  source: Source,
  path: string,
  options: CallOptions,
  template?: string,
): Promise<JsonObject[]> {
  const query = { path, style: 'link', ...(template === undefined ? {} : { template }) } as const;
  const entries: JsonObject[] = [];
  for (let page = await collectionPages(source, query, options); ;) {
    entries.push(...page.items);
    if (!page.hasNext) {
      return entries;
    }
    page = await page.next(options);
  }
}

const text = v.pipe(v.string(), v.trim(), v.nonEmpty());
/** Also as a text: nothing public shows all answers of the service. */
const number = v.union([
  v.number(),
  v.pipe(v.instance(ExactNumber), v.transform(Number)),
  v.pipe(v.string(), v.trim(), v.regex(/^[+-]?\d+(?:\.\d+)?$/), v.transform(Number)),
]);
/** `?` while the service calculates it. */
const grade = v.pipe(text, v.notValue('?'));
/** A member that nothing depends on: an invalid value is ignored. */
const informational = <T>(schema: v.GenericSchema<unknown, T>) =>
  v.fallback(v.optional(schema), undefined);

const portfolio = v.object({
  id: v.union([text, v.pipe(number, v.transform(String))]),
  name: v.fallback(text, ''),
});
const portfolioCompany = v.object({
  domain: text,
  name: v.fallback(text, ''),
  score: informational(number),
  grade: informational(grade),
});
const companyAbout = v.object({
  ...portfolioCompany.entries,
  uuid: informational(text),
  last30day_score_change: informational(number),
});
const issueTypeAbout = v.object({ recommendation: text });
/** A factor by its key, also where it is written as a title. */
const factorName = v.pipe(
  text,
  v.transform((name) => name.toLowerCase().replace(/[\s-]+/g, '_')),
);
const factorSummary = v.object({
  name: factorName,
  score: informational(number),
  grade: informational(grade),
});
const issueSummary = v.object({
  type: text,
  count: informational(v.pipe(number, v.safeInteger(), v.minValue(0))),
  severity: informational(text),
  total_score_impact: informational(number),
});

/** The valid ones of some entries, without the members that have no value. */
function parsed(schema: typeof portfolio, entries: JsonObject[]): Portfolio[];
function parsed(schema: typeof portfolioCompany, entries: JsonObject[]): PortfolioCompany[];
function parsed(schema: typeof factorSummary, entries: JsonObject[]): FactorSummary[];
function parsed(schema: v.GenericSchema, entries: JsonObject[]): unknown[] {
  return entries.flatMap((entry) => {
    const result = v.safeParse(schema, entry);
    return result.success ? [present(result.output as object)] : [];
  });
}

/** @param identifier what was asked for: if it is a UUID, the caller knows the company by it. */
function parseCompany(
  json: unknown,
  identifier: string,
): Omit<CompanySummary, 'factors' | 'issueTypes'> {
  const result = v.safeParse(companyAbout, json);
  const { uuid: served = '' } = result.success ? result.output : {};
  const id = isUuid(identifier) ? identifier : served;
  if (!result.success) {
    throw new ProtocolError(message('The service sent no company with a domain.'));
  }
  if (!isUuid(id)) {
    throw new ProtocolError(
      message(
        'The service sent {0} without the UUID of its scorecard, which findings are requested by. Enter that UUID instead of the domain.',
        result.output.domain,
      ),
    );
  }
  const { domain, name, score, grade, last30day_score_change: scoreChange } = result.output;
  return present({ domain, name, score, grade, id: id.toLowerCase(), scoreChange }) as Omit<
    CompanySummary,
    'factors' | 'issueTypes'
  >;
}

/** The key and the title of an issue type, which the reference calls its short description. */
function titleOf({ key, title, short_description: description }: JsonObject): [string, string][] {
  const named = [title, description].find((each) => typeof each === 'string' && each !== '');
  return typeof key === 'string' && typeof named === 'string' ? [[key, plainText(named, 100)]] : [];
}

function scorePointOf({ date, score }: JsonObject): ScorePoint[] {
  const at = typeof date === 'string' ? Date.parse(date) : Number.NaN;
  const result = v.safeParse(number, score);
  return Number.isNaN(at) || !result.success ? [] : [{ at, score: result.output }];
}

/** The counts in one of the factors of a company. */
function issueTypesOf({ name, issue_summary: list }: JsonObject): IssueTypeSummary[] {
  return (Array.isArray(list) ? list : []).flatMap((each) => {
    const result = v.safeParse(issueSummary, each);
    if (!result.success) {
      return [];
    }
    const { type, count, severity, total_score_impact: scoreImpact } = result.output;
    const factor = v.parse(informational(factorName), name);
    const summary = { issueType: type, count, severity, scoreImpact, factor };
    return [present(summary) as IssueTypeSummary];
  });
}

/** An object without the members that have no value. */
function present(object: object): object {
  return Object.fromEntries(Object.entries(object).filter(([, value]) => value !== undefined));
}
