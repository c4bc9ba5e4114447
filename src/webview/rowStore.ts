import { type Cell, maxPageRows } from '../engine/types';
import type { LoadedRow } from './grid/gridParts';
import { failureText } from './hostLink';

/** Columns per request, so that pages with a thousand columns stay small. */
export const blockColumns = 50;

const pageRows = Math.min(100, maxPageRows);
const maxBlocks = 120;

type Fetch = (
  from: number,
  count: number,
  block: number,
  signal: AbortSignal,
) => Promise<readonly LoadedRow[]>;

/** The loaded pages of rows, least recently used first, and the pages that are being loaded. */
export class RowStore {
  private readonly blocks = new Map<string, readonly LoadedRow[]>();
  private readonly pending = new Map<string, AbortController>();
  private readonly failed = new Set<string>();
  private disposed = false;

  constructor(
    private readonly fetch: Fetch,
    private readonly onLoaded: () => void,
    private readonly onFailed: (error: unknown) => void,
  ) {}

  /** Cancels running requests: their answers are stale. */
  dispose(): void {
    this.disposed = true;
    this.pending.forEach((abort) => abort.abort());
  }

  row(row: number, block = 0): LoadedRow | undefined {
    return this.blocks.get(keyOf(Math.floor(row / pageRows), block))?.[row % pageRows];
  }

  cell(row: number, column: number): Cell | undefined {
    const block = Math.floor(column / blockColumns);
    const loaded = this.row(row, block);
    // The text of a row without values comes with every block, and is shown in the first column only.
    return loaded?.cells[0]?.kind === 'invalid' && block > 0
      ? { kind: 'missing', text: '' }
      : loaded?.cells[column % blockColumns];
  }

  /** Loads the visible rows and columns: from the first to before the end. Others are no longer loaded. */
  load(rows: number, first: number, end: number, firstColumn: number, endColumn: number): void {
    const visible = new Map<string, readonly [page: number, block: number]>();
    const firstBlock = Math.floor(firstColumn / blockColumns);
    const lastBlock = Math.floor(Math.max(firstColumn, endColumn - 1) / blockColumns);
    for (let page = Math.floor(first / pageRows); page * pageRows < end; page += 1) {
      for (let block = firstBlock; block <= lastBlock; block += 1) {
        visible.set(keyOf(page, block), [page, block]);
      }
    }
    for (const [key, abort] of this.pending) {
      if (!visible.has(key)) {
        abort.abort();
      }
    }
    for (const [key, [page, block]] of visible) {
      const count = Math.min(pageRows, rows - page * pageRows);
      const loaded = this.blocks.get(key);
      if (loaded) {
        // Becomes the most recently used page, the last of the map. The first pages are dropped first.
        this.blocks.delete(key);
        this.blocks.set(key, loaded);
      }
      // The last page of a growing file is loaded again when there is more.
      const isComplete = loaded !== undefined && loaded.length >= count;
      if (!isComplete && !this.pending.has(key) && !this.failed.has(key)) {
        this.loadBlock(key, page, block, count);
      }
    }
  }

  /** Forgets which pages failed, so that they are loaded again. */
  retry(): void {
    this.failed.clear();
  }

  private loadBlock(key: string, page: number, block: number, count: number): void {
    const abort = new AbortController();
    this.pending.set(key, abort);
    const ended = (act: () => void): void => {
      this.pending.delete(key);
      if (!this.disposed) {
        act();
      }
    };
    this.fetch(page * pageRows, count, block, abort.signal).then(
      (rows) =>
        ended(() => {
          this.add(key, rows);
          this.onLoaded();
        }),
      (error: unknown) =>
        ended(() => {
          if (failureText(error) === undefined) {
            // It was cancelled, and may be visible again.
            this.onLoaded();
          } else {
            this.failed.add(key);
            this.onFailed(error);
          }
        }),
    );
  }

  private add(key: string, rows: readonly LoadedRow[]): void {
    this.blocks.set(key, rows);
    for (const oldest of this.blocks.keys()) {
      if (this.blocks.size <= maxBlocks) {
        break;
      }
      this.blocks.delete(oldest);
    }
  }
}

function keyOf(page: number, block: number): string {
  return `${page}:${block}`;
}
