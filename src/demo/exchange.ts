import type { IncomingMessage, OutgoingHttpHeaders } from 'node:http';
import { isPlainObject, type JsonObject, type JsonValue } from '../base/json/json';
import type { Clock } from '../base/events/clock';

/** A request whose address has been parsed. */
export interface DemoRequest {
  /** `http://` and the host that the client requested, so that addresses in responses have the same origin. */
  readonly origin: string;
  readonly path: string;
  readonly query: URLSearchParams;
  readonly message: IncomingMessage;
}

/** A response: JSON, or bytes that are generated while they are sent. */
export interface DemoResponse {
  readonly status: number;
  readonly headers?: OutgoingHttpHeaders;
  readonly json?: JsonValue;
  readonly bytes?: () => AsyncIterable<Buffer>;
}

/** Refuses a request. `response` has the error envelope of the service. */
export class RefusedError extends Error {
  override readonly name = 'RefusedError';
  readonly response: DemoResponse;

  constructor(
    status: number,
    message: string,
    details: { key?: string; data?: JsonValue; headers?: OutgoingHttpHeaders },
  ) {
    super(message);
    const { key, data, headers = {} } = details;
    this.response = {
      status,
      headers,
      json: {
        error: {
          message,
          statusCode: status,
          ...(data === undefined ? {} : { data }),
          ...(key === undefined ? {} : { key }),
        },
      },
    };
  }
}

const maxBodyBytes = 64 * 1024;
/** How many bytes of a body that is too long are read and dropped, so that its sender can read the response. */
const maxDiscardedBytes = 1024 * 1024;

/** Reads the text of a body, at most 64 KiB of UTF-8. */
async function readText(message: IncomingMessage): Promise<string> {
  const chunks: Buffer[] = [];
  let size = 0;
  const body = message.iterator({ destroyOnReturn: false }) as AsyncIterable<Buffer>;
  for await (const chunk of body) {
    size += chunk.length;
    if (size <= maxBodyBytes) {
      chunks.push(chunk);
    } else if (size > maxDiscardedBytes) {
      break;
    }
  }
  if (size > maxBodyBytes) {
    throw new RefusedError(413, `The body is larger than ${maxBodyBytes} bytes.`, {
      key: 'body_too_large',
      headers: { Connection: 'close' },
    });
  }
  try {
    return new TextDecoder('utf-8', { fatal: true }).decode(Buffer.concat(chunks));
  } catch {
    throw badBody('is not valid UTF-8');
  }
}

/** Reads the JSON object of a body; `undefined` if there is no body. */
export async function readObject(message: IncomingMessage): Promise<JsonObject | undefined> {
  const text = await readText(message);
  if (text.trim() === '') {
    return undefined;
  }
  let value: unknown;
  try {
    value = JSON.parse(text);
  } catch {
    throw badBody('is not valid JSON');
  }
  if (!isPlainObject(value)) {
    throw badBody('must be a JSON object');
  }
  const type = message.headers['content-type'] ?? '';
  if (!/^application\/json\s*(;|$)/i.test(type)) {
    throw badBody(`must be sent as Content-Type: application/json (got "${type}")`);
  }
  return value as JsonObject;
}

export function badBody(problem: string): RefusedError {
  return new RefusedError(400, `Validation failed:\n  - body: ${problem}`, { key: 'bad_request' });
}

/** An integer of the query, with its inclusive bounds. */
interface IntegerParameter {
  readonly fallback: number;
  readonly min: number;
  readonly max: number;
}

/** Parses integers of the query. One response lists all problems. */
export function parseIntegers<Name extends string>(
  query: URLSearchParams,
  parameters: Readonly<Record<Name, IntegerParameter>>,
): Record<Name, number> {
  const values: Partial<Record<Name, number>> = {};
  const problems: string[] = [];
  for (const name of Object.keys(parameters) as Name[]) {
    const { fallback, min, max } = parameters[name];
    const text = query.get(name);
    const value = text === null ? fallback : /^-?\d{1,15}$/.test(text) ? Number(text) : NaN;
    values[name] = value;
    if (!(value >= min && value <= max)) {
      const bounds =
        max === Number.MAX_SAFE_INTEGER ? `at least ${min}` : `between ${min} and ${max}`;
      problems.push(
        `query.${name}: must be an integer ${bounds} (got ${JSON.stringify(text?.slice(0, 40))})`,
      );
    }
  }
  if (problems.length > 0) {
    const lines = problems.map((problem) => `\n  - ${problem}`).join('');
    throw new RefusedError(400, `Validation failed:${lines}`, {
      key: 'validation_failed',
      data: problems,
    });
  }
  return values as Record<Name, number>;
}

/**
 * Allows at most `limit` requests in any window of `windowMs` (spec section 8). It is exact and holds only
 * `limit` numbers: a ring with the times of the last accepted requests.
 */
export class RollingLimit {
  private readonly times: Float64Array;
  private next = 0;

  constructor(
    private readonly limit: number,
    private readonly windowMs: number,
    private readonly clock: Clock,
  ) {
    this.times = new Float64Array(limit).fill(-Infinity);
  }

  /**
   * Counts a request if it is allowed.
   * @returns 0 if it is allowed; otherwise the whole seconds to wait, at least 1. A refused request does
   * not count.
   */
  reserve(): number {
    const now = this.clock.monotonic();
    const oldest = this.times[this.next] ?? -Infinity;
    const waitMs = oldest + this.windowMs - now;
    if (waitMs > 0) {
      return Math.max(1, Math.ceil(waitMs / 1000));
    }
    this.times[this.next] = now;
    this.next = (this.next + 1) % this.limit;
    return 0;
  }
}
