import * as vscode from 'vscode';
import { UserError } from '../../../base/userError';
import type { ShownNames } from '../../../vocabulary/shownNames';
import { FindingsList } from '../findingsList';
import type { Scorecards } from '../scorecards';
import { findList } from '../../lists/ui/listTree';
import type { CommandCall } from '../../../workbench/commandRunner';
import { pickOne } from '../../../workbench/pick';
import { ScorecardNode } from './findingItems';
import type { ListArgument, Scorecard, ScorecardArgument } from '../../../commands';

const { t } = vscode.l10n;

/** Asks for a scorecard, unless there is only one. */
export async function pickScorecard(
  scorecards: Scorecards,
  title: string,
): Promise<Scorecard | undefined> {
  const list = scorecards.list();
  if (list.length === 0) {
    throw new UserError(
      t('No scorecards yet. Run "Scorecard: Add Scorecard or Issue Types" first.'),
      'config',
      { remedy: 'addScorecard' },
    );
  }
  const [only] = list;
  return list.length === 1
    ? only
    : pickOne(
        list.map((scorecard) => ({
          label: scorecards.nameOf(scorecard.id),
          description: scorecard.id,
          value: scorecard,
        })),
        { title, placeHolder: t('Which scorecard?') },
      );
}

/**
 * The scorecard of a call: from its row, its arguments, or a quick pick.
 * @throws UserError for an unknown one.
 */
export async function chosenScorecard(
  scorecards: Scorecards,
  call: CommandCall<ScorecardArgument>,
  title: string,
): Promise<Scorecard | undefined> {
  if (call.node instanceof ScorecardNode) {
    return call.node.scorecard;
  }
  const id = call.args.scorecardId;
  return id === undefined ? pickScorecard(scorecards, title) : requireScorecard(scorecards, id);
}

/** The lists that a call is about: one, those of a scorecard or of an issue type, or all. */
export interface ListScope {
  readonly scorecardId: string | undefined;
  readonly issueType: string | undefined;
}

/** What a call names: by the row that it was called on, or else by its arguments. */
export function readScope(call: CommandCall<ListArgument>): ListScope {
  if (call.node instanceof ScorecardNode) {
    return { scorecardId: call.node.scorecard.id, issueType: undefined };
  }
  const { scorecardId, issueType } = findList(call.node, FindingsList) ?? {
    scorecardId: call.args.scorecardId,
    issueType: call.args.issueType,
  };
  return { scorecardId, issueType };
}

export function isInScope(list: FindingsList, { scorecardId, issueType }: ListScope): boolean {
  return (
    (scorecardId === undefined || list.scorecardId === scorecardId) &&
    (issueType === undefined || list.issueType === issueType)
  );
}

interface IssueTypeRef {
  readonly scorecardId: string;
  readonly issueType: string;
}

/**
 * The issue type of a call: from its row, its arguments, or quick picks.
 * @throws UserError for an unknown scorecard.
 */
export async function chosenIssueType(
  { scorecards, names }: { readonly scorecards: Scorecards; readonly names: ShownNames },
  call: CommandCall,
  title: string,
): Promise<IssueTypeRef | undefined> {
  const scope = readScope(call);
  const scorecard =
    scope.scorecardId === undefined
      ? await pickScorecard(scorecards, title)
      : requireScorecard(scorecards, scope.scorecardId);
  const issueType =
    scope.issueType ?? (scorecard && (await pickIssueType(scorecard, names, title)));
  return scorecard && issueType !== undefined
    ? { scorecardId: scorecard.id, issueType }
    : undefined;
}

/** The scorecard with an id. @throws UserError if it is not in the list. */
function requireScorecard(scorecards: Scorecards, id: string): Scorecard {
  const scorecard = scorecards.find(id);
  if (!scorecard) {
    throw new UserError(
      t('The scorecard {0} is not in your list. Add it, then try again.', id),
      'notFound',
      { remedy: 'addScorecard' },
    );
  }
  return scorecard;
}

/** Asks for one of a scorecard's issue types, unless there is only one. */
async function pickIssueType(
  scorecard: Scorecard,
  names: ShownNames,
  title: string,
): Promise<string | undefined> {
  if (scorecard.issueTypes.length === 0) {
    throw new UserError(
      t(
        '{0} has no issue types yet. Run "Scorecard: Add Scorecard or Issue Types" first.',
        scorecard.name,
      ),
      'config',
      { remedy: 'addScorecard' },
    );
  }
  const [only] = scorecard.issueTypes;
  return scorecard.issueTypes.length === 1
    ? only
    : pickOne(
        scorecard.issueTypes.map((key) => ({
          label: names.title(key),
          description: key,
          value: key,
        })),
        { title, placeHolder: t('Which issue type?') },
      );
}
