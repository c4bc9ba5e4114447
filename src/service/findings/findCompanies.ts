import type { Companies, CompanyQuestion, PortfolioCompany } from '../../api/services/companies';
import { defined } from '../../base/defined';

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

/**
 * The companies of portfolios that a question is true of, the lowest score first: one request for each portfolio, and
 * one for the list of them where none is named.
 */
export async function findCompanies(
  companies: Pick<Companies, 'portfolios' | 'ofPortfolio'>,
  { gradeAtMost, movedBy, ...asked }: PortfolioQuestion,
  portfolioId?: string,
): Promise<PortfolioCompany[]> {
  const ids =
    portfolioId === undefined ? (await companies.portfolios()).map(({ id }) => id) : [portfolioId];
  const listed = await Promise.all(ids.map((id) => companies.ofPortfolio(id, asked)));
  // A company may be in several portfolios.
  const found = new Map(listed.flat().map((company) => [company.domain, company]));
  return [...found.values()]
    .filter(({ grade }) => gradeAtMost === undefined || isAtMost(grade, gradeAtMost))
    .filter(({ scoreChange = 0 }) => Math.abs(scoreChange) >= (movedBy ?? 0))
    .sort((one, other) => (one.score ?? Infinity) - (other.score ?? Infinity));
}

/** A company as programs read it. */
export function describeFound({ domain, name, score, grade, scoreChange }: PortfolioCompany) {
  return { domain, name, ...defined({ score, grade, change30Days: scoreChange }) };
}

function isAtMost(grade: string | undefined, best: Grade): boolean {
  const place = grades.findIndex((each) => each === grade?.toUpperCase());
  return place >= grades.indexOf(best);
}
