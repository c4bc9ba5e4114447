import { Message, message } from '../../base/message';
import { plainText } from '../../base/text/plainText';

/**
 * One class per way a call can fail, each with a `code` for programs. The message is English, one
 * plain line, fit for a log; sentences for users are written elsewhere from code and data.
 */
type ErrorCode =
  | 'auth'
  | 'forbidden'
  | 'notFound'
  | 'badRequest'
  | 'rateLimited'
  | 'server'
  | 'network'
  | 'timeout'
  | 'protocol'
  | 'config'
  | 'download';

export interface ErrorDetails {
  /** HTTP status of the response that failed. */
  status?: number | undefined;
  /** Method and route template, for example `POST /reports/detailed`; never an address with ids. */
  endpoint?: string | undefined;
  /** The service's own words as one plain line. */
  serviceMessage?: string | undefined;
  /** The machine-readable key of the service's error envelope, for example `company_not_in_a_portfolio`. */
  key?: string | undefined;
  /** The `data` of the service's error envelope, as served. */
  data?: unknown;
  /** What Retry-After said, in milliseconds from the response. */
  retryAfterMs?: number | undefined;
}

/** The parent of every error that a call of the Api rejects with. */
export abstract class ApiError extends Error {
  abstract override readonly name: string;
  abstract readonly code: ErrorCode;
  /** Whether the message is all ours; that of others may contain text of the service, or input. */
  protected readonly hasOwnMessage: boolean = false;
  /** The message as a translatable sentence, if it was written for users too. */
  readonly sentence: Message | undefined;
  readonly status: number | undefined;
  readonly serviceMessage: string | undefined;
  readonly key: string | undefined;
  readonly data: unknown;
  readonly retryAfterMs: number | undefined;
  /** Set by the client, which knows the call. */
  endpoint: string | undefined;
  /** Whether a redirect was followed before this: a POST may have been accepted. Set by the client. */
  isRedirected = false;
  /** How often the request was sent; set by the client when it gives up. */
  attempts: number | undefined;
  /** The offset of the page of findings that failed, where loading goes on; set by the client. */
  offset: number | undefined;
  /** Bytes that were kept of an interrupted download; set by the caller that keeps them. */
  keptBytes: number | undefined;

  constructor(text: string | Message, details: ErrorDetails = {}) {
    super(String(text));
    this.sentence = text instanceof Message ? text : undefined;
    this.status = details.status;
    this.endpoint = details.endpoint;
    this.serviceMessage = details.serviceMessage;
    this.key = details.key;
    this.data = details.data;
    this.retryAfterMs = details.retryAfterMs;
  }

  /** The error for a log: without text of the service, and without input. */
  get logText(): string {
    const { name, status, endpoint, attempts } = this;
    return [
      name,
      ...(status === undefined ? [] : [`status ${status}`]),
      ...(endpoint === undefined ? [] : [endpoint]),
      ...(attempts === undefined ? [] : [`attempts ${attempts}`]),
      ...(this.hasOwnMessage && this.serviceMessage === undefined
        ? [plainText(this.message, 300)]
        : []),
    ].join(', ');
  }
}

/** 401: the key is invalid or was revoked. */
export class AuthError extends ApiError {
  override readonly name = 'AuthError';
  override readonly code = 'auth';
}

/** 403: the key is valid but does not give access to this; `key` and `data` say why. */
export class ForbiddenError extends ApiError {
  override readonly name = 'ForbiddenError';
  override readonly code = 'forbidden';
}

/** 404: does not exist, or is not visible with this key. */
export class NotFoundError extends ApiError {
  override readonly name = 'NotFoundError';
  override readonly code = 'notFound';
}

/** The request itself is invalid: refused by the service (other 4xx), or by us before it was sent. */
export class BadRequestError extends ApiError {
  override readonly name = 'BadRequestError';
  override readonly code = 'badRequest';
}

/** The service's limit, or our own hourly budget, allows the call only later. */
export class RateLimitedError extends ApiError {
  override readonly name = 'RateLimitedError';
  override readonly code = 'rateLimited';
  /** ISO 8601 time from which the call may be tried again. */
  readonly retryAt: string;

  /** @param retryAtMs wall-clock time in milliseconds since the epoch. */
  constructor(retryAtMs: number, details: ErrorDetails = {}) {
    const retryAt = new Date(Math.min(Math.ceil(retryAtMs), latestDate)).toISOString();
    super(
      `The request limit is reached${at(details.endpoint)}; try again after ${retryAt}.`,
      details,
    );
    this.retryAt = retryAt;
  }
}

