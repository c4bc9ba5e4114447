import type { Disposable } from '../../base/disposable';
import type { ContextKeys } from '../../contributions';
import type { Findings } from '../findings';
import type { Scorecards } from '../scorecards';
import type { Session } from '../../account/session';
import { setContext } from '../../workbench/views';

export interface ViewStateDeps {
  session: Session;
  scorecards: Scorecards;
  findings: Findings;
}

/** Keeps the context keys that choose welcome texts and menus in step with the session. */
export function registerViewState(deps: ViewStateDeps, started: Promise<void>): Disposable {
  const { session, scorecards, findings } = deps;
  let isStarting = true;
  const update = () => {
    setContext('scorecard.isDemo', session.signedIn?.account.isDemo === true);
    setContext('scorecard.state', isStarting ? 'starting' : stateOf(deps));
  };
  void started.finally(() => {
    isStarting = false;
    update();
  });
  let isLoadingAll = false;
  let hasFilter = false;
  const updateLists = () => {
    const isLoadingNow = findings.active().some((list) => list.isLoadingAll);
    if (isLoadingNow !== isLoadingAll) {
      isLoadingAll = isLoadingNow;
      setContext('scorecard.isLoadingAll', isLoadingNow);
    }
    const hasFilterNow = findings.filtered().length > 0;
    if (hasFilterNow !== hasFilter) {
      hasFilter = hasFilterNow;
      setContext('scorecard.hasFilter', hasFilterNow);
    }
  };
  const listeners = [
    session.onDidChange(update),
    scorecards.onDidChange(update),
    findings.onDidChange(updateLists),
  ];
  return {
    dispose: () => {
      for (const listener of listeners) {
        listener.dispose();
      }
    },
  };
}

/** Whether the service is unreachable and nothing is loaded. */
export function isUnreachable({
  session,
  findings,
}: Pick<ViewStateDeps, 'session' | 'findings'>): boolean {
  return session.keyState === 'unreachable' && !findings.active().some(({ isLoaded }) => isLoaded);
}

function stateOf(deps: ViewStateDeps): ContextKeys['scorecard.state'] {
  const { session, scorecards } = deps;
  if (!session.signedIn) {
    return session.baseUrlProblem === undefined ? 'signedOut' : 'badBaseUrl';
  }
  if (isUnreachable(deps)) {
    return 'unreachable';
  }
  return scorecards.list().length === 0 ? 'noScorecards' : 'ready';
}
