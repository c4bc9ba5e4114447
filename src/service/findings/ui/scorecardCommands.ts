import * as vscode from 'vscode';
import type { CompanySummary } from '../../../api/services/companies';
import type { Wait } from '../../../api/types';
import { defined } from '../../../base/defined';
import { UserError } from '../../../base/userError';
import { findUuids, isUuid } from '../../../base/text/uuid';
import { affectsAll } from '../affectsAll';
import { hasName } from '../scorecards';
import { isIssueType } from '../../../vocabulary/issueTypes';
import { type CommandCall, type Commands, dismissed } from '../../../workbench/commandRunner';
import { formatNumber } from '../../../workbench/format';
import { describeServiceError } from '../../account/ui/describeApiError';
import { confirm, showWarning } from '../../../workbench/messages';
import { withProgressNotification } from '../../../workbench/progressNotification';
import { ScorecardNode } from './findingItems';
import { chooseIssueTypes, findIssueTypes, showScorecard } from './findIssueTypes';
import type { FindingsFeature } from './findingsFeature';
import { companyIn, enterCompany } from './enterCompany';
import { pickCompanies, typed } from './pickCompanies';
import { chosenIssueType, chosenScorecard, pickScorecard } from './pickScorecard';
import type { ArgumentOf, Scorecard, ScorecardArgument } from '../../../commands';
import { findScorecardIdProblem, parseScorecardId } from '../../../workbench/commandArguments';

const { t } = vscode.l10n;

export function scorecardCommands(deps: FindingsFeature) {
  return {
    'scorecard.addScorecard': (call) => addScorecard(deps, call),
    'scorecard.findIssueTypes': (call) => findIssueTypes(deps, call),
    'scorecard.copyScorecardId': (call) => copyId(deps, call),
    'scorecard.openScorecardPage': (call) => openPage(deps, call),
    'scorecard.renameScorecard': (call) => renameScorecard(deps, call),
    'scorecard.removeScorecard': (call) => removeScorecard(deps, call),
    'scorecard.removeIssueType': (call) => removeIssueType(deps, call),
  } satisfies Commands;
}

async function addScorecard(
  deps: FindingsFeature,
  call: CommandCall<ArgumentOf<'scorecard.addScorecard'>>,
): Promise<Scorecard | undefined> {
  const { scorecards } = deps;
  const { id: given } = call.args;
  const companies = deps.session.signedIn?.api.companies;
  if (companies && !call.node) {
    const company = given === undefined ? undefined : companyIn(given);
    if (company !== undefined && !isUuid(company)) {
      return addCompanies(deps, [company], call);
    }
    if (given === undefined) {
      const title = t('Add Scorecard or Issue Types');
      const picked = await pickCompanies(companies, title);
      if (picked === typed) {
        const added = await enterCompany(title, async (company, options) =>
          addCompany(deps, await deps.counts.loadCompany(company, options), call.args),
        );
        return added && showScorecard(deps, added);
      }
      return picked?.length ? addCompanies(deps, picked, call) : dismissed;
    }
  }
  const id =
    call.node instanceof ScorecardNode
      ? call.node.scorecard.id
      : given === undefined
        ? await askForId()
        : parseScorecardId(given);
  if (id === undefined) {
    return dismissed;
  }
  const existing = scorecards.find(id);
  // If a program names the scorecard, do not ask for more.
  const mustAsk = given === undefined;
  const isNamed = existing !== undefined && hasName(existing);
  const name = call.args.name ?? (mustAsk && !isNamed ? await askForName(id) : existing?.name);
  if (mustAsk && name === undefined) {
    return dismissed;
  }
  const issueTypes =
    call.args.issueTypes ??
    (mustAsk
      ? await chooseIssueTypes(
          deps,
          { id, name: name === undefined || name === '' ? id : name },
          existing?.issueTypes ?? [],
        )
      : []);
  if (issueTypes === undefined) {
    // Keep the name that was entered.
    if (existing && name !== undefined && name !== '' && !isNamed) {
      await scorecards.add({ id, name });
    }
    return dismissed;
  }
  const added = await scorecards.add({ id, issueTypes, ...defined({ name }) });
  return call.by === 'user' ? showScorecard(deps, added) : added;
}

async function copyId({ scorecards }: FindingsFeature, call: CommandCall<ScorecardArgument>) {
  const scorecard = await chosenScorecard(scorecards, call, t('Copy UUID'));
  if (!scorecard) {
    return dismissed;
  }
  await vscode.env.clipboard.writeText(scorecard.id);
  return scorecard.id;
}

/** Opens the page of a scorecard on the website of the service; for a program, only returns its address. */
async function openPage(
  { scorecards, counts }: FindingsFeature,
  call: CommandCall<ScorecardArgument>,
) {
  const scorecard = await chosenScorecard(scorecards, call, t('Open in Browser'));
  if (!scorecard) {
    return dismissed;
  }
  const known = counts.companies.of(scorecard.id);
  const { page } =
    known ?? (counts.companies.isAvailable ? await counts.loadCompany(scorecard.id) : {});
  if (page === undefined) {
    throw new UserError(t('This service has no page for a scorecard.'), 'config');
  }
  if (call.by === 'user') {
    await vscode.env.openExternal(vscode.Uri.parse(page));
  }
  return page;
}

