import * as path from 'node:path';
import type * as vscode from 'vscode';
import { keyTag } from '../../../api/http/apiKey';
import { serviceAt, verifiesKeyAlone } from '../../../api/services/serviceAt';
import type { ServiceName } from '../../../api/types';
import { defined } from '../../../base/defined';
import type { Disposable, AddDisposable } from '../../../base/events/disposable';
import type { Logger } from '../../../base/logger';
import { onDidChangeSetting, setting, writeSetting } from '../../../workbench/settings';
import { setContext } from '../../../workbench/views';
import type { SessionStorage } from '../account';
import { Session } from '../session';
import { KeyStore, type Secrets } from '../keyStore';

/** What the features need of the account. */
export interface StartedSession {
  readonly session: Session;
  /** Resolves when the session has been restored after the start. */
  readonly started: Promise<void>;
  /** Removes all keys, and ends the demo. */
  removeKeys(): Promise<void>;
  /** Removes the counts of requests. */
  removeBudgets(): Promise<void>;
}

/** Loaded when the first client is created: until then nothing is requested. */
const loadClient = () => import('./configuredClient');

/** Starts the session of this window. Nothing is awaited: the session restores itself. */
export function startSession(
  add: AddDisposable,
  deps: {
    log: Logger;
    storage: string;
    secrets: Secrets;
    workspaceState: vscode.Memento;
    /** Loads the features, which follow the session. An account is signed in after that. */
    loadFeatures: () => Promise<unknown>;
  },
): StartedSession {
  const { log } = deps;
  const budgets = path.join(deps.storage, 'budget');
  const keys = new KeyStore(deps.secrets, (origin, apiKey) => keyTag(budgets, origin, apiKey));
  const session = add(
    new Session({
      keys,
      storage: sessionStorage(deps.workspaceState),
      createApi: async (baseUrl, apiKey, demo, onKeyUsed) => {
        const [{ createClient }] = await Promise.all([loadClient(), deps.loadFeatures()]);
        // The demo belongs to one window, and so does its budget.
        const service = demo ? demo.service : serviceFor(baseUrl);
        return createClient({
          baseUrl,
          apiKey,
          service,
          log,
          ...(demo ? {} : { budgets }),
          ...defined({ onKeyUsed }),
        });
      },
      verifiesKeyAlone: (baseUrl) => verifiesKeyAlone(serviceFor(baseUrl)),
      startDemo: async (service) =>
        (await import('../../../demo/demoService')).startDemoService({
          service,
          // A report that is made while the window reloads is found again.
          recentReports: {
            read: () => deps.workspaceState.get(demoReportsKey),
            write: (reports) => {
              deps.workspaceState
                .update(demoReportsKey, reports)
                .then(undefined, (error: unknown) => {
                  log.warn(`The reports of the demo could not be kept: ${String(error)}`);
                });
            },
          },
        }),
    }),
  );
  add(logSession(session, log));
  const updateState = () => {
    if (!session.signedIn) {
      setContext('scorecard.state', session.hasBadBaseUrl ? 'badBaseUrl' : 'signedOut');
    }
  };
  add(session.onDidChange(updateState));
  const logFailure = (error: unknown) => {
    log.error(`The session could not be restored: ${String(error)}`);
  };
  const restore = async () => {
    await session.restore().catch(logFailure);
    // It may be for another reason now that nobody is signed in.
    updateState();
  };
  const restoreAgain = () => {
    restore().catch(logFailure);
  };
  add(keys.onDidChange(restoreAgain));
  add(onDidChangeSetting('baseUrl', restoreAgain));
  add(
    onDidChangeSetting('service', () => {
      session.changeService().catch(logFailure);
    }),
  );
  const started = restore();
  return {
    session,
    started,
    removeKeys: async () => {
      try {
        // Deletes the keys first: otherwise the end of a demo would sign in to the real account.
        await keys.deleteAll();
      } finally {
        await session.signOut();
      }
    },
    removeBudgets: async () => {
      const { removeLedgers } = await loadClient();
      await removeLedgers(budgets);
    },
  };
}

/** Logs sign-in and sign-out: the host of the account, never its key. */
function logSession(
  session: Pick<Session, 'signedIn' | 'onDidChangeAccount'>,
  logger: Logger,
): Disposable {
  return session.onDidChangeAccount(() => {
    const account = session.signedIn?.account;
    const host = account && (account.isDemo ? 'the demo' : new URL(account.baseUrl).host);
    logger.info(host === undefined ? 'Signed out' : `Signed in to ${host}`);
  });
}

/** The service at a base address, as the setting says. */
export function serviceFor(baseUrl: string): ServiceName {
  return serviceAt(baseUrl, setting('service'));
}

const demoKey = 'demo';
const demoReportsKey = 'demoReports';

/**
 * Stores the base address in the settings. Whether the demo is shown is in the workspace state: the
 * demo belongs to one window, and returns after a reload.
 */
function sessionStorage(workspaceState: vscode.Memento): SessionStorage {
  return {
    baseUrl: () => {
      const value: unknown = setting('baseUrl');
      return typeof value === 'string' ? value : '';
    },
    setBaseUrl: async (baseUrl) => {
      if (setting('baseUrl') !== baseUrl) {
        await writeSetting('baseUrl', baseUrl);
      }
    },
    demo: () => workspaceState.get<ServiceName>(demoKey),
    setDemo: async (service) => {
      await workspaceState.update(demoKey, service);
    },
  };
}
