import { finished, type Readable } from 'node:stream';
import { setImmediate as nextTurn } from 'node:timers/promises';
import type { Clock } from '../../base/clock';

/** What may gather before the stream is paused, in bytes. */
const largestBatch = 1024 * 1024;

/** Pieces of fewer bytes on average are copied together: a Buffer takes more memory than they do. */
const smallPiece = 1024;

/** The stream is paused at this many pieces, however small they are. */
const mostPieces = 4096;

/**
 * Reads a stream in batches. A batch is everything that has arrived since the last one; if nothing
 * has, everything that the next turn of the event loop brings. A fast body comes in tens of
 * thousands of pieces, and waiting for each of them takes longer than writing it. While nobody
 * takes a batch, the stream is paused.
 *
 * Data that arrived before the stream failed is returned first, even if no batch was requested
 * until then: listening starts with this call, because a stream that fails drops the data it holds.
 * The stream is destroyed when its batches end, or when no more of them are taken.
 *
 * @param timer limits each wait for the next piece; it does not run while a batch is processed.
 * @throws what the stream failed with; ERR_STREAM_PREMATURE_CLOSE when it was closed too early.
 */
export function batchesOf(
  stream: Readable,
  timer: WaitTimer,
): AsyncGenerator<Buffer[], void, undefined> {
  const arrival: Arrival = { batch: new Batch(), end: undefined, wake: undefined };
  const { batch } = arrival;
  stream.on('data', (piece: Buffer) => {
    batch.add(piece);
    if (batch.isFull) {
      stream.pause();
    }
    arrival.wake?.();
  });
  finished(stream, { writable: false }, (error) => {
    arrival.end = { error };
    arrival.wake?.();
  });
  return taken(stream, arrival, timer);
}

interface Arrival {
  readonly batch: Batch;
  end: { error: Error | null | undefined } | undefined;
  wake: (() => void) | undefined;
}

async function* taken(
  stream: Readable,
  arrival: Arrival,
  timer: WaitTimer,
): AsyncGenerator<Buffer[], void, undefined> {
  const { batch } = arrival;
  try {
    for (;;) {
      if (batch.length > 0) {
        const pieces = batch.take();
        if (stream.isPaused()) {
          stream.resume();
        }
        yield pieces;
      } else if (arrival.end) {
        if (arrival.end.error) {
          throw arrival.end.error;
        }
        return;
      } else {
        timer.begin();
        await new Promise<void>((resolve) => {
          arrival.wake = resolve;
        });
        timer.end();
        await nextTurn();
      }
    }
  } finally {
    // A decoder may end before the body that it reads.
    stream.destroy();
  }
}

export function byteLength(batch: readonly Buffer[]): number {
  return batch.reduce((sum, { length }) => sum + length, 0);
}

/** What has arrived and was not taken yet, in its order. */
class Batch {
  /** In bytes. */
  length = 0;
  private pieces: Buffer[] = [];

  get isFull(): boolean {
    return this.length >= largestBatch || this.pieces.length >= mostPieces;
  }

  add(piece: Buffer): void {
    this.length += piece.length;
    this.pieces.push(piece);
  }

  /** Returns what has arrived, and empties the batch. */
  take(): Buffer[] {
    const { pieces, length } = this;
    this.pieces = [];
    this.length = 0;
    return length < pieces.length * smallPiece ? [Buffer.concat(pieces)] : pieces;
  }
}

/**
 * Limits each of many waits, one after the other. One timer serves them all: it is set again only
 * when it has run, for a body of a gigabyte is thousands of waits and each is over at once.
 */
export class WaitTimer {
  /** When the wait began that continues, of the monotonic clock. */
  private since: number | undefined;
  private stopTimer: (() => void) | undefined;

  /**
   * @param timeoutMs the longest that one wait may last.
   * @param onTimeout is called when one lasts longer.
   */
  constructor(
    private readonly clock: Clock,
    private readonly timeoutMs: number,
    private readonly onTimeout: () => void,
  ) {}

  begin(): void {
    this.since = this.clock.monotonic();
    if (!this.stopTimer) {
      this.set(this.timeoutMs);
    }
  }

  end(): void {
    this.since = undefined;
  }

  /** Ends the wait that continues and the timer; a later `begin` starts over. */
  stop(): void {
    this.since = undefined;
    this.stopTimer?.();
    this.stopTimer = undefined;
  }

  private set(delayMs: number): void {
    this.stopTimer = this.clock.setTimeout(() => {
      this.stopTimer = undefined;
      if (this.since === undefined) {
        return;
      }
      const leftMs = this.since + this.timeoutMs - this.clock.monotonic();
      if (leftMs > 0) {
        this.set(Math.ceil(leftMs));
      } else {
        this.onTimeout();
      }
    }, delayMs);
  }
}
