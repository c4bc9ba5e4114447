import type { ServiceName } from '../types';

/*
 * What a window needs of the services before a client is made. It is loaded with every window, so it does not import
 * services.ts.
 */

/** The services that are known by their host. */
const hosts: Readonly<Record<string, ServiceName>> = {
  'api.securityscorecard.io': 'securityScorecard',
};

/**
 * The service at a base address.
 * @param chosen the setting `scorecard.service`; any value but the name of a service means: by the host.
 */
export function serviceAt(baseUrl: string, chosen: unknown): ServiceName {
  if (chosen === 'interface' || chosen === 'securityScorecard') {
    return chosen;
  }
  const { hostname } = URL.canParse(baseUrl) ? new URL(baseUrl) : { hostname: '' };
  return Object.hasOwn(hosts, hostname) ? (hosts[hostname] ?? 'interface') : 'interface';
}

/** Whether a service verifies a key without a scorecard. */
export function verifiesKeyAlone(service: ServiceName): boolean {
  return service === 'securityScorecard';
}
