import * as vscode from 'vscode';
import { DownloadError } from '../../../api/http/errors';
import { UserError } from '../../../base/userError';
import type { ExportResult } from '../exporter';
import { formatNumber, formatTime } from '../../../workbench/format';
import { localizedMessage } from '../../../workbench/describe';
import { causeOf, StoppedError } from '../../../workbench/workbenchErrors';

const { t } = vscode.l10n;

/** Says which file the disk has failed to write; other errors stay unchanged. */
export function exportError(error: unknown, target: string): unknown {
  const cause = causeOf(error);
  if (!(cause instanceof DownloadError)) {
    return error;
  }
  const isStopped = error instanceof StoppedError && cause.reason !== 'exists';
  const isOfPath = cause.reason === 'exists' || (cause.reason === 'notWritable' && !isStopped);
  const userError = new UserError(
    t(
      '"{0}" could not be written: {1} Choose another path, or try again.',
      target,
      localizedMessage(cause),
    ),
    isOfPath ? 'config' : 'download',
    { cause },
  );
  return isStopped ? new StoppedError(error.next, userError) : userError;
}

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
