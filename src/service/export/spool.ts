import { createHash } from 'node:crypto';
import { dirname } from 'node:path';
import * as v from 'valibot';
import {
  type Disk,
  type DiskFile,
  ignoreMissing,
  onDisk,
  openPart,
  syncFolder,
  PartWriter,
} from '../../files/disk';
import { defined } from '../../base/defined';
import type { SecretMode } from '../../base/exportFormats';
import { FileError } from '../../files/fileError';
import type { FindingsPage } from '../../api/types';
import type { FileLock } from '../../files/fileLock';
import { isPlainObject, type JsonObject } from '../../base/json/json';
import { parseJson } from '../../base/json/parseJson';
import { message } from '../../base/message';
import { mask, maskSecrets } from '../../vocabulary/secretFields';
import { PartMismatchError } from './exportErrors';

/** Version of the spool's lines. A spool with an unknown version is not touched. */
const version = 1;

/** The start of the header line, in every version. */
const headerPrefix = '{"scorecardExport":';

/** The query of an export; a spool of another query is not resumed. */
export interface ExportQuery {
  readonly accountId: string;
  readonly scorecardId: string;
  readonly issueType: string;
  /** The JSON object that is posted. */
  readonly body: JsonObject;
  readonly secretValues: SecretMode;
}

/** The lock of an export, as far as its part needs it. */
type PartLock = Pick<FileLock, 'isOwned' | 'require'>;

/** A header is short, but a foreign file may be one line of gigabytes. */
const longestHeader = 64 * 1024;

const readBytes = 256 * 1024;

const lineFeed = 0x0a;

const integer = v.pipe(v.number(), v.safeInteger());

const spooledPage = v.object({
  offset: integer,
  limit: integer,
  /** As the service counted it then; absent if it gives none. */
  total: v.optional(v.number()),
  hasMore: v.boolean(),
  // One check for all of a page: a schema of each would make objects for it.
  entries: v.custom<readonly JsonObject[]>(
    (value) => Array.isArray(value) && value.every(isPlainObject),
  ),
});

type SpooledPage = v.InferOutput<typeof spooledPage>;

/**
 * The pages of an unfinished export in a file that only this user can read: a header line, then one line of
 * JSON per page. The file is append-only, so however the process ends, it contains complete pages and at most
 * one cut line. With masked values, no secret is ever written to it.
 */
export class Spool {
  /** The fields of all findings, in the order in which they first appear. */
  readonly columns = new Set<string>();
  /** Wall-clock time in milliseconds at which the first page was requested. */
  startedAt = 0;
  count = 0;
  nextOffset = 0;
  isComplete = false;
  /** The totals that came with the first and with the last page. */
  firstTotal: number | undefined;
  lastTotal: number | undefined;
  hasMasked = false;

  private writer: PartWriter;
  /** Where the first page begins, in bytes. */
  private start = 0;

  private constructor(
    private readonly disk: Disk,
    private readonly path: string,
    private readonly file: DiskFile,
    private readonly query: ExportQuery,
    private readonly lock: PartLock,
  ) {
    this.writer = this.writerAt(0);
  }

  /**
   * Creates the spool, or opens that of an earlier export of the same query.
   * @param startedAt for a new spool: wall-clock time in milliseconds.
   * @param lock nothing is written without it.
   * @throws PartMismatchError if the file is something else; FileError from the disk.
   */
  static async open(
    disk: Disk,
    path: string,
    query: ExportQuery,
    startedAt: number,
    lock: PartLock,
  ): Promise<Spool> {
    const { file, isNew } = await onDisk(() => openOrCreate(disk, path));
    const spool = new Spool(disk, path, file, query, lock);
    try {
      if (isNew || !(await spool.resume())) {
        await spool.restart(startedAt);
      }
      return spool;
    } catch (error) {
      await file.close().catch(() => undefined);
      if (isNew && lock.isOwned()) {
        await disk.unlink(path).catch(() => undefined);
      }
      throw error;
    }
  }

  /** Adds a page; resolves when there is room for the next. */
  async append(page: FindingsPage): Promise<void> {
    const { offset, limit, totalCount, hasMore } = page;
    const isMasked = this.query.secretValues === 'masked';
    const spooled = {
      offset,
      limit,
      ...defined({ total: totalCount }),
      hasMore,
      entries: isMasked ? page.entries.map(maskSecrets) : page.entries,
    };
    const text = JSON.stringify(spooled);
    await onDisk(() => this.writer.write([Buffer.from(`${text}\n`)]));
    this.countPage(spooled, text);
  }

  /**
   * Discards all pages.
   * @param startedAt wall-clock time in milliseconds at which the first page is requested.
   */
  async restart(startedAt: number): Promise<void> {
    const header = Buffer.from(
      `${JSON.stringify({ scorecardExport: version, ...identity(this.query), startedAt })}\n`,
    );
    await onDisk(async () => {
      await this.writer.flush();
      this.lock.require();
      await this.file.truncate(0);
      this.writer = this.writerAt(0);
      await this.writer.write([header]);
      await this.writer.flush();
      await this.file.sync();
      await syncFolder(this.disk, dirname(this.path));
    });
    this.startedAt = startedAt;
    this.start = header.length;
    this.columns.clear();
    this.count = 0;
    this.nextOffset = 0;
    this.isComplete = false;
    this.firstTotal = this.lastTotal = undefined;
    this.hasMasked = false;
  }

  /** The findings, page by page. @throws FileError if the pages are not the ones that were written. */
  async *batches(): AsyncGenerator<readonly JsonObject[], void, undefined> {
    await onDisk(() => this.writer.flush());
    let offset = 0;
    for await (const { text } of completeLines(this.file, this.start)) {
      const page = parsePage(text);
      if (page?.offset !== offset) {
        break;
      }
      offset += page.limit;
      yield page.entries;
    }
    if (offset !== this.nextOffset) {
      throw new FileError('changed', message('"{0}" was changed by another program.', this.path));
    }
  }

