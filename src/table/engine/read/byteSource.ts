import { randomUUID } from 'node:crypto';
import fs from 'node:fs';
import path from 'node:path';
import { Readable } from 'node:stream';
import { createGunzip } from 'node:zlib';
import { unpackDamaged } from './damagedGzip';
import { Samples } from './samples';
import { TableError } from '../tableError';
import type { FileChange, Truncation } from '../types';

/** Bytes that can be read anywhere, perhaps not all of them yet. */
export interface ByteSource {
  /** How many bytes can be read by now. */
  readonly available: number;
  /** Whether `available` will not grow any more. */
  readonly complete: boolean;
  /** Bytes of the file that were taken, where it is unpacked, and all of them. */
  readonly taken: number;
  readonly size: number;
  readonly truncation: Truncation | undefined;
  /** Bytes behind what is compressed, which belong to nothing; absent where there are none. */
  readonly trailingBytes?: number;
  /** Reads as much as there is; 0 at the end of what is available. */
  read(target: Uint8Array, offset: number, length: number, position: number): number;
  /** Resolves when more is available, or nothing will be. */
  more(): Promise<void>;
  /** How the file differs by now from what was opened. */
  changed(): FileChange | undefined;
  close(): void;
}

/** Opens a plain file. @throws TableError */
export function openPlain(file: string): PlainSource {
  try {
    return new PlainSource(file, fs.openSync(file, 'r'));
  } catch (error) {
    if (error instanceof TableError) {
      throw error;
    }
    const isMissing = (error as NodeJS.ErrnoException).code === 'ENOENT';
    throw new TableError(isMissing ? 'notFound' : 'unreadable', 'The file cannot be opened.', {
      cause: error,
    });
  }
}

export class PlainSource implements ByteSource {
  readonly available: number;
  readonly complete = true;
  readonly size: number;
  readonly truncation = undefined;
  private readonly opened: fs.BigIntStats;
  private readonly samples: Samples;
  /** The state of the file in which its content was last compared. */
  private compared: { readonly stats: fs.BigIntStats; readonly isSame: boolean };
  private isOpen = true;

  constructor(
    private readonly file: string,
    readonly descriptor: number,
  ) {
    this.opened = fs.fstatSync(descriptor, { bigint: true });
    if (!this.opened.isFile()) {
      this.close();
      throw new TableError('unreadable', 'That is no file.');
    }
    this.size = Number(this.opened.size);
    this.available = this.size;
    this.samples = new Samples(this.size);
    this.compared = { stats: this.opened, isSame: true };
  }

  get taken(): number {
    return this.size;
  }

  read(target: Uint8Array, offset: number, length: number, position: number): number {
    const wanted = Math.min(length, this.available - position);
    if (wanted <= 0) {
      return 0;
    }
    const count = readFully(this.descriptor, target, offset, wanted, position);
    this.samples.learn(target.subarray(offset, offset + count), position);
    return count;
  }

  more(): Promise<void> {
    return Promise.resolve();
  }

  changed(): FileChange | undefined {
    const { opened } = this;
    const held = fs.fstatSync(this.descriptor, { bigint: true });
    if (held.size < opened.size || !this.isSame(held)) {
      return 'modified';
    }
    if (held.size > opened.size) {
      return 'grown';
    }
    if (held.mtimeNs !== opened.mtimeNs) {
      return 'modified';
    }
    const named = statOf(this.file);
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

  /**
   * Whether what was read is still there. The time of the last change (`ctime`), which nobody can set, is
   * not proof of another content: a new mode or name changes it, too.
   */
  private isSame(stats: fs.BigIntStats): boolean {
    const { compared } = this;
    if (
      stats.size !== compared.stats.size ||
      stats.mtimeNs !== compared.stats.mtimeNs ||
      stats.ctimeNs !== compared.stats.ctimeNs
    ) {
      this.compared = { stats, isSame: this.samplesAreThere() };
    }
    return this.compared.isSame;
  }

  private samplesAreThere(): boolean {
    try {
      return this.samples.areThere((bytes, position) => {
        readFully(this.descriptor, bytes, 0, bytes.length, position);
      });
    } catch {
      // It has become shorter meanwhile, or cannot be read any more.
      return false;
    }
  }
}

/** Free bytes that unpacking leaves on the disk. */
const spareBytes = 512 * 1024 ** 2;
const bytesBetweenChecks = 64 * 1024 ** 2;

/**
 * A gzip file, unpacked into a file of our own while it is read. An index of entry points into the
 * compressed stream would save the disk space, but needs inflate with a given window at a bit
 * position, which Node does not offer; and each page of a sorted table would inflate up to 200 of
 * the stretches between entry points.
 */
export class GzipSource implements ByteSource {
  available = 0;
  complete = false;
  truncation: Truncation | undefined;
  trailingBytes = 0;
  private readonly copy: number;
  private readonly copyPath: string;
  private taking = 0;
  /** The file was changed before all of it was read: what was unpacked may be a mixture. */
  private isMixed = false;
  private nextCheck = 0;
  private isOpen = true;
  private wake: () => void = () => undefined;
  private growing = this.nextGrowth();

