import * as vscode from 'vscode';
import {
  ApiError,
  AuthError,
  BadRequestError,
  ConfigError,
  DownloadError,
  ForbiddenError,
  NetworkError,
  type NoSpace,
  NotFoundError,
  ProtocolError,
  RateLimitedError,
  ReportFailedError,
  ServerError,
  TimeoutError,
} from '../api/http/errors';
import { subjectOf } from '../api/paths';
import type { Wait } from '../api/types';
import { HumanError } from '../base/humanError';
import { plainText } from '../base/plainText';
import { causeOf } from '../base/stoppedError';
import { SignedOutError } from './signedOutError';
import { formatBytes, formatTime } from './format';
import { localizedMessage } from './localize';

const { t } = vscode.l10n;

/**
 * What a feature says of its own errors: what happened and what to do next; `undefined` for any other
 * error.
 */
export type ErrorText = (error: unknown) => string | undefined;

const errorTexts: ErrorText[] = [];

/** Lets a feature describe its own errors, so that this file knows none of them. */
export function describeErrorsWith(errorText: ErrorText): void {
  errorTexts.push(errorText);
}

/** What a person reads of an error: what happened and what to do next, in one plain line. */
export function describeError(error: unknown): string {
  return plainText([sentence(error), ...keptOf(error)].join(' '), 600);
}

/** What a failed download has left, and that it need not come again. */
function keptOf(error: unknown): string[] {
  return error instanceof ApiError && error.keptBytes !== undefined
    ? [t('{0} are kept; Retry goes on there.', formatBytes(error.keptBytes))]
    : [];
}

/** The same in a few words, for a row of a tree. */
export function describeBriefly(error: unknown): string {
  switch (true) {
    case error instanceof SignedOutError:
      return t('Not signed in');
    case error instanceof AuthError:
      return t('API key refused');
    case error instanceof ForbiddenError:
      return t('No access');
    case error instanceof NotFoundError:
      return t('Not found');
    case error instanceof RateLimitedError:
      return t('Limit reached until {0}', formatTime(Date.parse(error.retryAt)));
    case error instanceof ServerError:
      return t('Service error {0}', error.status ?? '');
    case error instanceof NetworkError:
      return t('Service not reachable');
    case error instanceof TimeoutError:
      return t('No answer in time');
    case error instanceof ProtocolError:
      return t('Answer not understood');
    case error instanceof DownloadError:
      return t('Download interrupted');
    default:
      return t('Not loaded');
  }
}

/** Why a request waits, and until when. */
export function describeWait(wait: Wait): string {
  const until = formatTime(wait.until);
  switch (wait.reason) {
    case 'retry':
      return t('The request failed: trying again at {0}', until);
    case 'budget':
      return t('Waiting for your request budget (scorecard.requestsPerHour) until {0}', until);
    case 'limit':
      return t('Waiting for the request limit until {0}', until);
  }
}

/** What a program gets: a message fit to read, and a code. */
export function toCodedError(error: unknown): Error {
  const message = describeError(error);
  const cause = causeOf(error);
  const details = {
    code: codeOf(cause),
    ...(cause instanceof RateLimitedError ? { retryAt: cause.retryAt } : {}),
    ...(cause instanceof ApiError && cause.status !== undefined ? { status: cause.status } : {}),
  };
  return Object.assign(new Error(message, { cause: error }), details);
}

/** What went wrong, for programs; see the error codes of the README. */
export function codeOf(error: unknown): string {
  if (error instanceof ApiError || error instanceof HumanError) {
    return error.code;
  }
  // Whatever we read and write of files belongs to reports.
  return systemCodeOf(error) === undefined ? 'protocol' : 'download';
}

/** Node's name of what a file was refused for, for example `EACCES`. */
function systemCodeOf(error: unknown): string | undefined {
  const { code, syscall } = (error ?? {}) as { code?: unknown; syscall?: unknown };
  const isSystem = typeof syscall === 'string' && typeof code === 'string' && /^E[A-Z]/.test(code);
  return isSystem && error instanceof Error ? code : undefined;
}

