import { dirname } from 'node:path';
import { defined } from '../../base/defined';
import type { Clock } from '../../base/events/clock';
import { message } from '../../base/message';
import {
  type Disk,
  type DiskFile,
  ignoreMissing,
  moveWithoutReplacing,
  onDisk,
  openPart,
  refuseExisting,
  syncFolder,
  PartWriter,
  byteLength,
} from '../../files/disk';
import { FileError, createNoSpaceError } from '../../files/fileError';
import { CancelledError } from '../../base/cancelledError';
import { DownloadError, NetworkError, ProtocolError, TimeoutError } from '../http/errors';
import type { Resume, ReportVersion, SaveOptions } from '../types';
import type { HttpResponse } from '../http/transport';
import { parseHttpDate } from '../http/waits';
import { reportFileName } from '../../files/fileName';
import { onAbort } from '../http/signals';

/**
 * How much older than Date a Last-Modified must be, in milliseconds, so that it cannot belong to two
 * versions.
 */
const strongAfterMs = 60_000;

/** Which part of a report a response contains: all from one offset on. */
interface Extent {
  /** The offset of the first byte; the bytes before it were kept. */
  start: number;
  /** Bytes of the whole report, if the service declared them. */
  total: number | undefined;
  /** Bytes at the beginning of the body that are saved already, with which they are compared. */
  overlap?: number;
  /** The validator of the saved bytes: the response with the rest may leave it out. */
  validator?: string;
}

/**
 * How many bytes before the end of a part are requested again and compared: another program may have replaced them, or
 * a disk may have lost them.
 */
const comparedBytes = 4096;

/** The offset of the first byte that is requested. */
function firstRequested({ offset }: Resume): number {
  return Math.max(0, offset - comparedBytes);
}

/** They request the rest of a report, or all of a newer version. */
export function resumeHeaders(resume: Resume | undefined): Record<string, string> {
  // RFC 9110 sections 14.2 and 13.1.5.
  return resume ? { Range: `bytes=${firstRequested(resume)}-`, 'If-Range': resume.validator } : {};
}

/**
 * The validator that shows whether a later response has the same bytes: a strong ETag (RFC 9110 section
 * 8.8.3), or, if there is no ETag at all (section 13.1.5), a Last-Modified that is old enough to be strong
 * (section 8.8.2.2).
 *
 * @returns `undefined` if there is none, and for a coded body, because its bytes are counted after decoding.
 */
function strongValidator(response: HttpResponse): string | undefined {
  const { headers } = response;
  const etag = headers.get('etag');
  if (response.isCoded) {
    return undefined;
  }
  if (etag !== null) {
    return /^"[\x21\x23-\x7e]{1,256}"$/.test(etag) ? etag : undefined;
  }
  const lastModified = headers.get('last-modified') ?? '';
  const [changedAt, answeredAt] = [lastModified, headers.get('date') ?? ''].map((text) =>
    parseHttpDate(text),
  );
  return changedAt !== undefined &&
    answeredAt !== undefined &&
    answeredAt - changedAt >= strongAfterMs
    ? lastModified
    : undefined;
}

/**
 * Parses which part of the report a 206, the response to a request for the rest, contains. It must begin where it
 * was requested, or before, and must certainly be of the same version (RFC 9110 section 15.3.7.3).
 *
 * @returns `undefined` on any doubt: then the report is fetched from its start.
 */
export function parseRestExtent(response: HttpResponse, resume: Resume): Extent | undefined {
  const range = /^bytes (\d{1,15})-(\d{1,15})\/(\d{1,15}|\*)$/i.exec(contentRange(response));
  const [start, last] = (range ?? []).slice(1, 3).map(Number);
  // The same version has the length that was told before. Without any, the end of the range may not be that of the report.
  const total = range?.[3] === '*' ? resume.total : Number(range?.[3]);
  if (
    start === undefined ||
    last === undefined ||
    total === undefined ||
    !isSameVersion(response, resume)
  ) {
    return undefined;
  }
  const length = last + 1 - start;
  const { offset, validator } = resume;
  // A range that ends before the report does is truncated: the rest of it is requested later.
  const agrees =
    start <= firstRequested(resume) &&
    offset <= last + 1 &&
    last < total &&
    (resume.total ?? total) === total &&
    (response.declaredLength ?? length) === length;
  return agrees ? { start: offset, total, overlap: offset - start, validator } : undefined;
}

