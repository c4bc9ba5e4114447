import { isAscii } from 'node:buffer';
import { randomUUID } from 'node:crypto';
import fs from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { setImmediate } from 'node:timers/promises';
import { constants, crc32, createGunzip, gunzipSync } from 'node:zlib';
import { Signal } from '../../../base/events/signal';
import { detectUnicode } from '../../../base/text/unicodeEncodings';
import { isWindows1252, withoutCutCharacter } from '../../../base/text/windows1252';
import { removeNow } from '../../../files/files';
import { TableError } from '../../data/tableError';
import type { EncodingChoice, FileChange, Truncation } from '../../data/tableInfo';

/** Bytes in UTF-8 with random access, perhaps not all available yet. */
export interface ByteSource {
  /** How many bytes can be read so far. */
  readonly available: number;
  /** Whether `available` is final. */
  readonly complete: boolean;
  /** How many bytes of the file have been read, and its size; as they are in the file, such as compressed. */
  readonly bytesRead: number;
  readonly size: number;
  /** Whether the file is compressed; absent if it is not. */
  readonly isGzip?: boolean;
  /** The encoding that the file was converted from; absent for UTF-8. */
  readonly encoding?: string;
  /** Whether only the bytes tell the encoding, which is not Unicode. */
  readonly isEncodingGuessed?: boolean;
  readonly truncation: Truncation | undefined;
  /** The folder for temporary files. */
  readonly cacheFolder: string;
  /** The open file that bytes are read from. Other threads of this process can read it, too. */
  readonly descriptor: number;
  /** Reads the available bytes and returns how many; 0 at the end. */
  read(target: Uint8Array, offset: number, length: number, position: number): number;
  /** Resolves when more is available, or the source is complete. */
  more(): Promise<void>;
  /** How the file has changed since it was opened. */
  changed(): FileChange | undefined;
  close(): void;
}

/** Opens a plain file. @throws TableError */
export function openPlain(
  file: string,
  cacheFolder = path.join(os.tmpdir(), 'scorecard'),
): PlainSource {
  try {
    return new PlainSource(file, fs.openSync(file, 'r'), cacheFolder);
  } catch (error) {
    if (error instanceof TableError) {
      throw error;
    }
    const isMissing = (error as NodeJS.ErrnoException).code === 'ENOENT';
    throw new TableError(isMissing ? 'notFound' : 'unreadable', 'Could not open the file.', {
      cause: error,
    });
  }
}

/** The most bytes of a file that are unpacked or converted at a time. */
const maxPieceBytes = 256 * 1024;
/** The most bytes that a copy may have. */
const maxCopiedBytes = 16 * 1024 ** 3;
/** How many of the first bytes show the encoding, and how many compressed bytes. */
const headBytes = 64 * 1024;
const packedHeadBytes = 16 * 1024;
/** Where the head of a plain file is ASCII, or may be Windows-1252, so many bytes are searched for others. */
const searchedBytes = 1024 ** 2;
/** The checksum and the length of the content (RFC 1952, section 2.3.1). */
const gzipTrailerBytes = 8;

/**
 * Opens a file: compressed or not, and in any encoding.
 * @param cacheFolder the folder for a copy of a file that is not plain UTF-8. It is deleted when it is closed.
 * @throws TableError
 */
export function openSource(
  file: string,
  cacheFolder: string,
  choice: EncodingChoice = {},
): PlainSource | CopiedSource {
  const plain = openPlain(file, cacheFolder);
  try {
    const head = Buffer.alloc(Math.min(headBytes, plain.size));
    plain.read(head, 0, head.length, 0);
    const isGzip = head[0] === 0x1f && head[1] === 0x8b;
    const content = isGzip ? unpackHead(head) : head;
    const isWhole = content.length < headBytes && (!isGzip || plain.size <= packedHeadBytes);
    const told = detectEncoding(content, isWhole, choice);
    const isEncodingGuessed =
      choice.chosen === undefined &&
      told === 'utf-8' &&
      (isGzip ? isWindows1252(content, { isCut: !isWhole }) : isPlainWindows1252(plain, head));
    const encoding = isEncodingGuessed ? 'windows-1252' : told;
    return isGzip || encoding !== 'utf-8'
      ? new CopiedSource(plain, { isGzip, encoding, isEncodingGuessed })
      : plain;
  } catch (error) {
    plain.close();
    throw error;
  }
}

