import * as path from 'node:path';
import type * as vscode from 'vscode';
import { removeLedgers, sharedLedgerOf } from '../../api/budget/sharedLedger';
import { keyTag } from '../../api/http/apiKey';
import { systemClock } from '../../base/clock';
import type { Own } from '../../base/disposable';
import type { Logger } from '../../base/logger';
import { onDidChangeSetting } from '../../workbench/settingsCommands';
import type { CommandRunner } from '../../workbench/commandRunner';
import { Session } from '../session';
import type { AccountDeps } from './accountCommands';
import { BudgetItem } from './budgetItem';
import { ConfiguredClient } from './configuredClient';
import { SecretKeyStore, type Secrets } from './keyStore';
import { logSession } from './sessionLog';
import { sessionMemory } from './sessionMemory';

/** What the account gives to the rooms above. */
export interface AccountRoom {
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
      await session.signOut();
      await keys.deleteAll();
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
