import {
  createServer,
  type IncomingHttpHeaders,
  type IncomingMessage,
  type ServerResponse,
} from 'node:http';
import { createServer as createSecureServer } from 'node:https';
import type { AddressInfo, Socket } from 'node:net';

/** A request as the test server received it. */
export interface ReceivedRequest {
  method: string;
  /** Path and query, as sent. */
  url: string;
  path: string;
  query: URLSearchParams;
  headers: IncomingHttpHeaders;
  /** The name and value of every header line, so that duplicate headers are visible. */
  rawHeaders: string[];
  body: string;
}

type Answer<T> = (request: ReceivedRequest, response: ServerResponse, number: number) => T;

/** Answers a request; `number` counts from 1 over all requests of the server. */
export type Handler = Answer<void> | Answer<Promise<void>>;

/** A real HTTP server on a loopback port. */
export interface TestServer {
  /** `http://127.0.0.1:<port>`, or https, without a slash at the end. */
  readonly baseUrl: string;
  readonly requests: ReceivedRequest[];
  /** How many connections are open now. */
  readonly connections: () => number;
  close(): Promise<void>;
}

/** The TCP connections of all servers, by their ports: with TLS, the socket of a response is another object. */
const connections = new Map<string, Socket>();

/** Resets the connection of a response. */
export function resetConnection({ socket }: ServerResponse): void {
  connections.get(portsOf(socket))?.resetAndDestroy();
}

function portsOf(socket: Socket | null): string {
  return `${socket?.localPort} ${socket?.remotePort}`;
}

/**
 * @param port on the loopback address. Default 0: any free one.
 * @param certificate what it proves itself with in TLS. Default: no TLS.
 */
export async function startTestServer(
  handler: Handler,
  port = 0,
  certificate?: { key: string; cert: string },
): Promise<TestServer> {
  const requests: ReceivedRequest[] = [];
  const sockets = new Set<Socket>();
  const listener = (message: IncomingMessage, response: ServerResponse) => {
    void receive(message).then((request) => {
      requests.push(request);
      return handler(request, response, requests.length);
    });
  };
  const server = certificate ? createSecureServer(certificate, listener) : createServer(listener);
  server.on('connection', (socket: Socket) => {
    const ports = portsOf(socket);
    sockets.add(socket);
    connections.set(ports, socket);
    socket.on('close', () => {
      sockets.delete(socket);
      connections.delete(ports);
    });
  });
  await new Promise<void>((resolve, reject) => {
    server.once('error', reject);
    server.listen(port, '127.0.0.1', resolve);
  });
  return {
    baseUrl: `http${certificate ? 's' : ''}://127.0.0.1:${(server.address() as AddressInfo).port}`,
    requests,
    connections: () => sockets.size,
    close: () =>
      new Promise((resolve) => {
        server.close(() => {
          resolve();
        });
        server.closeAllConnections();
      }),
  };
}

async function receive(message: IncomingMessage): Promise<ReceivedRequest> {
  const pieces: Buffer[] = [];
  for await (const piece of message) {
    pieces.push(piece as Buffer);
  }
  const url = message.url ?? '';
  const { pathname, searchParams } = new URL(`http://host${url}`);
  return {
    method: message.method ?? '',
    url,
    path: pathname,
    query: searchParams,
    headers: message.headers,
    rawHeaders: message.rawHeaders,
    body: Buffer.concat(pieces).toString(),
  };
}

/** Answers with JSON. */
export function sendJson(
  response: ServerResponse,
  status: number,
  body: unknown,
  headers: Record<string, string> = {},
): void {
  response.writeHead(status, { 'Content-Type': 'application/json', ...headers });
  response.end(JSON.stringify(body));
}

/** Answers with a status, and a body as it is. */
export function sendText(
  response: ServerResponse,
  status: number,
  body = '',
  headers: Record<string, string> = {},
): void {
  response.writeHead(status, headers);
  response.end(body);
}
