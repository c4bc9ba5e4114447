import { finished, pipeline, Readable } from 'node:stream';
import { setImmediate as nextIteration } from 'node:timers/promises';
import {
  type BrotliDecompress,
  createBrotliDecompress,
  createGunzip,
  createInflate,
  type Gunzip,
  type Inflate,
} from 'node:zlib';
import type nodeFetch from 'node-fetch';
import type { Headers, Response } from 'node-fetch';
import { defined } from '../../base/defined';
import { type Clock, longestTimerMs } from '../../base/events/clock';
import { message } from '../../base/message';
import { decodeText } from './bodyText';
import { CancelledError } from '../../base/cancelledError';
import { byteLength } from '../../files/disk';
import { defaultRatioLimits, exceedsRatio } from '../../files/packedRatio';
import { NetworkError, ProtocolError, TimeoutError } from './errors';
import { exchangeError } from './failures';
import { watchConnection } from './watchConnection';
import { type LinkedController, linkSignals } from './signals';

/** The type of node-fetch. Tests that need no network replace it. */
export type Fetch = typeof nodeFetch;

/** One hop of one attempt. */
interface OutgoingRequest {
  method: 'GET' | 'POST';
  url: URL;
  headers: Record<string, string>;
  body: string | undefined;
}

interface SendOptions {
  fetch: Fetch;
  clock: Clock;
  /** The longest time to the headers, and between two pieces of the body. */
  timeoutMs: number;
  /** The signals that end the call; if one aborts, the call rejects with a CancelledError. */
  signals: readonly (AbortSignal | undefined)[];
}

/**
 * Sends one request and resolves with its response when the headers have arrived, whatever the status.
 * Redirects are not followed: each hop is a separate request, which the queue has to count.
 *
 * node-fetch uses node:http and node:https, which VS Code patches for proxies and the certificates of the
 * system; an agent of our own would bypass both.
 *
 * @throws NetworkError, TimeoutError, CancelledError, ProtocolError (no HTTP answer)
 */
export async function send(request: OutgoingRequest, options: SendOptions): Promise<HttpResponse> {
  const { clock, timeoutMs } = options;
  const { host } = request.url;
  const controller = linkSignals(options.signals);
  const limit: TimeLimit = (timeouts = 1, kind = 'silence') => {
    const limitMs = Math.min(timeouts * timeoutMs, longestTimerMs);
    return limitTime(clock, limitMs, () => {
      controller.abort(new TimeoutError(host, limitMs, kind));
    });
  };
  const stop = limit();
  try {
    controller.signal.throwIfAborted();
    const { result: response, isPlain } = await watchConnection(() =>
      options.fetch(request.url.href, {
        method: request.method,
        headers: request.headers,
        ...defined({ body: request.body }),
        redirect: 'manual',
        // HttpResponse decodes the body: node-fetch would accept a truncated gzip stream as complete.
        compress: false,
        signal: controller.signal,
      }),
    );
    if (isPlain && request.url.protocol === 'https:') {
      (response.body as Readable | null)?.destroy();
      throw new NetworkError('proxy', host, `HTTP ${response.status}`);
    }
    return new HttpResponse(response, request.url, controller, limit);
  } catch (error) {
    controller.unlink();
    throw controller.signal.aborted
      ? (controller.signal.reason as Error)
      : exchangeError(error, host);
  } finally {
    stop();
  }
}

/**
 * Ends the exchange with a TimeoutError if a wait takes longer than this many timeouts. The returned function
 * removes the limit.
 */
type TimeLimit = (timeouts?: number, kind?: 'silence' | 'whole') => () => void;

/** How many bytes of an unneeded body are read, so that its connection can be reused. */
const maxDrainedBytes = 64 * 1024;

/**
 * A page or a record must be complete within this many timeouts. It occupies a slot of the queue until
 * then, and a service that sends a byte now and then would occupy it forever. Five, because a slow line
 * needs more than the default of 30 s for a large page.
 */
const responseTimeouts = 5;

/** The same limit, for a body that the call does not need. */
const optionalTimeouts = 1;

/** Content codings that are decoded (RFC 9110 section 8.4.1); `x-gzip` is an old name of gzip. */
const decoders = new Map<string, () => BrotliDecompress | Gunzip | Inflate>([
  ['gzip', createGunzip],
  ['x-gzip', createGunzip],
  ['deflate', createInflate],
  ['br', createBrotliDecompress],
]);

/** The other codings that IANA lists: a body in one of them cannot be read. */
const unsupportedCodings = new Set([
  'aes128gcm',
  'compress',
  'dcb',
  'dcz',
  'exi',
  'pack200-gzip',
  'x-compress',
  'zstd',
]);

interface BodyStart {
  bytes: Buffer;
  complete: boolean;
}

/**
 * A response whose headers have arrived and whose body has not. Exactly one of `batches`, `readStart`, `drain`
 * and `cancel` must be called, or the connection stays open.
 */
export class HttpResponse {
  readonly status: number;
  readonly statusText: string;
  readonly headers: Headers;