function sentence(error: unknown): string {
  for (const textOf of errorTexts) {
    const text = textOf(error);
    if (text !== undefined) {
      return text;
    }
  }
  switch (true) {
    case error instanceof HumanError:
      return error.message;
    case error instanceof SignedOutError:
      return t('You are not signed in. Sign in, or try the demo.');
    case error instanceof AuthError:
      return t(
        'The service refused the API key (401). Sign in again with a valid key; what is loaded stays.',
      );
    case error instanceof ForbiddenError:
      return forbiddenSentence(error);
    case error instanceof NotFoundError:
      // Without a status the service did answer, only with nothing at that place.
      return error.status === undefined
        ? t('{0} Refresh the list to see how long it is.', stop(localizedMessage(error)))
        : withReason(
            t('The service does not know this, or your key may not see it (404).'),
            error,
            whatToCheck(error),
          );
    case error instanceof BadRequestError:
      // Refused before it was sent: the message says what was expected.
      return error.status === undefined
        ? localizedMessage(error)
        : withReason(
            t('The service refused the request ({0}).', error.status),
            error,
            whatToMend(error),
          );
    case error instanceof RateLimitedError:
      return t(
        'The request limit is reached. Try again at {0}; what is loaded stays.',
        formatTime(Date.parse(error.retryAt)),
      );
    case error instanceof ReportFailedError:
      return withReason(
        t('The service could not make the report (status {0}).', error.serviceStatus),
        error,
        t('Start it again; if that fails too, ask the service\u2019s support.'),
      );
    case error instanceof ServerError:
      return withReason(
        t('The service failed ({0}).', error.status ?? '?'),
        error,
        t('Try again in a while; what is loaded stays.'),
      );
    case error instanceof NetworkError:
      return t(
        '{0} Check the connection and the setting scorecard.baseUrl, then try again.',
        stop(localizedMessage(error)),
      );
    case error instanceof TimeoutError:
      return t(
        '{0} Try again; the setting scorecard.requestTimeoutSeconds gives the service more time.',
        stop(localizedMessage(error)),
      );
    case error instanceof ProtocolError:
      return t(
        'The answer was not what the service promises: {0} Check the base address; the log says more.',
        stop(localizedMessage(error)),
      );
    case error instanceof DownloadError:
      return downloadSentence(error);
    case error instanceof ConfigError:
      return localizedMessage(error);
    case systemCodeOf(error) !== undefined:
      return t(
        'A file could not be read or written ({0}). Check that its folder exists, has room and can be written to, then try again.',
        systemCodeOf(error) ?? '',
      );
    default:
      return t(
        'Something unexpected went wrong: {0} The log says more.',
        stop(error instanceof Error ? error.message : String(error)),
      );
  }
}

function downloadSentence(error: DownloadError): string {
  switch (error.reason) {
    case 'truncated':
      return error.keptBytes === undefined
        ? t(
            'The download broke off before its end, so no file was kept. Retry the report; it is not requested again.',
          )
        : t('The download broke off before its end.');
    case 'expiredLink':
      // Its cause is the link: no folder helps.
      return withReason(
        t(
          'The storage refused the download link of the report ({0}). The link has most likely expired.',
          error.status ?? '?',
        ),
        error,
        t('Request the report again.'),
      );
    case 'noSpace':
      return `${fullDisk(error)} ${t('Free some space, or choose another folder in scorecard.reports.folder, then retry the report.')}`;
    default:
      return t(
        'The report could not be saved: {0} Check the folder in scorecard.reports.folder, then retry the report.',
        stop(localizedMessage(error)),
      );
  }
}

/** How much room a report needs and there is, as far as that is known. */
function fullDisk({ data }: DownloadError): string {
  const { folder = '', neededBytes, freeBytes } = (data ?? {}) as Partial<NoSpace>;
  if (freeBytes === undefined) {
    return neededBytes === undefined
      ? t('The disk is full.')
      : t('The disk is full: the report needs {0} more.', formatBytes(neededBytes));
  }
  const free = formatBytes(freeBytes);
  return neededBytes === undefined
    ? t('The disk is full: {0} are free in {1}.', free, folder)
    : t(
        'The disk is full: the report needs {0}, {1} are free in {2}.',
        formatBytes(neededBytes),
        free,
        folder,
      );
}

function forbiddenSentence(error: ForbiddenError): string {
  switch (subjectOf(error.endpoint)) {
    case 'findings':
      return withReason(
        t('The service allows no access to these findings (403).'),
        error,
        t('Ask for access to this scorecard, or use another API key.'),
      );
    case 'collection':
      return withReason(
        t('The service allows no access to this collection (403).'),
        error,
        t('Ask for access to it, or use another API key.'),
      );
    case 'report':
      return withReason(
        t('The service allows no access to this report (403).'),
        error,
        t('Ask for access to reports and to their scorecards, or use another API key.'),
      );
    case 'reportLink':
      return withReason(
        t(
          'The service refused the download link of the report (403). The link has expired, or your API key has no access to the report.',
        ),
        error,
        t('Request the report again. If that is refused too, ask for access.'),
      );
    case undefined:
      return withReason(
        t('The service allows no access to this (403).'),
        error,
        t('Ask for access, or use another API key.'),
      );
  }
}

/** What may be wrong where the service knows nothing. */
function whatToCheck(error: NotFoundError): string {
  switch (subjectOf(error.endpoint)) {
    case 'findings':
      return t('Check the identifier of the scorecard, the issue type and the base address.');
    case 'collection':
      return t('Check its path in the setting scorecard.collections and the base address.');
    case 'report':
    case 'reportLink':
      return t('Check the scorecard that the report is about and the base address.');
    case undefined:
      return t('Check the base address.');
  }
}

/** What may be wrong in a request that the service refuses. */
function whatToMend(error: BadRequestError): string {
  switch (subjectOf(error.endpoint)) {
    case 'findings':
      return t('Check the scorecard, the issue type and its body in the settings.');
    case 'collection':
      return t('Check its path, style and size in the setting scorecard.collections.');
    case 'report':
      return t(
        'Check the scorecard and the settings scorecard.reports.fullBody and scorecard.reports.detailedBody.',
      );
    case 'reportLink':
      return t('The link to the report may have expired. Request the report again.');
    case undefined:
      return t('Check the settings of Scorecard Explorer.');
  }
}

function withReason(what: string, error: ApiError, next: string): string {
  return error.serviceMessage === undefined || error.serviceMessage === ''
    ? `${what} ${next}`
    : `${what} ${t('It says: {0}', stop(error.serviceMessage))} ${next}`;
}

/** A text that ends as a sentence does. */
function stop(text: string): string {
  return /[.!?\u2026]$/.test(text) ? text : `${text}.`;
}
