import * as v from 'valibot';
import type { ColumnId } from '../../engine';
import { columnIds, columnLayout, typedFilters } from '../../protocol/schemas';

/** The most kinds of files that are remembered: those that were used last. */
const maxKinds = 50;

/** The share of a file's columns that a kind must have, and of a kind's columns that the file must have. */
const leastOfFile = 0.8;
const leastOfKind = 0.5;

const key = 'scorecard.fileKinds';

/** Where the kinds are kept: a `vscode.Memento`. */
export interface KindState {
  get(key: string): unknown;
  update(key: string, value: unknown): PromiseLike<void>;
}

const kindSchema = v.object({
  columns: columnIds,
  /** Which columns are shown, in which order, and how wide. */
  layout: v.exactOptional(columnLayout),
  /** The filters that were typed last. */
  filters: v.exactOptional(typedFilters),
});

type Kind = v.InferOutput<typeof kindSchema>;

/**
 * What a user has done with tables of each kind: how columns were arranged, and what was filtered last. A file is of the
 * kind with mostly the same columns: the next file of a tool may have some more, or some less.
 */
export class FileKinds {
  constructor(private readonly state: KindState) {}

  /** The kind of a file with these columns; `undefined` if none is remembered. */
  find(columns: readonly ColumnId[]): Pick<Kind, 'layout' | 'filters'> | undefined {
    return findSimilar(this.read(), columns);
  }

  /** Keeps a layout in place of that of the same kind; an empty one is forgotten. */
  keepLayout(columns: readonly ColumnId[], layout: NonNullable<Kind['layout']>): Promise<void> {
    return this.change(columns, ({ layout: _, ...kind }) => ({
      ...kind,
      ...(layout.length > 0 && { layout }),
    }));
  }

  /** Keeps filters in place of those of the same kind; none are forgotten. */
  keepFilters(columns: readonly ColumnId[], filters: NonNullable<Kind['filters']>): Promise<void> {
    return this.change(columns, ({ filters: _, ...kind }) => ({
      ...kind,
      ...(Object.keys(filters).length > 0 && { filters }),
    }));
  }

  async clear(): Promise<void> {
    await this.write([]);
  }

  private async change(columns: readonly ColumnId[], changed: (kind: Kind) => Kind): Promise<void> {
    const all = this.read();
    const before = findSimilar(all, columns);
    const kind = changed({ ...before, columns });
    const others = all.filter((each) => each !== before);
    const kept = kind.layout || kind.filters ? [kind, ...others] : others;
    await this.write(kept.slice(0, maxKinds));
  }

  private read(): readonly Kind[] {
    const stored = this.state.get(key);
    // Another version may have written something else.
    return Array.isArray(stored)
      ? stored.filter((each): each is Kind => v.is(kindSchema, each))
      : [];
  }

  private async write(kinds: readonly Kind[]): Promise<void> {
    await this.state.update(key, kinds.length === 0 ? undefined : kinds);
  }
}

function findSimilar(kinds: readonly Kind[], columns: readonly ColumnId[]): Kind | undefined {
  const ids = new Set(columns);
  const [best] = kinds
    .map((kind) => ({ kind, shared: kind.columns.filter((id) => ids.has(id)).length }))
    .filter(
      ({ kind, shared }) =>
        shared >= leastOfFile * ids.size && shared >= leastOfKind * kind.columns.length,
    )
    .toSorted((one, other) => other.shared - one.shared);
  return best?.kind;
}
