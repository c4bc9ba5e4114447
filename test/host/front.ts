import * as http from 'node:http';
import type { AddressInfo, Socket } from 'node:net';
import type { Duplex } from 'node:stream';

export interface FrontOptions {
  /** The socket the VS Code server listens on. */
  readonly socketPath: string;
  /** The access token of the server, which the browser sends back as a cookie. */
  readonly connectionToken: string;
  /** 32 bytes; the same ones keep the stored secrets readable after a reload. */
  readonly secretKey: Buffer;
  /** Default: any free port. */
  readonly port?: number;
}

export interface Front {
  /** For example `http://127.0.0.1:41234`. */
  readonly origin: string;
  close(): Promise<void>;
}

const loopbackNames = new Set(['127.0.0.1', 'localhost', '[::1]']);

/**
 * The loopback address users and tests open. The VS Code server itself listens on a socket in a
 * private folder, because on a port it would take WebSockets from any web page. In front of it this
 * - refuses host names that are not loopback (DNS rebinding) and WebSockets of another origin;
 * - answers `mint-key`, with which the workbench encrypts what extensions keep in SecretStorage;
 *   unanswered, every secret is forgotten at the next reload;
 * - does not request compressed WebSockets, which on one machine only cost time;
 * - forwards everything else as it is. The access token is checked by the server.
 */
export async function startFront(options: FrontOptions): Promise<Front> {
  const sockets = new Set<Socket>();
  const server = http.createServer((request, response) => {
    if (!isLoopback(request)) {
      response.writeHead(403).end('This address answers on loopback only.');
    } else if (request.method === 'POST' && pathOf(request).endsWith('/mint-key')) {
      const allowed = isSameOrigin(request) && hasToken(request, options.connectionToken);
      response.writeHead(allowed ? 200 : 403).end(allowed ? options.secretKey : undefined);
    } else {
      forward(request, response, options.socketPath);
    }
  });
  server.on('upgrade', (request, socket, head) => {
    if (isLoopback(request) && isSameOrigin(request)) {
      forwardUpgrade(request, socket, head, options.socketPath);
    } else {
      socket.end('HTTP/1.1 403 Forbidden\r\nConnection: close\r\n\r\n');
    }
  });
  server.on('connection', (socket) => {
    sockets.add(socket);
    socket.once('close', () => sockets.delete(socket));
  });
  await new Promise<void>((resolve, reject) => {
    server.once('error', reject);
    server.listen(options.port ?? 0, '127.0.0.1', resolve);
  });
  const { port } = server.address() as AddressInfo;
  return {
    origin: `http://127.0.0.1:${port}`,
    close: () =>
      new Promise((resolve) => {
        server.close(() => {
          resolve();
        });
        // Open WebSockets would keep it waiting for ever.
        sockets.forEach((socket) => socket.destroy());
      }),
  };
}

function forward(
  request: http.IncomingMessage,
  response: http.ServerResponse,
  socketPath: string,
): void {
  const upstream = http.request(
    { socketPath, path: request.url, method: request.method, headers: request.headers },
    (answer) => {
      response.writeHead(answer.statusCode ?? 502, answer.headers);
      answer.pipe(response);
      answer.once('error', () => response.destroy());
    },
  );
  upstream.once('error', () => {
    if (response.headersSent) {
      response.destroy();
    } else {
      response.writeHead(502).end('The VS Code server does not answer.');
    }
  });
  response.once('close', () => upstream.destroy());
  request.pipe(upstream);
}

function forwardUpgrade(
  request: http.IncomingMessage,
  socket: Duplex,
  head: Buffer,
  socketPath: string,
): void {
  const { 'sec-websocket-extensions': _, ...headers } = request.headers;
  const upstream = http.request({ socketPath, path: request.url, headers });
  const end = (): void => {
    socket.destroy();
    upstream.destroy();
  };
  socket.once('error', end);
  upstream.once('error', end);
  // The server refused the upgrade, so this connection is of no use.
  upstream.once('response', end);
  upstream.once('upgrade', (answer, server, first) => {
    const lines = [`HTTP/1.1 ${answer.statusCode ?? 101} ${answer.statusMessage ?? ''}`];
    for (let i = 0; i < answer.rawHeaders.length; i += 2) {
      lines.push(`${answer.rawHeaders[i] ?? ''}: ${answer.rawHeaders[i + 1] ?? ''}`);
    }
    socket.write(`${lines.join('\r\n')}\r\n\r\n`);
    socket.write(first);
    server.write(head);
    server.once('error', end);
    server.once('close', end);
    socket.once('close', () => server.destroy());
    socket.pipe(server).pipe(socket);
  });
  upstream.end();
}

function pathOf(request: http.IncomingMessage): string {
  return (request.url ?? '').split('?', 1)[0] ?? '';
}

function isLoopback(request: http.IncomingMessage): boolean {
  return loopbackNames.has((request.headers.host ?? '').replace(/:\d+$/, ''));
}

function isSameOrigin(request: http.IncomingMessage): boolean {
  return request.headers.origin === `http://${request.headers.host ?? ''}`;
}

function hasToken(request: http.IncomingMessage, token: string): boolean {
  return (request.headers.cookie ?? '')
    .split(';')
    .some((cookie) => cookie.trim() === `vscode-tkn=${token}`);
}
