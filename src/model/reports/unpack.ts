import { createReadStream, createWriteStream } from 'node:fs';
import * as fs from 'node:fs/promises';
import * as path from 'node:path';
import { type Readable, Transform } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { crc32, createGunzip } from 'node:zlib';
import type { Entry, ZipFile } from 'yauzl';
import { diskError } from '../../api/disk';
import { safeFileName } from '../../api/fileName';
import { isDiskError } from './recordDisk';
import { UnpackError } from './unpackError';

/** What is unpacked at most: a few kilobytes can hold terabytes. */
export interface UnpackLimits {
  /** Bytes of the unpacked file. */
  maxBytes: number;
  /** Unpacked bytes for each packed one; reports of repeated lines come to 100. */
  maxRatio: number;
  /** A file of so many bytes may have any ratio. */
  unratedBytes: number;
  /** Entries of an archive, folders among them. */
  maxEntries: number;
}

export const defaultUnpackLimits: UnpackLimits = {
  maxBytes: 4 * 1024 ** 3,
  maxRatio: 250,
  unratedBytes: 16 * 1024 ** 2,
  maxEntries: 100,
};

/**
 * Unpacks a gzip file (RFC 1952), or a ZIP archive of one file, into a folder; the file is private to
 * the user and named as the archive says, made safe.
 *
 * @returns the path of the file.
 * @throws UnpackError; DownloadError when the disk is full. Nothing of it is left then.
 */
export async function unpack(
  archive: string,
  kind: 'gzip' | 'zip',
  folder: string,
  limits: UnpackLimits = defaultUnpackLimits,
): Promise<string> {
  try {
    return await (kind === 'gzip'
      ? unpackGzip(archive, folder, limits)
      : unpackZip(archive, folder, limits));
  } catch (error) {
    if (error instanceof UnpackError) {
      throw error;
    }
    throw isDiskError(error) ? diskError(error.code) : new UnpackError('damaged');
  }
}

async function unpackGzip(archive: string, folder: string, limits: UnpackLimits): Promise<string> {
  const name = safeFileName(path.basename(archive).replace(/\.gz$/i, '')) || 'report';
  const { size } = await fs.stat(archive);
  const target = path.join(folder, name);
  await save([createReadStream(archive), createGunzip()], target, size, limits);
  return target;
}

async function unpackZip(archive: string, folder: string, limits: UnpackLimits): Promise<string> {
  const { openPromise, validateFileName } = await import('yauzl');
  const zip = await openPromise(archive, {
    autoClose: false,
    lazyEntries: true,
    // Names are judged here, so that a bad one is told from a damaged archive.
    decodeStrings: false,
    validateEntrySizes: true,
  });
  try {
    const entry = await onlyFile(zip, limits, validateFileName);
    const target = path.join(folder, safeFileName(nameOf(entry)) || 'report');
    const stream = await zip.openReadStreamPromise(entry);
    const sum = await save([stream], target, entry.compressedSize, limits);
    if (sum !== entry.crc32) {
      await fs.rm(target, { force: true });
      throw new UnpackError('damaged');
    }
    return target;
  } finally {
    zip.close();
  }
}

/** The one file in an archive; what macOS writes beside it, and folders, are none. */
async function onlyFile(
  zip: ZipFile,
  limits: UnpackLimits,
  validateFileName: (name: string) => string | null,
): Promise<Entry> {
  if (zip.entryCount > limits.maxEntries) {
    throw new UnpackError('entries');
  }
  const files: Entry[] = [];
  for await (const entry of zip.eachEntry()) {
    const name = nameOf(entry);
    // A backslash is a separator to those who write such names, and in Windows.
    if (validateFileName(name.replaceAll('\\', '/')) !== null || name.includes('\0')) {
      throw new UnpackError('path');
    }
    // The upper half is the mode of Unix.
    if (((entry.externalFileAttributes >>> 16) & 0o170000) === 0o120000) {
      throw new UnpackError('link');
    }
    if (entry.isEncrypted()) {
      throw new UnpackError('encrypted');
    }
    if (!name.endsWith('/') && !name.startsWith('__MACOSX/')) {
      files.push(entry);
    }
  }
  const [only] = files;
  if (!only || files.length > 1) {
    throw new UnpackError('entries');
  }
  if (only.uncompressedSize > limits.maxBytes) {
    throw new UnpackError('tooLarge');
  }
  return only;
}

function nameOf(entry: Entry): string {
  return entry.fileNameRaw.toString('utf8');
}

/** Writes what comes while it is within the limits. @returns its CRC-32. */
async function save(
  source: readonly [Readable, ...Transform[]],
  target: string,
  packedBytes: number,
  limits: UnpackLimits,
): Promise<number> {
  let bytes = 0;
  let sum = 0;
  const meter = new Transform({
    transform: (chunk: Buffer, _, callback) => {
      bytes += chunk.length;
      sum = crc32(chunk, sum);
      if (bytes > limits.maxBytes) {
        callback(new UnpackError('tooLarge'));
      } else if (bytes > limits.unratedBytes && bytes > packedBytes * limits.maxRatio) {
        callback(new UnpackError('ratio'));
      } else {
        callback(undefined, chunk);
      }
    },
  });
  try {
    const file = createWriteStream(target, { flags: 'wx', mode: 0o600 });
    await pipeline([...source, meter, file]);
  } catch (error) {
    await fs.rm(target, { force: true });
    throw error;
  }
  return sum;
}
