import * as vscode from 'vscode';
import type { CallOptions } from '../../../api/types';
import type { PortfolioCompany } from '../../../api/services/companies';
import { defined } from '../../../base/defined';
import type { JsonObject } from '../../../base/json/json';
import { plainText } from '../../../base/text/plainText';
import { UserError } from '../../../base/userError';
import type { ArgumentOf, FoundCompany } from '../../../commands';
import { isCve } from '../../../vocabulary/cve';
import { issueTypes } from '../../../vocabulary/issueTypes';
import { type CommandCall, type Commands, dismissed } from '../../../workbench/commandRunner';
import { formatNumber } from '../../../workbench/format';
import { showInformation, showWarning } from '../../../workbench/messages';
import { pickOne } from '../../../workbench/pick';
import { withProgressNotification } from '../../../workbench/progressNotification';
import { parseWholeNumber } from '../../../workbench/wholeNumber';
import {
  describeFound,
  findCompanies,
  grades,
  type PortfolioQuestion,
} from '../../findings/findCompanies';
import type { CollectionList } from '../collectionList';
import type { Collections } from '../collections';
import type { CollectionsFeature } from './collectionItems';

const { t } = vscode.l10n;

/** The most portfolios that are named. */
const maxNamed = 5;

/** How many points in 30 days analysts ask for. */
const usualMove = 15;

/** @param reveal shows a list. */
export function companyCommands(
  deps: CollectionsFeature,
  reveal: (list: CollectionList) => Promise<void>,
) {
  return {
    'scorecard.findCompanies': (call) => find(deps, call, reveal),
  } satisfies Commands;
}

async function find(
  { session, names, collections }: CollectionsFeature,
  call: CommandCall<ArgumentOf<'scorecard.findCompanies'>>,
  reveal: (list: CollectionList) => Promise<void>,
): Promise<FoundCompany[] | undefined> {
  const { companies } = session.requireSignedIn().api;
  if (!companies) {
    throw new UserError(t('This service has no portfolios of companies.'), 'badRequest');
  }
  const { portfolioId, ...asked } = call.args;
  const title = t('Find Companies');
  const named =
    call.by === 'api' ? { question: checkQuestion(asked) } : await askQuestion(title, names);
  if (!named) {
    return dismissed;
  }
  const { question, label } = named;
  const search = async (options: CallOptions) => {
    // A refresh may come with another key.
    const { companies: current = companies } = session.requireSignedIn().api;
    const { found, refused } = await findCompanies(current, question, portfolioId, options);
    tellRefused(refused, call.by);
    return found;
  };
  const progress = () => ({ done: 0, total: undefined, text: t('Loading\u2026') });
  const { account } = session.requireSignedIn();
  const found = await withProgressNotification(title, progress, (signal) => search({ signal }));
  // They are of the account that was asked.
  if (label !== undefined && session.signedIn?.account.id === account.id) {
    await showFound(collections, { name: label, found, search }, reveal);
  }
  return found.map(describeFound);
}

/** What was found, as a list that asks again when it is refreshed. */
async function showFound(
  collections: Collections,
  { name, found, search }: Search,
  reveal: (list: CollectionList) => Promise<void>,
): Promise<void> {
  if (found.length === 0) {
    showInformation(t('No company of your portfolios.'));
    return;
  }
  let first: readonly PortfolioCompany[] | undefined = found;
  const list = collections.addFound(name, async (options) => {
    const listed = first ?? (await search(options));
    first = undefined;
    return listed.map(toEntry);
  });
  await list.loadFirst();
  await reveal(list);
}

interface Search {
  readonly name: string;
  readonly found: readonly PortfolioCompany[];
  readonly search: (options: CallOptions) => Promise<readonly PortfolioCompany[]>;
}

/** A company as the service names its members. */
function toEntry({ name, domain, grade, score, scoreChange }: PortfolioCompany): JsonObject {
  return defined({ name, domain, grade, score, last30days_score_change: scoreChange });
}

/** @throws UserError for a program: less than was asked for would look like all of it. */
function tellRefused(
  refused: Awaited<ReturnType<typeof findCompanies>>['refused'],
  by: 'api' | 'user',
): void {
  const [first] = refused;
  if (!first) {
    return;
  }
  const text = refusedText(refused.map(({ name }) => name));
  if (by === 'api') {
    throw new UserError(text, first.error.code, { cause: first.error });
  }
  showWarning(text);
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

/** A question, and how a list of its answers is called; a program names none. */
interface NamedQuestion {
  readonly question: PortfolioQuestion;
  readonly label?: string;
}

/** Asks what is to be true of the companies: most answers are one choice. */
async function askQuestion(
  title: string,
  names: CollectionsFeature['names'],
): Promise<NamedQuestion | undefined> {
  const fixed = (label: string, question: PortfolioQuestion) => ({
    label,
    value: () => Promise.resolve({ label, question }),
  });
  const breach = [30, 90, 365].map((days) =>
    fixed(t('Had a breach in the last {0} days', days), { breachWithinDays: days }),
  );
  const atMost = grades.slice(1).map((grade) =>
    fixed(grade === 'F' ? t('Grade {0}', grade) : t('Grade {0} or lower', grade), {
      gradeAtMost: grade,
    }),
  );
  const ask = await pickOne<() => Promise<NamedQuestion | undefined>>(
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

async function askVulnerability(title: string): Promise<NamedQuestion | undefined> {
  const text = await vscode.window.showInputBox({
    title,
    prompt: t('The ID of a vulnerability'),
    placeHolder: 'CVE-2021-44228',
    validateInput: (value) =>
      isCve(readId(value)) ? undefined : t('Enter an ID such as CVE-2021-44228.'),
  });
  if (text === undefined) {
    return undefined;
  }
  const vulnerability = readId(text);
  return { question: { vulnerability }, label: t('Has {0}', vulnerability) };
}

function readId(text: string): string {
  return text.trim().toUpperCase();
}

async function askIssueType(
  title: string,
  names: CollectionsFeature['names'],
): Promise<NamedQuestion | undefined> {
  const issueType = await pickOne(
    issueTypes.map(({ key }) => ({ label: names.title(key), description: key, value: key })),
    { title, placeHolder: t('Which issue type?') },
  );
  return issueType === undefined
    ? undefined
    : { question: { issueType }, label: t('Has {0}', names.title(issueType)) };
}

async function askMove(title: string): Promise<NamedQuestion | undefined> {
  const text = await vscode.window.showInputBox({
    title,
    prompt: t('By at least how many points?'),
    value: String(usualMove),
    validateInput: (value) =>
      (parseWholeNumber(value) ?? 0) > 0 ? undefined : t('Enter a whole number, starting at 1.'),
  });
  const movedBy = parseWholeNumber(text ?? '');
  if (movedBy === undefined) {
    return undefined;
  }
  const label =
    movedBy === 1
      ? t('Score has moved by 1 point in 30 days')
      : t('Score has moved by {0} points in 30 days', formatNumber(movedBy));
  return { question: { movedBy }, label };
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
