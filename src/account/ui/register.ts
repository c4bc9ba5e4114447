import * as path from 'node:path';
import type * as vscode from 'vscode';
import { removeLedgers, sharedLedgerOf } from '../../api/budget/sharedLedger';
import { keyTag } from '../../api/http/apiKey';
import { systemClock } from '../../base/clock';
import type { Own, Disposable } from '../../base/disposable';
import type { Logger } from '../../base/logger';
import {
  onDidChangeSetting,
  setting,
  writeSetting,
  numberSetting,
} from '../../workbench/settingsCommands';
import type { CommandRunner } from '../../workbench/commandRunner';
import { Session } from '../session';
import type { AccountDeps } from './accountCommands';
import { BudgetItem } from './budgetItem';
import { SecretKeyStore, type Secrets } from './keyStore';
import type { SessionMemory } from '../account';
import { ApiClient } from '../../api/client';
import type { Ledger } from '../../api/budget/ledger';

/** What the account gives to the rooms above. */
interface AccountRoom {
  session: Session;
  /** See ApiClient.checkAddress. */
  readonly checkAddress: (baseUrl: string, signal: AbortSignal) => Promise<void>;
  /** Resolves when the session was restored after the start. */
  started: Promise<void>;
  /** Removes all keys, and the requests that were counted. */
  removeAll(): Promise<void>;
}

/** Registers the session and its request budget. Nothing is awaited: the session restores itself. */
export function registerAccount(
  own: Own,
  deps: {
    log: Logger;
    storage: string;
    secrets: Secrets;
    workspaceState: vscode.Memento;
    globalState: vscode.Memento;
  },
): AccountRoom {
  const { log } = deps;
  const budgets = path.join(deps.storage, 'budget');
  const keys = new SecretKeyStore(deps.secrets, (origin, apiKey) =>
    keyTag(budgets, origin, apiKey),
  );
  const session = own(
    new Session({
      keys,
      memory: sessionMemory(deps.workspaceState, deps.globalState),
      createApi: (baseUrl, apiKey, isDemo) => {
        // The demo is a session of its window, and so is its budget.
        const ledger = isDemo
          ? undefined
          : sharedLedgerOf({ parent: budgets, baseUrl, apiKey, clock: systemClock, logger: log });
        return new ConfiguredClient(baseUrl, apiKey, log, ledger);
      },
      startDemo: async () => (await import('../../demo/demoService')).startDemoService(),
    }),
  );
  own(logSession(session, log));
  own(new BudgetItem(session));
  const restore = () =>
    session.restore().catch((error: unknown) => {
      log.error(`The session could not be restored: ${String(error)}`);
    });
  own(keys.onDidChange(() => void restore()));
  own(onDidChangeSetting('baseUrl', () => void restore()));
  return {
    session,
    checkAddress: async (baseUrl, signal) => {
      // Without a key there is no account whose requests would be counted.
      const client = new ConfiguredClient(baseUrl, '', log, undefined);
      try {
        await client.checkAddress(signal);
      } finally {
        client.dispose();
      }
    },
    started: restore(),
    removeAll: async () => {
      // The keys first: the end of a demo would sign in to the real account.
      await keys.deleteAll();
      await session.signOut();
      removeLedgers(budgets);
    },
  };
}

/** Registers the commands of the account, which look at what the rooms above have loaded. */
export function registerAccountCommands(
  own: Own,
  { runner, ...deps }: AccountDeps & { runner: CommandRunner },
): void {
  own(
    runner.registerLazily(
      ['scorecard.signIn', 'scorecard.signOut', 'scorecard.useDemo', 'scorecard.showRequestBudget'],
      async () => (await import('./accountCommands')).accountCommands(deps),
    ),
  );
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

const demoKey = 'isDemo';
const acceptedKey = 'isAccepted:';

/**
 * Keeps the base address in the settings, and whether the demo is shown in the workspace state: the demo
 * belongs to one window, and returns after a reload.
 */
function sessionMemory(workspaceState: vscode.Memento, globalState: vscode.Memento): SessionMemory {
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
    isDemo: () => workspaceState.get(demoKey, false),
    isAccepted: (origin) => globalState.get(acceptedKey + origin, false),
    setAccepted: (origin, isAccepted) => {
      void globalState.update(acceptedKey + origin, isAccepted || undefined);
    },
    setDemo: async (isDemo) => {
      await workspaceState.update(demoKey, isDemo || undefined);
    },
  };
}

/** A client that follows the settings. Requests that were sent stay counted. */
class ConfiguredClient extends ApiClient {
  private readonly listener = onDidChangeSetting('requestsPerHour', () => {
    this.setRequestsPerHour(requestsPerHour());
  });

  /** @param ledger shared with other windows; without one, the client has its own. */
  constructor(baseUrl: string, apiKey: string, logger: Logger, ledger: Ledger | undefined) {
    super({
      baseUrl,
      apiKey: () => apiKey,
      requestsPerHour: requestsPerHour(),
      requestTimeoutMs: () =>
        1_000 * numberSetting('requestTimeoutSeconds', { min: 1, max: 3_600, fallback: 30 }),
      logger,
      ...(ledger ? { ledger } : {}),
    });
  }

  override dispose(): void {
    this.listener.dispose();
    super.dispose();
  }
}

function requestsPerHour(): number {
  return numberSetting('requestsPerHour', { min: 1, max: 5_000, fallback: 5_000 });
}