/** The encoding by the first bytes, by its name for `TextDecoder`. @throws TableError `utf32` */
function detectEncoding(
  head: Buffer,
  isWhole: boolean,
  { chosen, fallback = 'utf-8' }: EncodingChoice,
): string {
  const encoding = chosen ?? detectUnicode(head, { isWhole }) ?? fallback;
  if (encoding === 'utf-32') {
    throw new TableError('utf32', 'The file is UTF-32, which is not read.');
  }
  return encoding;
}

/** Whether a plain file is most likely Windows-1252: most are known to be UTF-8 by their heads. */
function isPlainWindows1252(file: PlainSource, head: Buffer): boolean {
  const isCut = head.length < file.size;
  const mayBe = isAscii(withoutCutCharacter(head)) || isWindows1252(head, { isCut });
  if (!mayBe || !isCut) {
    return mayBe && isWindows1252(head);
  }
  const bytes = Buffer.alloc(Math.min(searchedBytes, file.size));
  file.read(bytes, 0, bytes.length, 0);
  return isWindows1252(bytes, { isCut: bytes.length < file.size });
}

/** The first bytes of compressed content; none if it is damaged there. */
function unpackHead(packed: Buffer): Buffer {
  try {
    const { Z_SYNC_FLUSH } = constants;
    const head = packed.subarray(0, packedHeadBytes);
    return gunzipSync(head, { finishFlush: Z_SYNC_FLUSH }).subarray(0, headBytes);
  } catch {
    return Buffer.alloc(0);
  }
}

export class PlainSource implements ByteSource {
  readonly available: number;
  readonly complete = true;
  readonly bytesRead: number;
  readonly size: number;
  readonly truncation = undefined;
  private readonly opened: fs.BigIntStats;
  private readonly samples: Samples;
  /** The state of the file when its content was last compared, and whether it was the same. */
  private compared: string;
  private isSame = true;
  private isOpen = true;

  constructor(
    private readonly file: string,
    readonly descriptor: number,
    readonly cacheFolder: string,
  ) {
    this.opened = fs.fstatSync(descriptor, { bigint: true });
    if (!this.opened.isFile()) {
      this.close();
      throw new TableError('unreadable', 'Not a file.');
    }
    this.size = Number(this.opened.size);
    this.available = this.size;
    this.bytesRead = this.size;
    this.samples = new Samples(this.size);
    this.compared = formatState(this.opened);
  }

  read(target: Uint8Array, offset: number, length: number, position: number): number {
    const total = Math.min(length, this.available - position);
    if (total <= 0) {
      return 0;
    }
    const count = readFully(this.descriptor, target, offset, total, position);
    this.samples.add(target.subarray(offset, offset + count), position);
    return count;
  }

  more(): Promise<void> {
    return Promise.resolve();
  }

  changed(): FileChange | undefined {
    const { opened } = this;
    const stats = fs.fstatSync(this.descriptor, { bigint: true });
    // A new `ctime`, which nobody can set, does not prove that the content changed: a new mode or
    // name changes it, too.
    if (formatState(stats) !== this.compared) {
      this.compared = formatState(stats);
      this.isSame = this.isContentUnchanged();
    }
    if (stats.size < opened.size || !this.isSame) {
      return 'modified';
    }
    if (stats.size > opened.size) {
      return 'grown';
    }
    if (stats.mtimeNs !== opened.mtimeNs) {
      return 'modified';
    }
    const named = readStat(this.file);
    return !named
      ? 'removed'
      : named.ino !== opened.ino || named.dev !== opened.dev
        ? 'replaced'
        : undefined;
  }

  close(): void {
    if (this.isOpen) {
      this.isOpen = false;
      fs.closeSync(this.descriptor);
    }
  }

