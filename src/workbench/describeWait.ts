import * as vscode from 'vscode';
import { formatMinute } from './format';

const { t } = vscode.l10n;

/** A wait of a request: why, and until when (wall clock, in milliseconds). */
export interface Wait {
  readonly reason: 'retry' | 'budget' | 'limit';
  readonly until: number;
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
