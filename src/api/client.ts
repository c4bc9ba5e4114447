import nodeFetch from 'node-fetch';
import { type Clock, systemClock } from '../common/clock';
import type { Disposable } from '../common/disposable';
import { Emitter, type Event } from '../common/emitter';
import { isPlainObject, type JsonObject } from '../common/json';
import { type Logger, silentLogger } from '../common/logger';
import { parseBaseUrl } from './baseUrl';
import { Caller } from './caller';
import { collectionPath, collectionRoute } from './collectionPath';
import { BadRequestError } from './errors';
import { linkedUrl, nextLink } from './nextLink';
import { findingsPath, findingsRoute, reportPaths, reportRoutes, reportUrlRoute } from './paths';
import {
  isDone,
  isPollAnswer,
  readPollAnswer,
  readRequestAnswer,
  type ReportContext,
} from './reportAnswer';
import { resolveReportUrl } from './reportUrl';
import { RequestQueue } from './requestQueue';
import { type Ledger, RollingWindow, windowMs } from './rollingWindow';
import { parseCollectionPage, parseFindingsPage, readJson } from './schema';
import { type Gate, type GateFactory, throttleGate } from './throttleGate';
import type { Fetch } from './transport';
import type {
  Api,
  CallOptions,
  CollectionPage,
  CollectionQuery,
  FindingsPage,
  FindingsQuery,
  ReportAnswer,
  ReportKind,
  RequestBudget,
} from './types';

/** The longest delay a JavaScript timer keeps; a longer one would fire at once. */
const longestTimerMs = 2 ** 31 - 1;

/** How often a record that says "ready, over there" is followed. */
const mostReportUrls = 5;

/** A guard against a body without end, not a limit a report should reach: 64 GiB. */
const defaultMaxReportBytes = 64 * 1024 ** 3;

export interface ApiClientOptions {
  /** For example `https://api.example.com/v1`; see parseBaseUrl for what is allowed. */
  baseUrl: string;
  /** The API key, as pasted. Asked before each attempt, so that a new key is used at once. */
  apiKey: () => string;
  /** The rolling budget, 1 to 5000. */
  requestsPerHour: number;
  /** Longest silence of the service, in milliseconds: for the headers, and within a body. */
  requestTimeoutMs: number;
  /** The most bytes of a report. Default 64 GiB. */
  maxReportBytes?: number;
  /** Default: the clock of this machine. */
  clock?: Clock;
  /** A number from 0 up to 1, for jitter. Default Math.random. */
  random?: () => number;
  /** Default: nowhere. */
  logger?: Logger;
  /** Default: node-fetch. */
  fetch?: Fetch;
  /** What each request passes last. Default: p-throttle. */
  gate?: GateFactory;
}

/** The service's HTTP interface for one account: one base address, one key, one budget. */
export class ApiClient implements Api, Disposable {
  /** Fires when the count of requests or a pause has changed. */
  readonly onDidChangeBudget: Event<RequestBudget>;

  private readonly clock: Clock;
  private readonly logger: Logger;
  private readonly gateFactory: GateFactory;
  private readonly ledger: Ledger;
  private readonly queue: RequestQueue;
  private readonly caller: Caller;
  private readonly reports: ReportContext;
  private readonly budgetEmitter = new Emitter<RequestBudget>();
  private gate: Gate;

  /** @throws ConfigError when the base address is not allowed. */
  constructor(options: ApiClientOptions) {
    const base = new URL(parseBaseUrl(options.baseUrl));
    this.clock = options.clock ?? systemClock;
    this.logger = options.logger ?? silentLogger;
    this.gateFactory = options.gate ?? throttleGate;
    this.gate = this.gateFactory(options.requestsPerHour);
    this.ledger = new RollingWindow(options.requestsPerHour, this.clock);
    this.onDidChangeBudget = this.budgetEmitter.event;
    this.queue = new RequestQueue(
      this.ledger,
      (start) => {
        this.gate(start);
      },
      this.clock,
      () => {
        this.budgetEmitter.fire(this.budget());
      },
    );
    this.caller = new Caller({
      base,
      apiKey: options.apiKey,
      requestTimeoutMs: Math.min(options.requestTimeoutMs, longestTimerMs),
      queue: this.queue,
      clock: this.clock,
      random: options.random ?? Math.random,
      logger: this.logger,
      fetch: options.fetch ?? nodeFetch,
      remaining: () => this.budget().remaining,
    });
    this.reports = {
      base,
      clock: this.clock,
      maxBytes: options.maxReportBytes ?? defaultMaxReportBytes,
    };
  }