  private isContentUnchanged(): boolean {
    try {
      return this.samples.isUnchanged((bytes, position) => {
        readFully(this.descriptor, bytes, 0, bytes.length, position);
      });
    } catch {
      // The file became shorter, or cannot be read any more.
      return false;
    }
  }
}

function formatState({ size, mtimeNs, ctimeNs }: fs.BigIntStats): string {
  return [size, mtimeNs, ctimeNs].join();
}

/** How a file differs from plain UTF-8. */
interface FileForm {
  readonly isGzip: boolean;
  /** A name for `TextDecoder`. */
  readonly encoding: string;
  readonly isEncodingGuessed: boolean;
}

/** A source whose bytes are made of a file, and put into a temporary file while it is read. */
export abstract class CopyingSource implements ByteSource {
  complete = false;
  truncation: Truncation | undefined;
  readonly isGzip: boolean;
  readonly encoding?: string;
  readonly isEncodingGuessed: boolean;
  readonly size: number;
  readonly cacheFolder: string;
  readonly descriptor: number;
  protected readonly copy: CopyFile;
  /** The file changed before all of it was read: the copy may be a mixture. */
  protected isMixed = false;
  protected isOpen = true;
  protected readonly growth = new Signal();

  /** @param file is closed with this source. */
  constructor(
    protected readonly file: ByteSource,
    { isGzip = false, encoding, isEncodingGuessed = false }: Partial<FileForm>,
    maxBytes = maxCopiedBytes,
  ) {
    this.isGzip = isGzip;
    this.isEncodingGuessed = isEncodingGuessed;
    this.size = file.size;
    this.cacheFolder = file.cacheFolder;
    if (encoding !== undefined && encoding !== 'utf-8') {
      this.encoding = encoding;
    }
    try {
      this.copy = new CopyFile(file.cacheFolder, maxBytes);
      this.descriptor = this.copy.descriptor;
    } catch (error) {
      file.close();
      throw error;
    }
  }

  abstract get bytesRead(): number;

  get available(): number {
    return this.copy.bytes;
  }

  read(target: Uint8Array, offset: number, length: number, position: number): number {
    return this.copy.read(target, offset, length, position);
  }

  more(): Promise<void> {
    return this.complete ? Promise.resolve() : this.growth.next();
  }

  changed(): FileChange | undefined {
    const change = this.isMixed ? 'modified' : this.file.changed();
    const isLate = change === 'modified' && this.complete && !this.isMixed;
    // The copy does not change with the file.
    return change === 'grown' || isLate ? 'replaced' : change;
  }

  close(): void {
    if (this.isOpen) {
      this.isOpen = false;
      this.finish(this.truncation);
      this.copy.close();
      this.file.close();
    }
  }

  protected finish(truncation: Truncation | undefined): void {
    if (!this.complete) {
      this.truncation = truncation;
      try {
        this.isMixed ||= this.file.changed() === 'modified';
      } catch {
        // It is unknown, for example because a drive was removed.
        this.isMixed = true;
      }
      this.complete = true;
      this.growth.fire();
    }
  }
}

/**
 * A file that is unpacked or converted to UTF-8, or both. An index of entry points into the compressed
 * stream would save the disk space, but needs inflate with a window at a bit position, which Node does
 * not offer; and each page of a sorted table would inflate up to 200 stretches between entry points.
 */
export class CopiedSource extends CopyingSource {
  private readonly decoder: InstanceType<typeof TextDecoder> | undefined;
  /** How many bytes of the file were read. */
  private fileBytesRead = 0;

  constructor(
    file: PlainSource,
    form: Pick<FileForm, 'isGzip' | 'encoding'> & Partial<FileForm>,
    maxBytes?: number,
  ) {
    super(file, form, maxBytes);
    this.decoder = this.encoding === undefined ? undefined : new TextDecoder(this.encoding);
    void this.fill();
  }

  get bytesRead(): number {
    return this.complete ? this.file.size : this.fileBytesRead;
  }

