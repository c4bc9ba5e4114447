import type { NewTask } from '../read/rangeReader';
import { readSlot, type Visitor, type Walked } from '../read/tableFile';
import type { ShapeNode } from '../read/shape';
import { newValue, type Value } from '../read/walker';
import {
  type ColumnLimits,
  DictionaryBuilder,
  type DictionaryPart,
  WideBuilder,
  type WideColumn,
} from './columnData';

/** What a thread needs to build a part of some columns. */
export interface ColumnsQuestion {
  readonly columns: readonly {
    readonly id: string;
    /** Of a wide column: see `WideColumn`. */
    readonly prefix: Uint8Array | undefined;
  }[];
  readonly limits: ColumnLimits;
}

/** A part of each column. */
export type ColumnParts = readonly (
  { readonly dictionary: DictionaryPart } | { readonly wide: WideColumn }
)[];

/** Reads the values of nodes of each record. The kind of `value` is always set. */
export function valuesVisitor(
  file: Walked,
  nodes: readonly ShapeNode[],
  visit: (row: number, slot: number, value: Value) => void,
): Visitor {
  const walker = file.walker(nodes);
  const value = newValue();
  return {
    walker,
    visit: (row, invalid, cursor) => {
      for (let slot = 0; slot < nodes.length; slot += 1) {
        readSlot(walker, slot, invalid, cursor, value);
        visit(row, slot, value);
      }
    },
  };
}

export const columnsTask: NewTask = (file, { row: first, rows, question }) => {
  const { columns, limits } = question as ColumnsQuestion;
  const nodes = file.nodes(columns.map(({ id }) => id));
  const builders = columns.map(({ prefix }) =>
    prefix ? new WideBuilder(rows, Buffer.from(prefix)) : new DictionaryBuilder(rows, limits),
  );
  const full = new Set<number>();
  const visitor = valuesVisitor(file, nodes, (row, slot, value) => {
    const builder = builders[slot]!;
    if (builder instanceof WideBuilder) {
      builder.add(row - first, value);
    } else if (!full.has(slot) && !builder.add(row - first, value)) {
      full.add(slot);
    }
  });
  return {
    ...visitor,
    finish: () => {
      const moved: ArrayBufferView[] = [];
      const answer: ColumnParts = builders.map((builder) => {
        if (builder instanceof WideBuilder) {
          const wide = builder.finish(rows);
          moved.push(wide.kinds, wide.high, wide.low);
          return { wide };
        }
        const dictionary = builder.part();
        moved.push(dictionary.codes, dictionary.texts.bytes, dictionary.texts.offsets);
        return { dictionary };
      });
      return { answer, moved };
    },
  };
};
