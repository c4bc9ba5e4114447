import type { InvalidReason } from '../types';
import type { NewTask, RangeFile, RangeOrder, RangeTask } from '../read/rangeReader';
import type { RecordCursor } from '../read/recordIndex';
import { readSlot, type Visitor, type Walked } from '../read/tableFile';
import type { ShapeNode } from '../read/shape';
import { newValue, type Value, type Walker } from '../read/walker';
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
    /** Only for a wide column: see `WideColumn`. */
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

/** Builds a part of each column. */
class ColumnsTask implements RangeTask {
  readonly walker: Walker;
  private readonly builders: readonly (DictionaryBuilder | WideBuilder)[];
  /** By slot: whether the column has too many values for a dictionary. */
  private readonly isFull: boolean[];
  private readonly value = newValue();
  private readonly first: number;
  private readonly rows: number;

  constructor(file: RangeFile, { row, rows, question }: RangeOrder) {
    const { columns, limits } = question as ColumnsQuestion;
    this.first = row;
    this.rows = rows;
    this.walker = file.walker(file.nodes(columns.map(({ id }) => id)));
    this.builders = columns.map(({ prefix }) =>
      prefix ? new WideBuilder(rows, Buffer.from(prefix)) : new DictionaryBuilder(rows, limits),
    );
    this.isFull = columns.map(() => false);
  }

  visit(row: number, invalid: InvalidReason | undefined, cursor: RecordCursor): void {
    const { walker, builders, isFull, value } = this;
    const at = row - this.first;
    for (let slot = 0; slot < builders.length; slot += 1) {
      readSlot(walker, slot, invalid, cursor, value);
      isFull[slot] ||= !builders[slot]!.add(at, value);
    }
  }

  finish() {
    const moved: ArrayBufferView[] = [];
    const answer: ColumnParts = this.builders.map((builder) => {
      if (builder instanceof WideBuilder) {
        const wide = builder.finish(this.rows);
        moved.push(wide.kinds, wide.high, wide.low);
        return { wide };
      }
      const dictionary = builder.part();
      moved.push(dictionary.codes, dictionary.texts.bytes, dictionary.texts.offsets);
      return { dictionary };
    });
    return { answer, moved };
  }
}

// The task is a class, because V8 compiles the code that it inlines for only one closure.
export const columnsTask: NewTask = (file, order) => new ColumnsTask(file, order);