  /**
   * @param url the requested address.
   * @param controller ends the exchange.
   */
  constructor(
    private readonly response: Response,
    readonly url: URL,
    private readonly controller: LinkedController,
    private readonly limit: TimeLimit,
  ) {
    this.status = response.status;
    this.statusText = response.statusText;
    this.headers = response.headers;
  }

  get ok(): boolean {
    return this.response.ok;
  }

  /** Lower-case media type without parameters, of several the first; empty if the response has none. */
  get mediaType(): string {
    return this.headers.get('content-type')?.split(/[;,]/)[0]?.trim().toLowerCase() ?? '';
  }

  /** The text of the body, or of its start, see decodeText. */
  textOf(bytes: Uint8Array): string {
    return decodeText(bytes, this.headers.get('content-type'));
  }

  /** Whether the body has a content coding, so that its bytes are not those of the report. */
  get isCoded(): boolean {
    return this.codings.length > 0;
  }

  /** The number of bytes that `batches` will yield, if the service declared it; unknown for a coded body. */
  get declaredLength(): number | undefined {
    const text = this.headers.get('content-length') ?? '';
    return !this.isCoded && /^\d{1,15}$/.test(text) ? Number(text) : undefined;
  }

  /** Whether only the end of its connection ends the body (RFC 9112 section 6.3), so that a cut may look like an end. */
  get isUnframed(): boolean {
    return !this.headers.has('content-length') && !this.headers.has('transfer-encoding');
  }

  /**
   * The decoded body. Only the wait for more of it is limited, so a slow reader never times out. The total time
   * is not limited, because a report may have gigabytes; see withTimeLimit. Ending the iteration early closes the
   * connection. This call starts to buffer the body, so data that arrives before it is read survives the end of
   * its connection.
   * @throws NetworkError, TimeoutError, CancelledError, ProtocolError (content coding that is broken or expands too
   *   much)
   */
  batches(): AsyncGenerator<Buffer[], void, undefined> {
    const { body, codedBytes } = this.decodedBody();
    return this.checkedBatches(
      readBatches(body, () => this.limit()),
      codedBytes,
    );
  }

  private async *checkedBatches(
    batches: AsyncIterable<Buffer[]>,
    codedBytes: () => number,
  ): AsyncGenerator<Buffer[], void, undefined> {
    let complete = false;
    let length = 0;
    try {
      for await (const batch of batches) {
        // Data that has already arrived would be yielded even after an abort.
        this.controller.signal.throwIfAborted();
        length += byteLength(batch);
        if (exceedsRatio(length, codedBytes())) {
          throw new ProtocolError(
            message(
              '{0} sent a compressed response that would take more than {1} times its size.',
              this.url.host,
              defaultRatioLimits.maxRatio,
            ),
            { status: this.status },
          );
        }
        yield batch;
      }
      this.controller.signal.throwIfAborted();
      complete = true;
    } catch (error) {
      throw this.controller.signal.aborted
        ? (this.controller.signal.reason as Error)
        : this.bodyError(error);
    } finally {
      if (complete) {
        this.controller.unlink();
      } else {
        this.cancel();
      }
    }
  }

  private bodyError(error: unknown): Error {
    const isCodingCut = (error as { code?: unknown } | null)?.code === 'Z_BUF_ERROR';
    return isCodingCut && this.isUnframed ? this.cutError() : exchangeError(error, this.url.host);
  }

  /** For a body that shows by its content that it is cut. */
  cutError(): NetworkError {
    return new NetworkError('reset', this.url.host, undefined);
  }

  /**
   * Reads at most `maxBytes` of the body, in limited time (see withTimeLimit). If there is more, closes the
   * connection.
   * @returns the bytes that were read, and whether they are the whole body.
   * @throws the same errors as batches
   */
  async readStart(maxBytes: number): Promise<BodyStart> {
    return this.withTimeLimit(() => this.readUpTo(maxBytes));
  }

  /**
   * Reads at most `maxBytes` of a body that the call does not depend on, because status and headers decide.
   * A body that breaks off or takes too long counts as empty.
   * @throws CancelledError
   */
  async readOptional(maxBytes: number): Promise<BodyStart> {
    try {
      return await this.withTimeLimit(() => this.readUpTo(maxBytes), optionalTimeouts);
    } catch (error) {
      if (error instanceof CancelledError) {
        throw error;
      }
      return { bytes: Buffer.alloc(0), complete: false };
    }
  }

  /** After a small body, the next request can reuse the connection. */
  async drain(): Promise<void> {
    await this.readOptional(maxDrainedBytes);
  }

  /**
   * Limits the time of `read`, which reads all or the start of the body. Without this, `batches` has no such
   * limit.
   * @throws TimeoutError, and the errors of `read`
   */
  async withTimeLimit<T>(read: () => Promise<T>, timeouts = responseTimeouts): Promise<T> {
    const stop = this.limit(timeouts, 'whole');
    try {
      return await read();
    } finally {
      stop();
    }
  }

