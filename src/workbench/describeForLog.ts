import {
  ApiError,
  DownloadError,
  NetworkError,
  ProtocolError,
  TimeoutError,
} from '../api/http/errors';
import { HumanError } from '../base/humanError';
import { plainText } from '../base/plainText';
import { causeOf } from '../base/stoppedError';

/** What the log says of an error: no word of the service and no input, which may be anything. */
export function describeForLog(failure: unknown): string {
  const error = causeOf(failure);
  if (error instanceof ApiError) {
    const { name, status, endpoint, attempts } = error;
    return [
      name,
      ...(status === undefined ? [] : [`status ${status}`]),
      ...(endpoint === undefined ? [] : [endpoint]),
      ...(attempts === undefined ? [] : [`attempts ${attempts}`]),
      // Ours alone: the message of another class may hold what the service said, or an input.
      ...(isOurWord(error) ? [plainText(error.message, 300)] : []),
    ].join(', ');
  }
  return error instanceof HumanError ? `${error.name}, ${error.code}` : withCause(error);
}

function isOurWord(error: ApiError): boolean {
  return (
    error.serviceMessage === undefined &&
    (error instanceof NetworkError ||
      error instanceof TimeoutError ||
      error instanceof ProtocolError ||
      error instanceof DownloadError)
  );
}

/** An error that nobody expected, with where it was thrown and what caused it. */
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
