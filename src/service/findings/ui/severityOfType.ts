import * as vscode from 'vscode';
import { severityTone } from '../../../summary/severityTones';
import type { RecordFact } from '../../../summary/shownRecord';
import type { Texts } from '../../../summary/texts';
import { formatMoment } from '../../../workbench/format';
import type { WorstSeverity } from '../../../vocabulary/worstSeverity';
import { severityLevels } from '../../../vocabulary/severity';

const { t } = vscode.l10n;

/** The fact of a finding without a severity: what the service says of its issue type, or the newest full report. */
export function severityOfType(
  { position, reportedAt }: WorstSeverity,
  texts: Texts,
): RecordFact | undefined {
  const level = severityLevels[position];
  return level === undefined
    ? undefined
    : {
        label: t('Severity of the issue type'),
        kind: 'severity',
        text: texts.get(level),
        tone: severityTone(position),
        ...(reportedAt !== undefined && {
          source: `${t('Full report')} \u00b7 ${formatMoment(reportedAt)}`,
        }),
      };
}
