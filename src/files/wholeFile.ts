import { randomBytes } from 'node:crypto';
import { dirname, join } from 'node:path';
import type { ExportFormat } from '../base/exportFormats';
import {
  type Disk,
  moveWithoutReplacing,
  onDisk,
  PartWriter,
  refuseExisting,
  renameFile,
  syncFolder,
} from './disk';

/** Where a file is written. */
export interface SaveTarget {
  readonly path: string;
  /** Whether a user agreed to replace an existing file. */
  readonly replace: boolean;
}

export interface ExportTarget<Format = ExportFormat> extends SaveTarget {
  readonly format: Format;
}

/**
 * Writes a file piece by piece, all or nothing: see `writeAtomically`.
 * @returns the result of `write`.
 * @throws FileError, also if the file exists and must not be replaced; errors of `write`, and the reason of the signal.
 */
export async function writeWhole<T>(
  disk: Disk,
  requested: SaveTarget,
  write: (put: PutPiece) => Promise<T>,
  signal?: AbortSignal,
): Promise<T> {
  const target = await resolveTarget(disk, requested);
  return writeAtomically(disk, createDraftPath(target), target, write, signal);
}

/**
 * The file to write: for a link that is replaced, the one behind it.
 * @throws FileError if it exists and must not be replaced
 */
export async function resolveTarget<Target extends SaveTarget>(
  disk: Disk,
  requested: Target,
): Promise<Target> {
  const { path, replace } = requested;
  if (!replace) {
    await onDisk(() => refuseExisting(disk, path));
    return requested;
  }
  const existing = await disk.lstat(path).catch(() => undefined);
  // A broken link is itself replaced.
  const real = existing?.isSymbolicLink() ? await disk.realpath(path).catch(() => path) : path;
  return { ...requested, path: real };
}

function createDraftPath({ path }: SaveTarget): string {
  return join(dirname(path), `scorecard-${randomBytes(8).toString('hex')}.draft`);
}

/** Writes the next piece of a file. Resolves when there is room for more. */
export type PutPiece = (piece: string | Uint8Array) => Promise<void>;

/** Writes the pieces of a stream. @throws as `put` does, and the error of the stream */
export async function putAll(put: PutPiece, pieces: AsyncIterable<Uint8Array>): Promise<void> {
  for await (const piece of pieces) {
    await put(piece);
  }
}

/**
 * Writes a draft next to the target and gives it the name when it is complete and synced to disk: by a link, which
 * replaces nothing, or by a rename. A replaced file
 * stays readable for the same users; a new file is private. If anything fails, the target stays as it was.
 *
 * @returns the result of `write`.
 * @throws FileError, errors of `write`, and the reason of the signal.
 */
export async function writeAtomically<T>(
  disk: Disk,
  draft: string,
  target: SaveTarget,
  write: (put: PutPiece) => Promise<T>,
  signal?: AbortSignal,
): Promise<T> {
  const file = await onDisk(() => disk.open(draft, 'wx', 0o600));
  try {
    let result: T;
    const writer = new PartWriter(file, 0);
    try {
      result = await write((piece) => {
        signal?.throwIfAborted();
        return onDisk(() => writer.write([toBuffer(piece)]));
      });
      await onDisk(() => writer.flush());
      await onDisk(() => file.sync());
    } catch (error) {
      // Do not close the file while a write is in progress.
      await writer.flush().catch(() => undefined);
      await file.close().catch(() => undefined);
      throw error;
    }
    await onDisk(() => file.close());
    signal?.throwIfAborted();
    await onDisk(() =>
      target.replace
        ? replaceFile(disk, draft, target.path)
        : moveWithoutReplacing(disk, draft, target.path),
    );
    await syncFolder(disk, dirname(target.path));
    return result;
  } catch (error) {
    await disk.unlink(draft).catch(() => undefined);
    throw error;
  }
}

function toBuffer(piece: string | Uint8Array): Buffer {
  return typeof piece === 'string'
    ? Buffer.from(piece)
    : Buffer.from(piece.buffer, piece.byteOffset, piece.byteLength);
}

async function replaceFile(disk: Disk, draft: string, path: string): Promise<void> {
  const existing = await disk.lstat(path).catch(() => undefined);
  if (existing?.isFile()) {
    // If the file system has no modes, the draft stays as it is.
    await disk.chmod(draft, existing.mode & 0o777).catch(() => undefined);
  }
  await renameFile(disk, draft, path);
}
