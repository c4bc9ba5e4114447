import type { Disposable } from '../common/disposable';
import type { ContextKeys } from '../contributions';
import type { Scorecards } from '../model/scorecards';
import type { Session } from '../model/session';
import { setContext } from './contextKeys';

/** Keeps the context keys that choose welcome texts and menus in step with the session. */
export function registerViewState(
  session: Session,
  scorecards: Scorecards,
  started: Promise<void>,
): Disposable {
  let isStarting = true;
  const update = () => {
    setContext('scorecard.isDemo', session.signedIn?.account.isDemo === true);
    setContext('scorecard.state', isStarting ? 'starting' : stateOf(session, scorecards));
  };
  void started.then(() => {
    isStarting = false;
    update();
  });
  const listeners = [session.onDidChange(update), scorecards.onDidChange(update)];
  return {
    dispose: () => {
      for (const listener of listeners) {
        listener.dispose();
      }
    },
  };
}

function stateOf(session: Session, scorecards: Scorecards): ContextKeys['scorecard.state'] {
  if (!session.signedIn) {
    return 'signedOut';
  }
  if (session.keyState === 'unreachable') {
    return 'unreachable';
  }
  return scorecards.list().length === 0 ? 'noScorecards' : 'ready';
}
