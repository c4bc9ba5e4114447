import type { IncomingMessage, OutgoingHttpHeaders } from 'node:http';
import { text } from 'node:stream/consumers';
import { isPlainObject, type JsonObject, type JsonValue } from '../../base/json/json';
import type { Clock } from '../../base/events/clock';

/** A request whose address has been parsed. */
export interface DemoRequest {
  /** `http://` and the host that the client requested, so that addresses in responses have the same origin. */
  readonly origin: string;
  readonly path: string;
  readonly query: URLSearchParams;
  readonly message: IncomingMessage;
}

/** A response: JSON, or the bytes of a file. */
export interface DemoResponse {
  readonly status: number;
  readonly headers?: OutgoingHttpHeaders;
  readonly json?: JsonValue;
  readonly bytes?: Buffer;
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

/** Reads the JSON object of a body; `undefined` if there is no body. */
export async function readObject(message: IncomingMessage): Promise<JsonObject | undefined> {
  const body = await text(message);
  if (body.trim() === '') {
    return undefined;
  }
  let value: unknown;
  try {
    value = JSON.parse(body);
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

/** Allows at most `limit` requests in any window of `windowMs` (spec section 8). */
export class RollingLimit {
  /** When the requests of the last window were accepted. */
  private readonly times: number[] = [];

  constructor(
    private readonly limit: number,
    private readonly windowMs: number,
    private readonly clock: Clock,
  ) {}

  /**
   * Counts a request if it is allowed.
   * @returns 0 if it is allowed; otherwise the whole seconds to wait, at least 1. A refused request does
   * not count.
   */
  reserve(): number {
    const now = this.clock.monotonic();
    const waitMs = (this.times.at(-this.limit) ?? -Infinity) + this.windowMs - now;
    if (waitMs > 0) {
      return Math.max(1, Math.ceil(waitMs / 1000));
    }
    this.times.push(now);
    this.times.splice(0, this.times.length - this.limit);
    return 0;
  }

  /** Counts a request, and refuses it with 429 if there were too many (spec sections 7 and 8). */
  enforce(what: string): void {
    const seconds = this.reserve();
    if (seconds > 0) {
      throw new RefusedError(429, `Too many ${what}. Try again in ${seconds} seconds.`, {
        key: 'rate_limit_exceeded',
        headers: { 'Retry-After': String(seconds) },
      });
    }
  }
}
