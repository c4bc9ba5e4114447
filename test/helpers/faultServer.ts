import { randomBytes } from 'node:crypto';
import type { ServerResponse } from 'node:http';
import { gzipSync } from 'node:zlib';
import {
  type ReceivedRequest,
  resetConnection,
  startTestServer,
  type TestServer,
} from './testServer';

/** What is served at one moment. A report that is created again is another version. */
export interface Version {
  bytes: Buffer;
  /** As sent: `"x"`, `W/"x"`, or something broken; `undefined` sends none. */
  etag?: string | undefined;
  lastModified?: string | undefined;
  /** Default: the current time, which Node sends. */
  date?: string;
  headers?: Record<string, string>;
}

/**
 * Random bytes of a report, which no coding shortens. They start as CSV does: now and then, wholly random
 * bytes start like `<p>`, and the client refuses them as a web page.
 */
export function reportBytes(size: number): Buffer {
  const bytes = randomBytes(size);
  bytes.write('id,data\n');
  return bytes;
}

/** Ways to answer a Range request incorrectly. Unless noted, the requested bytes are sent. */
export type RangeFault =
  /** 200 with everything, as if no Range had been sent. */
  | 'ignored'
  /** 206 of another version than the one that If-Range names. */
  | 'ifRangeIgnored'
  /** 206 that starts a byte too early, in header and body. */
  | 'early'
  /** 206 that starts a byte too late, in header and body. */
  | 'late'
  | 'noContentRange'
  | 'unknownTotal'
  | 'otherTotal'
  | 'noValidator'
  | 'multipart'
  /** 206 in a content coding. */
  | 'gzip'
  /** 206 that ends in the middle of the requested range, and says so (RFC 9110 section 15.3.7). */
  | 'half'
  /** 416 with the true length, whether there are more bytes or not, and regardless of If-Range. */
  | 'refused';

/** A fault in the body of a response. */
export interface BodyFault {
  /** After this many bytes of the body; 0 is right after the headers. */
  after: number;
  /**
   * `close`: the connection ends, `reset`: it is reset, `stall`: it stays open and silent,
   * `garble`: what follows is not a valid chunk (chunked only).
   */
  how: 'close' | 'reset' | 'stall' | 'garble';
  /** The fault occurs when this has settled. Default: at once. */
  when?: Promise<unknown>;
}

/** The response to one request. */
export type Step =
  | {
      do: 'serve';
      version: Version;
      /** Default: 200, or what answers a Range request. */
      status?: number;
      /** `neither`: the end of the connection is the end of the body (RFC 9112 section 6.3). */
      framing?: 'length' | 'chunked' | 'neither';
      /** A wrong value for Content-Length. */
      contentLength?: number;
      coding?: 'gzip';
      range?: RangeFault;
      fault?: BodyFault;
    }
  | { do: 'answer'; status: number; headers?: Record<string, string>; body?: string }
  | { do: 'redirect'; to: string; status?: 301 | 302 | 303 | 307 | 308 }
  /** No answer: the connection is reset or closed, or the headers never come. */
  | { do: 'close' | 'reset' | 'stall' }
  /** Bytes instead of an HTTP response; then the connection ends. */
  | { do: 'raw'; bytes: string };

/** A server that misbehaves on purpose. */
export interface FaultServer extends TestServer {
  /** Sets the answers to the next requests of a path. The last step repeats forever. */
  script(path: string, ...steps: [Step, ...Step[]]): void;
  /** The received requests of a path. */
  requestsOf(path: string): ReceivedRequest[];
}

/** Starts a server that answers 404 until a script is set. */
export async function startFaultServer(): Promise<FaultServer> {
  const scripts = new Map<string, Step[]>();
  const server = await startTestServer((request, response) => {
    const steps = scripts.get(request.path) ?? [];
    const step = steps.length > 1 ? steps.shift() : steps[0];
    perform(step ?? { do: 'answer', status: 404 }, request, response);
  });
  return {
    ...server,
    script: (path, ...steps) => {
      scripts.set(path, [...steps]);
    },
    requestsOf: (path) => server.requests.filter((request) => request.path === path),
  };
}

