import { defined } from '../base/defined';
import { type Clock, systemClock, longestTimerMs } from '../base/events/clock';
import type { Disposable } from '../base/events/disposable';
import { checkedIssueType } from '../vocabulary/issueTypes';
import { isPlainObject, type JsonObject } from '../base/json/json';
import { type Logger, silentLogger } from '../base/logger';
import { message } from '../base/message';
import { type Hop, parseBaseUrl, resolveReportUrl } from './http/addresses';
import { Caller } from './calls/caller';
import { collectionPath } from './paging/collectionPath';
import { type Disk, localDisk } from '../files/disk';
import { CancelledError } from '../base/cancelledError';
import { ApiError, BadRequestError, ReportFailedError } from './http/errors';
import { type Gate, Ledger, throttleGate, windowMs } from './budget/ledger';
import { DividedPages } from './paging/dividedPages';
import { linkedUrl, nextLink } from './paging/linkHeader';
import { findEndpoint, endpoints, findingsPath, linkedFindingsPath } from './paths';
import {
  isPollResponse,
  readPollResponse,
  readRequestResponse,
  type ReportContext,
  type ReportResponse,
} from './download/reportResponse';
import { isDone, parseStatement } from './download/statement';
import { RequestQueue } from './budget/requestQueue';
import { resumeHeaders } from './download/download';
import {
  parseCollectionPage,
  parseFindingsPage,
  readJson,
  readPage,
  refuseWebPage,
} from './schema';
import { type Companies, createCompanies, portfoliosPath } from './services/companies';
import { LinkedFindings } from './services/linkedFindings';
import { RecentReports, recentReportsPath } from './services/recentReports';
import { verifiesKeyAlone } from './services/serviceAt';
import { type Service, services } from './services/services';
import type { Fetch, HttpResponse } from './http/transport';
import { isDomainName } from '../base/text/hostNames';
import type {
  CallOptions,
  CollectionPage,
  CollectionQuery,
  EndpointBudget,
  FetchReportOptions,
  FindingsPage,
  FindingsQuery,
  Probe,
  ReportKind,
  RequestBudget,
  ServiceName,
} from './types';

/** The most addresses that a poll requests: its own, and those that records name one after the other. */
const maxReportUrls = 5;

/** The nil UUID (RFC 9562 section 5.9). */
const nilUuid = '00000000-0000-0000-0000-000000000000';

/** Guards against an endless body: 64 GiB. */
const defaultMaxReportBytes = 64 * 1024 ** 3;

export interface ApiClientOptions {
  /** For example `https://api.example.com/v1`; see parseBaseUrl for what is allowed. */
  baseUrl: string;
  /** Which service is there. Default: one that follows the interface specification. */
  service?: ServiceName;
  /** The API key, as pasted. Called before each attempt, so that a new key is used at once. */
  apiKey: () => string;
  requestsPerHour: number;
  /**
   * The longest time without data from the service, in milliseconds: before the headers, and within a body.
   * A page or a record must also be complete within five times this limit, however steadily it arrives; the
   * file of a report has no such limit. A function is called before each attempt, so that a changed limit
   * is used at once.
   */
  requestTimeoutMs: number | (() => number);
  /** The most bytes of a report. Default 64 GiB. */
  maxReportBytes?: number;
  clock?: Clock;
  /** A number from 0 up to 1, for jitter. Default Math.random. */
  random?: () => number;
  logger?: Logger;
  fetch?: Fetch;
  /** Called after each call that shows whether the service accepts the key, with its failure if it failed. */
  onKeyUsed?: (failure?: ApiError) => void;
  /** Where reports are saved. Default: the file system of this machine. */
  disk?: Disk;
  /** The last gate that each request passes. Default: p-throttle. */
  gate?: Gate;
  /** The ledger of sent requests. Default: one in memory, for this client alone. */
  ledger?: Ledger;
}