async function renameScorecard(
  { scorecards }: FindingsFeature,
  call: CommandCall<ArgumentOf<'scorecard.renameScorecard'>>,
): Promise<Scorecard | undefined> {
  const title = t('Rename Scorecard');
  const scorecard = await chosenScorecard(scorecards, call, title);
  const name =
    scorecard &&
    (call.args.name ??
      (await vscode.window.showInputBox({
        title,
        prompt: t('Name for {0} in the Findings view', scorecard.id),
        value: scorecard.name,
        ignoreFocusOut: true,
      })));
  // Without a name, its row would show the UUID.
  return scorecard && name !== undefined && name.trim() !== ''
    ? scorecards.add({ id: scorecard.id, name })
    : dismissed;
}

/**
 * Adds companies by their domains, with the issue types that they have findings of: one request for each.
 * @returns the scorecard of the first.
 */
export async function addCompanies(
  deps: FindingsFeature,
  identifiers: readonly string[],
  call: Pick<CommandCall<ArgumentOf<'scorecard.addScorecard'>>, 'by' | 'args'>,
): Promise<Scorecard | undefined> {
  const given = call.args;
  const added: Scorecard[] = [];
  const failures: string[] = [];
  let wait: Wait | undefined;
  const onWait = (now: Wait | undefined) => {
    wait = now;
  };
  const add = async (signal?: AbortSignal) => {
    for (const identifier of identifiers) {
      try {
        const options = { onWait, ...defined({ signal }) };
        const company = await deps.counts.loadCompany(identifier, options);
        added.push(await addCompany(deps, company, given));
      } catch (error) {
        if (identifiers.length === 1 || affectsAll(error)) {
          throw error;
        }
        failures.push(`${identifier}: ${describeServiceError(error).text}`);
      }
    }
  };
  if (call.by === 'api') {
    await add();
    return added[0];
  }
  const progress = () => ({
    done: added.length + failures.length,
    total: identifiers.length,
    wait,
  });
  await withProgressNotification(t('Add Scorecard or Issue Types'), progress, add);
  const [failure] = failures;
  if (failure !== undefined) {
    showWarning(
      failures.length === 1
        ? t('1 company could not be added: {0}', failure)
        : t(
            '{0} companies could not be added. The first: {1}',
            formatNumber(failures.length),
            failure,
          ),
    );
  }
  return added[0] && showScorecard(deps, added[0]);
}

function addCompany(
  { counts, scorecards }: FindingsFeature,
  { id, name, domain }: CompanySummary,
  given: ArgumentOf<'scorecard.addScorecard'>,
): Promise<Scorecard> {
  const found = counts.found(id, []).map(({ issueType }) => issueType);
  return scorecards.add({
    id,
    name: given.name ?? (name === '' ? domain : name),
    issueTypes: given.issueTypes ?? found.filter(isIssueType),
  });
}

async function askForId(): Promise<string | undefined> {
  const text = await vscode.window.showInputBox({
    title: t('Add Scorecard or Issue Types'),
    prompt: t('The scorecard UUID, or any text that contains it, such as its URL'),
    placeHolder: '7d1c4f52-9a3e-4c86-b0f1-2e5a6d8c9b04',
    ignoreFocusOut: true,
    validateInput: findScorecardIdProblem,
  });
  const [id] = findUuids(text ?? '');
  if (text !== undefined && id === undefined) {
    throw new UserError(t('No scorecard was added. Enter its UUID.'), 'badRequest');
  }
  return id;
}

function askForName(id: string): Thenable<string | undefined> {
  return vscode.window.showInputBox({
    title: t('Add Scorecard or Issue Types'),
    prompt: t('Name for {0} in the Findings view', id),
    placeHolder: t('Example Corporation'),
    ignoreFocusOut: true,
  });
}

async function removeScorecard(
  { scorecards, session, names }: FindingsFeature,
  call: CommandCall<ArgumentOf<'scorecard.removeScorecard'>>,
): Promise<void> {
  const title = t('Remove Scorecard');
  const named = call.args.id;
  const scorecard =
    call.node instanceof ScorecardNode
      ? call.node.scorecard
      : named === undefined
        ? await pickScorecard(scorecards, title)
        : scorecards.find(named);
  if (!scorecard) {
    return;
  }
  // Ask once: the setting may contain request bodies that were typed by hand, which are work.
  if (call.by === 'user') {
    const types = scorecard.issueTypes.map((key) => names.title(key)).join(', ');
    const question = session.signedIn?.account.isDemo
      ? t('Remove {0} from the demo?', scorecard.name)
      : t('Remove {0} from the settings?', scorecard.name);
    const detail = types === '' ? '' : t('Its issue types: {0}', types);
    if (!(await confirm(question, detail, t('Remove')))) {
      return;
    }
  }
  await scorecards.remove(scorecard.id);
}

async function removeIssueType(deps: FindingsFeature, call: CommandCall): Promise<void> {
  const { scorecards, names } = deps;
  const chosen = await chosenIssueType(deps, call, t('Remove Issue Type'));
  const scorecard = chosen && scorecards.find(chosen.scorecardId);
  if (!scorecard) {
    return;
  }
  const { issueType } = chosen;
  // Ask once if a request body would be lost, which is work. Anything else is easily added again.
  const body = scorecards.bodyOf(scorecard.id, issueType);
  if (call.by === 'user' && Object.keys(body).length > 0) {
    const question = t('Remove {0} from {1}?', names.title(issueType), scorecard.name);
    const detail = t('Its server filter is removed too: {0}', JSON.stringify(body));
    if (!(await confirm(question, detail, t('Remove')))) {
      return;
    }
  }
  await scorecards.removeIssueType(scorecard.id, issueType);
}
