import type { ShapeNode } from '../../../src/engine/read/records/shape';

/** Walks one record, and finds where the requested values are. */
export interface Walker {
  /** By slot: the start and end of the value. A negative start means that there is no value. */
  readonly starts: Int32Array;
  readonly ends: Int32Array;
  /**
   * @param hasQuotes CSV: whether a field may be quoted, by default true. If false, the walk ends
   * at the last requested value.
   * @returns whether the record is valid
   */
  walk(bytes: Buffer, from: number, to: number, hasQuotes?: boolean): boolean;
  /** Reads the kind and the UTF-8 text of the value in a slot, which must have a value: see `Value`. */
  read(slot: number, bytes: Buffer, value: Value): void;
}

/** Creates walkers for one format. */
export interface WalkerFactory {
  /**
   * @param nodes the nodes whose values are requested, one slot for each.
   * @param growsShape whether new nodes and the kinds of values are added to the shape.
   * @param mayStop whether all records are valid, so that a walk may end early.
   */
  create(nodes: readonly ShapeNode[], growsShape: boolean, mayStop: boolean): Walker;
}

/**
 * A value: its kind and the UTF-8 bytes of the shown text. Equal texts have equal bytes, regardless
 * of how they were escaped. It is valid until the next value is read.
 */
export interface Value {
  kind: number;
  bytes: Buffer;
  from: number;
  to: number;
  /** Only for a date: milliseconds since the epoch. */
  time: number;
}

export function newValue(): Value {
  return { kind: 0, bytes: Buffer.alloc(0), from: 0, to: 0, time: NaN };
}
