import type { IncomingMessage, ServerResponse } from 'node:http';
import { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { type Clock, delay } from '../base/events/clock';
import { RefusedError, type DemoRequest, type DemoResponse, type RollingLimit } from './exchange';
import { enforceLimit, type Endpoints } from './routes';

/** A request that was answered, for tests that count requests. */
export interface ServedRequest {
  readonly method: string;
  readonly path: string;
  readonly query: URLSearchParams;
  readonly headers: IncomingMessage['headers'];
  readonly status: number;
}

export interface RequestHandlerOptions {
  readonly endpoints: Endpoints;
  /** Answers a request whose key is valid and whose client is within the limit. */
  readonly route: (endpoints: Endpoints, request: DemoRequest) => Promise<DemoResponse>;
  readonly apiKey: string;
  readonly clock: Clock;
  readonly latencyMs: number;
  readonly requestLimit: RollingLimit;
  readonly closing: AbortSignal;
  readonly onRequest: ((request: ServedRequest) => void) | undefined;
}

/** Handles every request: first the checks that all requests have to pass, then the endpoint. */
export class RequestHandler {
  constructor(private readonly options: RequestHandlerOptions) {}

  /** Answers a request; never rejects. */
  async handle(message: IncomingMessage, response: ServerResponse): Promise<void> {
    // The connection may break at any time. Then nobody is left to report the error to.
    response.on('error', () => undefined);
    try {
      const result = await this.respond(message);
      if (this.options.latencyMs > 0) {
        await delay(this.options.latencyMs, this.options.clock, this.options.closing);
      }
      if (!response.destroyed) {
        this.report(message, result.status);
        await send(message, response, result);
      }
    } catch {
      response.destroy();
    }
  }

  private async respond(message: IncomingMessage): Promise<DemoResponse> {
    try {
      const origin = `http://${requireOwnHost(message)}`;
      this.requireKey(message.headers.authorization);
      enforceLimit(this.options.requestLimit, 'requests');
      const { path, query } = parseTarget(message);
      return await this.options.route(this.options.endpoints, { origin, path, query, message });
    } catch (error) {
      if (error instanceof RefusedError) {
        return error.response;
      }
      if (message.socket.destroyed) {
        throw error;
      }
      // Leaves out the cause: clients must not see where the service failed.
      return new RefusedError(500, 'internal error', { key: 'internal_error' }).response;
    }
  }

  private requireKey(authorization: string | undefined): void {
    const key = /^Token +(\S+)$/i.exec(authorization ?? '')?.[1];
    if (key !== this.options.apiKey) {
      throw new RefusedError(
        401,
        'The API key is missing or not valid.\nSend it as: Authorization: Token <API key>',
        { key: 'unauthorized', headers: { 'WWW-Authenticate': 'Token' } },
      );
    }
  }

  private report(message: IncomingMessage, status: number): void {
    const { path, query } = parseTarget(message);
    const { method = '', headers } = message;
    this.options.onRequest?.({ method, path, query, headers, status });
  }
}

/** Refuses requests with another Host: after DNS rebinding, a browser sends the name of the attacker's host. */
function requireOwnHost({ headers, socket }: IncomingMessage): string {
  const host = (headers.host ?? '').toLowerCase();
  const port = socket.localPort === 80 ? '' : `:${socket.localPort ?? ''}`;
  if (host !== `127.0.0.1${port}` && host !== `localhost${port}`) {
    throw new RefusedError(421, 'This service answers under its own address only.', {
      key: 'misdirected_request',
    });
  }
  return host;
}

function parseTarget({ url = '/' }: IncomingMessage): { path: string; query: URLSearchParams } {
  const end = url.indexOf('?');
  return end < 0
    ? { path: url, query: new URLSearchParams() }
    : { path: url.slice(0, end), query: new URLSearchParams(url.slice(end + 1)) };
}

async function send(
  message: IncomingMessage,
  response: ServerResponse,
  { status, headers, json, bytes }: DemoResponse,
): Promise<void> {
  const common = { 'Cache-Control': 'no-store', 'X-Content-Type-Options': 'nosniff', ...headers };
  if (!bytes) {
    const body = JSON.stringify(json ?? null);
    response.writeHead(status, {
      'Content-Type': 'application/json; charset=utf-8',
      'Content-Length': Buffer.byteLength(body),
      ...common,
    });
    response.end(body);
    return;
  }
  response.writeHead(status, common);
  if (message.method === 'HEAD') {
    response.end();
    return;
  }
  // At most one chunk is generated ahead, so memory use stays flat even if the reader is slow.
  await pipeline(Readable.from(bytes(), { highWaterMark: 1 }), response);
}
