import type { JsonObject } from '../../base/json/json';
import type { ReportKind, ServiceName } from '../types';

/** How a kind of report is requested. */
interface ReportRequest {
  /** Its path below the base address. */
  readonly path: string;
  /**
   * The JSON body of the request unless the settings have one. The ID of a scorecard takes the place of
   * `${scorecardId}` in it; `null`: no body.
   */
  readonly body: JsonObject | null;
}

/** What a service can do, and how it differs from others. */
export interface Service {
  readonly name: ServiceName;
  /**
   * How findings are paged. `offset`: each page is posted with an offset, and can be requested alone. `links`: the
   * pages of a GET follow each other by their Link header.
   */
  readonly findings: 'offset' | 'links';
  /** The kinds of report that it makes. */
  readonly reports: Readonly<Partial<Record<ReportKind, ReportRequest>>>;
  /**
   * What a report request is answered with. `reportUrl`: the address where the report will be. `id`: the ID of an entry
   * in the list of recent reports, which has the address once the report is made.
   */
  readonly receipt: 'reportUrl' | 'id';
  /** Whether it has portfolios of companies, with their scores and counts of issues. */
  readonly hasCompanies: boolean;
  /** The address of a company's page on the website of the service; `{domain}` stands for its domain. */
  readonly companyPage?: string;
}

export const services: Readonly<Record<ServiceName, Service>> = {
  /** A service that follows the interface specification. */
  interface: {
    name: 'interface',
    findings: 'offset',
    reports: {
      full: { path: '/reports/full-dump', body: null },
      detailed: { path: '/reports/detailed', body: null },
    },
    receipt: 'reportUrl',
    hasCompanies: false,
  },
  /** As the public API reference describes it. Nothing of it was tried with a real account. */
  securityScorecard: {
    name: 'securityScorecard',
    findings: 'links',
    reports: {
      issues: {
        path: '/reports/issues',
        body: { scorecard_identifier: '${scorecardId}', format: 'csv' },
      },
      full: {
        path: '/reports/full-scorecard-json',
        body: { params: { scorecard_identifier: '${scorecardId}' } },
      },
      detailed: { path: '/reports/detailed', body: { scorecard_identifier: '${scorecardId}' } },
    },
    receipt: 'id',
    hasCompanies: true,
    // Not in the reference: integrations of others link to it.
    companyPage: 'https://platform.securityscorecard.io/#/scorecard/{domain}/factors',
  },
};
