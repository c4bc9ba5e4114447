import * as vscode from 'vscode';
import { viewIds } from '../../contributions';
import type { IssueCount, IssueCounts } from '../issueCounts';
import type { Scorecards } from '../scorecards';
import type { Session } from '../../account/session';
import type { Scorecard } from '../../workbench/settings';
import { scorecardIdArg } from '../../workbench/commandArgs';
import { type CommandCall, dismissed, type Commands } from '../../workbench/commandRunner';
import { ScorecardNode } from './findingItems';
import { pickScorecard, requireScorecard } from './pickScorecard';
import { inView } from '../../workbench/viewProgress';

const { t } = vscode.l10n;

/** What the command that loads counts needs. */
export interface CountsDeps {
  session: Session;
  scorecards: Scorecards;
  counts: IssueCounts;
}

/** Load Counts. */
export function countsCommands(deps: CountsDeps) {
  return { 'scorecard.loadCounts': (call) => loadCounts(deps, call) } satisfies Commands;
}

async function loadCounts(deps: CountsDeps, call: CommandCall): Promise<IssueCount[] | undefined> {
  deps.session.requireSignedIn();
  const scorecard = await chosenScorecard(deps.scorecards, call);
  return scorecard
    ? inView(viewIds.findings, () => deps.counts.load(scorecard.id, scorecard.issueTypes))
    : dismissed;
}

async function chosenScorecard(
  scorecards: Scorecards,
  call: CommandCall,
): Promise<Scorecard | undefined> {
  if (call.node instanceof ScorecardNode) {
    return call.node.scorecard;
  }
  const id = scorecardIdArg(call);
  return id === undefined
    ? pickScorecard(scorecards, t('Load Counts'))
    : requireScorecard(scorecards, id);
}
