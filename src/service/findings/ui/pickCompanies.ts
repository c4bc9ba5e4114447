import * as vscode from 'vscode';
import { ForbiddenError } from '../../../api/http/errors';
import type { Companies } from '../../../api/services/companies';
import { UserError } from '../../../base/userError';
import { plainText } from '../../../base/text/plainText';
import { viewIds } from '../../../contributions';
import { pickMany, pickOne } from '../../../workbench/pick';
import { inView } from '../../../workbench/views';
import { createCompanyChoice } from './companyChoice';

const { t } = vscode.l10n;

/** A company is typed instead. */
export const typed = Symbol('typed');

/**
 * Asks for companies of a portfolio.
 * @returns their domains, or that one is typed, also where there is no portfolio; `undefined` when dismissed.
 */
export async function pickCompanies(
  companies: Companies,
  title: string,
): Promise<string[] | typeof typed | undefined> {
  const portfolios = await inView(viewIds.findings, () => companies.portfolios()).catch(
    (error: unknown) => {
      // A key without access to portfolios may have access to companies.
      if (error instanceof ForbiddenError) {
        return [];
      }
      throw error;
    },
  );
  if (portfolios.length === 0) {
    return typed;
  }
  const chosen = await pickOne<string | typeof typed>(
    [
      ...portfolios.map(({ id, name }) => ({ label: plainText(name, 100) || id, value: id })),
      {
        label: t('Enter a domain\u2026'),
        detail: t('The company must be in one of your portfolios.'),
        value: typed,
      },
    ],
    { title, placeHolder: t('Which portfolio?') },
  );
  if (chosen === undefined || chosen === typed) {
    return chosen;
  }
  const listed = await inView(viewIds.findings, () => companies.ofPortfolio(chosen));
  if (listed.length === 0) {
    throw new UserError(t('This portfolio has no companies.'), 'notFound');
  }
  return pickMany(listed.map(createCompanyChoice), {
    title,
    placeHolder: t('Which companies? One request for each.'),
  });
}