/** A window that sends no request does not pay for loading it. */
const fetchWhenNeeded: Fetch = async (url, init) => {
  const { default: nodeFetch } = await import('node-fetch');
  // If the signal is already aborted, node-fetch destroys the stream that it makes of the body. Nothing
  // listens to that stream yet, so its error would be uncaught.
  if (init?.signal?.aborted === true) {
    throw new CancelledError();
  }
  return nodeFetch(url, init);
};

/** For one account: one base address, one key, one budget. */
export class ApiClient implements Disposable {
  readonly service: Service;
  /** Absent if the service has no portfolios of companies. */
  readonly companies?: Companies;

  private readonly base: URL;
  private readonly clock: Clock;
  private readonly logger: Logger;
  private readonly ledger: Ledger;
  private readonly queue: RequestQueue;
  private readonly caller: Caller;
  private readonly reports: ReportContext;
  private readonly dividedPages = new DividedPages();
  private readonly linkedFindings = new LinkedFindings();
  private readonly recentReports: RecentReports;

  /** @throws ConfigError when the base address is not allowed. */
  constructor(options: ApiClientOptions) {
    const base = new URL(parseBaseUrl(options.baseUrl));
    this.base = base;
    this.service = services[options.service ?? 'interface'];
    this.clock = options.clock ?? systemClock;
    this.logger = options.logger ?? silentLogger;
    const { requestsPerHour, requestTimeoutMs } = options;
    this.ledger = options.ledger ?? new Ledger(requestsPerHour, this.clock);
    this.ledger.limit = requestsPerHour;
    this.queue = new RequestQueue(this.ledger, options.gate ?? throttleGate(), this.clock);
    this.caller = new Caller({
      base,
      apiKey: options.apiKey,
      requestTimeoutMs: () =>
        Math.min(
          typeof requestTimeoutMs === 'function' ? requestTimeoutMs() : requestTimeoutMs,
          longestTimerMs,
        ),
      queue: this.queue,
      clock: this.clock,
      random: options.random ?? Math.random,
      logger: this.logger,
      fetch: options.fetch ?? fetchWhenNeeded,
      onKeyUsed: options.onKeyUsed ?? (() => undefined),
      remaining: () => this.budget().remaining,
    });
    this.reports = {
      addressOf: (reportUrl) => this.addressOf(reportUrl),
      clock: this.clock,
      disk: options.disk ?? localDisk,
      redact: (text) => this.caller.redact(text),
      maxBytes: options.maxReportBytes ?? defaultMaxReportBytes,
      ...(this.service.receipt === 'id'
        ? { addressOfId: (id: string) => this.addressOfListed(id) }
        : {}),
    };
    this.recentReports = new RecentReports(this, this.clock);
    if (this.service.hasCompanies) {
      this.companies = createCompanies({
        collectionPage: (query, call) => this.collectionPage(query, call),
        company: (path, call) =>
          this.read(findEndpoint('GET', path), () => createGet(this.urlOf(path)), readJson, call),
        tell: (path, body, call) =>
          this.caller.request(
            {
              operation: 'create',
              route: findEndpoint('POST', path),
              request: () => ({ method: 'POST', url: this.urlOf(path), body: jsonObject(body) }),
              acceptEncoding: 'identity',
              receive: refuseWebPage,
              provesKey: () => true,
            },
            call,
          ),
        companyPage: this.service.companyPage,
      });
    }
  }

  /** POST /companies/{scorecard_identifier}/issues/{issue_type}/paginated (spec section 4.3). A read: retried. */
  async findingsPage(query: FindingsQuery, options: CallOptions = {}): Promise<FindingsPage> {
    try {
      return await this.requestFindings(query, options);
    } catch (error) {
      if (error instanceof ApiError) {
        error.offset ??= query.offset;
      }
      throw error;
    }
  }

