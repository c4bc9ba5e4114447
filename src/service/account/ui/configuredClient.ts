import { removeLedgers, openSharedLedger } from '../../../api/budget/sharedLedger';
import { ApiClient, type ApiClientOptions } from '../../../api/client';
import type { ServiceName } from '../../../api/types';
import { defined } from '../../../base/defined';
import { systemClock } from '../../../base/events/clock';
import type { Logger } from '../../../base/logger';
import { numberSetting, onDidChangeSetting } from '../../../workbench/settings';

export { removeLedgers };

/** @param budgets the folder of the budgets that windows share; without one, the client has its own. */
export function createClient(deps: {
  baseUrl: string;
  apiKey: string;
  service: ServiceName;
  log: Logger;
  budgets?: string;
  onKeyUsed?: ApiClientOptions['onKeyUsed'];
}): ApiClient {
  const { baseUrl, apiKey, service, log, budgets: parent, onKeyUsed } = deps;
  return new ConfiguredClient({
    baseUrl,
    service,
    apiKey: () => apiKey,
    requestsPerHour: requestsPerHour(),
    requestTimeoutMs: () =>
      1_000 * numberSetting('requestTimeoutSeconds', { min: 1, max: 3_600, fallback: 30 }),
    logger: log,
    ...defined({ onKeyUsed }),
    ...(parent === undefined
      ? {}
      : { ledger: openSharedLedger({ parent, baseUrl, apiKey, clock: systemClock, logger: log }) }),
  });
}

/** A client that follows the settings. After a change, requests that were sent still count. */
class ConfiguredClient extends ApiClient {
  private readonly listener = onDidChangeSetting('requestsPerHour', () => {
    this.setRequestsPerHour(requestsPerHour());
  });

  override dispose(): void {
    this.listener.dispose();
    super.dispose();
  }
}

function requestsPerHour(): number {
  return numberSetting('requestsPerHour', { min: 1, max: 5_000, fallback: 5_000 });
}
