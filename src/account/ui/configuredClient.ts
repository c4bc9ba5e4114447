import type { Ledger } from '../../api/budget/ledger';
import { removeLedgers, sharedLedgerOf } from '../../api/budget/sharedLedger';
import { ApiClient } from '../../api/client';
import { systemClock } from '../../base/events/clock';
import type { Logger } from '../../base/logger';
import { numberSetting, onDidChangeSetting } from '../../workbench/settings';

export { removeLedgers };

/** @param budgets the folder of the budgets that windows share; without one, the client has its own. */
export function createClient(deps: {
  baseUrl: string;
  apiKey: string;
  log: Logger;
  budgets?: string;
}): ApiClient {
  const { baseUrl, apiKey, log, budgets: parent } = deps;
  const ledger =
    parent === undefined
      ? undefined
      : sharedLedgerOf({ parent, baseUrl, apiKey, clock: systemClock, logger: log });
  return new ConfiguredClient(baseUrl, apiKey, log, ledger);
}

/** A client that follows the settings. After a change, requests that were sent still count. */
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
