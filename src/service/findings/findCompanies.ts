import { ForbiddenError, NotFoundError } from '../../api/http/errors';
import type { Companies, CompanyQuestion, PortfolioCompany } from '../../api/services/companies';
import type { CallOptions } from '../../api/types';
import { defined } from '../../base/defined';
import { compareRatings } from '../../vocabulary/grade';

/** The grades of the service, the best first. */
export const grades = ['A', 'B', 'C', 'D', 'F'] as const;
export type Grade = (typeof grades)[number];

/** What is asked about companies; all of it must be true. */
export interface PortfolioQuestion extends CompanyQuestion {
  /** The best grade that counts. */
  readonly gradeAtMost?: Grade;
  /** By how many points the score has risen or fallen in 30 days, at least. */
  readonly movedBy?: number;
}

interface FoundCompanies {
  readonly found: readonly PortfolioCompany[];
  /** The portfolios that the service refused, by their names: their companies are missing. */
  readonly refused: readonly RefusedPortfolio[];
}

interface RefusedPortfolio {
  readonly name: string;
  readonly error: ForbiddenError | NotFoundError;
}

/**
 * The companies of portfolios that a question is true of, the worst grade first, then the lowest score: one request for each portfolio, and
 * one for the list of them where none is named.
 * @throws ApiError ForbiddenError or NotFoundError only if every portfolio is refused.
 */
export async function findCompanies(
  companies: Pick<Companies, 'portfolios' | 'ofPortfolio'>,
  { gradeAtMost, movedBy, ...asked }: PortfolioQuestion,
  portfolioId?: string,
  options: CallOptions = {},
): Promise<FoundCompanies> {
  const portfolios =
    portfolioId === undefined
      ? await companies.portfolios(options)
      : [{ id: portfolioId, name: portfolioId }];
  const refusals: RefusedPortfolio[] = [];
  const list = async ({ id, name }: (typeof portfolios)[number]) => {
    try {
      return await companies.ofPortfolio(id, asked, options);
    } catch (error) {
      if (!(error instanceof ForbiddenError || error instanceof NotFoundError)) {
        throw error;
      }
      refusals.push({ name: name === '' ? id : name, error });
      return [];
    }
  };
  const listed = await Promise.all(portfolios.map(list));
  const [first] = refusals;
  if (first && refusals.length === portfolios.length) {
    throw first.error;
  }
  // A company may be in several portfolios.
  const all = new Map(listed.flat().map((company) => [company.domain, company]));
  const found = [...all.values()]
    .filter(({ grade }) => gradeAtMost === undefined || isAtMost(grade, gradeAtMost))
    .filter(({ scoreChange = 0 }) => Math.abs(scoreChange) >= (movedBy ?? 0))
    .sort(compareRatings);
  const refused = refusals.toSorted((one, other) => (one.name < other.name ? -1 : 1));
  return { found, refused };
}

/** A company as programs read it. */
export function describeFound({ domain, name, score, grade, scoreChange }: PortfolioCompany) {
  return { domain, name, ...defined({ score, grade, change30Days: scoreChange }) };
}

function isAtMost(grade: string | undefined, best: Grade): boolean {
  const place = grades.findIndex((each) => each === grade?.toUpperCase());
  return place >= grades.indexOf(best);
}
