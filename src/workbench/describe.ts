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
import { endpoints, type Subject, subjectOf } from '../api/paths';
import type { Wait } from '../api/types';
import { UserError } from '../base/userError';
import { plainText, withPeriod } from '../base/text/plainText';
import { causeOf, SignedOutError, StoppedError } from './workbenchErrors';
import { formatBytes, formatMinute } from './format';
import { Message } from '../base/message';

const { t } = vscode.l10n;

/** Describes the errors of a feature: what happened and what to do next; `undefined` for others. */
type ErrorText = (error: unknown) => string | undefined;

const errorTexts: ErrorText[] = [];

/** Lets a feature describe its own errors, so that this file knows none of them. */
export function describeErrorsWith(errorText: ErrorText): void {
  errorTexts.push(errorText);
}

/** Describes an error for a user: what happened and what to do next, in one line. */
export function describeError(error: unknown): string {
  return plainText([sentence(error), ...keptOf(error)].join(' '), 600);
}

function keptOf(error: unknown): string[] {
  return error instanceof ApiError && error.keptBytes !== undefined
    ? [t('{0} saved. Retry resumes from there.', formatBytes(error.keptBytes))]
    : [];
}

/** Describes an error in a few words, for a row of a tree. */
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
      // Short, so that a narrow side bar shows the time; the tooltip has the reason.
      return t('Wait until {0}', formatMinute(Date.parse(error.retryAt)));
    case error instanceof ServerError:
      return t('Server error {0}', error.status ?? '');
    case error instanceof NetworkError:
      return t('Service unreachable');
    case error instanceof TimeoutError:
      return t('Timed out');
    case error instanceof ProtocolError:
      return t('Invalid response');
    case error instanceof DownloadError:
      return t('Download interrupted');
    default:
      return t('Not loaded');
  }
}

/** Why a request waits, and until when. */
export function describeWait(wait: Wait): string {
  const until = formatMinute(wait.until);
  switch (wait.reason) {
    case 'retry':
      return t('Request failed. Retrying at {0}', until);
    case 'budget':
      return t('Until {0}: waiting for your request budget (scorecard.requestsPerHour)', until);
    case 'limit':
      return t('The service asks to wait until {0}', until);
  }
}

/** The error that a program gets: a readable message and a code. */
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

/** The error code that a program gets; see `docs/commands.md`. */
export function codeOf(error: unknown): string {
  if (error instanceof ApiError || error instanceof UserError) {
    return error.code;
  }
  // All files that we read and write belong to reports.
  return systemCodeOf(error) === undefined ? 'protocol' : 'download';
}

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
    case error instanceof UserError:
      return error.message;
    case error instanceof StoppedError:
      return `${describeError(error.cause)} ${localize(error.next)}`;
    case error instanceof SignedOutError:
      return t('You are not signed in. Sign in, or try the demo.');
    case error instanceof AuthError:
      return t('The service refused the API key (401). Sign in again with a valid key.');
    case error instanceof ForbiddenError: {
      const { noAccess, forbidden } = adviceFor(error);
      return withReason(noAccess, error, needsPortfolio(error) ? toPortfolio : forbidden);
    }
    case error instanceof NotFoundError:
      // Without a status: the service answered, but there is no finding at that position.
      return error.status === undefined
        ? t('{0} Refresh the list.', withPeriod(localizedMessage(error)))
        : withReason(
            t('Not found, or your API key has no access (404)'),
            error,
            error.endpoint === endpoints.linkedFindings
              ? t('Check the UUID of the company and the issue type.')
              : adviceFor(error).notFound,
          );
    case error instanceof BadRequestError:
      // Without a status: refused before it was sent, and the message says why.
      return error.status === undefined
        ? localizedMessage(error)
        : withReason(
            t('The service refused the request ({0})', error.status),
            error,
            bodyAdvice(error) ?? adviceFor(error).badRequest,
          );
    case error instanceof RateLimitedError:
      // Without a status, it may be the budget of the user that is used up.
      return error.status === undefined
        ? t('Rate limited until {0}.', formatMinute(Date.parse(error.retryAt)))
        : t('The service asks to wait until {0}.', formatMinute(Date.parse(error.retryAt)));
    case error instanceof ReportFailedError:
      return withReason(
        t('The service could not generate the report (status {0})', error.serviceStatus),
        error,
        error.keptBytes === undefined
          ? t("Retry requests a new report. If that fails too, contact the service's support.")
          : t('If Retry fails too, request the report again.'),
      );
    case error instanceof ServerError:
      return withReason(t('Server error {0}', error.status ?? '?'), error, t('Try again later.'));
    case error instanceof NetworkError:
      return t(
        '{0} Check the connection and the setting scorecard.baseUrl, then try again.',
        withPeriod(localizedMessage(error)),
      );
    case error instanceof TimeoutError:
      return t(
        '{0} Try again, or increase scorecard.requestTimeoutSeconds.',
        withPeriod(localizedMessage(error)),
      );
    case error instanceof ProtocolError && error.serviceMessage !== undefined:
      return `${withPeriod(localizedMessage(error))} ${t('Try again later.')}`;
    case error instanceof ProtocolError:
      return t(
        'Unexpected response: {0} Check the setting scorecard.baseUrl. See the log for details.',
        withPeriod(localizedMessage(error)),
      );
    case error instanceof DownloadError:
      return downloadSentence(error);
    case error instanceof ConfigError:
      return localizedMessage(error);
    case systemCodeOf(error) !== undefined:
      return t(
        'Could not read or write a file ({0}). Check that its folder exists, is writable and has free space, then try again.',
        systemCodeOf(error) ?? '',
      );
    default:
      return t(
        'Unexpected error: {0} See the log for details.',
        withPeriod(error instanceof Error ? error.message : String(error)),
      );
  }
}

