import * as path from 'node:path';
import * as vscode from 'vscode';
import { DownloadError } from '../../api/http/errors';
import { HumanError } from '../../base/humanError';
import {
  ExportRunningError,
  ExportStoppedError,
  PartMismatchError,
  TooManyColumnsError,
} from '../exportErrors';
import type { ExportResult, TotalChange } from '../exporter';
import { formatNumber, formatTime } from '../../workbench/format';
import { localizedMessage } from '../../workbench/localize';

const { t } = vscode.l10n;

/** An error of an export as one that says what to do; what is no error of its files stays as it is. */
export function exportError(error: unknown, target: string): unknown {
  switch (true) {
    case error instanceof DownloadError:
      return diskError(error, target, error.reason === 'notWritable' ? 'config' : 'download');
    case error instanceof ExportStoppedError && error.cause instanceof DownloadError:
      return error.cause.reason === 'exists'
        ? diskError(error.cause, target, 'config')
        : new ExportStoppedError(error.path, diskError(error.cause, target, 'download'));
    case error instanceof PartMismatchError:
      return new HumanError(mismatch(error), 'config', { cause: error });
    case error instanceof ExportRunningError:
      return new HumanError(
        error.lock === undefined
          ? t('An export to {0} is running. Wait for it, or choose another path.', target)
          : t(
              'Another window is exporting to {0}. Wait for it, or choose another path. If no export is running, delete "{1}".',
              target,
              error.lock,
            ),
        'config',
        { cause: error },
      );
    case error instanceof TooManyColumnsError:
      return new HumanError(
        t(
          'The findings have {0} different fields, and a CSV file gets at most {1} columns. Export them as JSON or NDJSON.',
          formatNumber(error.columns),
          formatNumber(error.most),
        ),
        'config',
        { cause: error },
      );
    default:
      return error;
  }
}

function diskError(error: DownloadError, target: string, code: 'config' | 'download'): HumanError {
  switch (error.reason) {
    case 'exists':
      return targetExists(target, error);
    case 'noSpace':
      return new HumanError(
        t('The disk of {0} is full. Free some space, then try again.', path.dirname(target)),
        'download',
        { cause: error },
      );
    case 'notWritable':
      return new HumanError(
        t(
          'The folder {0} is not there, or cannot be written to. Give a path in a folder that exists and is yours.',
          path.dirname(target),
        ),
        code,
        { cause: error },
      );
    case 'partChanged':
      return new HumanError(
        t(
          '"{0}" has been changed by another program. Delete it, then try again.',
          `${target}.part`,
        ),
        'download',
        { cause: error },
      );
    case 'truncated':
    case 'tooLarge':
    case 'io':
    case 'expiredLink':
      return new HumanError(
        t(
          '"{0}" could not be written: {1} Give another path, or try again.',
          target,
          localizedMessage(error),
        ),
        'download',
        { cause: error },
      );
  }
}

/** A file stands where a program wants one. */
export function targetExists(target: string, cause?: unknown): HumanError {
  return new HumanError(
    t('"{0}" already exists. Choose another path.', target),
    'config',
    { cause },
  );
}

function mismatch({ part, problem }: PartMismatchError): string {
  switch (problem) {
    case 'otherExport':
      return t(
        '"{0}" holds an unfinished export of another list, account or choice of secret values. Give another path, or delete that file.',
        part,
      );
    case 'newer':
      return t(
        '"{0}" holds an unfinished export of a later version of this extension. Give another path, or delete that file.',
        part,
      );
    case 'foreign':
      return t(
        '"{0}" is not an unfinished export, and is not overwritten. Give another path, or move that file.',
        part,
      );
  }
}

/** What a person reads when the file is there. */
export function describeResult(result: ExportResult, target: string): string {
  const { count, resumed, restarted, outdated, changed, hasMasked } = result;
  return [
    count === 1
      ? t('1 finding is exported to {0}.', target)
      : t('{0} findings are exported to {1}.', formatNumber(count), target),
    ...(resumed
      ? [
          resumed.count === 1
            ? t('1 of them is from an export begun at {0}.', formatTime(resumed.startedAt))
            : t(
                '{0} of them are from an export begun at {1}.',
                formatNumber(resumed.count),
                formatTime(resumed.startedAt),
              ),
        ]
      : []),
    ...(restarted
      ? [
          t(
            'The list had changed since the export was interrupted ({0}), so it was started anew.',
            change(restarted),
          ),
        ]
      : []),
    ...(outdated
      ? [
          t(
            'An export begun at {0} was too old to go on with, so it was started anew.',
            formatTime(outdated.startedAt),
          ),
        ]
      : []),
    ...(changed
      ? [t('The list changed while it was exported: the service counted {0}.', change(changed))]
      : []),
    ...(hasMasked ? [t('Secret values are masked.')] : []),
  ].join(' ');
}

function change({ before, after }: TotalChange): string {
  const text = (total: number | undefined) => (total === undefined ? '?' : formatNumber(total));
  return before === 1
    ? t('1 finding, then {0}', text(after))
    : t('{0} findings, then {1}', text(before), text(after));
}
