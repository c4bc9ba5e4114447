import { closeSync, createWriteStream, fsyncSync, openSync, readSync } from 'node:fs';
import { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { createGzip } from 'node:zlib';
import { FindingSource } from './findingTexts';
import type { Shape } from './shapes';

const pieceBytes = 4 * 1024 ** 2;
const longestRecord = 64 * 1024;

/** What is in a file. */
export interface Written {
  readonly rows: number;
  /** Unpacked. */
  readonly bytes: number;
}

/**
 * Writes a file of a shape, the same each time, with about this many bytes when it is unpacked. It is on the disk
 * when this resolves: what the system still had to write would take time from what is measured next.
 */
export async function writeShape(shape: Shape, path: string, bytes: number): Promise<Written> {
  const written = { rows: 0, bytes: 0 };
  const pieces = Readable.from(piecesOf(shape, bytes, written), { objectMode: false });
  const file = createWriteStream(path);
  await (shape.extension.endsWith('.gz')
    ? pipeline(pieces, createGzip(), file)
    : pipeline(pieces, file));
  const descriptor = openSync(path, 'r+');
  fsyncSync(descriptor);
  closeSync(descriptor);
  return written;
}

function* piecesOf(
  { before, record, separator, after }: Shape,
  bytes: number,
  written: { rows: number; bytes: number },
): Generator<Buffer> {
  const source = new FindingSource();
  const piece = Buffer.allocUnsafe(pieceBytes + longestRecord);
  let end = piece.write(before);
  for (; written.bytes + end < bytes; written.rows += 1) {
    // Record by record: V8 takes several times as long to join them to a long text.
    end += piece.write(
      written.rows > 0 ? separator + record(source.next()) : record(source.next()),
      end,
    );
    if (end > pieceBytes) {
      written.bytes += end;
      yield Buffer.from(piece.subarray(0, end));
      end = 0;
    }
  }
  end += piece.write(after, end);
  written.bytes += end;
  yield piece.subarray(0, end);
}

/** Reads a file once, so that the system has it in its memory. */
export function readOnce(path: string): void {
  const buffer = Buffer.allocUnsafe(pieceBytes);
  const descriptor = openSync(path, 'r');
  while (readSync(descriptor, buffer) > 0);
  closeSync(descriptor);
}
