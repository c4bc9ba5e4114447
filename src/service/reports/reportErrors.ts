import {
  ApiError,
  AuthError,
  BadRequestError,
  ConfigError,
  DownloadError,
  ForbiddenError,
  latestDate,
  NetworkError,
  NotFoundError,
  ProtocolError,
  RateLimitedError,
  ReportFailedError,
  ServerError,
  TimeoutError,
} from '../../api/http/errors';
import type { Resume } from '../../api/types';
import { FileError } from '../../files/fileError';
import { isOnOtherHost, type StoredReport } from './storedReport';

/** The service did not make the report within the time that the settings allow. */
export class GenerationTimeoutError extends ApiError {
  override readonly name = 'GenerationTimeoutError';
  override readonly code = 'timeout';

  constructor(
    /** The time that passed, in milliseconds. */
    readonly timeoutMs: number,
  ) {
    super(`The report was not ready after ${Math.round(timeoutMs / 60_000)} minutes.`);
  }
}

/** The service wants the next poll later than the settings allow. */
export class LatePollError extends ApiError {
  override readonly name = 'LatePollError';
  override readonly code = 'timeout';
  /** The earliest time at which the service wants the next poll: wall-clock time in milliseconds. */
  readonly pollAt: number;

  constructor(pollAt: number) {
    const shown = Math.min(pollAt, latestDate);
    super(`The service asks to wait until ${new Date(shown).toISOString()}.`);
    this.pollAt = shown;
  }
}

/**
 * The window or its client ended after a report was requested, before the response came or was saved. It is
 * unknown whether the service accepted the request, so it is not sent again automatically.
 */
export class UndecidedRequestError extends ApiError {
  override readonly name = 'UndecidedRequestError';
  override readonly code = 'network';

  constructor() {
    super(
      'The service may have accepted this request: it was interrupted before its answer was saved.',
    );
  }
}

/** Whether a failure may be temporary, so that another attempt makes sense. */
export function isTransient(error: unknown, report: StoredReport): boolean {
  return (
    error instanceof NetworkError ||
    error instanceof TimeoutError ||
    (error instanceof ServerError && !(error instanceof ReportFailedError)) ||
    (error instanceof DownloadError && ['truncated', 'partChanged'].includes(error.reason)) ||
    // Another file may have the name: the next attempt uses another one.
    (error instanceof FileError && error.reason === 'exists') ||
    // The service gives a new link on the next request; another host cannot.
    (isExpiredLink(error) && !isOnOtherHost(report))
  );
}

/** Whether the same address can no longer succeed, so only a new request can. */
export function requiresNewRequest(
  error: unknown,
  report: StoredReport,
  part: Resume | undefined,
): boolean {
  return (
    // Of a report that has failed, nothing would have been saved: something else is wrong.
    (error instanceof ReportFailedError && !part) ||
    (error instanceof BadRequestError && error.status === 410) ||
    // The service creates a new link for each request to its own address. If its answer named a
    // link on another host, nothing renews that link after it expires.
    (isExpiredLink(error) && isOnOtherHost(report))
  );
}

/** Whether the service certainly did not accept the request that failed like this, so another one is no risk. */
export function isRequestRefused(error: unknown): boolean {
  return (
    error instanceof ApiError &&
    !error.isRedirected &&
    [AuthError, ForbiddenError, NotFoundError, BadRequestError, RateLimitedError, ConfigError].some(
      (kind) => error instanceof kind,
    )
  );
}

/** Whether the address of the file does not lead to it, although the service accepted the request for it. */
export function isLinkRefused(error: unknown, reportUrl: string | undefined): boolean {
  return (
    isExpiredLink(error) ||
    (reportUrl !== undefined &&
      [ForbiddenError, BadRequestError, ProtocolError, ReportFailedError].some(
        (kind) => error instanceof kind,
      ))
  );
}

function isExpiredLink(error: unknown): boolean {
  return error instanceof DownloadError && error.reason === 'expiredLink';
}
