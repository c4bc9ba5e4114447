import * as vscode from 'vscode';
import type { ReportKind } from '../../api/types';
import type { Disposable } from '../../base/events/disposable';
import { UserError } from '../../base/userError';
import { isPlainObject, type JsonObject } from '../../base/json/json';
import { needsScorecard } from '../../findings/scorecards';
import { setContext } from '../../workbench/views';
import { onDidChangeSetting, setting } from '../../workbench/settings';

const { t } = vscode.l10n;

const keys = { full: 'reports.fullBody', detailed: 'reports.detailedBody' } as const;

/**
 * The request body of a kind of report: a setting, which may be edited by hand.
 * @throws UserError if it is neither an object nor null.
 */
export function reportBody(kind: ReportKind): JsonObject | null {
  const value: unknown = setting(keys[kind]);
  if (value !== null && !isPlainObject(value)) {
    throw new UserError(
      t('The setting scorecard.{0} must be a JSON object, or null to send no body.', keys[kind]),
      'config',
    );
  }
  return value as JsonObject | null;
}

/** The body that asks for a report on one scorecard, if the settings have no body. */
export function scorecardBody(kind: ReportKind, scorecardId: string): JsonObject {
  const body = { scorecard_identifier: scorecardId };
  return kind === 'full' ? { params: body } : body;
}

/** Whether a kind of report is about all findings, about one scorecard, or about what the user chooses. */
export function reportScope(kind: ReportKind): 'all' | 'scorecard' | 'any' {
  const value: unknown = setting(keys[kind]);
  if (value === null) {
    return 'any';
  }
  return isPlainObject(value) && needsScorecard(value as JsonObject) ? 'scorecard' : 'all';
}

/** Updates the context keys, which choose between the commands of both scopes, when the settings change. */
export function registerReportScopes(): Disposable {
  const update = () => {
    setContext('scorecard.fullReportScope', reportScope('full'));
    setContext('scorecard.detailedReportScope', reportScope('detailed'));
  };
  update();
  return vscode.Disposable.from(
    ...Object.values(keys).map((key) => onDidChangeSetting(key, update)),
  );
}