  private async requestFindings(query: FindingsQuery, options: CallOptions): Promise<FindingsPage> {
    // A query that is not allowed is refused as it is, not in parts.
    findingsPath(query);
    if (this.service.findings === 'links') {
      const path = linkedFindingsPath(query);
      return this.linkedFindings.page(
        path,
        query,
        (link, call) =>
          this.collectionPage(
            { path, style: 'link', ...(link === undefined ? {} : { at: { link } }) },
            call,
          ),
        options,
      );
    }
    return this.dividedPages.fetch(query, (part, patience) =>
      this.partOfFindings(part, { ...options, ...patience }),
    );
  }

  private partOfFindings(query: FindingsQuery, options: CallOptions): Promise<FindingsPage> {
    const path = findingsPath(query);
    const body = query.body === undefined ? '{}' : jsonObject(query.body);
    return this.read(
      endpoints.findings,
      () => ({ method: 'POST', url: this.urlOf(path), body }),
      async (response) => parseFindingsPage(await readPage(response, this.reports.redact), query),
      options,
    );
  }

  /**
   * Checks whether a service responds at the base address, without the API key and without retries. It requests
   * one finding of a scorecard that does not exist, or the portfolios where these verify a key. These are endpoints that
   * are used afterwards, so a path prefix is checked too. The interface does not say how a request without a key is refused, so any
   * response below 500 that is not a web page counts.
   * @throws NetworkError, TimeoutError, ServerError, ProtocolError for a web page or an invalid redirect.
   */
  async checkAddress(signal?: AbortSignal): Promise<void> {
    const query = { scorecardId: nilUuid, issueType: checkedIssueType, offset: 0, limit: 1 };
    const isKeyEnough = verifiesKeyAlone(this.service.name);
    const path = isKeyEnough ? portfoliosPath : findingsPath(query);
    await this.caller.request(
      {
        operation: 'read',
        route: isKeyEnough ? findEndpoint('GET', path) : endpoints.findings,
        keyless: true,
        request: () =>
          isKeyEnough
            ? createGet(this.urlOf(path))
            : { method: 'POST', url: this.urlOf(path), body: '{}' },
        acceptEncoding: 'gzip, br',
        accepts: ({ status }) => status < 500,
        receive: refuseWebPage,
      },
      { maxWaitMs: 0, ...defined({ signal }) },
    );
  }

  /**
   * Verifies the key: with one finding, or without a scorecard where the service allows that.
   * @returns the domain of the scorecard, if its first finding names it.
   */
  async verifyKey(
    probe: Probe | undefined,
    options: CallOptions = {},
  ): Promise<{ domain?: string }> {
    if (verifiesKeyAlone(this.service.name)) {
      await this.collectionPage({ path: portfoliosPath, style: 'link' }, options);
      return {};
    }
    if (!probe) {
      return {};
    }
    const { entries } = await this.findingsPage({ ...probe, offset: 0, limit: 1 }, options);
    const domain = entries[0]?.parent_domain;
    return typeof domain === 'string' && isDomainName(domain) ? { domain } : {};
  }

  /**
   * GET of one page of a generic collection (spec sections 4.1, 4.2; Link header: section 2.5, RFC 8288). A
   * read: retried. `collectionPages` follows a collection from page to page.
   * @throws BadRequestError, before a request, for a path or size that is not allowed; ProtocolError for an
   * invalid response or a page other than the requested one, and before a request, for a page at another origin.
   */
  async collectionPage(query: CollectionQuery, options: CallOptions = {}): Promise<CollectionPage> {
    const { base } = this;
    const path = collectionPath(query);
    const link = query.at?.link;
    if (link !== undefined) {
      linkedUrl(link, base);
    }
    const route = findEndpoint('GET', query.template ?? query.path);
    return this.read(
      route,
      () => createGet(link === undefined ? this.urlOf(path) : linkedUrl(link, base)),
      async (response) => {
        const header = response.headers.get('link');
        const json = await readPage(response, this.reports.redact);
        const next =
          query.style === 'cursor' ? { isMalformed: false } : nextLink(header, response.url, base);
        if (next.isMalformed) {
          this.logger.warn(`${route}: part of its Link header is no link and is left out.`);
        }
        return parseCollectionPage(json, query, { link: next, url: response.url.href });
      },
      options,
    );
  }

