import * as http from 'node:http';
import * as https from 'node:https';
import * as net from 'node:net';
import type { AddressInfo } from 'node:net';
import { text } from 'node:stream/consumers';
import { namedCertificate, namedHost } from '../../../host/namedCertificate';

/** A proxy for VS Code that leads from the host of a service to a local one. */
export interface NamedService {
  /** For the setting `http.proxy`. */
  readonly proxyUrl: string;
  close(): Promise<void>;
}

/**
 * Serves a local service as `https://` and the host of the real one, for those who use the proxy.
 * @param target the base address of the local service, asked for at each request.
 */
export async function startNamedService(target: () => string): Promise<NamedService> {
  const secure = https.createServer(namedCertificate, (request, response) => {
    forward(request, response, { from: target(), to: `https://${namedHost}` });
  });
  const proxy = http.createServer((_, response) => response.writeHead(405).end());
  const sockets = new Set<net.Socket>();
  proxy.on('connect', ({ url }: http.IncomingMessage, socket: net.Socket) => {
    if (url !== `${namedHost}:443`) {
      socket.end('HTTP/1.1 403 Forbidden\r\n\r\n');
      return;
    }
    const inner = net.connect(portOf(secure), '127.0.0.1', () => {
      socket.write('HTTP/1.1 200 Connection Established\r\n\r\n');
      socket.pipe(inner).pipe(socket);
    });
    for (const each of [socket, inner]) {
      sockets.add(each);
      // A client that is killed resets its connections.
      each.on('error', () => {
        socket.destroy();
        inner.destroy();
      });
    }
  });
  await Promise.all([secure, proxy].map(listen));
  return {
    proxyUrl: `http://127.0.0.1:${portOf(proxy)}`,
    close: async () => {
      sockets.forEach((socket) => socket.destroy());
      secure.closeAllConnections();
      await Promise.all([secure, proxy].map(close));
    },
  };
}

/** Sends a request on, and the answer back with the addresses of the host. */
function forward(
  request: http.IncomingMessage,
  response: http.ServerResponse,
  { from, to }: { readonly from: string; readonly to: string },
): void {
  const { origin, host } = new URL(from);
  const headers = { ...request.headers, host, 'accept-encoding': 'identity' };
  const sent = http.request(
    new URL(request.url ?? '/', origin),
    { method: request.method ?? 'GET', headers },
    (answer) => {
      const named = Object.fromEntries(
        Object.entries(answer.headers).map(([name, value]) => [
          name,
          typeof value === 'string' ? value.replaceAll(origin, to) : value,
        ]),
      );
      if (!String(named['content-type']).includes('json')) {
        response.writeHead(answer.statusCode ?? 502, named);
        answer.pipe(response);
        return;
      }
      void text(answer).then((body) => {
        const content = Buffer.from(body.replaceAll(origin, to));
        response
          .writeHead(answer.statusCode ?? 502, { ...named, 'content-length': content.length })
          .end(content);
      });
    },
  );
  sent.on('error', () => response.destroy());
  request.pipe(sent);
}

function portOf(server: net.Server): number {
  return (server.address() as AddressInfo).port;
}

function listen(server: net.Server): Promise<void> {
  return new Promise((resolve) => {
    server.listen(0, '127.0.0.1', resolve);
  });
}

function close(server: net.Server): Promise<void> {
  return new Promise((resolve) => {
    server.close(() => {
      resolve();
    });
  });
}