  private async fill(): Promise<void> {
    const truncation = await (this.isGzip ? this.unpack() : this.convert());
    this.finish(truncation ?? (this.write(this.decoder?.decode() ?? '') ? undefined : 'limit'));
  }

  /** @returns why the copy is not the whole file */
  private async convert(): Promise<Truncation | undefined> {
    try {
      for await (const piece of this.pieces()) {
        if (!this.add(piece)) {
          return 'limit';
        }
      }
      return undefined;
    } catch {
      // The file became shorter, or cannot be read any more.
      return 'record';
    }
  }

  /** Of a damaged file, the piece with the fault is not unpacked. @returns as `convert` */
  private async unpack(): Promise<Truncation | undefined> {
    const gunzip = createGunzip({ chunkSize: 256 * 1024 });
    // Listened to, not iterated over: that would drop chunks that arrived before an error.
    const ended = new Promise<Truncation | undefined>((resolve) => {
      gunzip.on('data', (chunk: Buffer) => {
        if (!this.add(chunk)) {
          resolve('limit');
          gunzip.destroy();
        }
      });
      gunzip.on('end', () => {
        resolve(undefined);
      });
      gunzip.on('error', ({ code }: NodeJS.ErrnoException) => {
        resolve(code === 'Z_BUF_ERROR' ? 'gzip' : 'damaged');
      });
    });
    try {
      for await (const piece of this.pieces()) {
        // Of the last piece before the end, Node would drop what is unpacked if more is missing.
        const written = new Promise((resolve) => gunzip.write(piece, resolve));
        // The callback is not called for a piece with a fault.
        await Promise.race([written, ended]);
        if (gunzip.destroyed) {
          break;
        }
      }
      gunzip.end();
      return await ended;
    } catch {
      // The file became shorter, or cannot be read any more.
      return 'gzip';
    } finally {
      gunzip.destroy();
    }
  }

  /** Adds unpacked bytes. @returns whether more may follow */
  private add(chunk: Buffer): boolean {
    const isWritten = this.write(this.decoder?.decode(chunk, { stream: true }) ?? chunk);
    this.growth.fire();
    return isWritten;
  }

  /** @returns whether all of it was written and more may follow */
  private write(content: string | Buffer): boolean {
    const bytes = typeof content === 'string' ? Buffer.from(content) : content;
    return this.isOpen && this.copy.write(bytes);
  }

  /** Small ones first: what is unpacked of the piece with a fault is lost, and would be all of a small file. */
  private async *pieces(): AsyncGenerator<Buffer> {
    for (;;) {
      // Nothing else waits: calls of the table are answered meanwhile.
      await setImmediate();
      if (!this.isOpen || this.fileBytesRead >= this.file.available) {
        return;
      }
      // The last bytes come alone: where only they are wrong, all before them is unpacked.
      const left = this.file.available - this.fileBytesRead;
      const length = Math.min(
        maxPieceBytes,
        Math.max(1, Math.floor(this.fileBytesRead / 32)),
        left > gzipTrailerBytes ? left - gzipTrailerBytes : left,
      );
      const piece = Buffer.allocUnsafeSlow(length);
      const count = this.file.read(piece, 0, length, this.fileBytesRead);
      this.fileBytesRead += count;
      yield piece.subarray(0, count);
    }
  }
}

/** The free disk space that a copy must leave. */
const spareBytes = 512 * 1024 ** 2;
const bytesBetweenChecks = 64 * 1024 ** 2;

/** A temporary file that only this process can read. It is deleted when it is closed. */
export class CopyFile {
  readonly descriptor: number;
  /** How many bytes were written. */
  bytes = 0;
  private readonly path: string;
  private nextCheck = 0;

  /** @throws TableError `disk` */
  constructor(
    private readonly folder: string,
    private readonly maxBytes: number,
  ) {
    this.path = path.join(folder, `${randomUUID()}.copy`);
    try {
      // The copy is not masked: the folder is private.
      fs.mkdirSync(folder, { recursive: true, mode: 0o700 });
      this.descriptor = fs.openSync(this.path, 'wx+', 0o600);
    } catch (error) {
      throw new TableError('disk', 'Could not create a temporary copy.', { cause: error });
    }
    // Unlinked immediately if the system allows it, so that a crash leaves nothing behind.
    this.remove();
  }

