import type { JsonObject } from '../../base/json/json';
import type { Route } from '../paths';
import type { ReportKind, ServiceName } from '../types';

/** How a kind of report is requested. */
export interface ReportProfile {
  /** Its path below the base address. */
  readonly path: string;
  readonly route: Route;
  /** The JSON body of the request unless the settings have one; see `ServiceTraits.reports`. */
  readonly body: JsonObject | null;
}

/** How a service differs from others, as data. The client reads it; features see only the `Api`. */
export interface ServiceProfile {
  readonly name: ServiceName;
  /**
   * How findings are paged. `offset`: each page is posted with an offset, and can be requested alone. `links`: the
   * pages of a GET follow each other by their Link header.
   */
  readonly findings: 'offset' | 'links';
  readonly reports: Readonly<Partial<Record<ReportKind, ReportProfile>>>;
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
