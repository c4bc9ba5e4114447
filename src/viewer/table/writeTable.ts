import { type Disk, localDisk } from '../../files/disk';
import { type PutPiece, type SaveTarget, writeWhole } from '../../files/wholeFile';
import type {
  TableCallOptions,
  TableHandle,
  ExportPart,
  PackedPart,
  HandedOn,
  Query,
  View,
} from '../../engine';
import { isPacked, type TableExportFormat } from '../../base/exportFormats';

/** The part of a table to export, and its format. */
export interface TableExport
  extends
    Pick<ExportPart, 'columns' | 'countName' | 'words' | 'decimalComma'>,
    Pick<PackedPart, 'sheetName'>,
    HandedOn {
  readonly query: Query;
  readonly format: TableExportFormat;
}

interface TableExportOptions {
  /** Whether secret-like values are written unmasked; only if a user asked for it. */
  readonly reveal: boolean;
  readonly signal?: AbortSignal;
  /** Called with the number of rows written so far, and of all rows. */
  readonly onProgress?: (count: number, total: number) => void;
  /** Default: the file system of this machine. */
  readonly disk?: Disk;
}

/**
 * Writes the rows of a query to a file, part by part: all or nothing.
 * @returns how many rows or groups were written, and of how many cells the format has no room for the whole text.
 * @throws TableError, FileError, and the reason of the signal.
 */
export async function writeTable(
  table: Pick<TableHandle, 'call'>,
  { query, format, ...columns }: TableExport,
  target: SaveTarget,
  { reveal, signal, onProgress, disk = localDisk }: TableExportOptions,
): Promise<{ readonly count: number; readonly cutCells: number }> {
  const options = { reveal, ...(signal && { signal }) };
  const write = (put: PutPiece) =>
    withRows(
      table,
      query,
      async ({ id: view, rows, groups = rows }) => {
        let count = 0;
        let cutCells = 0;
        for (let isLast = false; !isLast;) {
          const part = { ...columns, view, from: count };
          const next = isPacked(format)
            ? await table.call('packedPart', { ...part, format }, options)
            : await table.call('exportPart', { ...part, format }, options);
          await put('bytes' in next ? next.bytes : next.text);
          count += next.rows;
          cutCells += 'bytes' in next ? (next.cutCells ?? 0) : 0;
          ({ isLast } = next);
          onProgress?.(count, groups);
        }
        return { count, cutCells };
      },
      options,
    );
  try {
    return await writeWhole(disk, target, write, signal);
  } catch (error) {
    // After a cancellation, throws the reason of the signal, not the error of the thread.
    signal?.throwIfAborted();
    throw error;
  }
}

/** Works with the rows of a query, independently of what a page shows. */
export async function withRows<T>(
  table: Pick<TableHandle, 'call'>,
  query: Query,
  work: (view: View) => Promise<T>,
  options: TableCallOptions = {},
): Promise<T> {
  const view = await table.call('hold', { query }, options);
  try {
    return await work(view);
  } finally {
    // Fails if the table has ended: its views are gone already.
    table.call('release', { view: view.id }).catch(() => undefined);
  }
}
