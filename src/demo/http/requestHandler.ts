import type { IncomingMessage, ServerResponse } from 'node:http';
import { type Clock, delay } from '../../base/events/clock';
import { RefusedError, type DemoResponse, type RollingLimit } from './exchange';
import { answer, type Routes } from './router';

/** A request that was answered, for tests that count requests. */
export interface ServedRequest {
  readonly method: string;
  readonly path: string;
  readonly query: URLSearchParams;
  readonly headers: IncomingMessage['headers'];
  readonly status: number;
}

export interface RequestHandlerOptions {
  readonly routes: Routes;
  readonly apiKey: string;
  readonly clock: Clock;
  readonly latencyMs: number;
  readonly requestLimit: RollingLimit;
  readonly closing: AbortSignal;
  readonly onRequest: ((request: ServedRequest) => void) | undefined;
}

/** Answers a request; never rejects. */
export async function handleRequest(
  options: RequestHandlerOptions,
  message: IncomingMessage,
  response: ServerResponse,
): Promise<void> {
  // The connection may break at any time. Then nobody is left to report the error to.
  response.on('error', () => undefined);
  try {
    const result = await respond(options, message);
    if (options.latencyMs > 0) {
      await delay(options.latencyMs, options.clock, options.closing);
    }
    if (!response.destroyed) {
      const { method = '', headers } = message;
      options.onRequest?.({ method, ...parseTarget(message), headers, status: result.status });
      send(response, result);
    }
  } catch {
    response.destroy();
  }
}

/** First the checks that all requests have to pass, then the endpoint. */
async function respond(
  { apiKey, requestLimit, routes }: RequestHandlerOptions,
  message: IncomingMessage,
): Promise<DemoResponse> {
  try {
    const origin = `http://${requireOwnHost(message)}`;
    requireKey(apiKey, message.headers.authorization);
    requestLimit.enforce('requests');
    return await answer(routes, { origin, ...parseTarget(message), message });
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

function requireKey(apiKey: string, authorization: string | undefined): void {
  if (/^Token +(\S+)$/i.exec(authorization ?? '')?.[1] !== apiKey) {
    throw new RefusedError(
      401,
      'The API key is missing or not valid.\nSend it as: Authorization: Token <API key>',
      { key: 'unauthorized', headers: { 'WWW-Authenticate': 'Token' } },
    );
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
  const [path = '', query] = url.split(/\?(.*)/s, 2);
  return { path, query: new URLSearchParams(query) };
}

function send(response: ServerResponse, { status, headers, json, bytes }: DemoResponse): void {
  const body = bytes ?? Buffer.from(JSON.stringify(json ?? null));
  response.writeHead(status, {
    'Content-Type': 'application/json; charset=utf-8',
    'Content-Length': body.length,
    'Cache-Control': 'no-store',
    'X-Content-Type-Options': 'nosniff',
    ...headers,
  });
  // Node sends no body in response to HEAD.
  response.end(body);
}