/**
 * Which part is missing of a report that the service sends as a whole again, although only the rest was
 * requested: what was saved of the same version is left out, so that it is kept if this body breaks off earlier.
 *
 * @returns `undefined` if the version is, or may be, another one.
 */
export function parseRepeatedExtent(response: HttpResponse, resume: Resume): Extent | undefined {
  const { offset } = resume;
  const total = response.declaredLength;
  return total !== undefined &&
    total === resume.total &&
    offset <= total &&
    strongValidator(response) === resume.validator
    ? { start: offset, total, overlap: offset }
    : undefined;
}

/**
 * Whether a 206 has bytes of the same version. A service that compared If-Range leaves out Last-Modified, but
 * never an ETag (RFC 9110 section 15.3.7).
 */
function isSameVersion(response: HttpResponse, { validator }: Resume): boolean {
  const { headers } = response;
  const isUnnamed = !headers.has('etag') && !headers.has('last-modified');
  return strongValidator(response) === validator || (isUnnamed && !validator.startsWith('"'));
}

function contentRange(response: HttpResponse): string {
  return response.headers.get('content-range')?.trim() ?? '';
}

/**
 * A body without its first bytes, which end at `end` of the part.
 * @throws DownloadError if the part has others there.
 */
async function* withoutOverlap(
  batches: AsyncIterable<Buffer[]>,
  part: DiskFile,
  { overlap, end }: { overlap: number; end: number },
): AsyncGenerator<Buffer[], void, undefined> {
  let left = overlap;
  for await (const batch of batches) {
    if (left === 0) {
      yield batch;
      continue;
    }
    const bytes = Buffer.concat(batch);
    const saved = bytes.subarray(0, left);
    if (!saved.equals(await readPart(part, end - left, saved.length))) {
      throw partChanged();
    }
    left -= saved.length;
    yield [bytes.subarray(saved.length)];
  }
}

async function readPart(part: DiskFile, offset: number, length: number): Promise<Buffer> {
  const bytes = Buffer.alloc(length);
  const { bytesRead } = await onDisk(() => part.read(bytes, 0, length, offset));
  return bytes.subarray(0, bytesRead);
}

/** What is needed to save a report. */
export interface SaveContext {
  clock: Clock;
  disk: Disk;
  /** The most bytes that a report may have. */
  maxBytes: number;
  /** Masks secrets in its name. */
  redact: (text: string) => string;
}

/** The least time between two reports of progress, in milliseconds. */
const progressEveryMs = 250;

/** How often a part is synced that grows slowly, in milliseconds: what is not synced is downloaded again. */
const syncEveryMs = 5_000;

/** The answer with a report, whose body has not been read, but for the start that showed what it is. */
export class ReportFile {
  /** Total bytes, if the service declared them. */
  readonly total: number | undefined;
  /**
   * In bytes: 0, or the `offset` of the `resume` that this response continues from. In that case, call `saveTo` with
   * the path whose part has at least that length. Such a response need not repeat the file name.
   */
  readonly resumedFrom: number;
  /** What to store to resume after an interruption; `undefined` if the service sends no strong validator. */
  readonly version: ReportVersion | undefined;

  /**
   * The report in a response. The code that parses its file name is loaded only when there is a
   * report to save.
   *
   * @param response the response whose body is the report or the rest of it.
   * @param batches the body from its first byte; some of it may have been read already.
   * @param known `extent`: which part of the report the body is. Default: all of it. `start`: its first bytes, as far
   *   as they were read.
   */
  static async of(
    response: HttpResponse,
    batches: AsyncIterable<Buffer[]>,
    context: SaveContext,
    { extent, start }: { extent?: Extent | undefined; start?: Buffer },
  ): Promise<ReportFile> {
    const { parse } = await import('content-disposition');
    const { headers, mediaType, isCoded } = response;
    const disposition = headers.get('content-disposition');
    // Some services call a packed file a coding of its content: then only its content is left here.
    const isUnpacked = isCoded && start?.toString('latin1', 0, 2) !== '\x1f\x8b';
    const fileName = reportFileName({ disposition, mediaType, isUnpacked }, parse, context.redact);
    const whole = { start: 0, total: response.declaredLength };
    return new ReportFile(response, batches, context, extent ?? whole, fileName);
  }

