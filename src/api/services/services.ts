import type { ServiceName, ServiceTraits } from '../types';
import { interfaceService } from './interfaceService';
import { securityScorecardService } from './securityScorecardService';
import type { ServiceProfile } from './service';
import { verifiesKeyAlone } from './serviceAt';

export const profiles: Readonly<Record<ServiceName, ServiceProfile>> = {
  interface: interfaceService,
  securityScorecard: securityScorecardService,
};

/** What features may know of a service. */
export function traitsOf({ name, reports }: ServiceProfile): ServiceTraits {
  return {
    reports: Object.fromEntries(
      Object.entries(reports).map(([kind, { body }]) => [kind, body] as const),
    ),
    verifiesKeyAlone: verifiesKeyAlone(name),
  };
}
