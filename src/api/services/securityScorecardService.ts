import { reportRoutes } from '../paths';
import type { ServiceProfile } from './service';

/** SecurityScorecard, as its public API reference describes it. Nothing of it was tried with a real account. */
export const securityScorecardService: ServiceProfile = {
  name: 'securityScorecard',
  findings: 'links',
  reports: {
    issues: {
      path: '/reports/issues',
      route: reportRoutes.issues,
      body: { scorecard_identifier: '${scorecardId}', format: 'csv' },
    },
    full: {
      path: '/reports/full-scorecard-json',
      route: reportRoutes.fullScorecard,
      body: { params: { scorecard_identifier: '${scorecardId}' } },
    },
    detailed: {
      path: '/reports/detailed',
      route: reportRoutes.detailed,
      body: { scorecard_identifier: '${scorecardId}' },
    },
  },
  receipt: 'id',
  hasCompanies: true,
  // Not in the reference: integrations of others link to it.
  companyPage: 'https://platform.securityscorecard.io/#/scorecard/{domain}/factors',
};
