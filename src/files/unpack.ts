import { isUtf8 } from 'node:buffer';
import { createReadStream } from 'node:fs';
import * as fs from 'node:fs/promises';
import * as path from 'node:path';
import { addAbortSignal, pipeline, type Readable } from 'node:stream';
import { crc32, createGunzip } from 'node:zlib';
import type * as yauzl from 'yauzl';
import type { Entry, ZipFile } from 'yauzl';
import { describeDiskError, type Disk, localDisk } from './disk';
import { FileError } from './fileError';
import { isFileSystemError } from './files';
import { CancelledError } from '../base/cancelledError';
import { safeFileName } from './fileName';
import { defaultRatioLimits, exceedsRatio, type RatioLimits } from './packedRatio';
import { type PutPiece, writeWhole } from './wholeFile';

/**
 * Why an archive is not unpacked: it cannot be read (`damaged`), this extension cannot read it
 * (`unsupported`), it does not contain exactly one file (`entries`), it is encrypted, a file in it is a
 * link or points outside its folder (`unsafe`), or it may be too large.
 */
export type UnpackReason =
  | 'damaged'
  | 'unsupported'
  | 'entries'
  | 'encrypted'
  | 'unsafe'
  | 'ratio'
  | 'tooLarge';

/** An archive was not unpacked. No part of it is left on disk. */
export class UnpackError extends Error {
  override readonly name = 'UnpackError';
  /** For programs, see the codes in `docs/commands.md`. */
  readonly code = 'download';

  constructor(readonly reason: UnpackReason) {
    super(`The archive is not unpacked: ${reason}.`);
  }

  get logText(): string {
    return `${this.name}, ${this.reason}`;
  }
}

export interface UnpackLimits extends RatioLimits {
  /** Bytes of the unpacked file. */
  maxBytes: number;
  /** Entries of an archive, including folders. */
  maxEntries: number;
}

export const defaultUnpackLimits: UnpackLimits = {
  ...defaultRatioLimits,
  maxBytes: 4 * 1024 ** 3,
  maxEntries: 100,
};

export interface UnpackOptions {
  limits?: UnpackLimits;
  /** Cancels unpacking. */
  signal?: AbortSignal;
  /** Called for each chunk with the share that is done, 0 to 1. */
  onProgress?: (share: number) => void;
  /** Default: the file system of this machine. */
  disk?: Disk;
}

type UnpackJob = Required<Omit<UnpackOptions, 'signal'>> & {
  readonly archive: string;
  readonly folder: string;
  readonly signal: AbortSignal | undefined;
};

/**
 * Unpacks a gzip file (RFC 1952), or a ZIP archive of one file, into a folder. The file is private
 * to the user, and its name is a safe form of that in the archive. It is on disk when this
 * resolves.
 *
 * @returns the path of the file.
 * @throws UnpackError; FileError when the disk is full; CancelledError. No part of the file is
 *   left then.
 */
export async function unpack(
  archive: string,
  kind: 'gzip' | 'zip',
  folder: string,
  {
    limits = defaultUnpackLimits,
    signal,
    onProgress = () => undefined,
    disk = localDisk,
  }: UnpackOptions = {},
): Promise<string> {
  const unpacking = { archive, folder, limits, signal, onProgress, disk };
  // Outside `try`: a bundle that cannot be loaded does not mean that the archive is damaged.
  const zipLibrary = kind === 'zip' ? await import('yauzl') : undefined;
  try {
    return await (zipLibrary ? unpackZip(unpacking, zipLibrary) : unpackGzip(unpacking));
  } catch (error) {
    if (signal?.aborted === true) {
      throw new CancelledError();
    }
    if (error instanceof UnpackError || error instanceof FileError) {
      throw error;
    }
    if (isFileSystemError(error)) {
      throw describeDiskError(error);
    }
    // Only these words in yauzl's messages tell an unsupported archive from a damaged one.
    throw new UnpackError(
      /\b(unsupported|not supported)\b/i.test(String(error)) ? 'unsupported' : 'damaged',
    );
  }
}

async function unpackGzip(unpacking: UnpackJob): Promise<string> {
  const { archive, folder } = unpacking;
  const name = safeFileName(path.basename(archive).replace(/\.gz$/i, '')) || 'report';
  const { size } = await fs.stat(archive);
  const target = path.join(folder, name);
  await save(target, size, unpacking, () => {
    const packed = createReadStream(archive);
    // Whoever reads the unpacked bytes meets the errors of both.
    const bytes = pipeline(packed, createGunzip(), () => undefined);
    return Promise.resolve({ bytes, shareOf: () => packed.bytesRead / size });
  });
  return target;
}

/** The functions of yauzl that are used here. The package is loaded only when needed. */
type Yauzl = Pick<typeof yauzl, 'openPromise' | 'validateFileName' | 'getFileNameLowLevel'>;