  /** Closes the spool. A later export can resume it. */
  async close(): Promise<void> {
    try {
      await this.writer.flush();
      await this.file.sync();
    } catch {
      // A line that could not be written completely is cut off when the spool is opened again.
    }
    await this.file.close().catch(() => undefined);
  }

  async remove(): Promise<void> {
    await this.writer.flush().catch(() => undefined);
    await this.file.close().catch(() => undefined);
    this.lock.require();
    await this.disk.unlink(this.path).catch(ignoreMissing);
  }

  /**
   * The file of the part is shared with whoever takes over, so each write needs the lock. What remains is the one
   * write during which a machine falls asleep, if another machine shares the folder.
   */
  private writerAt(position: number): PartWriter {
    const { file, lock } = this;
    return new PartWriter(
      {
        writev: async (...given) => {
          lock.require();
          return file.writev(...given);
        },
        datasync: () => file.datasync(),
      },
      position,
    );
  }

  /**
   * Continues after the pages of an earlier export.
   * @returns false if there is only the beginning of a header, with which nothing is lost.
   * @throws PartMismatchError if the file is something else
   */
  private async resume(): Promise<boolean> {
    const buffer = Buffer.alloc(longestHeader);
    const header = await onDisk(() => this.file.read(buffer, 0, longestHeader, 0));
    const read = buffer.subarray(0, header.bytesRead);
    const end = read.indexOf(lineFeed);
    const text = read.toString('utf8', 0, end < 0 ? read.length : end);
    if (end < 0 && (text.startsWith(headerPrefix) || headerPrefix.startsWith(text))) {
      return false;
    }
    const startedAt = end < 0 ? undefined : parseStart(text, this.query);
    if (startedAt === undefined) {
      throw new PartMismatchError(this.path);
    }
    this.startedAt = startedAt;
    this.start = end + 1;
    await onDisk(() => this.resumePages());
    return true;
  }

  /** Reads the existing pages up to the last complete one, and cuts off the rest. */
  private async resumePages(): Promise<void> {
    let position = this.start;
    for await (const line of completeLines(this.file, position)) {
      const page = this.isComplete ? undefined : parsePage(line.text);
      if (page?.offset !== this.nextOffset) {
        break;
      }
      this.countPage(page, line.text);
      position = line.end;
    }
    this.lock.require();
    await this.file.truncate(position);
    this.writer = this.writerAt(position);
  }

  private countPage(page: SpooledPage, text: string): void {
    if (this.nextOffset === 0) {
      this.firstTotal = page.total;
    }
    this.lastTotal = page.total;
    this.nextOffset = page.offset + page.limit;
    this.isComplete = !page.hasMore;
    this.count += page.entries.length;
    this.hasMasked ||= this.query.secretValues === 'masked' && text.includes(mask);
    for (const entry of page.entries) {
      for (const name of Object.keys(entry)) {
        this.columns.add(name);
      }
    }
  }
}

async function openOrCreate(disk: Disk, path: string): Promise<{ file: DiskFile; isNew: boolean }> {
  try {
    return { file: await disk.open(path, 'wx+', 0o600), isNew: true };
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'EEXIST') {
      throw error;
    }
    return { file: await openPart(disk, path), isNew: false };
  }
}

/** When the first page was requested, in milliseconds; `undefined` if a line is no header of this query. */
function parseStart(text: string, query: ExportQuery): number | undefined {
  const header = parseObject(text);
  const isSameExport =
    header?.scorecardExport === version &&
    Object.entries(identity(query)).every(([name, expected]) => header[name] === expected);
  return isSameExport && Number.isSafeInteger(header.startedAt)
    ? (header.startedAt as number)
    : undefined;
}

function identity(query: ExportQuery): Record<string, string> {
  const { accountId, scorecardId, issueType, body, secretValues } = query;
  return {
    accountId,
    scorecardId,
    issueType,
    // A hash, because a body may be long and is private.
    body: createHash('sha256').update(JSON.stringify(body)).digest('base64url'),
    secretValues,
  };
}

interface Line {
  readonly text: string;
  /** The offset in the file at which the next line begins, in bytes. */
  readonly end: number;
}

/** The complete lines of a file from a position on. Text after the last line feed is not one. */
async function* completeLines(
  file: Pick<DiskFile, 'read'>,
  start: number,
): AsyncGenerator<Line, void, undefined> {
  const buffer = Buffer.allocUnsafe(readBytes);
  let pieces: Buffer[] = [];
  for (let position = start; ;) {
    const { bytesRead } = await file.read(buffer, 0, readBytes, position);
    if (bytesRead === 0) {
      return;
    }
    let from = 0;
    const read = buffer.subarray(0, bytesRead);
    for (let to = read.indexOf(lineFeed); to >= 0; to = read.indexOf(lineFeed, from)) {
      const text = Buffer.concat([...pieces, read.subarray(from, to)]).toString('utf8');
      pieces = [];
      from = to + 1;
      yield { text, end: position + from };
    }
    // Copied, because the buffer is reused for the next read.
    pieces.push(Buffer.from(read.subarray(from)));
    position += bytesRead;
  }
}

/** The page on a line; `undefined` if the line is not a page, such as after a power failure. */
function parsePage(text: string): SpooledPage | undefined {
  const { success, output } = v.safeParse(spooledPage, parseObject(text));
  return success ? output : undefined;
}

function parseObject(text: string): Record<string, unknown> | undefined {
  try {
    const value = parseJson(text);
    return isPlainObject(value) ? value : undefined;
  } catch {
    return undefined;
  }
}
