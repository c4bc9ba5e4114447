import { Message, message } from '../base/message';
import { plainText } from '../base/text/plainText';

/** The room that a file needs and its disk has. Unknown numbers are `undefined`. */
export interface NoSpace {
  /** Where the file should have been saved. */
  readonly folder: string;
  /** How many bytes of the file have not been saved. */
  readonly neededBytes: number | undefined;
  /** How many bytes are free there. */
  readonly freeBytes: number | undefined;
}

/**
 * Why a file could not be written. `notWritable`: its folder; `inUse`: another program has it open; `tooLarge`: for the
 * file system; `changed`: by another program, meanwhile; `io`: for any other reason.
 */
export type FileReason =
  | 'exists'
  | 'noSpace'
  | 'notWritable'
  | 'inUse'
  | 'tooLarge'
  | 'changed'
  | 'io';

/** A file could not be written. */
export class FileError extends Error {
  override readonly name = 'FileError';
  /** For programs, see the codes in `docs/commands.md`. */
  readonly code = 'download';
  /** The message as a translatable sentence, if it was written for users too. */
  readonly sentence: Message | undefined;
  /** For `noSpace`, if known. */
  readonly space: NoSpace | undefined;
  /** Bytes of the file that were kept; set by the caller that keeps them. */
  keptBytes: number | undefined;

  constructor(
    readonly reason: FileReason,
    text: string | Message,
    space?: NoSpace,
  ) {
    super(String(text));
    this.sentence = text instanceof Message ? text : undefined;
    this.space = space;
  }

  get logText(): string {
    return `${this.name}, ${plainText(this.message, 300)}`;
  }
}

/** The error for a failure of the file system. @param code of that failure, such as `ENOSPC` */
export function toFileError(code: string | undefined): FileError {
  const [reason, sentence] = reasons.get(code) ?? otherReason;
  return new FileError(reason, sentence(code === undefined ? '' : ` (${code})`));
}

/** The error for a disk that has, or had, no room for the rest of a file. Both numbers are bytes. */
export function createNoSpaceError(
  folder: string,
  neededBytes: number | undefined,
  freeBytes: number | undefined,
): FileError {
  const figures = [
    ...(neededBytes === undefined ? [] : [`${neededBytes} bytes are needed`]),
    ...(freeBytes === undefined ? [] : [`${freeBytes} bytes are free`]),
  ].join(', ');
  return new FileError('noSpace', `The disk is full${figures === '' ? '' : `: ${figures}`}.`, {
    folder,
    neededBytes,
    freeBytes,
  });
}

/** Why the disk failed, and a sentence that includes the code in parentheses. */
type DiskReason = [reason: FileReason, sentence: (code: string) => Message];

const otherReason: DiskReason = [
  'io',
  (code) => message('The file could not be written{0}.', code),
];
const notWritable: DiskReason = [
  'notWritable',
  (code) => message('The folder does not exist or is not writable{0}.', code),
];
const noSpace: DiskReason = ['noSpace', (code) => message('The disk is full{0}.', code)];
const reasons = new Map<string | undefined, DiskReason>([
  ['ENOSPC', noSpace],
  ['EDQUOT', noSpace],
  ['EFBIG', ['tooLarge', (code) => message('The file is too large for the file system{0}.', code)]],
  ['EEXIST', ['exists', (code) => message('A file with this name already exists{0}.', code)]],
  ['EACCES', notWritable],
  ['EPERM', notWritable],
  ['EROFS', notWritable],
  ['ENOTDIR', notWritable],
  ['ENOENT', notWritable],
]);
