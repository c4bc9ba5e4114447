import type { ShapeNode } from './shape';

/** Walks one record, and notes where the requested values are. */
export interface Walker {
  /** By slot: where the value begins and ends; a negative start: no value. */
  readonly starts: Int32Array;
  readonly ends: Int32Array;
  /**
   * @param hasQuotes CSV: whether a field may be quoted, by default true; else the walk ends at the
   * last value that is asked for.
   * @returns whether the record is valid
   */
  walk(bytes: Buffer, from: number, to: number, hasQuotes?: boolean): boolean;
  /** Reads the kind of the value in a slot, where there is one, and its text as UTF-8: see `Value`. */
  read(slot: number, bytes: Buffer, value: Value): void;
}

/** Makes walkers of one format. */
export interface WalkerFactory {
  /**
   * @param nodes whose values are asked for, a slot each.
   * @param learns whether unknown places are added to the shape, and kinds noted.
   * @param mayStop whether all records are known to be proper, so that a walk may end early.
   */
  create(nodes: readonly ShapeNode[], learns: boolean, mayStop: boolean): Walker;
}

/**
 * A value: its kind and the UTF-8 bytes of what is shown. Equal values of a kind have equal bytes,
 * however a text was escaped. Valid until the next one is read.
 */
export interface Value {
  kind: number;
  bytes: Buffer;
  from: number;
  to: number;
  /** Of a date: milliseconds since the epoch. */
  time: number;
}

export function newValue(): Value {
  return { kind: 0, bytes: Buffer.alloc(0), from: 0, to: 0, time: NaN };
}
