import { CancelledError } from '../../base/cancelledError';
import { message } from '../../base/message';
import { plainText } from '../../base/text/plainText';
import {
  ApiError,
  AuthError,
  BadRequestError,
  DownloadError,
  type ErrorDetails,
  ForbiddenError,
  NetworkError,
  type NetworkReason,
  NotFoundError,
  ProtocolError,
  RateLimitedError,
  ServerError,
} from './errors';

/** A failed response. */
interface FailedResponse extends ErrorDetails {
  status: number;
  statusText: string;
  /** Whether the response came from another origin than the service's, such as object storage. */
  isForeign: boolean;
  /** Wall-clock time in milliseconds. */
  now: number;
}

/**
 * The one place where the class of a failed response is chosen. The HTTP status decides, whatever
 * the body claims.
 */
export function responseError(response: FailedResponse): ApiError {
  const { status } = response;
  const description =
    `${status} ${response.serviceMessage ?? plainText(response.statusText)}`.trim();
  if (status === 429) {
    return new RateLimitedError(response.now + (response.retryAfterMs ?? 0), response);
  }
  if (status >= 500 || repeatable.has(status)) {
    return new ServerError(`The service failed: ${description}`, response);
  }
  if (response.isForeign && refusesLink.has(status)) {
    return new DownloadError(
      'expiredLink',
      message('The download link was refused and may have expired: {0}', description),
      response,
    );
  }
  switch (status) {
    case 401:
      return new AuthError(`The service does not accept the API key: ${description}`, response);
    case 403:
      return new ForbiddenError(`The API key has no access: ${description}`, response);
    case 404:
      return new NotFoundError(`Not found, or no access to it: ${description}`, response);
    default:
      return status >= 400
        ? new BadRequestError(`The service refused the request: ${description}`, response)
        : new ProtocolError(message('The service sent status {0}', description), response);
  }
}

/** 408 and 425 ask for the same request again (RFC 9110 section 15.5.9, RFC 8470 section 5.2). */
const repeatable = new Set([408, 425]);

/**
 * Statuses of object storage that refuses a signed link: because it has expired (400, 403), or permanently
 * (401, 410).
 */
const refusesLink = new Set([400, 401, 403, 410]);

/**
 * The one place where the class of a failed exchange is chosen. The thrown error does not become the cause:
 * its message contains the whole address, and a signed address is a secret.
 */
export function exchangeError(error: unknown, host: string): ApiError | CancelledError {
  if (error instanceof ApiError || error instanceof CancelledError) {
    return error;
  }
  const code = findSystemCode(error);
  if (code !== undefined && /^(HPE_|Z_|ERR__ERROR_FORMAT|ERR_BROTLI|ERR_PADDING)/.test(code)) {
    return new ProtocolError(message('{0} sent an invalid HTTP response ({1}).', host, code));
  }
  return new NetworkError(networkReason(code), host, code);
}

const reasons: [RegExp, NetworkReason][] = [
  [/^(ENOTFOUND|EAI_)/, 'dns'],
  [/^ECONNREFUSED$/, 'refused'],
  [/^(EHOSTUNREACH|ENETUNREACH|EHOSTDOWN|ENETDOWN|ETIMEDOUT|EADDRNOTAVAIL)$/, 'unreachable'],
  [/^(ECONNRESET|ECONNABORTED|EPIPE|ERR_STREAM_|ERR_HTTP2?_STREAM|UND_ERR_SOCKET)/, 'reset'],
  // Names of X.509 verification errors (OpenSSL's verify(1)), and Node's for a wrong host name.
  [
    /^(CERT_|CRL_|DEPTH_ZERO_|SELF_SIGNED_|UNABLE_TO_|INVALID_CA|INVALID_PURPOSE|PATH_LENGTH_|HOSTNAME_MISMATCH|ERROR_IN_C|ERR_TLS_CERT_)/,
    'certificate',
  ],
  [/^(EPROTO|ERR_SSL_|ERR_TLS_)/, 'tls'],
];

function networkReason(code: string | undefined): NetworkReason {
  return reasons.find(([pattern]) => pattern.test(code ?? ''))?.[1] ?? 'other';
}

function findSystemCode(error: unknown): string | undefined {
  const code: unknown = (error as { code?: unknown } | null)?.code;
  return typeof code === 'string' && /^[A-Z][A-Z0-9_]*$/.test(code) ? code : undefined;
}
