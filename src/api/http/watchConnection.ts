import { AsyncLocalStorage } from 'node:async_hooks';
import { subscribe } from 'node:diagnostics_channel';
import type { ClientRequest, IncomingMessage } from 'node:http';

/** What is seen of one exchange. */
interface Exchange {
  /** Whether its response came over a connection without TLS. */
  isPlain: boolean;
}

const current = new AsyncLocalStorage<Exchange>();
const exchanges = new WeakMap<ClientRequest, Exchange>();

/**
 * Runs an exchange, and tells whether its response came over a connection without TLS. A proxy that refuses
 * a tunnel (CONNECT) answers like that: VS Code passes its answer on as if it were that of the service.
 *
 * The body of a response whose connection fails ends with an error, however it is framed. Node and node-fetch
 * drop an error of the connection where the end of the connection is the end of the body; such a body is
 * complete "unless an error was indicated by the underlying connection" (RFC 9112 section 8).
 *
 * A response that switches to another protocol, which nothing asked for, fails at once: Node only closes its
 * connection, and node-fetch would wait for it.
 *
 * Node's channels show the connection; node-fetch does not, and an agent of our own would bypass the proxy
 * of VS Code.
 */
export async function watchConnection<T>(
  run: () => Promise<T>,
): Promise<{ result: T; isPlain: boolean }> {
  listen();
  const exchange: Exchange = { isPlain: false };
  const result = await current.run(exchange, run);
  return { result, isPlain: exchange.isPlain };
}

let isListening = false;

function listen(): void {
  if (isListening) {
    return;
  }
  isListening = true;
  const remember = (event: unknown) => {
    const exchange = current.getStore();
    const { request } = event as { request: ClientRequest };
    if (exchange && !exchanges.has(request)) {
      exchanges.set(request, exchange);
      failIfUpgraded(request);
    }
  };
  // A request that is answered before it is written does not start. Node 20 only tells of those that start.
  subscribe('http.client.request.created', remember);
  subscribe('http.client.request.start', remember);
  subscribe('http.client.response.finish', (event) => {
    const { request, response } = event as { request: ClientRequest; response: IncomingMessage };
    const exchange = exchanges.get(request) ?? current.getStore();
    if (exchange) {
      const socket: unknown = response.socket;
      exchange.isPlain = typeof socket === 'object' && socket !== null && !('encrypted' in socket);
      failWithConnection(request, response);
    }
  });
}

function failIfUpgraded(request: ClientRequest): void {
  request.once('upgrade', (_, socket) => {
    socket.destroy();
    // What Node's parser of HTTP says.
    request.emit('error', Object.assign(new Error('upgrade'), { code: 'HPE_PAUSED_UPGRADE' }));
  });
}

function failWithConnection(request: ClientRequest, response: IncomingMessage): void {
  // Before others hear of it: node-fetch ends the request, and then no more of the response is read.
  request.prependListener('error', () => {
    if (!response.complete) {
      // What Node says of a framed body that is cut.
      response.destroy(Object.assign(new Error('aborted'), { code: 'ECONNRESET' }));
    }
  });
}