function downloadSentence(error: DownloadError): string {
  switch (error.reason) {
    case 'truncated':
      return error.keptBytes === undefined
        ? t(
            'The download was interrupted, and no file was saved. Retry the report; it is not requested again.',
          )
        : t('The download was interrupted.');
    case 'expiredLink':
      // Choosing another folder would not help.
      return withReason(
        t(
          'The download link of the report was refused and has probably expired ({0})',
          error.status ?? '?',
        ),
        error,
        t('Request the report again.'),
      );
    case 'noSpace':
      return `${fullDisk(error)} ${t('Free up space, or choose another folder in scorecard.reports.folder, then retry the report.')}`;
    default:
      return t(
        'The report could not be saved: {0} Check the folder in scorecard.reports.folder, then retry the report.',
        withPeriod(localizedMessage(error)),
      );
  }
}

function fullDisk({ data }: DownloadError): string {
  const { folder = '', neededBytes, freeBytes } = (data ?? {}) as Partial<NoSpace>;
  return neededBytes === undefined || freeBytes === undefined
    ? t('The disk is full.')
    : t(
        'The disk is full: the report needs {0}, {1} free in {2}.',
        formatBytes(neededBytes),
        formatBytes(freeBytes),
        folder,
      );
}

const toPortfolio = t(
  'The company must be in one of your portfolios first. Add it to a portfolio, then try again.',
);

interface Advice {
  readonly noAccess: string;
  /** What to do after a 403, a 404 and a 400. */
  readonly forbidden: string;
  readonly notFound: string;
  readonly badRequest: string;
}

/** By what was requested. */
const advice: Readonly<Record<Subject | 'other', Advice>> = {
  findings: {
    noAccess: t('No access to these findings (403)'),
    forbidden: t('Ask for access to this scorecard, or use another API key.'),
    notFound: t('Check the UUID of the scorecard, the issue type and the base address.'),
    badRequest: t('Check the scorecard, the issue type and its server filter in the settings.'),
  },
  company: {
    noAccess: t('No access to this company (403)'),
    forbidden: toPortfolio,
    notFound: t(
      'Check the domain or the UUID. A company that has no scorecard yet gets one when you add it to a portfolio.',
    ),
    badRequest: t('Check the company, the issue type and its server filter in the settings.'),
  },
  collection: {
    noAccess: t('No access to this collection (403)'),
    forbidden: t('Ask for access to it, or use another API key.'),
    notFound: t('Check its path in the setting scorecard.collections and the base address.'),
    badRequest: t('Check its path, style and size in the setting scorecard.collections.'),
  },
  report: {
    noAccess: t('No access to this report (403)'),
    forbidden: t('Ask for access to reports and to their scorecards, or use another API key.'),
    notFound: t('Check the scorecard that the report is about and the base address.'),
    badRequest: t('Check the scorecard, then start the report again.'),
  },
  reportLink: {
    noAccess: t('The service refused the download link of the report (403)'),
    forbidden: t(
      'The link may have expired. Request the report again. If that is refused too, ask for access.',
    ),
    notFound: t('Check the scorecard that the report is about and the base address.'),
    badRequest: t('The link to the report may have expired. Request the report again.'),
  },
  other: {
    noAccess: t('No access (403)'),
    forbidden: t('Ask for access, or use another API key.'),
    notFound: t('Check the base address.'),
    badRequest: t('Check the settings of Scorecard Explorer.'),
  },
};

function adviceFor({ endpoint }: ApiError): Advice {
  return advice[subjectOf(endpoint) ?? 'other'];
}

/** Whether a report was refused because its company is in no portfolio, which is the only cause for some kinds. */
function needsPortfolio({ key, endpoint }: ForbiddenError): boolean {
  return (
    key === 'company_not_in_a_portfolio' ||
    endpoint === endpoints.issuesReport ||
    endpoint === endpoints.fullScorecardReport
  );
}

/** What to check after a 400 for a report whose body is a setting. */
function bodyAdvice({ endpoint }: BadRequestError): string | undefined {
  const setting =
    endpoint === endpoints.detailedReport
      ? 'scorecard.reports.detailedBody'
      : endpoint === endpoints.fullReport || endpoint === endpoints.fullScorecardReport
        ? 'scorecard.reports.fullBody'
        : undefined;
  return (
    setting && t('Check the scorecard and the setting {0}, then start the report again.', setting)
  );
}

/** @param what without a period at its end: the message of the service follows. */
export function withReason(what: string, error: ApiError, next: string): string {
  const { serviceMessage: reason = '' } = error;
  return `${reason === '' ? `${what}.` : `${what}: ${withPeriod(reason)}`} ${next}`;
}

export function localize({ text, args }: Message): string {
  return vscode.l10n.t(
    text,
    ...args.map((argument) => (typeof argument === 'object' ? localize(argument) : argument)),
  );
}

/** A label of the core in the language of VS Code; a name stays as it is. */
export function localizedLabel(label: string | Message): string {
  return label instanceof Message ? localize(label) : label;
}

export function localizedMessage({ sentence, message }: ApiError): string {
  return sentence === undefined ? message : localize(sentence);
}