  constructor(
    private readonly packed: PlainSource,
    cacheFolder: string,
    private readonly maxBytes: number,
  ) {
    this.copyPath = path.join(cacheFolder, `${randomUUID()}.unpacked`);
    try {
      // What is unpacked is not masked: the folder is nobody else's either.
      fs.mkdirSync(cacheFolder, { recursive: true, mode: 0o700 });
      this.copy = fs.openSync(this.copyPath, 'wx+', 0o600);
    } catch (error) {
      packed.close();
      throw new TableError('disk', 'No file can be made to unpack into.', { cause: error });
    }
    // Nameless from now on where the system allows it, so that a crash leaves nothing behind.
    this.removeCopy();
    void this.unpack(cacheFolder);
  }

  get taken(): number {
    return this.complete ? this.packed.size : this.taking;
  }

  get size(): number {
    return this.packed.size;
  }

  read(target: Uint8Array, offset: number, length: number, position: number): number {
    const wanted = Math.min(length, this.available - position);
    return wanted > 0 ? readFully(this.copy, target, offset, wanted, position) : 0;
  }

  more(): Promise<void> {
    return this.complete ? Promise.resolve() : this.growing;
  }

  changed(): FileChange | undefined {
    const change = this.isMixed ? 'modified' : this.packed.changed();
    if (change === 'grown' || (change === 'modified' && this.complete && !this.isMixed)) {
      // What was unpacked stays as it was, whatever becomes of the file.
      return 'replaced';
    }
    return change;
  }

  close(): void {
    if (this.isOpen) {
      this.isOpen = false;
      this.finish(this.truncation);
      fs.closeSync(this.copy);
      this.removeCopy();
      this.packed.close();
    }
  }

  private async unpack(folder: string): Promise<void> {
    const gunzip = createGunzip({ chunkSize: 256 * 1024 });
    const input = Readable.from(this.pieces(), { objectMode: false });
    input.on('error', (error) => gunzip.destroy(error));
    try {
      for await (const chunk of input.pipe(gunzip) as AsyncIterable<Buffer>) {
        if (!this.isOpen) {
          break;
        }
        if (!this.keep(chunk, folder)) {
          this.truncation = 'limit';
          break;
        }
        this.notify();
      }
      this.finish(this.truncation);
    } catch (error) {
      const isOfZlib = String((error as NodeJS.ErrnoException).code).startsWith('Z_');
      this.finish(isOfZlib ? await this.unpackRest(folder) : 'gzip');
    } finally {
      input.destroy();
      gunzip.destroy();
    }
  }

  /** Unpacks what Node did not, and finds out why. */
  private async unpackRest(folder: string): Promise<Truncation | undefined> {
    let known = this.available;
    try {
      const { truncation, trailingBytes } = await unpackDamaged(this.packed, (chunk) => {
        const rest = chunk.subarray(Math.min(known, chunk.length));
        known -= chunk.length - rest.length;
        const continues = this.isOpen && (rest.length === 0 || this.keep(rest, folder));
        this.notify();
        return continues;
      });
      this.trailingBytes = trailingBytes;
      return truncation;
    } catch {
      // It has become shorter meanwhile, or cannot be read any more.
      return 'gzip';
    }
  }

  /** @returns whether there was room for all of the piece, and may be for more. */
  private keep(chunk: Buffer, folder: string): boolean {
    try {
      if (this.available >= this.nextCheck) {
        this.nextCheck += bytesBetweenChecks;
        const { bavail, bsize } = fs.statfsSync(folder);
        if (bavail * bsize < spareBytes) {
          return false;
        }
      }
      const room = Math.min(chunk.length, this.maxBytes - this.available);
      writeFully(this.copy, chunk.subarray(0, room), this.available);
      this.available += room;
      return room === chunk.length;
    } catch {
      // Full, a quota, or a fault of the disk: whatever it is, the packed file is none the worse.
      return false;
    }
  }

  private *pieces(): Generator<Buffer> {
    while (this.isOpen && this.taking < this.packed.available) {
      const piece = Buffer.allocUnsafeSlow(256 * 1024);
      const count = this.packed.read(piece, 0, piece.length, this.taking);
      this.taking += count;
      yield piece.subarray(0, count);
    }
  }

  private finish(truncation: Truncation | undefined): void {
    if (!this.complete) {
      this.truncation = truncation;
      this.isMixed = this.isPackedModified();
      this.complete = true;
      this.notify();
    }
  }

  private isPackedModified(): boolean {
    try {
      return this.packed.changed() === 'modified';
    } catch {
      // Nobody can tell, as of a drive that went away.
      return true;
    }
  }

  private notify(): void {
    const { wake } = this;
    this.growing = this.nextGrowth();
    wake();
  }

  private nextGrowth(): Promise<void> {
    return new Promise((resolve) => {
      this.wake = resolve;
    });
  }

  private removeCopy(): void {
    try {
      fs.unlinkSync(this.copyPath);
    } catch {
      // Gone already, or held until it is closed.
    }
  }
}

/** What has the name by now; nothing where that cannot be told, as of a drive that went away. */
function statOf(file: string): fs.BigIntStats | undefined {
  try {
    return fs.statSync(file, { bigint: true });
  } catch {
    return undefined;
  }
}

function readFully(
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
      throw new TableError('changed', 'The file has become shorter.');
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