  /**
   * POST to the path of this kind of report (`Service.reports`; spec sections 4.4, 4.5). Repeated only if the service
   * certainly did not accept it (429). Without `body`, no body and no Content-Type is sent. An address in a
   * record that has no scheme and host is relative to the base address.
   */
  async requestReport(
    kind: ReportKind,
    body: JsonObject | undefined,
    options: CallOptions = {},
  ): Promise<Exclude<ReportResponse, { type: 'pending' }>> {
    const text = body === undefined ? undefined : jsonObject(body);
    const report = this.service.reports[kind];
    if (!report) {
      throw new BadRequestError(message('This service does not make reports of this kind.'));
    }
    return this.caller.request(
      {
        operation: 'create',
        route: findEndpoint('POST', report.path),
        request: () => ({ method: 'POST', url: this.urlOf(report.path), body: text }),
        // The response may be the report itself. Its length can be verified only without a content coding.
        acceptEncoding: 'identity',
        receive: (response) => readRequestResponse(kind, response, this.reports),
        // A file may be anything, such as the login page of a network.
        provesKey: ({ type }) => type === 'record',
      },
      options,
    );
  }

  /**
   * One poll of report_url and, when the report is ready, the start of its download. Requests up to five addresses, as a
   * record may name the next one, and asks from the start where the rest does not fit. By an ID, it looks into the list
   * of recent reports first.
   * @param reportUrl absolute, or relative to the base address. The key is not sent to another origin.
   */
  async fetchReport(reportUrl: string, options: FetchReportOptions = {}): Promise<ReportResponse> {
    const id = this.idOfListed(reportUrl);
    return id === undefined ? this.fetchFile(reportUrl, options) : this.fetchListed(id, options);
  }

  private async fetchListed(id: string, options: FetchReportOptions): Promise<ReportResponse> {
    const entry = (await this.recentReports.find(id, options)) ?? {};
    const { download_url: address, completed_at: completedAt } = entry;
    if (typeof address !== 'string' || address === '') {
      const { hasFailed, status = '', message: said } = parseStatement(entry, this.reports.redact);
      if (hasFailed) {
        throw new ReportFailedError(status, { serviceMessage: said });
      }
      if (typeof completedAt === 'string' && this.recentReports.isOverdue(id)) {
        throw new ReportFailedError('completed', {
          serviceMessage: String(message('The list of reports has no address of its file.')),
        });
      }
      return {
        type: 'pending',
        status: undefined,
        retryAfterMs: undefined,
        reportUrl: undefined,
      };
    }
    try {
      const result = await this.fetchFile(address, options);
      // The list keeps the address, which it may renew.
      return result.type === 'pending' ? { ...result, reportUrl: undefined } : result;
    } catch (error) {
      this.recentReports.forget();
      throw error;
    }
  }

  /** The address that stands for a report in the list of recent reports. */
  private addressOfListed(id: string): string {
    const url = this.urlOf(recentReportsPath);
    url.hash = encodeURIComponent(id);
    this.caller.refuseSecret(url);
    return url.href;
  }

  /** The ID in an address of `addressOfListed`, also if it is stored without its origin. */
  private idOfListed(address: string): string | undefined {
    const list = this.urlOf(recentReportsPath);
    if (this.service.receipt !== 'id' || !URL.canParse(address, list.href)) {
      return undefined;
    }
    const { origin, pathname, hash } = new URL(address, list);
    return origin === list.origin && pathname === list.pathname && hash.length > 1
      ? decodeURIComponent(hash.slice(1))
      : undefined;
  }

  /** A call that only reads, and whose response shows whether the service accepts the key. */
  private read<T>(
    route: string,
    request: () => Hop,
    receive: (response: HttpResponse) => Promise<T>,
    options: CallOptions,
  ): Promise<T> {
    return this.caller.request(
      {
        operation: 'read',
        route,
        request,
        acceptEncoding: 'gzip, br',
        receive,
        provesKey: always,
      },
      options,
    );
  }

