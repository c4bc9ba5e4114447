import { basename, dirname, join } from 'node:path';
import { ignoreMissing, onDisk, openPart, syncFolder } from '../../api/disk';
import { DownloadError } from '../../api/errors';
import { PartWriter } from '../../api/partWriter';
import type { FindingsPage } from '../../api/types';
import { jsonText } from '../../common/json';
import { message } from '../../common/message';
import { mask, maskSecrets } from '../../common/secretFields';
import { PartMismatchError } from './exportErrors';
import type { ExportDisk, ExportFile } from './exportDisk';
import {
  type ExportQuery,
  headerLine,
  isCutHeader,
  parseHeader,
  type SpoolHeader,
} from './spoolHeader';
import { parsePage, type SpooledPage, wholeLines } from './spoolLines';

/**
 * The pages of an unfinished export, a line of JSON for each behind a header line, in a file that only
 * this user reads. It is only ever added to, so whatever ends the process leaves whole pages and at
 * most one cut line. With masked values no secret is ever written to it.
 */
export class Spool {
  /** The fields of all findings, in the order in which they first appeared. */
  readonly columns = new Set<string>();
  /** Findings in it. */
  count = 0;
  /** Where the next page begins. */
  nextOffset = 0;
  /** Whether the service said that no page follows. */
  isComplete = false;
  /** What the service counted with the first and with the last page. */
  firstTotal: number | undefined;
  lastTotal: number | undefined;
  /** Whether a value was masked. */
  hasMasked = false;

  private writer: PartWriter;

  private constructor(
    private readonly disk: ExportDisk,
    private readonly path: string,
    private readonly file: ExportFile,
    private readonly query: ExportQuery,
    private currentHeader: SpoolHeader,
    /** Where the first page begins, in bytes. */
    private start: number,
  ) {
    this.writer = new PartWriter(file, start);
  }

  /**
   * Makes the spool, or opens the one that an export of the same query has left.
   * @throws PartMismatchError when something else stands there; DownloadError from the disk.
   */
  static async open(
    disk: ExportDisk,
    path: string,
    query: ExportQuery,
    header: SpoolHeader,
  ): Promise<Spool> {
    const { file, isNew } = await onDisk(() => openOrMake(disk, path));
    try {
      if (!isNew) {
        const first = await onDisk(() => firstLine(file));
        if (first.isWhole) {
          const found = parseHeader(path, first.text, query);
          const spool = new Spool(
            disk,
            path,
            file,
            query,
            found,
            Buffer.byteLength(first.text) + 1,
          );
          await onDisk(() => spool.readAgain());
          return spool;
        }
        if (!isCutHeader(first.text)) {
          throw new PartMismatchError(path, 'foreign');
        }
      }
      const line = Buffer.from(headerLine(query, header));
      const spool = new Spool(disk, path, file, query, header, line.length);
      await onDisk(() => spool.begin(line));
      return spool;
    } catch (error) {
      await file.close().catch(() => undefined);
      if (isNew) {
        await disk.unlink(path).catch(() => undefined);
      }
      throw error;
    }
  }

  get header(): SpoolHeader {
    return this.currentHeader;
  }

  /** Where the last pass writes the file, beside its target. */
  get draft(): string {
    return join(dirname(this.path), basename(this.header.draft));
  }

  /** Adds a page; resolves when there is room for the next. */
  async append(page: FindingsPage): Promise<void> {
    const { offset, limit, totalCount, hasMore } = page;
    const isMasked = this.query.secretValues === 'masked';
    const spooled = {
      offset,
      limit,
      ...(totalCount === undefined ? {} : { total: totalCount }),
      hasMore,
      entries: isMasked ? page.entries.map(maskSecrets) : page.entries,
    };
    const text = jsonText(spooled);
    await onDisk(() => this.writer.write([Buffer.from(`${text}\n`)]));
    this.note(spooled, text);
  }

  /**
   * Forgets all pages.
   * @param startedAt wall-clock time in milliseconds: the next first page is asked for now.
   */
  async restart(startedAt: number): Promise<void> {
    const header = { ...this.currentHeader, startedAt };
    const line = Buffer.from(headerLine(this.query, header));
    await onDisk(async () => {
      await this.writer.flush();
      await this.begin(line);
    });
    this.currentHeader = header;
    this.start = line.length;
    this.writer = new PartWriter(this.file, this.start);
    this.columns.clear();
    this.count = 0;
    this.nextOffset = 0;
    this.isComplete = false;
    this.firstTotal = this.lastTotal = undefined;
    this.hasMasked = false;
  }

  /** All pages in order. @throws DownloadError when they are not those that were written. */
  async *pages(): AsyncGenerator<SpooledPage, void, undefined> {
    await onDisk(() => this.writer.flush());
    let offset = 0;
    for await (const { text } of wholeLines(this.file, this.start)) {
      const page = parsePage(text);
      if (page?.offset !== offset) {
        throw new DownloadError('partChanged', message('The part of the export has been changed.'));
      }
      offset += page.limit;
      yield page;
    }
    if (offset !== this.nextOffset) {
      throw new DownloadError('partChanged', message('The part of the export has been changed.'));
    }
  }

  /** Leaves the spool for a later export to go on with. */
  async keep(): Promise<void> {
    try {
      await this.writer.flush();
      await this.file.sync();
    } catch {
      // What could not be written is cut off when the spool is opened again.
    }
    await this.file.close().catch(() => undefined);
  }

  async remove(): Promise<void> {
    await this.writer.flush().catch(() => undefined);
    await this.file.close().catch(() => undefined);
    await this.disk.unlink(this.path).catch(ignoreMissing);
  }

  private async begin(header: Buffer): Promise<void> {
    await this.file.truncate(0);
    const writer = new PartWriter(this.file, 0);
    await writer.write([header]);
    await writer.flush();
    await this.file.sync();
    await syncFolder(this.disk, dirname(this.path));
  }

  /** Notes what is there, up to the last whole page; the rest is cut off. */
  private async readAgain(): Promise<void> {
    let end = this.start;
    for await (const line of wholeLines(this.file, this.start)) {
      const page = this.isComplete ? undefined : parsePage(line.text);
      if (page?.offset !== this.nextOffset || page.limit !== this.header.pageSize) {
        break;
      }
      this.note(page, line.text);
      end = line.end;
    }
    await this.file.truncate(end);
    this.writer = new PartWriter(this.file, end);
    await this.disk.unlink(this.draft).catch(ignoreMissing);
  }

  private note(page: SpooledPage, text: string): void {
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

async function openOrMake(
  disk: ExportDisk,
  path: string,
): Promise<{ file: ExportFile; isNew: boolean }> {
  try {
    return { file: await disk.open(path, 'wx+', 0o600), isNew: true };
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'EEXIST') {
      throw error;
    }
    return { file: await openPart(disk, path), isNew: false };
  }
}

/** A header is short; a foreign file may be one line of gigabytes. */
const longestHeader = 64 * 1024;

async function firstLine(file: ExportFile): Promise<{ text: string; isWhole: boolean }> {
  const { buffer, bytesRead } = await file.read(Buffer.alloc(longestHeader), 0, longestHeader, 0);
  const end = buffer.subarray(0, bytesRead).indexOf('\n');
  return {
    text: buffer.toString('utf8', 0, end < 0 ? bytesRead : end),
    isWhole: end >= 0,
  };
}
