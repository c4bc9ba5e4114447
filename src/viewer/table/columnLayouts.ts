import type { ColumnId } from '../../engine';
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
    const ids = new Set(columns);
    const [best] = this.read()
      .map((layout) => ({ layout, shared: layout.filter(({ id }) => ids.has(id)).length }))
      .filter(
        ({ layout, shared }) =>
          shared >= leastOfFile * ids.size && shared >= leastOfLayout * layout.length,
      )
      .toSorted((one, other) => other.shared - one.shared);
    return best?.layout;
  }

  /** Keeps a layout in place of that of the same kind; an empty one is forgotten. */
  async keep(columns: readonly ColumnId[], layout: Layout): Promise<void> {
    const before = this.find(columns);
    const others = this.read().filter((each) => each !== before);
    const kept = layout.length === 0 ? others : [layout, ...others];
    await this.write(kept.slice(0, maxKinds));
  }

  async clear(): Promise<void> {
    await this.write([]);
  }

  private layouts: readonly Layout[] | undefined;

  private read(): readonly Layout[] {
    // Another version may have written something else.
    const stored = this.state.get(key);
    return (this.layouts ??= Array.isArray(stored) ? stored.filter(isLayout) : []);
  }

  private async write(layouts: readonly Layout[]): Promise<void> {
    this.layouts = layouts;
    await this.state.update(key, layouts.length === 0 ? undefined : layouts);
  }
}

function isLayout(value: unknown): value is Layout {
  return (
    Array.isArray(value) &&
    value.every((each) => typeof (each as { id?: unknown } | null)?.id === 'string')
  );
}
