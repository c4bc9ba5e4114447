import { dirname } from 'node:path';
import type { Clock } from '../../base/clock';
import { message } from '../../base/message';
import { byteLength } from '../http/batches';
import {
  type Disk,
  type DiskFile,
  ignoreMissing,
  moveWithoutReplacing,
  noSpaceError,
  onDisk,
  openPart,
  refuseExisting,
  syncFolder,
} from './disk';
import {
  CancelledError,
  DownloadError,
  NetworkError,
  ProtocolError,
  TimeoutError,
} from '../http/errors';
import { PartWriter } from './partWriter';
import type { Extent } from './resume';
import type { DownloadProgress } from '../types';

/** The least time between two reports of progress, in milliseconds. */
const progressEveryMs = 250;

export interface SaveContext {
  clock: Clock;
  disk: Disk;
  /** The most bytes that a report may have. */
  maxBytes: number;
}

export interface Download {
  context: SaveContext;
  /** The body. Whoever gives the download closes its connection. */
  batches: AsyncIterable<Buffer[]>;
  extent: Extent;
  /** Where the body is written until it is whole. */
  part: string;
  /** Leave the part when the body breaks off, for a later call to resume. */
  keepPart: boolean;
  onProgress: ((progress: DownloadProgress) => void) | undefined;
  /** May refuse to give the file its name, by throwing. */
  beforeMove: () => void;
}

/**
 * Streams a body to its part and, when it is complete and on the disk, gives it its name.
 * Whatever fails, nothing is left at `path`.
 *
 * @returns the number of bytes of the file.
 * @throws DownloadError, ProtocolError, TimeoutError, CancelledError
 */
export async function saveDownload(path: string, download: Download): Promise<number> {
  const { disk } = download.context;
  const { part } = download;
  const file = await onDisk(() => openFor(path, download));
  try {
    const size = await writePart(path, file, download);
    download.beforeMove();
    await onDisk(() => moveWithoutReplacing(disk, part, path));
    await syncFolder(disk, dirname(path));
    return size;
  } catch (error) {
    if (!keepsPart(download, error) && !isOtherPart(error)) {
      // A part that cannot be removed does not explain why the download failed.
      await disk.unlink(part).catch(() => undefined);
    }
    throw error;
  }
}

/** Writes the body, puts it on the disk, and closes the file, also when something fails. */
async function writePart(path: string, file: DiskFile, download: Download): Promise<number> {
  let size: number;
  try {
    await refuseFullDisk(path, download);
    size = await write(file, download);
    await onDisk(() => file.sync());
    await onDisk(() => refuseOtherPart(download.context.disk, download.part, file));
  } catch (error) {
    const failure = await withFigures(error, path, file, download);
    if (keepsPart(download, error) && !(error instanceof CancelledError)) {
      // A later call trusts every byte of the part, and a disk may report lost bytes only once. A
      // caller who cancels does not wait for another sync: the later call syncs the part again.
      const { disk } = download.context;
      await file.sync().catch(() => disk.unlink(download.part).catch(() => undefined));
    }
    await file.close().catch(() => undefined);
    throw failure;
  }
  await onDisk(() => file.close());
  return size;
}

/** Opens the part: a new one, or the one whose bytes the body continues from. */
async function openFor(path: string, download: Download): Promise<DiskFile> {
  const { part } = download;
  const { disk } = download.context;
  await refuseExisting(disk, path);
  if (download.extent.start === 0) {
    return disk.open(part, 'wx', 0o600);
  }
  const file = await openPart(disk, part).catch((error: unknown) => {
    ignoreMissing(error);
    throw partChanged();
  });
  try {
    const { size } = await file.stat();
    if (size !== download.extent.start) {
      throw partChanged();
    }
  } catch (error) {
    await file.close().catch(() => undefined);
    throw error;
  }
  return file;
}

/** What is there by name must be what was written, or another download would get this one's name. */
async function refuseOtherPart(disk: Disk, part: string, file: DiskFile): Promise<void> {
  const named = await disk.lstat(part).catch(ignoreMissing);
  const written = await file.stat();
  if (named?.ino !== written.ino || named.dev !== written.dev) {
    throw partChanged();
  }
}

/** What is to come has to fit on the disk and under the cap, where the service says how much it is. */
async function refuseFullDisk(path: string, download: Download): Promise<void> {
  const { disk, maxBytes } = download.context;
  const { start, total } = download.extent;
  if (total === undefined) {
    return;
  }
  if (total > maxBytes) {
    throw tooLarge(maxBytes);
  }
  const freeBytes = await disk.freeBytes(dirname(path));
  if (freeBytes !== undefined && freeBytes < total - start) {
    throw noSpaceError(dirname(path), total - start, freeBytes);
  }
}

/** The disk writes while the network brings more; a few megabytes lie between the two. */
async function write(file: DiskFile, download: Download): Promise<number> {
  const { batches, extent } = download;
  const { clock, maxBytes } = download.context;
  const { start, end, total } = extent;
  const writer = new PartWriter(file, start);
  let received = start;
  let reportedAt = -Infinity;
  const report = (force: boolean) => {
    if (force || clock.monotonic() - reportedAt >= progressEveryMs) {
      reportedAt = clock.monotonic();
      download.onProgress?.({ received, total });
    }
  };
  try {
    for await (const batch of batches) {
      received += byteLength(batch);
      if (received > maxBytes) {
        throw tooLarge(maxBytes);
      }
      if (received > (end ?? Infinity)) {
        throw new ProtocolError(message('The service sent more bytes than it declared.'));
      }
      await onDisk(() => writer.write(batch));
      report(false);
    }
  } catch (error) {
    // A connection that ends inside the body is a download that was cut, whatever ended it.
    throw error instanceof NetworkError ? truncated(received, total) : error;
  } finally {
    // Also after a break: what has arrived need not be sent again.
    await onDisk(() => writer.flush());
  }
  if (received !== (total ?? received)) {
    throw truncated(received, total);
  }
  report(true);
  return received;
}

/** A disk that turned out to be full: how much was still to come, and what is free. */
async function withFigures(
  error: unknown,
  path: string,
  file: DiskFile,
  { context, extent }: Download,
): Promise<unknown> {
  if (!(error instanceof DownloadError) || error.reason !== 'noSpace') {
    return error;
  }
  const size = await file.stat().then(
    (stats) => stats.size,
    () => undefined,
  );
  const neededBytes =
    extent.total === undefined || size === undefined ? undefined : extent.total - size;
  return noSpaceError(dirname(path), neededBytes, await context.disk.freeBytes(dirname(path)));
}

/**
 * Whether the part is kept after a failure: the caller wants it, and its bytes are good because the
 * body only ended early or was stopped.
 */
function keepsPart({ keepPart }: Download, error: unknown): boolean {
  return (
    keepPart &&
    (error instanceof TimeoutError ||
      error instanceof CancelledError ||
      (error instanceof DownloadError && error.reason === 'truncated'))
  );
}

function isOtherPart(error: unknown): boolean {
  return error instanceof DownloadError && error.reason === 'partChanged';
}

function partChanged(): DownloadError {
  return new DownloadError(
    'partChanged',
    message('The partial download of the report was changed.'),
  );
}

function tooLarge(maxBytes: number): DownloadError {
  return new DownloadError('tooLarge', message('The report is larger than {0} bytes.', maxBytes));
}

function truncated(received: number, total: number | undefined): DownloadError {
  return new DownloadError(
    'truncated',
    `The connection ended after ${received} ${total === undefined ? '' : `of ${total} `}bytes.`,
  );
}