/** Answers a request as a step says, for servers that choose the step themselves. */
export function perform(step: Step, request: ReceivedRequest, response: ServerResponse): void {
  switch (step.do) {
    case 'serve':
      serve(step, request, response);
      break;
    case 'answer':
      response.writeHead(step.status, step.headers ?? {}).end(step.body ?? '');
      break;
    case 'redirect':
      response.writeHead(step.status ?? 302, { Location: step.to }).end();
      break;
    case 'close':
      response.socket?.destroy();
      break;
    case 'reset':
      resetConnection(response);
      break;
    case 'raw':
      response.socket?.end(step.bytes);
      break;
    case 'stall':
      break;
  }
}

function serve(
  step: Extract<Step, { do: 'serve' }>,
  request: ReceivedRequest,
  response: ServerResponse,
): void {
  const { version, framing = 'length', fault } = step;
  const part = partFor(request, version, step.range);
  const coded = step.coding === 'gzip' || step.range === 'gzip';
  const body = coded ? gzipSync(part.bytes) : part.bytes;
  const noValidator = step.range === 'noValidator' && part.status !== 200;
  if (framing === 'neither') {
    response.removeHeader('Transfer-Encoding');
    response.shouldKeepAlive = false;
  }
  response.writeHead(step.status ?? part.status, {
    'Content-Type': 'text/csv',
    ...version.headers,
    ...(version.etag === undefined || noValidator ? {} : { ETag: version.etag }),
    ...(version.lastModified === undefined || noValidator
      ? {}
      : { 'Last-Modified': version.lastModified }),
    ...(version.date === undefined ? {} : { Date: version.date }),
    ...(coded ? { 'Content-Encoding': 'gzip' } : {}),
    ...part.headers,
    ...(framing === 'length' ? { 'Content-Length': step.contentLength ?? body.length } : {}),
  });
  if (!fault) {
    response.end(body);
    return;
  }
  response.flushHeaders();
  const good = body.subarray(0, fault.after);
  response.write(good.length > 0 ? good : '', () => {
    void Promise.resolve(fault.when).then(() => {
      fail(fault.how, response);
    });
  });
}

function fail(how: BodyFault['how'], response: ServerResponse): void {
  const { socket } = response;
  if (how === 'close') {
    socket?.destroy();
  } else if (how === 'reset') {
    resetConnection(response);
  } else if (how === 'garble') {
    socket?.end('this is no chunk\r\n');
  }
}

/** A response before it is framed. */
export interface Part {
  status: number;
  bytes: Buffer;
  headers: Record<string, string>;
}

/** The part of a version that answers a request, by RFC 9110 section 14.2 except for the fault. */
export function partFor(
  request: Pick<ReceivedRequest, 'headers'>,
  { bytes, ...version }: Version,
  fault?: RangeFault,
): Part {
  const { range, 'if-range': ifRange } = request.headers;
  const first = /^bytes=(\d+)-$/.exec(range ?? '')?.[1];
  // If-Range with an entity tag is compared strongly, a date exactly (section 13.1.5).
  const validator = version.etag ?? version.lastModified;
  const isSame = ifRange === undefined || (ifRange === validator && !ifRange.startsWith('W/'));
  const insists = fault === 'ifRangeIgnored' || fault === 'refused';
  if (first === undefined || fault === 'ignored' || (!isSame && !insists)) {
    return { status: 200, bytes, headers: {} };
  }
  const shift = fault === 'early' ? -1 : fault === 'late' ? 1 : 0;
  const start = Math.max(0, Number(first) + shift);
  if (fault === 'refused' || start >= bytes.length) {
    const headers = { 'Content-Range': `bytes */${bytes.length}` };
    return { status: 416, bytes: Buffer.from('no such range'), headers };
  }
  const end = fault === 'half' ? start + Math.ceil((bytes.length - start) / 2) : bytes.length;
  const total = fault === 'unknownTotal' ? '*' : bytes.length + (fault === 'otherTotal' ? 1 : 0);
  const headers: Record<string, string> =
    fault === 'noContentRange'
      ? {}
      : fault === 'multipart'
        ? { 'Content-Type': 'multipart/byteranges; boundary=x' }
        : { 'Content-Range': `bytes ${start}-${end - 1}/${total}` };
  return { status: 206, bytes: bytes.subarray(start, end), headers };
}
