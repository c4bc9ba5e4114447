import * as http from 'node:http';
import type { AddressInfo, Socket } from 'node:net';
import { pipeline } from 'node:stream/promises';
import { text } from 'node:stream/consumers';
import { setTimeout as sleep } from 'node:timers/promises';

/** What goes wrong with the answers to some requests. */
export type Fault =
  /** An error in the service's own format. */
  | { readonly status: number; readonly message: string; readonly retryAfter?: number }
  /** A page of findings that holds these and is the last one. */
  | { readonly entries: readonly object[] }
  /** The page that was asked for, of a list that counts so many. */
  | { readonly total: number }
  /** The answer comes when this settles. */
  | { readonly until: Promise<unknown> }
  /** A file of this name. */
  | { readonly name: string; readonly bytes: Uint8Array }
  /** A file comes in pieces of 64 KB, one in so many milliseconds. */
  | { readonly pieceEveryMs: number };

/** A service in front of the demo service that can be made to fail. */
export class FaultyService {
  /** Every request as `POST /reports/detailed`, without its query. */
  readonly requests: string[] = [];
  /** The path and query of every request. */
  readonly addresses: string[] = [];
  private readonly faults = new Map<string, Fault>();
  private readonly sockets = new Set<Socket>();
  private readonly server: http.Server;
  constructor(private readonly target: { readonly baseUrl: string }) {
    // As long as the headers of the demo tell clients: a request fails on a connection that is just being closed.
    this.server = http.createServer({ keepAliveTimeout: 60_000 }, (request, response) => {
      this.handle(request, response).catch(() => response.destroy());
    });
    this.server.on('connection', (socket: Socket) => {
      this.sockets.add(socket);
      socket.on('close', () => this.sockets.delete(socket));
    });
  }

  get baseUrl(): string {
    return `http://127.0.0.1:${(this.server.address() as AddressInfo).port}`;
  }

  async start(): Promise<this> {
    await new Promise<void>((resolve, reject) => {
      this.server.once('error', reject);
      this.server.listen(0, '127.0.0.1', resolve);
    });
    return this;
  }

  async stop(): Promise<void> {
    const closed = new Promise((resolve) => this.server.close(resolve));
    this.sockets.forEach((socket) => socket.destroy());
    await closed;
  }

  /** Lets the requests fail whose path and query hold a text; without a fault they work again. */
  fail(part: string, fault?: Fault): void {
    if (fault) {
      this.faults.set(part, fault);
    } else {
      this.faults.delete(part);
    }
  }

  /** Everything works again. */
  heal(): void {
    this.faults.clear();
  }

  private async handle(
    request: http.IncomingMessage,
    response: http.ServerResponse,
  ): Promise<void> {
    const { method = '', url = '' } = request;
    const [path = ''] = url.split('?');
    this.requests.push(`${method} ${path}`);
    this.addresses.push(url);
    const fault = [...this.faults].find(([part]) => url.includes(part))?.[1];
    if (fault && 'status' in fault) {
      const { status, message, retryAfter } = fault;
      response.writeHead(status, {
        'Content-Type': 'application/json',
        ...(retryAfter === undefined ? {} : { 'Retry-After': String(retryAfter) }),
      });
      response.end(JSON.stringify({ error: { message, statusCode: status } }));
      return;
    }
    if (fault && 'entries' in fault) {
      const { entries } = fault;
      response.writeHead(200, { 'Content-Type': 'application/json' });
      response.end(JSON.stringify({ entries, total_count: entries.length, has_more: false }));
      return;
    }
    if (fault && 'bytes' in fault) {
      response.writeHead(200, {
        'Content-Type': 'application/octet-stream',
        'Content-Disposition': `attachment; filename="${fault.name}"`,
        'Content-Length': fault.bytes.length,
      });
      response.end(fault.bytes);
      return;
    }
    if (fault && 'until' in fault) {
      await fault.until;
    }
    const answer = await this.forward(request);
    const headers = answer.headers;
    if (headers['content-type']?.startsWith('application/json')) {
      // The addresses in it name the one that was asked.
      const said = (await text(answer)).replaceAll(this.target.baseUrl, this.baseUrl);
      const json = fault && 'total' in fault ? counting(said, fault.total) : said;
      const { link } = headers;
      response.writeHead(answer.statusCode ?? 0, {
        ...headers,
        ...(typeof link === 'string' && {
          link: link.replaceAll(this.target.baseUrl, this.baseUrl),
        }),
        'content-length': Buffer.byteLength(json),
      });
      response.end(json);
      return;
    }
    response.writeHead(answer.statusCode ?? 0, headers);
    await pipeline(answer, (source) => spoiled(source, fault), response);
  }

  private forward(request: http.IncomingMessage): Promise<http.IncomingMessage> {
    const { host, hostname, port } = new URL(this.target.baseUrl);
    return new Promise((resolve, reject) => {
      const forwarded = http.request(
        {
          hostname,
          port,
          path: request.url,
          method: request.method,
          headers: { ...request.headers, host },
        },
        resolve,
      );
      forwarded.on('error', reject);
      request.pipe(forwarded);
    });
  }
}

function counting(page: string, total: number): string {
  return JSON.stringify({ ...(JSON.parse(page) as object), total_count: total });
}

async function* spoiled(
  source: AsyncIterable<Buffer>,
  fault: Fault | undefined,
): AsyncGenerator<Buffer> {
  for await (const chunk of source) {
    for (let start = 0; start < chunk.length; start += 65_536) {
      const piece = chunk.subarray(start, start + 65_536);
      if (fault && 'pieceEveryMs' in fault) {
        await sleep(fault.pieceEveryMs);
      }
      yield piece;
    }
  }
}

/** A faulty service in front of the demo service of a suite; after each test everything works again. */
export function useFaultyService(ui: {
  readonly demo: { readonly baseUrl: string; readonly apiKey: string };
}): { readonly service: FaultyService; readonly account: { baseUrl: string; apiKey: string } } {
  let current: FaultyService | undefined;
  const running = (): FaultyService => {
    if (!current) {
      throw new Error('Use this inside a test: nothing is started before.');
    }
    return current;
  };
  before(async () => {
    current = await new FaultyService(ui.demo).start();
  });
  afterEach(function () {
    // What arrived is printed with a failure.
    Object.assign(this.currentTest?.err ?? {}, { requests: current?.requests });
    current?.heal();
  });
  after(() => current?.stop());
  return {
    get service() {
      return running();
    },
    get account() {
      return { baseUrl: running().baseUrl, apiKey: ui.demo.apiKey };
    },
  };
}
