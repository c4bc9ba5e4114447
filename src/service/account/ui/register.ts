import type { AddDisposable } from '../../../base/events/disposable';
import type { Logger } from '../../../base/logger';
import type { CommandRunner } from '../../../workbench/commandRunner';
import type { AccountDeps } from './accountCommands';
import { BudgetItem } from './budgetItem';
import { serviceFor } from './startSession';

/** Registers the commands of the account, and the request budget in the status bar. */
export function registerAccount(
  add: AddDisposable,
  deps: Omit<AccountDeps, 'checkAddress'> & { runner: CommandRunner; log: Logger },
): void {
  const { runner, log, session } = deps;
  add(new BudgetItem(session));
  const checkAddress = async (baseUrl: string, signal: AbortSignal) => {
    // Without a key, there is no account to count the requests for.
    const { createClient } = await import('./configuredClient');
    const client = createClient({ baseUrl, apiKey: '', service: serviceFor(baseUrl), log });
    try {
      await client.checkAddress(signal);
    } finally {
      client.dispose();
    }
  };
  runner.registerGroup('account', async () =>
    (await import('./accountCommands')).accountCommands({ ...deps, checkAddress }),
  );
}