  cancel(): void {
    this.controller.unlink();
    this.controller.abort(new CancelledError());
    (this.response.body as Readable | null)?.destroy();
  }

  private async readUpTo(maxBytes: number): Promise<BodyStart> {
    const pieces: Buffer[] = [];
    let length = 0;
    for await (const batch of this.batches()) {
      const piece = Buffer.concat(batch);
      pieces.push(piece);
      length += piece.length;
      if (length > maxBytes) {
        return { bytes: Buffer.concat(pieces).subarray(0, maxBytes), complete: false };
      }
    }
    return { bytes: Buffer.concat(pieces), complete: true };
  }

  /**
   * The codings of the body, in the order in which they were applied. Storage and proxies also write what is
   * no coding into the header, such as `aws-chunked`, `UTF-8` or `none`: such a word changes no byte.
   */
  private get codings(): readonly string[] {
    return (this.headers.get('content-encoding') ?? '')
      .split(',')
      .map((coding) => coding.trim().toLowerCase())
      .filter((coding) => decoders.has(coding) || unsupportedCodings.has(coding));
  }

  /** The body without its codings, and how many bytes of it were decoded so far; unlimited without a coding. */
  private decodedBody(): { body: Readable; codedBytes: () => number } {
    const body = (this.response.body as Readable | null) ?? Readable.from([]);
    const applied = this.codings.toReversed().map((coding) => decoders.get(coding)?.());
    if (applied.includes(undefined)) {
      body.destroy(new ProtocolError(message('The service sent an unsupported content coding.')));
      return { body, codedBytes: () => Infinity };
    }
    const [first] = applied;
    return {
      // An error in one stream destroys all and reaches the reader through the last one.
      body: applied.reduce<Readable>(
        (coded, decoder) => (decoder ? pipeline(coded, decoder, () => undefined) : coded),
        body,
      ),
      codedBytes: () => first?.bytesWritten ?? Infinity,
    };
  }
}

/** The stream is paused when so much waits to be read. */
const mostBuffered = { bytes: 1024 * 1024, pieces: 4096 };

/**
 * Reads a stream in batches. A batch is everything that has arrived since the last one; if that is nothing,
 * the batch is everything that arrives in the next turn of the event loop. A fast body comes in tens of
 * thousands of pieces, and waiting for each of them takes longer than writing it. While nobody requests
 * a batch, the stream is paused.
 *
 * Data that arrived before the stream failed is returned first, even if no batch was requested
 * until then: listening starts with this call, because a stream that fails drops the data it holds.
 * The stream is destroyed when its batches end, or when the caller requests no more of them.
 *
 * @param limitWait limits the time until the function that it returns is called: each wait for the next piece.
 * @throws the error of the stream; ERR_STREAM_PREMATURE_CLOSE if it was closed too early.
 */
export function readBatches(
  stream: Readable,
  limitWait: () => () => void,
): AsyncGenerator<Buffer[], void, undefined> {
  let pieces: Buffer[] = [];
  let bytes = 0;
  let end: { error: Error | null | undefined } | undefined;
  let wake: (() => void) | undefined;
  stream.on('data', (piece: Buffer) => {
    pieces.push(piece);
    bytes += piece.length;
    if (bytes >= mostBuffered.bytes || pieces.length >= mostBuffered.pieces) {
      stream.pause();
    }
    wake?.();
  });
  finished(stream, { writable: false }, (error) => {
    end = { error };
    wake?.();
  });
  const read = async function* () {
    try {
      for (;;) {
        if (pieces.length > 0) {
          const batch = pieces;
          pieces = [];
          bytes = 0;
          stream.resume();
          yield batch;
        } else if (end) {
          if (end.error) {
            throw end.error;
          }
          return;
        } else {
          const stop = limitWait();
          await new Promise<void>((resolve) => {
            wake = resolve;
          });
          stop();
          await nextIteration();
        }
      }
    } finally {
      // A decoder may end before the body that it reads.
      stream.destroy();
    }
  };
  return read();
}

/** A timer that fires later than this was held up, together with everything else in the process. */
const heldUpMs = 100;

/**
 * Calls `onTimeout` after `limitMs`, and after the sockets were read: data that has arrived is not too late
 * because the process was busy or suspended. What such a pause took is given back, at most once the limit.
 * @returns a function that removes the limit.
 */
function limitTime(clock: Clock, limitMs: number, onTimeout: () => void): () => void {
  let isStopped = false;
  let stop: () => void;
  const set = (delayMs: number, { mayExtend }: { mayExtend: boolean }) => {
    const due = clock.monotonic() + delayMs;
    stop = clock.setTimeout(() => {
      const lateMs = clock.monotonic() - due;
      if (mayExtend && lateMs > heldUpMs) {
        set(Math.min(lateMs, limitMs), { mayExtend: false });
        return;
      }
      // Timers run before the sockets are read, and immediates after it.
      setImmediate(() => {
        if (!isStopped) {
          onTimeout();
        }
      });
    }, delayMs);
  };
  set(limitMs, { mayExtend: true });
  return () => {
    isStopped = true;
    stop();
  };
}
