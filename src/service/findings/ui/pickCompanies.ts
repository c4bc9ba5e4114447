import * as vscode from 'vscode';
import { ForbiddenError } from '../../../api/http/errors';
import type { Companies } from '../../../api/services/companies';
import { UserError } from '../../../base/userError';
import { asciiDomain } from '../../../base/text/asciiDomain';
import { plainText } from '../../../base/text/plainText';
import { findUuids } from '../../../base/text/uuid';
import { viewIds } from '../../../contributions';
import { pickMany, pickOne } from '../../../workbench/pick';
import { inView } from '../../../workbench/views';

const { t } = vscode.l10n;

/** The item that asks for a domain instead. */
const typed = Symbol('typed');

/**
 * Asks for companies: those of a portfolio, or one that is typed.
 * @returns the domains or UUIDs; `undefined` when dismissed.
 */
export async function pickCompanies(companies: Companies): Promise<string[] | undefined> {
  const title = t('Add Scorecard or Issue Types');
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
    return askForCompany(title);
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
    return chosen === undefined ? undefined : askForCompany(title);
  }
  const listed = await inView(viewIds.findings, () => companies.ofPortfolio(chosen));
  if (listed.length === 0) {
    throw new UserError(t('This portfolio has no companies.'), 'notFound');
  }
  return pickMany(
    listed.map(({ domain, name, score, grade }) => ({
      label: plainText(name, 100) || domain,
      description: [domain, [grade, score].filter((part) => part !== undefined).join(' ')]
        .filter((part) => part !== '')
        .join(' \u00b7 '),
      value: domain,
      picked: false,
    })),
    { title, placeHolder: t('Which companies? One request for each.') },
  );
}

/** The domain or the UUID in a text; `undefined` if there is none. */
export function companyIn(text: string): string | undefined {
  return asciiDomain(text) ?? findUuids(text)[0];
}

async function askForCompany(title: string): Promise<string[] | undefined> {
  const text = await vscode.window.showInputBox({
    title,
    prompt: t('The domain of the company, or the UUID of its scorecard'),
    placeHolder: 'example.com',
    ignoreFocusOut: true,
    validateInput: (value) =>
      value.trim() === '' || companyIn(value) !== undefined
        ? undefined
        : t('Enter a domain such as example.com, or a UUID.'),
  });
  const company = companyIn(text ?? '');
  return company === undefined ? undefined : [company];
}
