import { finished, type Readable } from 'node:stream';
import { setImmediate } from 'node:timers/promises';
import type { WaitTimer } from './waitTimer';

/** What may gather before the stream is paused, in bytes. */
const largestBatch = 1024 * 1024;

/**
 * Reads a stream in batches: what has arrived since the last one was taken, and never less than
 * all that a turn of the event loop brings. A fast body comes in tens of thousands of pieces, and
 * to wait for each of them takes longer than to write it. Who takes no batch holds the stream back.
 *
 * What arrived before the stream failed is given first. Who ends the iteration early has to destroy
 * the stream.
 *
 * @param timer limits each wait for the next piece; while a batch is looked at it does not run.
 * @throws what the stream failed with; ERR_STREAM_PREMATURE_CLOSE when it was closed before its end.
 */
export async function* batchesOf(
  stream: Readable,
  timer: WaitTimer,
): AsyncGenerator<Buffer[], void, undefined> {
  let batch: Buffer[] = [];
  let length = 0;
  let end: { error: Error | null | undefined } | undefined;
  let wake: (() => void) | undefined;
  stream.on('data', (piece: Buffer) => {
    batch.push(piece);
    length += piece.length;
    if (length >= largestBatch) {
      stream.pause();
    }
    wake?.();
  });
  finished(stream, { writable: false }, (error) => {
    end = { error };
    wake?.();
  });
  for (;;) {
    if (batch.length > 0) {
      const taken = batch;
      batch = [];
      length = 0;
      if (stream.isPaused()) {
        stream.resume();
      }
      yield taken;
    } else if (end) {
      if (end.error) {
        throw end.error;
      }
      return;
    } else {
      timer.begin();
      await new Promise<void>((resolve) => {
        wake = resolve;
      });
      timer.end();
      await setImmediate();
    }
  }
}

/** Bytes of a batch. */
export function byteLength(batch: readonly Buffer[]): number {
  return batch.reduce((sum, { length }) => sum + length, 0);
}
