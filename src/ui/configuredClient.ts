import { ApiClient } from '../api/client';
import type { Logger } from '../common/logger';
import { numberSetting, onDidChangeSetting } from './settings';

/** A client as the settings want it. Its budget follows the setting, and what was sent stays counted. */
export class ConfiguredClient extends ApiClient {
  private readonly listener = onDidChangeSetting('requestsPerHour', () => {
    this.setRequestsPerHour(requestsPerHour());
  });

  constructor(baseUrl: string, apiKey: string, logger: Logger) {
    super({
      baseUrl,
      apiKey: () => apiKey,
      requestsPerHour: requestsPerHour(),
      requestTimeoutMs:
        1_000 * numberSetting('requestTimeoutSeconds', { min: 1, max: 3_600, fallback: 30 }),
      logger,
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
