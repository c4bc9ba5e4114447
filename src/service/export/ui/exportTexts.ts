import * as vscode from 'vscode';
import type { ExportResult } from '../exporter';
import { formatNumber, formatTime } from '../../../workbench/format';

const { t } = vscode.l10n;

export function describeResult(result: ExportResult, target: string): string {
  const { count, resumed, restarted, changed, hasMasked } = result;
  return [
    count === 1
      ? t('Exported 1 finding to {0}.', target)
      : t('Exported {0} findings to {1}.', formatNumber(count), target),
    ...(resumed
      ? [
          t(
            '{0} of them are from an export started at {1}.',
            formatNumber(resumed.count),
            formatTime(resumed.startedAt),
          ),
        ]
      : []),
    ...(restarted
      ? [
          t(
            'The interrupted export started over: it was more than a day old, or the list has changed.',
          ),
        ]
      : []),
    ...(changed ? [t('The list changed during the export.')] : []),
    ...(hasMasked ? [t('Secret values are masked.')] : []),
  ].join(' ');
}