  /** @returns whether all bytes were written and more may follow */
  write(bytes: Uint8Array): boolean {
    if (bytes.length === 0) {
      return true;
    }
    try {
      if (this.bytes >= this.nextCheck) {
        this.nextCheck += bytesBetweenChecks;
        const { bavail, bsize } = fs.statfsSync(this.folder);
        if (bavail * bsize < spareBytes) {
          return false;
        }
      }
      const room = Math.min(bytes.length, this.maxBytes - this.bytes);
      writeFully(this.descriptor, bytes.subarray(0, room), this.bytes);
      this.bytes += room;
      return room === bytes.length;
    } catch {
      // Disk full, quota or disk error: the file itself is not affected.
      return false;
    }
  }

  read(target: Uint8Array, offset: number, length: number, position: number): number {
    const total = Math.min(length, this.bytes - position);
    return total > 0 ? readFully(this.descriptor, target, offset, total, position) : 0;
  }

  close(): void {
    fs.closeSync(this.descriptor);
    this.remove();
  }

  private remove(): void {
    try {
      removeNow(this.path);
    } catch {
      // Already removed, or in use until it is closed.
    }
  }
}

/**
 * The stats of the file that has this name now; `undefined` if unknown, for example because a drive
 * was removed.
 */
function readStat(file: string): fs.BigIntStats | undefined {
  try {
    return fs.statSync(file, { bigint: true });
  } catch {
    return undefined;
  }
}

export function readFully(
  file: number,
  target: Uint8Array,
  offset: number,
  length: number,
  position: number,
): number {
  let done = 0;
  while (done < length) {
    const count = fs.readSync(file, target, offset + done, length - done, position + done);
    if (count === 0) {
      throw new TableError('changed', 'The file became shorter.');
    }
    done += count;
  }
  return done;
}

function writeFully(file: number, bytes: Uint8Array, position: number): void {
  for (let done = 0; done < bytes.length;) {
    done += fs.writeSync(file, bytes, done, bytes.length - done, position + done);
  }
}

const blockBytes = 256 * 1024;
const maxBlocks = 256;

/**
 * A checksum of the bytes that were read from a file, to check later whether its content is unchanged. It covers
 * a whole file of up to 64 MiB, or 256 blocks spread over a larger file, the last one at its end. It is calculated
 * while the file is read.
 */
class Samples {
  private sum = 0;
  /** Up to which position the file was read in order. */
  private end = 0;
  /** From one block to the next. */
  private readonly step: number;

  constructor(size: number) {
    this.step = Math.max(blockBytes, Math.ceil((size - blockBytes) / (maxBlocks - 1)));
  }

  /** Adds bytes that were read. They count only if they are added in order. */
  add(bytes: Uint8Array, position: number): void {
    const end = position + bytes.length;
    if (position <= this.end && this.end < end) {
      for (const [from, to] of this.parts(this.end, end)) {
        this.sum = crc32(bytes.subarray(from - position, to - position), this.sum);
      }
      this.end = end;
    }
  }

  /**
   * Whether the file still has the content that was read.
   * @param read fills the whole array. @throws if it cannot.
   */
  isUnchanged(read: (bytes: Uint8Array, position: number) => void): boolean {
    let sum = 0;
    for (const [from, to] of this.parts(0, this.end)) {
      const bytes = Buffer.alloc(to - from);
      read(bytes, from);
      sum = crc32(bytes, sum);
    }
    return sum === this.sum;
  }

  /** The parts of blocks between two positions. */
  private *parts(from: number, to: number): Generator<readonly [from: number, to: number]> {
    for (let at = Math.floor(from / this.step) * this.step; at < to; at += this.step) {
      const [first, last] = [Math.max(at, from), Math.min(at + blockBytes, to)];
      if (first < last) {
        yield [first, last];
      }
    }
  }
}
