import * as path from 'node:path';
import * as vscode from 'vscode';
import { DownloadError } from '../../api/http/errors';
import { UserError } from '../../base/userError';
import {
  ExportRunningError,
  ExportStoppedError,
  PartMismatchError,
  TooManyColumnsError,
} from '../exportErrors';
import type { ExportResult, TotalChange } from '../exporter';
import { formatNumber, formatTime } from '../../workbench/format';
import { localizedMessage } from '../../workbench/describe';

const { t } = vscode.l10n;

/** Adds the next step to an error of the export files; other errors stay unchanged. */
export function exportError(error: unknown, target: string): unknown {
  switch (true) {
    case error instanceof DownloadError:
      return diskError(error, target, error.reason === 'notWritable' ? 'config' : 'download');
    case error instanceof ExportStoppedError && error.cause instanceof DownloadError:
      return error.cause.reason === 'exists'
        ? diskError(error.cause, target, 'config')
        : new ExportStoppedError(error.path, diskError(error.cause, target, 'download'));
    case error instanceof PartMismatchError:
      return new UserError(
        t(
          '"{0}" is not an unfinished export of the same list, account and choice of secret values. Choose another path, or move the file.',
          error.part,
        ),
        'config',
        { cause: error },
      );
    case error instanceof ExportRunningError:
      return new UserError(
        t(
          'An export to {0} is running. Wait until it finishes, or choose another path. If no export is running, delete "{1}".',
          target,
          error.lock,
        ),
        'config',
        { cause: error },
      );
    case error instanceof TooManyColumnsError:
      return new UserError(
        t(
          'The findings have {0} different fields; CSV files are limited to {1} columns. Export as JSON or NDJSON.',
          formatNumber(error.columns),
          formatNumber(error.limit),
        ),
        'config',
        { cause: error },
      );
    default:
      return error;
  }
}

function diskError(error: DownloadError, target: string, code: 'config' | 'download'): UserError {
  switch (error.reason) {
    case 'exists':
      return targetExists(target, error);
    case 'noSpace':
      return new UserError(
        t('The disk of {0} is full. Free some space, then try again.', path.dirname(target)),
        'download',
        { cause: error },
      );
    case 'notWritable':
      return new UserError(
        t(
          'The folder {0} does not exist or is not writable. Choose another folder.',
          path.dirname(target),
        ),
        code,
        { cause: error },
      );
    case 'partChanged':
      return new UserError(
        t('"{0}" was changed by another program. Delete it, then try again.', `${target}.part`),
        'download',
        { cause: error },
      );
    case 'truncated':
    case 'tooLarge':
    case 'io':
    case 'expiredLink':
      return new UserError(
        t(
          '"{0}" could not be written: {1} Choose another path, or try again.',
          target,
          localizedMessage(error),
        ),
        'download',
        { cause: error },
      );
  }
}

/** The target file already exists. */
export function targetExists(target: string, cause?: unknown): UserError {
  return new UserError(t('"{0}" already exists. Choose another path.', target), 'config', {
    cause,
  });
}

export function describeResult(result: ExportResult, target: string): string {
  const { count, resumed, restarted, changed, hasMasked } = result;
  return [
    count === 1
      ? t('Exported 1 finding to {0}.', target)
      : t('Exported {0} findings to {1}.', formatNumber(count), target),
    ...(resumed
      ? [
          resumed.count === 1
            ? t('1 of them is from an export started at {0}.', formatTime(resumed.startedAt))
            : t(
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
    ...(changed ? [t('The list changed during the export: {0}.', change(changed))] : []),
    ...(hasMasked ? [t('Secret values are masked.')] : []),
  ].join(' ');
}

function change({ before, after }: TotalChange): string {
  const text = (total: number | undefined) => (total === undefined ? '?' : formatNumber(total));
  return before === 1
    ? t('1 finding, then {0}', text(after))
    : t('{0} findings, then {1}', text(before), text(after));
}
