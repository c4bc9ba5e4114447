import type { Disposable } from '../common/disposable';
import type { ContextKeys } from '../contributions';
import type { Collections } from '../model/collections';
import type { Findings } from '../model/findings';
import type { Scorecards } from '../model/scorecards';
import type { Session } from '../model/session';
import { setContext } from './contextKeys';

/** What decides which welcome text and which menus are shown. */
export interface ViewStateDeps {
  session: Session;
  scorecards: Scorecards;
  findings: Findings;
  collections: Collections;
}

/** Keeps the context keys that choose welcome texts and menus in step with the session. */
export function registerViewState(deps: ViewStateDeps, started: Promise<void>): Disposable {
  const { session, scorecards, collections } = deps;
  let isStarting = true;
  const update = () => {
    setContext('scorecard.hasCollections', collections.isConfigured);
    setContext('scorecard.isDemo', session.signedIn?.account.isDemo === true);
    setContext('scorecard.state', isStarting ? 'starting' : stateOf(deps));
  };
  void started.finally(() => {
    isStarting = false;
    update();
  });
  let hadCollections = collections.isConfigured;
  const listeners = [
    session.onDidChange(update),
    scorecards.onDidChange(update),
    collections.onDidChange(() => {
      // Also told of every page: only a change is worth a word.
      if (collections.isConfigured !== hadCollections) {
        hadCollections = collections.isConfigured;
        update();
      }
    }),
  ];
  return {
    dispose: () => {
      for (const listener of listeners) {
        listener.dispose();
      }
    },
  };
}

/** Whether nothing can be shown because the service could not be asked; what is loaded stays. */
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
