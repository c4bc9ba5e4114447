import { reportRoutes } from '../paths';
import type { ServiceProfile } from './service';

/** A service that follows the interface specification. */
export const interfaceService: ServiceProfile = {
  name: 'interface',
  findings: 'offset',
  reports: {
    full: { path: '/reports/full-dump', route: reportRoutes.full, body: null },
    detailed: { path: '/reports/detailed', route: reportRoutes.detailed, body: null },
  },
  receipt: 'reportUrl',
  hasCompanies: false,
};
