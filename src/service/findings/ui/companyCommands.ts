import * as vscode from 'vscode';
import type { PortfolioCompany } from '../../../api/services/companies';
import { defined } from '../../../base/defined';
import { plainText } from '../../../base/text/plainText';
import { UserError } from '../../../base/userError';
import type { ArgumentOf, FoundCompany } from '../../../commands';
import { viewIds } from '../../../contributions';
import { isCve } from '../../../vocabulary/cve';
import { issueTypes } from '../../../vocabulary/issueTypes';
import { type CommandCall, type Commands, dismissed } from '../../../workbench/commandRunner';
import { formatNumber } from '../../../workbench/format';
import { showInformation } from '../../../workbench/messages';
import { pickMany, pickOne } from '../../../workbench/pick';
import { inView } from '../../../workbench/views';
import { parseWholeNumber } from '../../../workbench/wholeNumber';
import { describeFound, findCompanies, grades, type PortfolioQuestion } from '../findCompanies';
import type { FindingsFeature } from './findingsFeature';

const { t } = vscode.l10n;

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
  const found = await inView(viewIds.findings, () =>
    findCompanies(companies, question, portfolioId),
  );
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
  const chosen = await pickMany(
    found.map(({ domain, name, score, grade, scoreChange = 0 }) => ({
      label: plainText(name, 100) || domain,
      description: [
        domain,
        [grade, score].filter((part) => part !== undefined).join(' '),
        scoreChange === 0 ? '' : t('{0} in 30 days', withSign(scoreChange)),
      ]
        .filter((part) => part !== '')
        .join(' \u00b7 '),
      value: domain,
      picked: false,
    })),
    {
      title: `${title}: ${formatNumber(found.length)}`,
      placeHolder: t('Which ones are to be added? One request for each.'),
    },
  );
  if (chosen && chosen.length > 0) {
    await add(chosen);
  }
}

function withSign(change: number): string {
  return `${change > 0 ? '+' : '\u2212'}${formatNumber(Math.abs(change))}`;
}
