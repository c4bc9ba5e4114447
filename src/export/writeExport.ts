import { dirname } from 'node:path';
import { type Disk, moveWithoutReplacing, onDisk, syncFolder } from '../api/download/disk';
import { PartWriter } from '../api/download/partWriter';
import type { JsonObject } from '../base/json';
import { type ExportFormat, formatWriter } from './exportFormat';

export interface ExportTarget {
  /** Absolute. */
  readonly path: string;
  readonly format: ExportFormat;
  /** Whether a person agreed to replace an existing file. */
  readonly replace: boolean;
}

/**
 * Writes findings to a draft beside the target and, when it is complete and on the disk, gives it its
 * name. Whatever fails, the target stays what it was.
 *
 * @param batches the findings in order; held one batch at a time.
 * @returns how many were written.
 * @throws DownloadError, TooManyColumnsError, and the reason of the signal.
 */
export async function writeExport(
  disk: Disk,
  draft: string,
  target: ExportTarget,
  columns: ReadonlySet<string>,
  batches: AsyncIterable<readonly JsonObject[]> | Iterable<readonly JsonObject[]>,
  signal?: AbortSignal,
): Promise<number> {
  const format = formatWriter(target.format, columns);
  const file = await onDisk(() => disk.open(draft, 'wx', 0o600));
  try {
    let count = 0;
    const writer = new PartWriter(file, 0);
    const write = (text: string) => onDisk(() => writer.write([Buffer.from(text)]));
    try {
      await write(format.head);
      for await (const entries of batches) {
        signal?.throwIfAborted();
        const lines = entries.map((entry) => format.entry(entry, count++));
        await write(lines.join(''));
      }
      await write(format.tail(count));
      await onDisk(() => writer.flush());
      await onDisk(() => file.sync());
    } catch (error) {
      // The file is closed under no write that is on its way.
      await writer.flush().catch(() => undefined);
      await file.close().catch(() => undefined);
      throw error;
    }
    await onDisk(() => file.close());
    signal?.throwIfAborted();
    await onDisk(() =>
      target.replace
        ? disk.rename(draft, target.path)
        : moveWithoutReplacing(disk, draft, target.path),
    );
    await syncFolder(disk, dirname(target.path));
    return count;
  } catch (error) {
    await disk.unlink(draft).catch(() => undefined);
    throw error;
  }
}