  private async fetchFile(reportUrl: string, options: FetchReportOptions): Promise<ReportResponse> {
    const requested = new Set<string>();
    let { resume } = options;
    for (let address = reportUrl; ;) {
      const url = this.addressOf(address);
      requested.add(url.href);
      const result = await this.caller.request(
        {
          operation: 'read',
          route: endpoints.reportUrl,
          request: () => createGet(url),
          acceptEncoding: 'identity',
          headers: resumeHeaders(resume),
          isPoll: true,
          accepts: (response) => isPollResponse(response, resume),
          receive: (response) => readPollResponse(response, this.reports, resume),
        },
        options,
      );
      if (result === 'fromStart') {
        resume = undefined;
        continue;
      }
      if (result.type !== 'pending' || !isDone(result.status) || result.reportUrl === undefined) {
        return result;
      }
      if (requested.has(result.reportUrl) || requested.size >= maxReportUrls) {
        return result;
      }
      address = result.reportUrl;
    }
  }

  /** The request budget as this client knows it. A 429 from the service overrides it. */
  budget(): RequestBudget {
    this.ledger.refresh();
    const used = this.ledger.used();
    const budgets = this.endpointBudgets();
    return {
      limit: this.ledger.limit,
      used,
      remaining: Math.max(0, this.ledger.limit - used),
      windowMinutes: windowMs / 60_000,
      ...this.retryAt(this.queue.pausedForMs()),
      ...(this.ledger.pauses.allMs() > 0 && { areAllPaused: true }),
      ...(budgets.length > 0 ? { endpoints: budgets } : {}),
    };
  }

  /** Requests of the last hour still count. */
  setRequestsPerHour(requestsPerHour: number): void {
    this.ledger.limit = requestsPerHour;
    this.queue.applyLimit();
  }

  /** Ends every call, downloads too, with CancelledError, and clears every timer. */
  dispose(): void {
    this.caller.dispose();
    this.queue.dispose();
  }

  /** Endpoints with most requests first. */
  private endpointBudgets(): EndpointBudget[] {
    const { pauses } = this.ledger;
    const used = new Map(pauses.endpoints().map((endpoint) => [endpoint, 0]));
    for (const { endpoint } of this.ledger.sent()) {
      used.set(endpoint, (used.get(endpoint) ?? 0) + 1);
    }
    return [...used]
      .map(([endpoint, count]) => ({
        endpoint,
        used: count,
        ...this.retryAt(pauses.endpointMs(endpoint)),
      }))
      .sort((first, second) => second.used - first.used);
  }

  private retryAt(waitMs: number): { retryAt?: string } {
    return waitMs > 0
      ? { retryAt: new Date(Math.ceil(this.clock.now() + waitMs)).toISOString() }
      : {};
  }

  /** @throws ProtocolError when a report_url is invalid, or contains the API key. */
  private addressOf(reportUrl: unknown): URL {
    const url = resolveReportUrl(reportUrl, this.base);
    this.caller.refuseSecret(url);
    return url;
  }

  /** The address of a path of the interface; the prefix of the base address is kept. */
  private urlOf(path: string): URL {
    const { base } = this;
    return new URL(base.origin + base.pathname.replace(/(?<!\/)\/+$/, '') + path);
  }
}

/** What features see of the client. */
export type Api = Pick<
  ApiClient,
  | 'service'
  | 'companies'
  | 'verifyKey'
  | 'findingsPage'
  | 'collectionPage'
  | 'requestReport'
  | 'fetchReport'
  | 'budget'
>;

/** One function for all: thousands of calls may wait. */
const always = () => true;

function createGet(url: URL): Hop {
  return { method: 'GET', url, body: undefined };
}

/** @throws BadRequestError when a body is not a JSON object. */
function jsonObject(body: JsonObject): string {
  if (!isPlainObject(body)) {
    throw new BadRequestError(message('The body of a request must be a JSON object.'));
  }
  return JSON.stringify(body);
}
