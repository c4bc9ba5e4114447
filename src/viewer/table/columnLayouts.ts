import * as v from 'valibot';
import type { ColumnId } from '../../engine';
import { columnLayout } from '../../protocol/schemas';
import type { LaidOutColumn } from '../../protocol/tableProtocol';

/** The most kinds of files whose columns are remembered: those that were used last. */
const maxKinds = 50;

/** The share of a file's columns that a layout must have, and of a layout's columns that the file must have. */
const leastOfFile = 0.8;
const leastOfLayout = 0.5;

const key = 'scorecard.columnLayouts';

/** Where the layouts are kept: a `vscode.Memento`. */
export interface LayoutState {
  get(key: string): unknown;
  update(key: string, value: unknown): PromiseLike<void>;
}

type Layout = readonly LaidOutColumn[];

/**
 * How a user has arranged columns: which are shown, in which order, and how wide. A file is arranged like the one with
 * mostly the same columns: the next file of a tool may have some more, or some less.
 */
export class ColumnLayouts {
  constructor(private readonly state: LayoutState) {}

  /** @returns the layout for a file with these columns; `undefined` if none of its kind was arranged. */
  find(columns: readonly ColumnId[]): Layout | undefined {
    return findSimilar(this.read(), columns);
  }

  /** Keeps a layout in place of that of the same kind; an empty one is forgotten. */
  async keep(columns: readonly ColumnId[], layout: Layout): Promise<void> {
    const all = this.read();
    const before = findSimilar(all, columns);
    const others = all.filter((each) => each !== before);
    const kept = layout.length === 0 ? others : [layout, ...others];
    await this.write(kept.slice(0, maxKinds));
  }

  async clear(): Promise<void> {
    await this.write([]);
  }

  private read(): readonly Layout[] {
    const stored = this.state.get(key);
    // Another version may have written something else.
    return Array.isArray(stored)
      ? stored.filter((each): each is Layout => v.is(columnLayout, each))
      : [];
  }

  private async write(layouts: readonly Layout[]): Promise<void> {
    await this.state.update(key, layouts.length === 0 ? undefined : layouts);
  }
}

function findSimilar(layouts: readonly Layout[], columns: readonly ColumnId[]): Layout | undefined {
  const ids = new Set(columns);
  const [best] = layouts
    .map((layout) => ({ layout, shared: layout.filter(({ id }) => ids.has(id)).length }))
    .filter(
      ({ layout, shared }) =>
        shared >= leastOfFile * ids.size && shared >= leastOfLayout * layout.length,
    )
    .toSorted((one, other) => other.shared - one.shared);
  return best?.layout;
}