  async findingsPage(query: FindingsQuery, options: CallOptions = {}): Promise<FindingsPage> {
    const { body = {} } = query;
    return this.caller.request(
      {
        operation: 'read',
        method: 'POST',
        route: findingsRoute,
        url: this.urlOf(findingsPath(query)),
        body: jsonObject(body),
        acceptEncoding: 'gzip, br',
        receive: async (response) => parseFindingsPage(await readJson(response), query),
      },
      options,
    );
  }

  async collectionPage(query: CollectionQuery, options: CallOptions = {}): Promise<CollectionPage> {
    const { base } = this.reports;
    const url = this.urlOf(collectionPath(query));
    const link = query.at?.link;
    const route = collectionRoute(query.path);
    return this.caller.request(
      {
        operation: 'read',
        method: 'GET',
        route,
        url: link === undefined ? url : linkedUrl(link, base),
        body: undefined,
        acceptEncoding: 'gzip, br',
        receive: async (response) => {
          const header = response.headers.get('link');
          const json = await readJson(response);
          const next =
            query.style === 'cursor'
              ? { isMalformed: false }
              : nextLink(header, response.url, base);
          if (next.isMalformed) {
            this.logger.warn(`${route.label}: part of its Link header is no link and is left out.`);
          }
          return parseCollectionPage(json, query, { link: next, url: response.url.href });
        },
      },
      options,
    );
  }

  async requestReport(
    kind: ReportKind,
    body: JsonObject | undefined,
    options: CallOptions = {},
  ): Promise<Exclude<ReportAnswer, { type: 'pending' }>> {
    return this.caller.request(
      {
        operation: 'create',
        method: 'POST',
        route: reportRoutes[kind],
        url: this.urlOf(reportPaths[kind]),
        body: body === undefined ? undefined : jsonObject(body),
        // The answer may be the report itself, whose length can be verified only uncoded.
        acceptEncoding: 'identity',
        receive: (response) => readRequestAnswer(kind, response, this.reports),
      },
      options,
    );
  }

  async fetchReport(reportUrl: string, options: CallOptions = {}): Promise<ReportAnswer> {
    const asked = new Set<string>();
    for (let address = reportUrl; ;) {
      const url = resolveReportUrl(address, this.reports.base);
      asked.add(url.href);
      const answer = await this.caller.request(
        {
          operation: 'read',
          method: 'GET',
          route: reportUrlRoute,
          url,
          body: undefined,
          acceptEncoding: 'identity',
          accepts: isPollAnswer,
          receive: (response) => readPollAnswer(response, this.reports),
        },
        options,
      );
      if (answer.type !== 'pending' || !isDone(answer.status) || answer.reportUrl === undefined) {
        return answer;
      }
      if (asked.has(answer.reportUrl) || asked.size >= mostReportUrls) {
        return answer;
      }
      address = answer.reportUrl;
    }
  }

  budget(): RequestBudget {
    const used = this.ledger.used();
    const pausedForMs = this.queue.pausedForMs();
    return {
      limit: this.ledger.limit,
      used,
      remaining: Math.max(0, this.ledger.limit - used),
      windowMinutes: windowMs / 60_000,
      ...(pausedForMs > 0
        ? { retryAt: new Date(Math.ceil(this.clock.now() + pausedForMs)).toISOString() }
        : {}),
    };
  }

  /** Changes the budget; what was sent in the last hour stays counted. */
  setRequestsPerHour(requestsPerHour: number): void {
    this.gate = this.gateFactory(requestsPerHour);
    this.ledger.limit = requestsPerHour;
    this.queue.pump();
    this.budgetEmitter.fire(this.budget());
  }

  /** Ends every call with CancelledError, downloads too, and leaves no timer. */
  dispose(): void {
    this.caller.dispose();
    this.queue.dispose();
    this.budgetEmitter.dispose();
  }

  /** The address of a path of the interface; the prefix of the base address is kept. */
  private urlOf(path: string): URL {
    const { base } = this.reports;
    return new URL(base.origin + base.pathname.replace(/\/+$/, '') + path);
  }
}

/** @throws BadRequestError when a body is anything but a JSON object. */
function jsonObject(body: JsonObject): string {
  if (!isPlainObject(body)) {
    throw new BadRequestError('The body of a request must be a JSON object.');
  }
  return JSON.stringify(body);
}
