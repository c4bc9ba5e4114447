import * as vscode from 'vscode';
import type { Api } from '../../../api/client';
import type { ReportKind } from '../../../api/types';
import type { Disposable } from '../../../base/events/disposable';
import type { Event } from '../../../base/events/emitter';
import { UserError } from '../../../base/userError';
import { isPlainObject, type JsonObject } from '../../../base/json/json';
import { fillBody, needsScorecard } from '../../findings/scorecards';
import type { ReportRequest } from '../storedReport';
import { setContext } from '../../../workbench/views';
import { onDidChangeSetting, setting } from '../../../workbench/settings';

const { t } = vscode.l10n;

/** The settings with the request body of a kind of report; an issues report has none. */
const keys = { full: 'reports.fullBody', detailed: 'reports.detailedBody' } as const;

function readSetting(kind: ReportKind): unknown {
  return kind === 'issues' ? null : setting(keys[kind]);
}

/** What the service that is signed in to can make. */
interface ReportSession {
  readonly signedIn: { readonly api: Pick<Api, 'service'> } | undefined;
}

/**
 * The request body of a kind of report: a setting, which may be edited by hand, or else what the service needs.
 * @throws UserError if the setting is neither an object nor null.
 */
export function reportBody(kind: ReportKind, { signedIn }: ReportSession): JsonObject | null {
  const value = readSetting(kind);
  if (value !== null && !isPlainObject(value)) {
    throw new UserError(
      t(
        'The setting scorecard.{0} must be a JSON object, or null to send no body.',
        kind === 'issues' ? '' : keys[kind],
      ),
      'config',
    );
  }
  return (value as JsonObject | null) ?? signedIn?.api.service.reports[kind]?.body ?? null;
}

/** The body that asks for a report on one scorecard, if neither the settings nor the service have one. */
export function scorecardBody(kind: ReportKind, scorecardId: string): JsonObject {
  const body = { scorecard_identifier: scorecardId };
  return kind === 'full' ? { params: body } : body;
}

/** The request for a report about all findings. */
export function requestOfAll(kind: ReportKind, body: JsonObject | null): ReportRequest {
  return { kind, title: t('All findings'), ...(body === null ? {} : { body }) };
}

/** The request for a report about one scorecard. */
export function requestOfScorecard(
  kind: ReportKind,
  body: JsonObject | null,
  { id, name }: { readonly id: string; readonly name: string },
): ReportRequest {
  return {
    kind,
    title: name,
    scorecardId: id,
    body: body === null ? scorecardBody(kind, id) : fillBody(body, id),
  };
}

/**
 * The request for a full report that has the findings of a scorecard: about it alone, or about all where neither the
 * settings nor the service ask for one. @throws as `reportBody`
 */
export function requestAbout(
  scorecard: { readonly id: string; readonly name: string },
  session: ReportSession,
): ReportRequest {
  const body = reportBody('full', session);
  return needsScorecard(body)
    ? requestOfScorecard('full', body, scorecard)
    : requestOfAll('full', body);
}

/**
 * Whether a kind of report is about all findings, about one scorecard, or (`any`) about all unless it is started in the
 * menu of a scorecard.
 */
export function reportScope(
  kind: ReportKind,
  { signedIn }: ReportSession,
): 'all' | 'scorecard' | 'any' {
  const value = readSetting(kind) ?? signedIn?.api.service.reports[kind]?.body ?? null;
  if (value === null) {
    return 'any';
  }
  return isPlainObject(value) && needsScorecard(value as JsonObject) ? 'scorecard' : 'all';
}

/** Updates the context keys, which choose between the commands of both scopes and hide those of other services. */
export function registerReportScopes(
  session: ReportSession & { readonly onDidChange: Event<void> },
): Disposable {
  let before: string | undefined;
  const update = () => {
    const full = reportScope('full', session);
    const detailed = reportScope('detailed', session);
    const hasIssues = session.signedIn?.api.service.reports.issues !== undefined;
    const now = JSON.stringify([full, detailed, hasIssues]);
    if (now !== before) {
      before = now;
      setContext('scorecard.fullReportScope', full);
      setContext('scorecard.detailedReportScope', detailed);
      setContext('scorecard.hasIssuesReports', hasIssues);
    }
  };
  update();
  return vscode.Disposable.from(
    session.onDidChange(update),
    ...Object.values(keys).map((key) => onDidChangeSetting(key, update)),
  );
}
