import { causeOf } from './stoppedError';

/** Describes an error for the log, without text of the service and without input. */
export function describeForLog(failure: unknown): string {
  const error = causeOf(failure);
  return hasLogText(error) ? error.logText : withCause(error);
}

/** Our own errors know what of their message may be logged. */
function hasLogText(error: unknown): error is Error & { readonly logText: string } {
  return error instanceof Error && 'logText' in error && typeof error.logText === 'string';
}

function withCause(error: unknown): string {
  const { stack, cause } = error instanceof Error ? error : {};
  return [
    String(error),
    ...(stack === undefined ? [] : [(/\n[^\S\n]+at [^]*/.exec(stack)?.[0] ?? '').trim()]),
    ...(cause === undefined
      ? []
      : [`caused by ${cause instanceof Error ? String(cause) : typeof cause}`]),
  ].join(' ');
}