  private constructor(
    private readonly response: HttpResponse,
    private readonly batches: AsyncIterable<Buffer[]>,
    private readonly context: SaveContext,
    private readonly extent: Extent,
    /**
     * A safe file name, from Content-Disposition (RFC 6266) or the content type: no path, at most 200 bytes,
     * never empty.
     */
    readonly fileName: string,
  ) {
    this.total = extent.total;
    this.resumedFrom = extent.start;
    const validator = extent.validator ?? strongValidator(response);
    const { mediaType } = response;
    this.version =
      validator === undefined
        ? undefined
        : {
            validator,
            ...defined({ total: this.total }),
            ...(mediaType === '' ? {} : { mediaType }),
          };
  }

  /**
   * Checks the free disk space, streams the body to its part with back-pressure, checks the length, syncs,
   * and moves it to `path`, which must not exist (by a link where the file system has some). After a failure there is
   * no file at `path`, and a part only with `keepPart`.
   * @returns the number of bytes of the file.
   * @throws DownloadError, FileError, ProtocolError, TimeoutError, CancelledError
   */
  async saveTo(path: string, options: SaveOptions = {}): Promise<number> {
    const { disk } = this.context;
    const { signal, part = `${path}.part` } = options;
    const unlink =
      signal &&
      onAbort(signal, () => {
        this.response.cancel();
      });
    try {
      throwIfCancelled(signal);
      const file = await this.openPart(path, part);
      try {
        const size = await this.writePart(path, part, file, options);
        throwIfCancelled(signal);
        options.beforeMove?.();
        await onDisk(() => moveWithoutReplacing(disk, part, path));
        await syncFolder(disk, dirname(path));
        return size;
      } catch (error) {
        if (!this.keepsPart(options, error) && !isPartChanged(error)) {
          // A part that cannot be removed does not explain why the download failed.
          await disk.unlink(part).catch(() => undefined);
        }
        throw error;
      }
    } finally {
      unlink?.();
      // No effect if the body was read to its end.
      this.response.cancel();
    }
  }

  /** Discards the body and closes its connection. */
  discard(): void {
    this.response.cancel();
  }

  /** Opens the part: a new one, or the one whose bytes the body continues from. */
  private async openPart(path: string, part: string): Promise<DiskFile> {
    const { disk } = this.context;
    await onDisk(() => refuseExisting(disk, path));
    if (this.resumedFrom === 0) {
      return onDisk(() => disk.open(part, 'wx', 0o600));
    }
    const file = await onDisk(() => openPart(disk, part).catch(ignoreMissing));
    if (!file) {
      throw partChanged();
    }
    try {
      const { size } = await onDisk(() => file.stat());
      if (size < this.resumedFrom) {
        throw partChanged();
      }
      // What was not synced does not count.
      await onDisk(() => file.truncate(this.resumedFrom));
    } catch (error) {
      await file.close().catch(() => undefined);
      throw error;
    }
    return file;
  }

  /** Closes the file even after a failure. */
  private async writePart(
    path: string,
    part: string,
    file: DiskFile,
    options: SaveOptions,
  ): Promise<number> {
    const { disk } = this.context;
    const writer = new PartWriter(watchLength(file), this.resumedFrom);
    let size: number;
    try {
      await this.checkSize(path);
      size = await this.write(file, writer, options);
      await onDisk(() => file.sync());
      await checkPart(disk, part, file);
    } catch (error) {
      try {
        const failure = await this.withDiskSpace(asPartChanged(error), path, file);
        if (this.keepsPart(options, error)) {
          await this.keepAll(part, file, options);
        }
        throw failure;
      } finally {
        await file.close().catch(() => undefined);
      }
    }
    await onDisk(() => file.close());
    return size;
  }

  /** Makes all bytes of a part count that are written. A disk may report lost bytes only once. */
  private async keepAll(part: string, file: DiskFile, { onSynced }: SaveOptions): Promise<void> {
    const { disk } = this.context;
    try {
      await file.sync();
    } catch {
      await disk.unlink(part).catch(() => undefined);
      return;
    }
    // If its size is unknown, what was synced before counts.
    const stats = await file.stat().catch(() => undefined);
    if (stats) {
      onSynced?.(stats.size);
    }
  }

