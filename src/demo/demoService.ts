import { randomBytes } from 'node:crypto';
import { createServer } from 'node:http';
import type { Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { systemClock } from '../base/events/clock';
import type { Clock } from '../base/events/clock';
import { referenceDay } from './data/finding';
import { demoCollections, demoScorecards } from './data/demoData';
import type { DemoCollection, DemoScorecard } from './data/demoData';
import { FindingPages } from './routes/findingPages';
import { DemoReports, type GenerationTimes, type RecentReportMemory } from './routes/demoReports';
import {
  handleRequest,
  type RequestHandlerOptions,
  type ServedRequest,
} from './http/requestHandler';
import { interfaceRoutes } from './routes/interfaceRoutes';
import { portfolioCollections } from './data/companyData';
import { securityScorecardRoutes } from './routes/securityScorecardRoutes';
import { RollingLimit } from './http/exchange';

export { demoCollections, demoScorecards } from './data/demoData';
export type { DemoCollection, DemoScorecard } from './data/demoData';
export type { GenerationTimes } from './routes/demoReports';
export type { ServedRequest } from './http/requestHandler';

/** How the demo service behaves; all optional. */
export interface DemoServiceOptions {
  /**
   * Whose interface it has. `securityScorecard`: as the public API reference describes it. Default: that of the
   * interface specification.
   */
  service?: 'interface' | 'securityScorecard';
  /** Port on 127.0.0.1. Default 0: any free port. */
  port?: number;
  /** The key that clients must send. Default: 32 random characters. */
  apiKey?: string;
  clock?: Clock;
  /** Keeps the list of recent reports of `securityScorecard` until the service runs again. Default: nothing does. */
  recentReports?: RecentReportMemory;
  /** Delay of every response, in milliseconds. Default 0. */
  latencyMs?: number;
  /** Milliseconds until a report is generated. Default 4,000 for a full report, 2,500 for a detailed report. */
  generationMs?: number | GenerationTimes;
  /** Requests in any 60 minutes (spec section 8). Default 5,000. */
  requestsPerHour?: number;
  /** Requests for a detailed report in any 60 seconds. Default 2. */
  detailedPerWindow?: number;
  /** Called for each request when its response begins. */
  onRequest?: (request: ServedRequest) => void;
}

export interface DemoService {
  readonly service: 'interface' | 'securityScorecard';
  /** `http://127.0.0.1:<port>` */
  readonly baseUrl: string;
  readonly apiKey: string;
  readonly scorecards: readonly DemoScorecard[];
  readonly collections: readonly DemoCollection[];
  /**
   * A full report of a week ago: its download path, and when it was made (milliseconds since the epoch). Absent where a
   * report cannot have been made before the demo ran.
   */
  earlierReport?(): { readonly address: string; readonly madeAt: number };
  /** Closes every connection and timer, so that the process can exit. May be called twice. */
  close(): Promise<void>;
}

const hourMs = 3_600_000;

const connectionLimits = {
  maxHeaderSize: 16 * 1024,
  headersTimeout: 10_000,
  requestTimeout: 30_000,
  // Longer than clients keep an idle connection, so that no connection is closed while a request is sent.
  keepAliveTimeout: 60_000,
};

/**
 * Starts the demo service: the whole interface with generated data, for this machine only. It listens on
 * the loopback address and requires a key. Web pages have no access: it sends no CORS headers, and refuses
 * requests with another Host.
 *
 * @throws the error of `listen`, such as EADDRINUSE
 */
export async function startDemoService(options: DemoServiceOptions = {}): Promise<DemoService> {
  const { service = 'interface', clock = systemClock } = options;
  const apiKey = options.apiKey ?? randomBytes(24).toString('base64url');
  const closing = new AbortController();
  const reference = referenceDay(clock.now());
  const reports = new DemoReports(
    clock,
    generationTimes(options.generationMs),
    closing.signal,
    service === 'interface' ? undefined : options.recentReports,
  );
  const routes = (service === 'interface' ? interfaceRoutes : securityScorecardRoutes)({
    reference,
    pages: new FindingPages(reference, closing.signal),
    reports,
    feedback: new Map(),
    detailedLimit: new RollingLimit(options.detailedPerWindow ?? 2, 60_000, clock),
  });
  const handlerOptions: RequestHandlerOptions = {
    routes,
    apiKey,
    clock,
    latencyMs: options.latencyMs ?? 0,
    requestLimit: new RollingLimit(options.requestsPerHour ?? 5000, hourMs, clock),
    closing: closing.signal,
    onRequest: options.onRequest,
  };
  const server = createServer(connectionLimits, (request, response) => {
    handleRequest(handlerOptions, request, response).catch(() => response.destroy());
  });
  await listen(server, options.port ?? 0);
  let closed: Promise<void> | undefined;
  return {
    service,
    baseUrl: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    apiKey,
    scorecards: demoScorecards,
    collections: service === 'interface' ? demoCollections : portfolioCollections,
    ...(service === 'interface' ? { earlierReport: () => reports.earlier() } : {}),
    close: () => (closed ??= close(server, closing)),
  };
}

function generationTimes(times: DemoServiceOptions['generationMs']): GenerationTimes {
  return typeof times === 'number'
    ? { full: times, detailed: times }
    : (times ?? { full: 4000, detailed: 2500 });
}

function listen(server: Server, port: number): Promise<void> {
  return new Promise((resolve, reject) => {
    server.once('error', reject);
    server.listen(port, '127.0.0.1', () => {
      server.off('error', reject);
      resolve();
    });
  });
}

function close(server: Server, closing: AbortController): Promise<void> {
  return new Promise((resolve) => {
    closing.abort();
    server.close(() => {
      resolve();
    });
    server.closeAllConnections();
  });
}