async function unpackZip(unpacking: UnpackJob, zipLibrary: Yauzl): Promise<string> {
  const { archive, folder, limits } = unpacking;
  const zip = await zipLibrary.openPromise(archive, {
    autoClose: false,
    lazyEntries: true,
    // Our code checks the names, to tell a bad name from a damaged archive.
    decodeStrings: false,
    validateEntrySizes: true,
  });
  try {
    const entry = await onlyFile(zip, limits, zipLibrary);
    const { compressedSize, uncompressedSize, crc32: sum } = entry;
    const target = path.join(folder, safeFileName(decodeName(entry, zipLibrary)) || 'report');
    const open = async () => ({
      bytes: await zip.openReadStreamPromise(entry),
      shareOf: (count: number) => count / uncompressedSize,
    });
    await save(target, compressedSize, unpacking, open, sum);
    return target;
  } finally {
    zip.close();
  }
}

/**
 * The only file in an archive. Folders do not count, nor do files that file managers leave next to
 * another file.
 */
async function onlyFile(zip: ZipFile, limits: UnpackLimits, zipLibrary: Yauzl): Promise<Entry> {
  if (zip.entryCount > limits.maxEntries) {
    throw new UnpackError('entries');
  }
  const files: Entry[] = [];
  const fileManagerFiles: Entry[] = [];
  for await (const entry of zip.eachEntry()) {
    const name = decodeName(entry, zipLibrary);
    if (zipLibrary.validateFileName(name) !== null || name.includes('\0')) {
      throw new UnpackError('unsafe');
    }
    // The upper 16 bits are the Unix file mode.
    if (((entry.externalFileAttributes >>> 16) & 0o170000) === 0o120000) {
      throw new UnpackError('unsafe');
    }
    if (entry.isEncrypted()) {
      throw new UnpackError('encrypted');
    }
    if (!name.endsWith('/')) {
      (leftByFileManager.test(name) ? fileManagerFiles : files).push(entry);
    }
  }
  const [only, ...others] = files.length > 0 ? files : fileManagerFiles;
  if (!only || others.length > 0) {
    throw new UnpackError('entries');
  }
  if (![0, 8].includes(only.compressionMethod)) {
    throw new UnpackError('unsupported');
  }
  // The size in the archive is reliable: yauzl fails when there are more bytes.
  checkSize(only.uncompressedSize, only.compressedSize, limits);
  return only;
}

/** `.DS_Store`, `._report.csv`, `__MACOSX/` and the like: macOS, Windows and Linux each have their own. */
const leftByFileManager = /(^|\/)(\.[^/]|__MACOSX\/|(thumbs\.db|desktop\.ini)$)/i;

/**
 * The name of an entry. Backslashes, as in archives made on Windows, become `/`. The bytes decide
 * the encoding, because macOS writes UTF-8 without setting the flag for it. A name that is not
 * UTF-8 is in code page 437 (APPNOTE appendix D), unless the archive contains the name a second
 * time.
 */
function decodeName(
  { fileNameRaw, generalPurposeBitFlag, extraFields }: Entry,
  { getFileNameLowLevel }: Yauzl,
): string {
  const flag = 0x800;
  const flags = isUtf8(fileNameRaw) ? generalPurposeBitFlag | flag : generalPurposeBitFlag & ~flag;
  return getFileNameLowLevel(flags, fileNameRaw, extraFields, false);
}

/**
 * @throws UnpackError when the unpacked size, or its ratio to the packed size, exceeds the
 *   limits.
 */
function checkSize(bytes: number, packedBytes: number, limits: UnpackLimits): void {
  if (bytes > limits.maxBytes) {
    throw new UnpackError('tooLarge');
  }
  if (exceedsRatio(bytes, packedBytes, limits)) {
    throw new UnpackError('ratio');
  }
}

/** What is read from an archive. */
interface Unpacked {
  readonly bytes: Readable;
  /** The share that is done after a count of unpacked bytes. */
  readonly shareOf: (count: number) => number;
}

/**
 * Writes the unpacked bytes to a file while they are within the limits.
 * @param open called late, because errors before that would be missed.
 * @param expected CRC-32 of the bytes, if the format leaves it to us to compare it.
 */
async function save(
  target: string,
  packedBytes: number,
  { limits, signal, onProgress, disk }: UnpackJob,
  open: () => Promise<Unpacked>,
  expected?: number,
): Promise<void> {
  const write = async (put: PutPiece) => {
    const { bytes, shareOf } = await open();
    if (signal) {
      addAbortSignal(signal, bytes);
    }
    let count = 0;
    let sum = 0;
    for await (const chunk of bytes as AsyncIterable<Buffer>) {
      count += chunk.length;
      sum = crc32(chunk, sum);
      checkSize(count, packedBytes, limits);
      onProgress(Math.min(1, shareOf(count)));
      await put(chunk);
    }
    if (expected !== undefined && sum !== expected) {
      throw new UnpackError('damaged');
    }
  };
  // A file that exists is not ours, and stays.
  await writeWhole(disk, { path: target, replace: false }, write, signal);
}