  /** If the service declared the length, refuses a report that exceeds `maxBytes` or does not fit on the disk. */
  private async checkSize(path: string): Promise<void> {
    const { disk, maxBytes } = this.context;
    const { total, resumedFrom } = this;
    if (total === undefined) {
      return;
    }
    if (total > maxBytes) {
      throw tooLarge(maxBytes);
    }
    const freeBytes = await disk.freeBytes(dirname(path));
    if (freeBytes !== undefined && freeBytes < total - resumedFrom) {
      throw createNoSpaceError(dirname(path), total - resumedFrom, freeBytes);
    }
  }

  /** Writes the body. The disk writes while the next bytes arrive; a few megabytes are buffered in between. */
  private async write(
    file: DiskFile,
    writer: PartWriter,
    { onProgress, onSynced }: SaveOptions,
  ): Promise<number> {
    const { total, resumedFrom } = this;
    const { clock, maxBytes } = this.context;
    let received = resumedFrom;
    let reportedAt = -Infinity;
    let syncedAt = clock.monotonic();
    let { synced } = writer;
    const report = () => {
      reportedAt = clock.monotonic();
      onProgress?.({ received, total });
    };
    try {
      const { overlap = 0 } = this.extent;
      for await (const batch of withoutOverlap(this.batches, file, { overlap, end: resumedFrom })) {
        received += byteLength(batch);
        if (received > maxBytes) {
          throw tooLarge(maxBytes);
        }
        if (received > (total ?? Infinity)) {
          throw new ProtocolError(message('The service sent more bytes than it declared.'));
        }
        const sync = clock.monotonic() - syncedAt >= syncEveryMs;
        syncedAt = sync ? clock.monotonic() : syncedAt;
        await onDisk(() => writer.write(batch, { sync }));
        if (writer.synced > synced) {
          ({ synced } = writer);
          onSynced?.(synced);
        }
        if (clock.monotonic() - reportedAt >= progressEveryMs) {
          report();
        }
      }
    } catch (error) {
      // A connection that ends within the body means a truncated download, whatever the cause.
      throw error instanceof NetworkError ? truncated(received, total) : error;
    } finally {
      // Also after an interruption: bytes that have arrived need not be sent again.
      await onDisk(() => writer.flush());
    }
    if (received !== (total ?? received)) {
      throw truncated(received, total);
    }
    report();
    return received;
  }

  /** For a full disk. */
  private async withDiskSpace(error: unknown, path: string, file: DiskFile): Promise<unknown> {
    if (!(error instanceof FileError) || error.reason !== 'noSpace') {
      return error;
    }
    const size = await file.stat().then(
      (stats) => stats.size,
      () => undefined,
    );
    const neededBytes =
      this.total === undefined || size === undefined ? undefined : this.total - size;
    const folder = dirname(path);
    return createNoSpaceError(folder, neededBytes, await this.context.disk.freeBytes(folder));
  }

  /**
   * Whether the part is kept after a failure: the caller wants it, the rest of this version can be requested, and
   * its bytes are good because the body only ended early or was stopped.
   */
  private keepsPart({ keepPart }: SaveOptions, error: unknown): boolean {
    return (
      keepPart === true &&
      this.version !== undefined &&
      (error instanceof TimeoutError ||
        error instanceof CancelledError ||
        (error instanceof DownloadError && error.reason === 'truncated'))
    );
  }
}

/**
 * A file that is as long as what was written to it. If another program has made it shorter, the next bytes would
 * leave a hole before them.
 */
function watchLength(file: DiskFile): Pick<DiskFile, 'writev' | 'datasync'> {
  return {
    writev: async (pieces, position) => {
      const { size } = await file.stat();
      if (size !== position) {
        throw new FileError('changed', partChanged().message);
      }
      return file.writev(pieces, position);
    },
    datasync: () => file.datasync(),
  };
}

function asPartChanged(error: unknown): unknown {
  return error instanceof FileError && error.reason === 'changed' ? partChanged() : error;
}

function throwIfCancelled(signal: AbortSignal | undefined): void {
  if (signal?.aborted) {
    throw new CancelledError();
  }
}

/**
 * The file at the path of the part must be the one that was written. Otherwise the part of another download
 * would be renamed.
 */
async function checkPart(disk: Disk, part: string, file: DiskFile): Promise<void> {
  const named = await onDisk(() => disk.lstat(part).catch(ignoreMissing));
  const written = await onDisk(() => file.stat());
  if (named?.ino !== written.ino || named.dev !== written.dev) {
    throw partChanged();
  }
}

function isPartChanged(error: unknown): boolean {
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
