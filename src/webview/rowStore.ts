import { type Cell, maxPageRows } from '../engine/types';
import type { LoadedRow } from './grid/gridParts';
import { failureText } from './hostLink';

/** Columns per request, so that pages with a thousand columns stay small. */
export const blockColumns = 50;

const pageRows = Math.min(100, maxPageRows);
const maxBlocks = 120;
const maxRequests = 3;

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
  private visible: { readonly page: number; readonly block: number }[] = [];
  private rows = 0;
  private disposed = false;

  constructor(
    private readonly fetch: Fetch,
    private readonly onLoaded: () => void,
    private readonly onFailed: (error: unknown) => void,
  ) {}

  /** Cancels running requests: their answers are stale. */
  dispose(): void {
    this.disposed = true;
    this.pending.forEach((abort) => {
      abort.abort();
    });
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

  /** Loads the visible rows and columns: from the first to before the end. */
  load(rows: number, first: number, end: number, firstColumn: number, endColumn: number): void {
    this.rows = rows;
    this.visible = [];
    const firstBlock = Math.floor(firstColumn / blockColumns);
    const lastBlock = Math.floor(Math.max(firstColumn, endColumn - 1) / blockColumns);
    for (let page = Math.floor(first / pageRows); page * pageRows < end; page += 1) {
      for (let block = firstBlock; block <= lastBlock; block += 1) {
        this.visible.push({ page, block });
      }
    }
    const keys = new Set(this.visible.map(({ page, block }) => keyOf(page, block)));
    for (const [key, abort] of this.pending) {
      if (!keys.has(key)) {
        abort.abort();
      }
    }
    this.fetchNext();
  }

  /** Retries failed pages. */
  retry(): void {
    this.failed.clear();
    this.fetchNext();
  }

  private fetchNext(): void {
    for (const { page, block } of this.visible) {
      const key = keyOf(page, block);
      const count = Math.min(pageRows, this.rows - page * pageRows);
      const loaded = this.blocks.get(key);
      if (loaded) {
        // Becomes the most recently used page, the last of the map. The first pages are dropped first.
        this.blocks.delete(key);
        this.blocks.set(key, loaded);
      }
      // The last page of a growing file is loaded again when there is more.
      const complete = loaded !== undefined && loaded.length >= count;
      if (complete || this.pending.has(key) || this.failed.has(key)) {
        continue;
      }
      if (this.pending.size >= maxRequests) {
        return;
      }
      this.loadBlock(key, page, block, count);
    }
  }

  private loadBlock(key: string, page: number, block: number, count: number): void {
    const abort = new AbortController();
    this.pending.set(key, abort);
    this.fetch(page * pageRows, count, block, abort.signal).then(
      (rows) => {
        this.pending.delete(key);
        if (!this.disposed) {
          this.add(key, rows);
          this.onLoaded();
          this.fetchNext();
        }
      },
      (error: unknown) => {
        this.pending.delete(key);
        if (!this.disposed) {
          this.fail(key, error);
        }
      },
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

  private fail(key: string, error: unknown): void {
    if (failureText(error) !== undefined) {
      this.failed.add(key);
      this.onFailed(error);
    }
    this.fetchNext();
  }
}

function keyOf(page: number, block: number): string {
  return `${page}:${block}`;
}
