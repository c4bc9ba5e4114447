import { type FileHandle, link, open, rename, stat, unlink } from 'node:fs/promises';
import type { Clock } from '../common/clock';
import { ApiError, DownloadError, type DownloadReason } from './errors';
import type { DownloadProgress } from './types';

/** The least time between two reports of progress, in milliseconds. */
const progressEveryMs = 250;

/** What is saved and how. */
export interface Download {
  /** The body; ending its iteration early closes the connection. */
  chunks: AsyncIterable<Buffer>;
  /** Bytes declared by the service. */
  total: number | undefined;
  /** The most bytes that are taken. */
  maxBytes: number;
  clock: Clock;
  /** Replace what an earlier session left at `<path>.part`. */
  replacePart: boolean;
  onProgress: ((progress: DownloadProgress) => void) | undefined;
}

/**
 * Streams a body to `<path>.part` and, when it is complete and on the disk, gives it its name.
 * Whatever fails, nothing is left at `path` and no part stays behind.
 *
 * @returns the number of bytes.
 * @throws DownloadError, TimeoutError, CancelledError
 */
export async function saveDownload(path: string, download: Download): Promise<number> {
  const part = `${path}.part`;
  const handle = await onDisk(async () => {
    await refuseExisting(path);
    if (download.replacePart) {
      await unlink(part).catch(ignoreMissing);
    }
    return open(part, 'wx', 0o600);
  });
  try {
    let received: number;
    try {
      received = await write(handle, download);
      await onDisk(() => handle.sync());
    } finally {
      await handle.close();
    }
    await onDisk(() => moveWithoutReplacing(part, path));
    return received;
  } catch (error) {
    await unlink(part).catch(ignoreMissing);
    throw error;
  }
}

/** One piece after the other, each on its way to the disk before the next is asked for. */
async function write(handle: FileHandle, download: Download): Promise<number> {
  const { total, maxBytes, clock } = download;
  if (total !== undefined && total > maxBytes) {
    throw tooLarge(maxBytes);
  }
  let received = 0;
  let reportedAt = -Infinity;
  const report = (force: boolean) => {
    if (force || clock.monotonic() - reportedAt >= progressEveryMs) {
      reportedAt = clock.monotonic();
      download.onProgress?.({ received, total });
    }
  };
  for await (const chunk of unbroken(download.chunks, () => received, total)) {
    received += chunk.length;
    if (received > maxBytes) {
      throw tooLarge(maxBytes);
    }
    await onDisk(() => writeAll(handle, chunk));
    report(false);
  }
  if (total !== undefined && received !== total) {
    throw truncated(received, total);
  }
  report(true);
  return received;
}

/** A connection that ends inside the body is a download that was cut, whatever ended it. */
async function* unbroken(
  chunks: AsyncIterable<Buffer>,
  received: () => number,
  total: number | undefined,
): AsyncGenerator<Buffer, void, undefined> {
  try {
    yield* chunks;
  } catch (error) {
    throw error instanceof ApiError && error.code === 'network'
      ? truncated(received(), total)
      : error;
  }
}

async function writeAll(handle: FileHandle, chunk: Buffer): Promise<void> {
  for (let written = 0; written < chunk.length;) {
    written += (await handle.write(chunk, written)).bytesWritten;
  }
}

/**
 * Gives the part its name. A rename alone would replace a file that came into being meanwhile; a
 * second link to the part is refused then. Where the file system knows no links (FAT, some network
 * shares) a look before the rename has to do.
 */
async function moveWithoutReplacing(part: string, path: string): Promise<void> {
  try {
    await link(part, path);
  } catch (error) {
    if (codeOf(error) === 'EEXIST') {
      throw error;
    }
    await refuseExisting(path);
    await rename(part, path);
    return;
  }
  await unlink(part);
}

async function refuseExisting(path: string): Promise<void> {
  const exists = await stat(path).then(
    () => true,
    (error: unknown) => {
      ignoreMissing(error);
      return false;
    },
  );
  if (exists) {
    throw new DownloadError('exists', 'There is a file of that name already.');
  }
}

/** Runs a step on the disk; what it throws becomes a DownloadError. */
async function onDisk<T>(step: () => Promise<T>): Promise<T> {
  try {
    return await step();
  } catch (error) {
    throw error instanceof ApiError ? error : diskError(codeOf(error));
  }
}

/** The DownloadError for an error code of the file system. */
export function diskError(code: string | undefined): DownloadError {
  const [reason, sentence] = diskReasons.get(code) ?? ['io', 'The file could not be written'];
  return new DownloadError(reason, `${sentence}${code === undefined ? '' : ` (${code})`}.`);
}

const notWritable: [DownloadReason, string] = ['notWritable', 'The folder cannot be written to'];
const noSpace: [DownloadReason, string] = ['noSpace', 'The disk is full'];
const diskReasons = new Map<string | undefined, [DownloadReason, string]>([
  ['ENOSPC', noSpace],
  ['EDQUOT', noSpace],
  ['EFBIG', ['tooLarge', 'The file system takes no file of this size']],
  ['EEXIST', ['exists', 'There is a file of that name already']],
  ['EACCES', notWritable],
  ['EPERM', notWritable],
  ['EROFS', notWritable],
  ['ENOTDIR', notWritable],
  ['ENOENT', notWritable],
]);

function tooLarge(maxBytes: number): DownloadError {
  return new DownloadError('tooLarge', `The report is larger than ${maxBytes} bytes.`);
}

function truncated(received: number, total: number | undefined): DownloadError {
  return new DownloadError(
    'truncated',
    `The connection ended after ${received} ${total === undefined ? '' : `of ${total} `}bytes.`,
  );
}

function ignoreMissing(error: unknown): void {
  if (codeOf(error) !== 'ENOENT') {
    throw error;
  }
}

function codeOf(error: unknown): string | undefined {
  const code: unknown = (error as { code?: unknown } | null)?.code;
  return typeof code === 'string' ? code : undefined;
}
