import * as vscode from 'vscode';
import {
  ApiError,
  AuthError,
  BadRequestError,
  ConfigError,
  DownloadError,
  ForbiddenError,
  NetworkError,
  NotFoundError,
  ProtocolError,
  RateLimitedError,
  ReportFailedError,
  ServerError,
  TimeoutError,
} from '../../../api/http/errors';
import { endpoints, type Subject, findSubject } from '../../../api/paths';
import { defined } from '../../../base/defined';
import { withPeriod } from '../../../base/text/plainText';
import { formatMinute } from '../../../workbench/format';
import {
  createDescriber,
  type DescribeError,
  describeKept,
  describeUnexpected,
  describeUnsaved,
  type ErrorDescription,
  localizedMessage,
} from '../../../workbench/describe';
import { SignedOutError } from '../signedOutError';
import { endpointName } from './budgetItem';

const { t } = vscode.l10n;

/** Describes an error of a call of the service; `undefined` for any other. */
export function describeIfApiError(error: unknown): ErrorDescription | undefined {
  return error instanceof ApiError ? describeApiErrorAs(error, describe(error)) : undefined;
}

/** Describes any error that a room of this wing can meet; those of reports have a text of their own. */
export const describeServiceError: DescribeError = createDescriber([describeIfApiError]);

/** @param sentence what happened and what to do next */
export function describeApiErrorAs(error: ApiError, sentence: string): ErrorDescription {
  const { status, offset, keptBytes } = error;
  const remedy = chooseRemedy(error);
  return {
    text: [sentence, ...(keptBytes === undefined ? [] : [describeKept(keptBytes)])].join(' '),
    brief: describeBriefly(error),
    code: error.code,
    details: {
      ...(error instanceof RateLimitedError ? { retryAt: error.retryAt } : {}),
      ...defined({ status, offset }),
    },
    ...defined({ remedy }),
  };
}

function chooseRemedy(error: ApiError): ErrorDescription['remedy'] {
  if (error instanceof AuthError || error instanceof SignedOutError) {
    return 'signIn';
  }
  const isDown = [NetworkError, TimeoutError, ServerError].some((kind) => error instanceof kind);
  return isDown ? 'tryAgain' : undefined;
}

function describeBriefly(error: ApiError): string {
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

function describe(error: ApiError): string {
  switch (true) {
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
      return error.status === undefined
        ? pauseText(error)
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
    default:
      return describeUnexpected(error);
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
    default:
      return describeUnsaved(localizedMessage(error));
  }
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
  return advice[findSubject(endpoint) ?? 'other'];
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

/** Why a call was not sent. Others may go on, so it names what is paused, by the service or by the user's own budget. */
function pauseText({ endpoint, retryAt }: RateLimitedError): string {
  const until = formatMinute(Date.parse(retryAt));
  return endpoint === undefined
    ? t('Rate limited until {0}.', until)
    : t('{0}: paused until {1}.', endpointName({ endpoint }), until);
}
