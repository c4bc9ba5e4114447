import * as vscode from 'vscode';
import type { PortfolioCompany } from '../../../api/services/companies';
import { defined } from '../../../base/defined';
import { plainText } from '../../../base/text/plainText';
import { UserError } from '../../../base/userError';
import type { ArgumentOf, FoundCompany } from '../../../commands';
import { isCve } from '../../../vocabulary/cve';
import { issueTypes } from '../../../vocabulary/issueTypes';
import { type CommandCall, type Commands, dismissed } from '../../../workbench/commandRunner';
import { formatNumber } from '../../../workbench/format';
import { showInformation, showWarning } from '../../../workbench/messages';
import { pickMany, pickOne } from '../../../workbench/pick';
import { withProgressNotification } from '../../../workbench/progressNotification';
import { parseWholeNumber } from '../../../workbench/wholeNumber';
import { describeFound, findCompanies, grades, type PortfolioQuestion } from '../findCompanies';
import { createCompanyChoice } from './companyChoice';
import type { FindingsFeature } from './findingsFeature';

const { t } = vscode.l10n;

/** The most portfolios that are named. */
const maxNamed = 5;

/** How many points in 30 days analysts ask for. */
const usualMove = 15;

/** @param add adds companies by their domains. */
export function companyCommands(
  deps: FindingsFeature,
  add: (domains: readonly string[]) => Promise<unknown>,
) {
  return {
    'scorecard.findCompanies': (call) => find(deps, call, add),
  } satisfies Commands;
}

async function find(
  { session, names }: FindingsFeature,
  call: CommandCall<ArgumentOf<'scorecard.findCompanies'>>,
  add: (domains: readonly string[]) => Promise<unknown>,
): Promise<FoundCompany[] | undefined> {
  const { companies } = session.requireSignedIn().api;
  if (!companies) {
    throw new UserError(t('This service has no portfolios of companies.'), 'badRequest');
  }
  const { portfolioId, ...asked } = call.args;
  const title = t('Find Companies');
  const question = call.by === 'api' ? checkQuestion(asked) : await askQuestion(title, names);
  if (!question) {
    return dismissed;
  }
  const progress = () => ({ done: 0, total: undefined, text: t('Loading\u2026') });
  const { found, refused } = await withProgressNotification(title, progress, (signal) =>
    findCompanies(companies, question, portfolioId, { signal }),
  );
  const [first] = refused;
  if (first) {
    const names = refused.map(({ name }) => name);
    const text = refusedText(names);
    if (call.by === 'api') {
      // Less than was asked for would look like all of it.
      throw new UserError(text, first.error.code, { cause: first.error });
    }
    showWarning(text);
  }
  if (call.by === 'user') {
    await offerToAdd(found, title, add);
  }
  return found.map(describeFound);
}

/** @throws UserError for what is no id of a vulnerability */
function checkQuestion({
  vulnerability,
  ...asked
}: ArgumentOf<'scorecard.findCompanies'>): PortfolioQuestion {
  const id = vulnerability === undefined ? undefined : readId(vulnerability);
  if (id !== undefined && !isCve(id)) {
    throw new UserError(t('Enter an ID such as CVE-2021-44228.'), 'badRequest');
  }
  return defined({ ...asked, vulnerability: id });
}

/** Asks what is to be true of the companies: most answers are one choice. */
async function askQuestion(
  title: string,
  names: FindingsFeature['names'],
): Promise<PortfolioQuestion | undefined> {
  const breach = [30, 90, 365].map((days) => ({
    label: t('Had a breach in the last {0} days', days),
    value: () => Promise.resolve({ breachWithinDays: days }),
  }));
  const atMost = grades.slice(1).map((grade) => ({
    label: grade === 'F' ? t('Grade {0}', grade) : t('Grade {0} or lower', grade),
    value: () => Promise.resolve({ gradeAtMost: grade }),
  }));
  const ask = await pickOne<() => Promise<PortfolioQuestion | undefined>>(
    [
      ...breach,
      { label: t('Has a vulnerability\u2026'), value: () => askVulnerability(title) },
      { label: t('Has findings of an issue type\u2026'), value: () => askIssueType(title, names) },
      ...atMost.toReversed(),
      { label: t('Score has moved in 30 days\u2026'), value: () => askMove(title) },
    ],
    { title, placeHolder: t('Which companies of your portfolios?') },
  );
  return ask?.();
}

async function askVulnerability(title: string): Promise<PortfolioQuestion | undefined> {
  const text = await vscode.window.showInputBox({
    title,
    prompt: t('The ID of a vulnerability'),
    placeHolder: 'CVE-2021-44228',
    validateInput: (value) =>
      isCve(readId(value)) ? undefined : t('Enter an ID such as CVE-2021-44228.'),
  });
  return text === undefined ? undefined : { vulnerability: readId(text) };
}

function readId(text: string): string {
  return text.trim().toUpperCase();
}

async function askIssueType(
  title: string,
  names: FindingsFeature['names'],
): Promise<PortfolioQuestion | undefined> {
  const issueType = await pickOne(
    issueTypes.map(({ key }) => ({ label: names.title(key), description: key, value: key })),
    { title, placeHolder: t('Which issue type?') },
  );
  return issueType === undefined ? undefined : { issueType };
}

async function askMove(title: string): Promise<PortfolioQuestion | undefined> {
  const text = await vscode.window.showInputBox({
    title,
    prompt: t('By at least how many points?'),
    value: String(usualMove),
    validateInput: (value) =>
      (parseWholeNumber(value) ?? 0) > 0 ? undefined : t('Enter a whole number, starting at 1.'),
  });
  const movedBy = parseWholeNumber(text ?? '');
  return movedBy === undefined ? undefined : { movedBy };
}

/** Says of which portfolios the companies are missing. */
function refusedText(refused: readonly string[]): string {
  const names = refused.slice(0, maxNamed).map((name) => plainText(name, 100));
  const all = [...names, ...(refused.length > maxNamed ? ['\u2026'] : [])].join(', ');
  return refused.length === 1
    ? t('1 portfolio is missing, because the service refuses it: {0}.', all)
    : t(
        '{0} portfolios are missing, because the service refuses them: {1}.',
        formatNumber(refused.length),
        all,
      );
}

/** Lists what was found; those that the user chooses are added. */
async function offerToAdd(
  found: readonly PortfolioCompany[],
  title: string,
  add: (domains: readonly string[]) => Promise<unknown>,
): Promise<void> {
  if (found.length === 0) {
    showInformation(t('No company of your portfolios.'));
    return;
  }
  const chosen = await pickMany(found.map(createCompanyChoice), {
    title: `${title}: ${formatNumber(found.length)}`,
    placeHolder: t('Which ones are to be added? One request for each.'),
  });
  if (chosen && chosen.length > 0) {
    await add(chosen);
  }
}
