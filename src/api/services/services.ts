import type { ServiceName, ServiceTraits } from '../types';
import { interfaceService } from './interfaceService';
import { securityScorecardHost, securityScorecardService } from './securityScorecardService';
import type { ServiceProfile } from './service';

const profiles: Readonly<Record<ServiceName, ServiceProfile>> = {
  interface: interfaceService,
  securityScorecard: securityScorecardService,
};

/**
 * The service at a base address.
 * @param chosen the setting `scorecard.service`; any value but the name of a service means: by the host.
 */
export function serviceAt(baseUrl: string, chosen: unknown): ServiceName {
  if (chosen === 'interface' || chosen === 'securityScorecard') {
    return chosen;
  }
  const isKnownHost = URL.canParse(baseUrl) && new URL(baseUrl).hostname === securityScorecardHost;
  return isKnownHost ? 'securityScorecard' : 'interface';
}

export function profileOf(name: ServiceName): ServiceProfile {
  return profiles[name];
}

/** What features may know of a service. */
export function traitsOf({ reports, hasCompanies }: ServiceProfile): ServiceTraits {
  return {
    reports: Object.fromEntries(
      Object.entries(reports).map(([kind, { body }]) => [kind, body] as const),
    ),
    verifiesKeyAlone: hasCompanies,
  };
}
