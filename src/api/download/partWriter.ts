import { byteLength } from '../http/batches';
import type { DiskFile } from './disk';

const bytesPerMb = 1024 * 1024;

/** How many bytes may wait for the disk before the reader is held back. */
const mostWaiting = 2 * bytesPerMb;

/**
 * After how many bytes the file is synced. Otherwise the system would collect gigabytes in memory,
 * and the sync at the end would wait for all of them.
 */
const syncEvery = 4 * bytesPerMb;

/** How many bytes may be written during a sync before the writer waits for that sync. */
const mostUnsynced = 32 * bytesPerMb;

/**
 * Writes the pieces of a body in order while the next ones arrive. Pieces are written at once;
 * those that arrive while the disk is busy go into the next write. A disk that is slower than the
 * network holds the reader back, so memory use does not grow with the file.
 */
export class PartWriter {
  private waiting: Buffer[] = [];
  private waitingBytes = 0;
  /** The write that is on its way to the disk, and the loop that it is a part of. */
  private current: Promise<void> | undefined;
  private writing: Promise<void> | undefined;
  private syncing: Promise<void> | undefined;
  private unsynced = 0;
  private failure: { error: unknown } | undefined;

  /** @param position where in the file the next byte belongs. */
  constructor(
    private readonly file: Pick<DiskFile, 'writev' | 'datasync'>,
    private position: number,
  ) {}

  /** Takes pieces, and resolves when there is room for more. Throws what the disk threw. */
  async write(pieces: readonly Buffer[]): Promise<void> {
    this.throwFailure();
    const bytes = byteLength(pieces);
    if (bytes === 0) {
      // With nothing to write, the loop would end before it is noted as running.
      return;
    }
    for (const piece of pieces) {
      this.waiting.push(piece);
    }
    this.waitingBytes += bytes;
    this.writing ??= this.writeWaiting();
    while (this.waitingBytes >= mostWaiting && !this.failure) {
      await this.current?.catch(() => undefined);
    }
    this.throwFailure();
  }

  /** Resolves when everything that was taken is written and nothing more is done with the file. */
  async flush(): Promise<void> {
    await this.writing;
    await this.syncing;
    this.throwFailure();
  }

  /** Writes until nothing waits; never rejects, for nobody may be waiting for it. */
  private async writeWaiting(): Promise<void> {
    try {
      while (this.waitingBytes > 0) {
        const pieces = this.waiting;
        this.waiting = [];
        this.waitingBytes = 0;
        this.current = this.writeAll(pieces);
        await this.current;
      }
    } catch (error) {
      this.failure ??= { error };
    } finally {
      this.writing = undefined;
    }
  }

  private async writeAll(pieces: Buffer[]): Promise<void> {
    for (let rest = pieces; rest.length > 0;) {
      const { bytesWritten } = await this.file.writev(rest, this.position);
      if (bytesWritten === 0) {
        throw new Error('The disk took nothing of what it was given.');
      }
      this.position += bytesWritten;
      this.unsynced += bytesWritten;
      rest = skip(rest, bytesWritten);
    }
    if (this.unsynced >= mostUnsynced) {
      await this.syncing;
    }
    if (this.unsynced >= syncEvery && !this.syncing) {
      this.unsynced = 0;
      this.syncing = this.syncMeanwhile();
    }
  }

  /** Never rejects, for nobody waits for it; writing continues beside it. */
  private async syncMeanwhile(): Promise<void> {
    try {
      await this.file.datasync();
    } catch (error) {
      this.failure ??= { error };
    } finally {
      this.syncing = undefined;
    }
  }

  private throwFailure(): void {
    if (this.failure) {
      throw this.failure.error;
    }
  }
}

/** What is left of the pieces after so many bytes; empty pieces are left out. */
function skip(pieces: Buffer[], count: number): Buffer[] {
  let left = count;
  return pieces
    .map((piece) => {
      const skipped = Math.min(left, piece.length);
      left -= skipped;
      return piece.subarray(skipped);
    })
    .filter(({ length }) => length > 0);
}
