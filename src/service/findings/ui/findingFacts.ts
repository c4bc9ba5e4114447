import * as vscode from 'vscode';
import type { JsonObject } from '../../../base/json/json';
import { plainText } from '../../../base/text/plainText';
import type { ShownNames } from '../../../vocabulary/shownNames';
import { severityWord } from './findingItems';
import { formatMoment } from '../../../workbench/format';
import type { FindingFact } from '../../../protocol/findingProtocol';
import { type FindingRecord, textOf } from '../../../vocabulary/findingSummary';
import { says } from '../../../vocabulary/meanings';
import { severityPosition, type WorstSeverity } from '../../../vocabulary/worstSeverity';

const { t } = vscode.l10n;

/**
 * The facts next to the title of a finding. If the name of a field may mean something else, the label is that
 * name.
 * @param ofType the severity of its issue type, for a finding without one: what the service says, or the newest full
 * report.
 */
export function findingFacts(
  entry: JsonObject,
  record: FindingRecord,
  ofType: WorstSeverity | undefined,
  names: ShownNames,
): FindingFact[] {
  const fact = (
    meaning: 'status' | 'firstSeen' | 'lastSeen',
    label: string,
    kind: FindingFact['kind'],
  ): FindingFact[] => {
    const name = record[meaning];
    const text = name === undefined ? undefined : textOf(entry[name]);
    return name === undefined || text === undefined
      ? []
      : [
          {
            label: says(meaning, name) ? label : plainText(name, 60),
            kind,
            text: plainText(meaning === 'status' ? names.formatKey(text) : text, 100),
          },
        ];
  };
  return [
    ...severityFact(entry, ofType),
    ...fact('status', t('Status'), 'text'),
    ...fact('firstSeen', t('First seen'), 'date'),
    ...fact('lastSeen', t('Last seen'), 'date'),
  ];
}

function severityFact(entry: JsonObject, ofType: WorstSeverity | undefined): FindingFact[] {
  const inFinding = severityPosition(entry);
  const position = inFinding ?? ofType?.position;
  if (position === undefined) {
    return [];
  }
  const severity = { kind: 'severity', text: severityWord(position), position } as const;
  if (inFinding !== undefined) {
    return [{ ...severity, label: t('Severity') }];
  }
  const reportedAt = ofType?.reportedAt;
  const source =
    reportedAt === undefined
      ? {}
      : { source: `${t('Full report')} \u00b7 ${formatMoment(reportedAt)}` };
  return [{ ...severity, label: t('Severity of the issue type'), ...source }];
}
