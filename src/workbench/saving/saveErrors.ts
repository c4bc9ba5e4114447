import * as vscode from 'vscode';
import { UserError } from '../../base/userError';
import { FileError } from '../../files/fileError';
import { localizedMessage } from '../describe';
import { causeOf, StoppedError } from '../stoppedError';

const { t } = vscode.l10n;

/** The error that says which file the disk has failed to write; other errors stay unchanged. */
export function toTargetError(error: unknown, target: string): unknown {
  const cause = causeOf(error);
  if (!(cause instanceof FileError)) {
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
