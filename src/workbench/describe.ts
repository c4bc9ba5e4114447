import * as vscode from 'vscode';
import { CancelledError } from '../base/cancelledError';
import { defined } from '../base/defined';
import { Message } from '../base/message';
import { plainText, withPeriod } from '../base/text/plainText';
import { UserError } from '../base/userError';
import { FileError } from '../files/fileError';
import { defaultUnpackLimits, UnpackError } from '../files/unpack';
import { formatBytes } from './format';
import { StoppedError } from './stoppedError';

const { t } = vscode.l10n;

/** What a user and a program learn of an error. */
export interface ErrorDescription {
  /** What happened and what to do next, in one line. */
  readonly text: string;
  /** The same in a few words, for a row of a tree. */
  readonly brief: string;
  /** For programs; see `docs/commands.md`. */
  readonly code: string;
  /** What else a program gets. */
  readonly details?: {
    readonly status?: number;
    readonly retryAt?: string;
    /** Of the page of findings that failed; those before it are loaded. */
    readonly offset?: number;
  };
  /** What may help, as a button. */
  readonly remedy?: 'signIn' | 'addScorecard' | 'tryAgain';
}

/** Describes the errors of a room; `undefined` for others. */
export type ErrorDescriber = (error: unknown) => ErrorDescription | undefined;

/** Describes any error. */
export type DescribeError = (error: unknown) => ErrorDescription;

/**
 * Combines descriptions of errors with those of errors that every room can meet.
 * @param describers the first that knows an error describes it.
 */
export function createDescriber(describers: readonly ErrorDescriber[]): DescribeError {
  const describe = (error: unknown): ErrorDescription => {
    if (error instanceof StoppedError) {
      const cause = describe(error.cause);
      return { ...cause, text: shorten(`${cause.text} ${localize(error.next)}`) };
    }
    for (const describer of describers) {
      const described = describer(error);
      if (described) {
        return { ...described, text: shorten(described.text) };
      }
    }
    return {
      text: shorten(describeBuiltIn(error)),
      brief: error instanceof FileError ? t('Download interrupted') : t('Not loaded'),
      code: findCode(error),
      ...(error instanceof UserError && defined({ remedy: error.remedy })),
    };
  };
  return describe;
}

/** Describes an error where no request is made. */
export const describeError: DescribeError = createDescriber([]);

/** The error that a program gets: a readable message and a code. */
export function toCodedError(error: unknown, describe: DescribeError): Error {
  const { text, code, details } = describe(error);
  return Object.assign(new Error(text, { cause: error }), { code, ...details });
}

/** Says how much of an interrupted download is kept, in bytes. */
export function describeKept(bytes: number): string {
  return t('{0} saved. Retry resumes from there.', formatBytes(bytes));
}

/** @param why a sentence */
export function describeUnsaved(why: string): string {
  return t(
    'The report could not be saved: {0} Check the folder in scorecard.reports.folder, then retry the report.',
    withPeriod(why),
  );
}

export function describeUnexpected(error: unknown): string {
  return t(
    'Unexpected error: {0} See the log for details.',
    withPeriod(error instanceof Error ? error.message : String(error)),
  );
}

export function localize({ text, args }: Message): string {
  return vscode.l10n.t(
    text,
    ...args.map((argument) => (typeof argument === 'object' ? localize(argument) : argument)),
  );
}

/** A label of the core in the language of VS Code; a name stays as it is. */
export function localizedLabel(label: string | Message): string {
  return label instanceof Message ? localize(label) : label;
}

/** The message of an error in the language of VS Code, if it is translatable. */
export function localizedMessage({
  sentence,
  message,
}: {
  readonly sentence: Message | undefined;
  readonly message: string;
}): string {
  return sentence === undefined ? message : localize(sentence);
}

function shorten(text: string): string {
  return plainText(text, 600);
}

function findCode(error: unknown): string {
  switch (true) {
    case error instanceof UserError:
    case error instanceof CancelledError:
    case error instanceof FileError:
    case error instanceof UnpackError:
      return error.code;
    default:
      // All files that we read and write belong to reports.
      return findSystemCode(error) === undefined ? 'protocol' : 'download';
  }
}

function findSystemCode(error: unknown): string | undefined {
  const { code, syscall } = (error ?? {}) as { code?: unknown; syscall?: unknown };
  const isSystem = typeof syscall === 'string' && typeof code === 'string' && /^E[A-Z]/.test(code);
  return isSystem && error instanceof Error ? code : undefined;
}

function describeBuiltIn(error: unknown): string {
  switch (true) {
    case error instanceof UserError:
      return localizedMessage(error);
    case error instanceof FileError:
      return fileSentence(error);
    case error instanceof UnpackError:
      return unpackSentence(error);
    case findSystemCode(error) !== undefined:
      return t(
        'Could not read or write a file ({0}). Check that its folder exists, is writable and has free space, then try again.',
        findSystemCode(error) ?? '',
      );
    default:
      return describeUnexpected(error);
  }
}

function fileSentence(error: FileError): string {
  const { reason, keptBytes } = error;
  const sentence =
    reason === 'noSpace'
      ? `${fullDisk(error)} ${t('Free up space, or choose another folder in scorecard.reports.folder, then retry the report.')}`
      : describeUnsaved(localizedMessage(error));
  return [sentence, ...(keptBytes === undefined ? [] : [describeKept(keptBytes)])].join(' ');
}

function fullDisk({ space }: FileError): string {
  const { folder = '', neededBytes, freeBytes } = space ?? {};
  return neededBytes === undefined || freeBytes === undefined
    ? t('The disk is full.')
    : t(
        'The disk is full: the report needs {0}, {1} free in {2}.',
        formatBytes(neededBytes),
        formatBytes(freeBytes),
        folder,
      );
}

function unpackSentence({ reason }: UnpackError): string {
  switch (reason) {
    case 'damaged':
      return t(
        'The archive cannot be unpacked: it is damaged or incomplete. Reveal the file to look into it, or start another report.',
      );
    case 'unsupported':
      return t(
        'This type of archive cannot be unpacked here. Reveal the file and unpack it in its folder.',
      );
    case 'entries':
      return t(
        'The archive contains no file, or more than one. Reveal it and unpack it in its folder.',
      );
    case 'encrypted':
      return t('The archive is encrypted. Reveal it and unpack it with its password.');
    case 'unsafe':
      return t(
        "The archive was not unpacked: a file in it points outside its folder. Contact the service's support.",
      );
    case 'ratio':
      return t(
        'The archive was not unpacked: it would take more than {0} times its size. Reveal it and unpack it where there is room.',
        defaultUnpackLimits.maxRatio,
      );
    case 'tooLarge':
      return t(
        'The archive was not unpacked: it would take more than {0}. Reveal it and unpack it where there is room.',
        formatBytes(defaultUnpackLimits.maxBytes),
      );
  }
}
