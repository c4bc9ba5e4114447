import {
  ApiError,
  DownloadError,
  NetworkError,
  ProtocolError,
  TimeoutError,
} from '../api/http/errors';
import { UserError } from '../base/userError';
import { plainText } from '../base/text/plainText';
import { causeOf } from './workbenchErrors';

const ownMessages = [NetworkError, TimeoutError, ProtocolError, DownloadError];

/** Describes an error for the log, without text of the service and without input. */
export function describeForLog(failure: unknown): string {
  const error = causeOf(failure);
  if (error instanceof ApiError) {
    const { name, status, endpoint, attempts } = error;
    return [
      name,
      ...(status === undefined ? [] : [`status ${status}`]),
      ...(endpoint === undefined ? [] : [endpoint]),
      ...(attempts === undefined ? [] : [`attempts ${attempts}`]),
      // Messages of other classes may contain text of the service, or input.
      ...(error.serviceMessage === undefined && ownMessages.some((kind) => error instanceof kind)
        ? [plainText(error.message, 300)]
        : []),
    ].join(', ');
  }
  return error instanceof UserError ? `${error.name}, ${error.code}` : withCause(error);
}

function withCause(error: unknown): string {
  const { stack, cause } = error instanceof Error ? error : {};
  return [
    String(error),
    ...(stack === undefined ? [] : [(/\n\s+at [^]*/.exec(stack)?.[0] ?? '').trim()]),
    ...(cause === undefined
      ? []
      : [`caused by ${cause instanceof Error ? String(cause) : typeof cause}`]),
  ].join(' ');
}
