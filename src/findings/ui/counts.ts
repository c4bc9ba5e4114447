import * as vscode from 'vscode';
import { viewIds } from '../../contributions';
import type { IssueCount, IssueCounts } from '../issueCounts';
import type { Scorecards } from '../scorecards';
import type { Session } from '../../account/session';
import type { Scorecard } from '../scorecardSettings';
import { scorecardIdArg } from '../../workbench/commandArgs';
import { type CommandCall, type CommandRunner, dismissed } from '../../workbench/commandRunner';
import { ScorecardNode } from './findingItems';
import { pickScorecard, requireScorecard } from './pickScorecard';
import { inView } from '../../workbench/viewProgress';

const { t } = vscode.l10n;

/** What the command that loads counts needs. */
export interface CountsDeps {
  runner: CommandRunner;
  session: Session;
  scorecards: Scorecards;
  counts: IssueCounts;
}

/** Registers Load Counts. */
export function registerCountsCommand(deps: CountsDeps): vscode.Disposable {
  return deps.runner.register('scorecard.loadCounts', (call) => loadCounts(deps, call));
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
