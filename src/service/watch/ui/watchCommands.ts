import * as vscode from 'vscode';
import type { ArgumentOf, WatchState } from '../../../commands';
import type { Scorecard } from '../../../commands';
import type { Session } from '../../account/session';
import type { Scorecards } from '../../findings/scorecards';
import { chosenScorecard } from '../../findings/ui/pickScorecard';
import { type CommandCall, type Commands, dismissed } from '../../../workbench/commandRunner';
import { formatMoment } from '../../../workbench/format';
import { pickOne } from '../../../workbench/pick';
import { UserError } from '../../../base/userError';
import type { Watch } from '../watch';
import type { WatchPeriod } from '../watchFile';
import { WatchedNode } from './watchedNodes';

const { t } = vscode.l10n;

interface WatchCommandsDeps {
  readonly session: Session;
  readonly scorecards: Scorecards;
  readonly watch: Watch;
}

export function watchCommands(deps: WatchCommandsDeps) {
  return {
    'scorecard.watchScorecard': (call) => watchScorecard(deps, call),
  } satisfies Commands;
}

async function watchScorecard(
  { session, scorecards, watch }: WatchCommandsDeps,
  call: CommandCall<ArgumentOf<'scorecard.watchScorecard'>>,
): Promise<WatchState | undefined> {
  const { account } = session.requireSignedIn();
  const title = t('Watch Scorecard');
  const scorecard =
    call.node instanceof WatchedNode
      ? scorecards.find(call.node.scorecardId)
      : await chosenScorecard(scorecards, call, title);
  if (!scorecard) {
    return dismissed;
  }
  const period = call.args.period ?? (await askPeriod(call, watch, scorecard, title));
  if (period === undefined) {
    return dismissed;
  }
  const watched = await watch.set(account.id, scorecard.id, period);
  if (call.by === 'user' && watched) {
    const when = formatMoment(watched.nextAt);
    vscode.window.setStatusBarMessage(t('Watched. Next: {0}', when), 5_000);
  }
  return {
    scorecardId: scorecard.id,
    period,
    ...(watched && { next: new Date(watched.nextAt).toISOString() }),
  };
}

/** @throws UserError if a program names no period */
async function askPeriod(
  { by }: CommandCall,
  watch: Watch,
  { id }: Scorecard,
  title: string,
): Promise<WatchPeriod | 'off' | undefined> {
  if (by === 'api') {
    throw new UserError(t('Pass the argument period: daily, weekly or off.'), 'badRequest');
  }
  const current = watch.find(id)?.period;
  const describe = (period: WatchPeriod | 'off') =>
    period === (current ?? 'off') ? { description: t('(current)') } : {};
  return pickOne<WatchPeriod | 'off'>(
    [
      { label: t('Daily'), value: 'daily', ...describe('daily') },
      { label: t('Weekly'), value: 'weekly', ...describe('weekly') },
      { label: t('Do not watch'), value: 'off', ...describe('off') },
    ],
    { title, placeHolder: t('How often should it be looked at for what is new?') },
  );
}