/** 5xx, 408, 425: the service failed. */
export class ServerError extends ApiError {
  override readonly name: string = 'ServerError';
  override readonly code = 'server';
}

/** The service says that it could not make the report. */
export class ReportFailedError extends ServerError {
  override readonly name = 'ReportFailedError';

  constructor(
    /** The status as served, for example `failed`. */
    readonly serviceStatus: string,
    details: ErrorDetails,
  ) {
    super(
      `The service could not make the report (status "${serviceStatus}")${because(details.serviceMessage)}`,
      details,
    );
  }
}

/** Why no response came: from the name of the host to the bytes on the wire. */
export type NetworkReason =
  | 'dns'
  | 'refused'
  | 'unreachable'
  | 'proxy'
  | 'reset'
  | 'certificate'
  | 'tls'
  | 'other';

/** The service could not be reached, or the connection broke. */
export class NetworkError extends ApiError {
  override readonly name = 'NetworkError';
  override readonly code = 'network';
  protected override readonly hasOwnMessage = true;

  constructor(
    readonly reason: NetworkReason,
    /** Host and port of the request, without path. */
    readonly host: string,
    /** Node's or OpenSSL's name of the cause, for example `ENOTFOUND`, or the status of the proxy. */
    readonly systemCode: string | undefined,
  ) {
    super(networkSentence[reason](host, systemCode === undefined ? '' : ` (${systemCode})`));
  }
}

/** The service took longer than a limit to answer, to continue a response, or to complete one. */
export class TimeoutError extends ApiError {
  override readonly name = 'TimeoutError';
  override readonly code = 'timeout';
  protected override readonly hasOwnMessage = true;

  constructor(
    readonly host: string,
    /** The limit that was exceeded, in milliseconds. */
    readonly timeoutMs: number,
    /** `silence`: no data arrived for this time; `whole`: a response was not complete after this time. */
    limit: 'silence' | 'whole' = 'silence',
  ) {
    const seconds = timeoutMs / 1000;
    super(
      limit === 'silence'
        ? message('{0} did not respond for {1} s.', host, seconds)
        : message('The response from {0} was incomplete after {1} s.', host, seconds),
    );
  }
}

/** The service's response is not what the interface says. */
export class ProtocolError extends ApiError {
  override readonly name = 'ProtocolError';
  override readonly code = 'protocol';
  protected override readonly hasOwnMessage = true;
}

/** A setting or the key of the client cannot be used; no request was made. */
export class ConfigError extends ApiError {
  override readonly name = 'ConfigError';
  override readonly code = 'config';
}

/** Why a download failed. `partChanged`: the kept part is no longer the same. */
type DownloadReason = 'truncated' | 'tooLarge' | 'expiredLink' | 'partChanged';

/** A report could not be downloaded; `expiredLink`: its storage refused the link. */
export class DownloadError extends ApiError {
  override readonly name = 'DownloadError';
  override readonly code = 'download';
  protected override readonly hasOwnMessage = true;

  constructor(
    readonly reason: DownloadReason,
    text: string | Message,
    details: ErrorDetails = {},
  ) {
    super(text, details);
  }
}

/** The last moment a Date can hold (ECMA-262 section 21.4.1.1). */
export const latestDate = 8.64e15;

/** Whole sentences, because word order differs between languages; the code is in parentheses. */
const networkSentence: Record<NetworkReason, (host: string, code: string) => Message> = {
  dns: (host, code) => message('{0} could not be resolved{1}.', host, code),
  refused: (host, code) => message('{0} refused the connection{1}.', host, code),
  unreachable: (host, code) => message('{0} could not be reached{1}.', host, code),
  proxy: (host, code) => message('The proxy did not connect to {0}{1}.', host, code),
  reset: (host, code) =>
    message('The connection to {0} was closed before the response was complete{1}.', host, code),
  certificate: (host, code) => message('The certificate of {0} is not trusted{1}.', host, code),
  tls: (host, code) =>
    message('A secure connection to {0} could not be established{1}.', host, code),
  other: (host, code) => message('The request to {0} failed{1}.', host, code),
};

function at(endpoint: string | undefined): string {
  return endpoint === undefined ? '' : ` for ${endpoint}`;
}

function because(serviceMessage: string | undefined): string {
  return serviceMessage === undefined ? '.' : `: ${serviceMessage}`;
}
