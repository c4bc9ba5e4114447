import * as vscode from 'vscode';
import type { Api } from '../../../api/client';
import { issueTypes } from '../../../vocabulary/issueTypes';
import { describeServiceError } from '../../account/ui/describeApiError';
import { CancelledError } from '../../../base/cancelledError';
import { type CommandCall, dismissed } from '../../../workbench/commandRunner';
import { formatRequests } from '../../../workbench/format';
import { showError, showInformation } from '../../../workbench/messages';
import { pickOne } from '../../../workbench/pick';
import type { FindingsFeature } from './findingsFeature';
import { pickIssueTypes } from './pickIssueTypes';
import { chosenScorecard } from './pickScorecard';
import { withProgressNotification } from '../../../workbench/progressNotification';
import type { IssueCount, Scorecard, ScorecardArgument } from '../../../commands';

const { t } = vscode.l10n;

/** Adds issue types to a scorecard. A program gets the issue types that have findings, and adds none. */
export async function findIssueTypes(
  deps: FindingsFeature,
  call: CommandCall<ScorecardArgument>,
): Promise<IssueCount[] | undefined> {
  deps.session.requireSignedIn();
  const title = t('Find Issue Types with Findings');
  const scorecard = await chosenScorecard(deps.scorecards, call, title);
  if (!scorecard) {
    return dismissed;
  }
  const { id, name } = scorecard;
  if (call.by === 'api') {
    await deps.counts.load(id, issueTypesExcept([]));
    return deps.counts.found(id, issueTypesExcept([]));
  }
  const chosen = await chooseIssueTypes(deps, { id, name }, scorecard.issueTypes);
  if (chosen?.length) {
    await showScorecard(deps, await deps.scorecards.add({ id, issueTypes: chosen }));
  }
  return dismissed;
}

/** Shows the issue types that a user has chosen: their scorecard may be collapsed. */
export async function showScorecard(
  { session, scorecards, view }: FindingsFeature,
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
  deps: FindingsFeature,
  { id, name }: { id: string; name: string },
  existing: readonly string[],
): Promise<string[] | undefined> {
  const title = t('Issue types of {0}', name);
  const types = issueTypesExcept(existing);
  const api = deps.session.signedIn?.api;
  const canFind = api !== undefined && (api.companies !== undefined || types.length > 0);
  const how = !canFind ? 'list' : api.companies ? 'find' : await pickHow(title, types.length, api);
  if (how === undefined) {
    return dismissed;
  }
  const found = how === 'find' ? await findAsFarAsPossible(deps, id, types) : [];
  return pickIssueTypes(existing, { title, found, names: deps.names });
}

function pickHow(title: string, needed: number, api: Api): Promise<'find' | 'list' | undefined> {
  return pickOne<'find' | 'list'>(
    [
      {
        label: t('Find Issue Types with Findings'),
        description: formatRequests(needed, api.budget().remaining),
        value: 'find',
      },
      { label: t('Select From List'), description: t('No requests'), value: 'list' },
    ],
    { title, placeHolder: t('How do you want to select issue types?') },
  );
}

/** Shows an error. What was found before it, or before a user cancelled, is not lost. */
async function findAsFarAsPossible(
  { counts }: FindingsFeature,
  scorecardId: string,
  types: readonly string[],
): Promise<IssueCount[]> {
  let done = 0;
  const onCount = () => {
    done += 1;
  };
  try {
    await withProgressNotification(
      t('Find Issue Types with Findings'),
      () => ({ done, total: types.length }),
      (signal) => counts.load(scorecardId, types, { signal, onCount }),
    );
    if (counts.found(scorecardId, types).length === 0) {
      showInformation(t('None of these issue types has findings.'));
    }
  } catch (error) {
    if (!(error instanceof CancelledError)) {
      showError(describeServiceError(error));
    }
  }
  return counts.found(scorecardId, types);
}

function issueTypesExcept(excluded: readonly string[]): string[] {
  return issueTypes.map(({ key }) => key).filter((key) => !excluded.includes(key));
}
