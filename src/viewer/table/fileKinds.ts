import * as v from 'valibot';
import type { Column, ColumnId } from '../../engine';
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
  /** Here and below, columns have the keys of `keysOf` in place of their ids. */
  columns: columnIds,
  /** Which columns are shown, in which order, and how wide. */
  layout: v.exactOptional(columnLayout),
  /** The filters that were typed last. */
  filters: v.exactOptional(typedFilters),
});

type Kind = v.InferOutput<typeof kindSchema>;

type KindColumn = Pick<Column, 'id' | 'name' | 'secret'>;

/**
 * What a user has done with tables of each kind: how columns were arranged, and what was filtered last. A file is of the
 * kind with mostly the same columns: the next file of a tool may have some more, or some less.
 */
export class FileKinds {
  constructor(private readonly state: KindState) {}

  /** What is remembered for a file with these columns, by their ids; `undefined` if nothing is. */
  find(columns: readonly KindColumn[]): Pick<Kind, 'layout' | 'filters'> | undefined {
    const keys = keysOf(columns);
    const kind = findSimilar(this.read(), [...keys.values()]);
    const ids = new Map(Array.from(keys, ([id, key]) => [key, id]));
    const idOf = (key: string) => ids.get(key) ?? key;
    const { layout, filters } = kind ?? {};
    return (
      kind && {
        ...(layout && { layout: layout.map((column) => ({ ...column, id: idOf(column.id) })) }),
        ...(filters && { filters: withoutSecrets(withKeys(filters, idOf), columns) }),
      }
    );
  }

  /** Keeps a layout in place of that of the same kind; an empty one is forgotten. */
  keepLayout(columns: readonly KindColumn[], layout: NonNullable<Kind['layout']>): Promise<void> {
    const keys = keysOf(columns);
    const kept = layout.map((column) => ({ ...column, id: keys.get(column.id) ?? column.id }));
    return this.change([...keys.values()], ({ layout: _, ...kind }) => ({
      ...kind,
      ...(kept.length > 0 && { layout: kept }),
    }));
  }

  /** Keeps filters in place of those of the same kind, but none of secret columns; none are forgotten. */
  keepFilters(
    columns: readonly KindColumn[],
    filters: NonNullable<Kind['filters']>,
  ): Promise<void> {
    const keys = keysOf(columns);
    const kept = withKeys(withoutSecrets(filters, columns), (id) => keys.get(id) ?? id);
    return this.change([...keys.values()], ({ filters: _, ...kind }) => ({
      ...kind,
      ...(Object.keys(kept).length > 0 && { filters: kept }),
    }));
  }

  async clear(): Promise<void> {
    await this.write([]);
  }

  private async change(columns: readonly string[], changed: (kind: Kind) => Kind): Promise<void> {
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

/**
 * What tells columns apart in other files of the kind: their ids, but names where an id is a position, as in CSV. Equal
 * names are numbered.
 */
function keysOf(columns: readonly KindColumn[]): ReadonlyMap<ColumnId, string> {
  const counts = new Map<string, number>();
  return new Map(
    columns.map(({ id, name }) => {
      if (!/^\/\d+$/.test(id)) {
        return [id, id];
      }
      const count = (counts.get(name) ?? 0) + 1;
      counts.set(name, count);
      return [id, count === 1 ? name : `${name} ${count}`];
    }),
  );
}

function withKeys(
  filters: NonNullable<Kind['filters']>,
  keyOf: (key: string) => string,
): NonNullable<Kind['filters']> {
  return Object.fromEntries(Object.entries(filters).map(([key, text]) => [keyOf(key), text]));
}

/** What is looked for in a secret column may be a secret. */
function withoutSecrets(
  filters: NonNullable<Kind['filters']>,
  columns: readonly KindColumn[],
): NonNullable<Kind['filters']> {
  const secret = new Set(columns.filter((column) => column.secret).map(({ id }) => id));
  return Object.fromEntries(Object.entries(filters).filter(([id]) => !secret.has(id)));
}

function findSimilar(kinds: readonly Kind[], columns: readonly string[]): Kind | undefined {
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
