import * as vscode from 'vscode';
import type { Session } from '../../account/session';
import { issueTypes } from '../../base/text/issueTypes';
import { CancelledError } from '../../api/http/errors';
import { type CommandCall, type Commands, dismissed } from '../../workbench/commandRunner';
import { formatRequests } from '../../workbench/format';
import { showError, showInformation } from '../../workbench/messages';
import { pickOne } from '../../workbench/pick';
import type { IssueCount, IssueCounts } from '../issueCounts';
import type { Scorecards, Scorecard } from '../scorecards';
import type { FindingsView } from './findingsView';
import { pickIssueTypes } from './pickIssueTypes';
import { chosenScorecard } from './pickScorecard';
import { withProgressNotification } from '../../workbench/progressNotification';

const { t } = vscode.l10n;

/** Dependencies of choosing the issue types of a scorecard. */
export interface IssueTypesDeps {
  session: Session;
  scorecards: Scorecards;
  counts: IssueCounts;
  view: Pick<FindingsView, 'revealScorecard'>;
}

/** Find Issue Types with Findings. */
export function findIssueTypesCommands(deps: IssueTypesDeps) {
  return {
    'scorecard.findIssueTypes': (call) => findIssueTypes(deps, call),
  } satisfies Commands;
}

/** Adds issue types to a scorecard. A program gets the issue types that have findings, and adds none. */
async function findIssueTypes(
  deps: IssueTypesDeps,
  call: CommandCall,
): Promise<IssueCount[] | Scorecard | undefined> {
  deps.session.requireSignedIn();
  const title = t('Find Issue Types with Findings');
  const scorecard = await chosenScorecard(deps.scorecards, call, title);
  if (!scorecard) {
    return dismissed;
  }
  const { id, name } = scorecard;
  if (call.by === 'api') {
    return deps.counts.find(id, issueTypesExcept([]));
  }
  const chosen = await chooseIssueTypes(deps, { id, name }, scorecard.issueTypes);
  return chosen?.length
    ? showScorecard(deps, await deps.scorecards.add({ id, issueTypes: chosen }))
    : dismissed;
}

/** Shows the issue types that a user has chosen: their scorecard may be collapsed. */
export async function showScorecard(
  { session, scorecards, view }: Pick<IssueTypesDeps, 'session' | 'scorecards' | 'view'>,
  added: Scorecard,
): Promise<Scorecard> {
  const listed = scorecards.find(added.id);
  if (session.signedIn && listed) {
    // The scorecard was added, whether or not the tree has its row at the moment.
    await view.revealScorecard(listed).catch(() => undefined);
  }
  return added;
}

/**
 * Asks for issue types of a scorecard. It can first find those that have findings, with one request each; a
 * user sees the number of requests before that.
 * @param existing the issue types of the scorecard, which are not offered.
 */
export async function chooseIssueTypes(
  deps: Pick<IssueTypesDeps, 'session' | 'counts'>,
  { id, name }: { id: string; name: string },
  existing: readonly string[],
): Promise<string[] | undefined> {
  const title = t('Issue types of {0}', name);
  const types = issueTypesExcept(existing);
  const { signedIn } = deps.session;
  if (signedIn?.api.companies) {
    const found = await findAsFarAsPossible(deps, id, types);
    return pickIssueTypes(existing, {
      title,
      found: found.filter(({ issueType }) => !existing.includes(issueType)),
    });
  }
  if (!signedIn || types.length === 0) {
    return pickIssueTypes(existing, { title });
  }
  const how = await pickOne<'find' | 'list'>(
    [
      {
        label: t('Find Issue Types with Findings'),
        description: formatRequests(types.length, signedIn.api.budget().remaining),
        value: 'find',
      },
      { label: t('Select From List'), description: t('No requests'), value: 'list' },
    ],
    { title, placeHolder: t('How do you want to select issue types?') },
  );
  if (how === undefined) {
    return dismissed;
  }
  const found = how === 'find' ? await findAsFarAsPossible(deps, id, types) : [];
  return pickIssueTypes(existing, { title, found });
}

/** Shows an error. What was found before it, or before a user cancelled, is not lost. */
async function findAsFarAsPossible(
  deps: Pick<IssueTypesDeps, 'counts'>,
  scorecardId: string,
  types: readonly string[],
): Promise<IssueCount[]> {
  try {
    return await find(deps, scorecardId, types);
  } catch (error) {
    if (!(error instanceof CancelledError)) {
      showError(error);
    }
    return deps.counts.found(scorecardId, types);
  }
}

function issueTypesExcept(excluded: readonly string[]): string[] {
  return issueTypes.map(({ key }) => key).filter((key) => !excluded.includes(key));
}

/** @throws CancelledError as soon as a user cancels. */
async function find(
  { counts }: Pick<IssueTypesDeps, 'counts'>,
  scorecardId: string,
  types: readonly string[],
): Promise<IssueCount[]> {
  let done = 0;
  const progress = () => ({ done, total: types.length });
  const title = t('Find Issue Types with Findings');
  const found = await withProgressNotification(title, progress, (signal) => {
    const cancelled = new Promise<never>((_, reject) => {
      signal.addEventListener('abort', () => {
        reject(new CancelledError());
      });
    });
    const onCount = () => {
      done++;
    };
    return Promise.race([counts.find(scorecardId, types, { signal, onCount }), cancelled]);
  });
  if (found.length === 0) {
    showInformation(t('None of these issue types has findings.'));
  }
  return found;
}
