import { kindInvalid } from '../values/kinds';
import type { InvalidReason } from '../types';
import { newValue, type RecordReader, type Value } from './recordReader';
import type { Shape, ShapeNode } from './shape';

/** A file, or a part of one, whose records are read. */
export interface ReadableFile {
  readonly shape: Shape;
  /** CSV only: the names of the fields, if the file has them. */
  readonly headings: readonly string[] | undefined;
}

/** Receives the records of a file, many at a time. */
export interface Visitor {
  /** The columns whose values are read. It is asked before each step; the same array stands for the same columns. */
  readonly nodes: readonly ShapeNode[];
  /** Whether no values are needed, nor whether a record is valid. */
  readonly findsOnly?: boolean;
  /** Whether the records add to the shape; by default not. */
  readonly growsShape?: boolean;
  /** A row at which a step ends. */
  readonly boundary?: number;
  /** @param row the row of the first record. The records are those of the reader's last step. */
  visit(records: RecordReader, row: number): void;
}

/** Whether a record has values, although it may be invalid: fields are found in any text. */
export function hasValues(invalid: InvalidReason | undefined): invalid is 'fields' | undefined {
  return invalid === undefined || invalid === 'fields';
}

/** Reads the values of nodes of each record. The kind of `value` is always set. */
export function valuesVisitor(
  nodes: readonly ShapeNode[],
  visit: (row: number, slot: number, value: Value) => void,
): Visitor {
  const value = newValue();
  return {
    nodes,
    visit: (records, row) => {
      for (let record = 0; record < records.count; record += 1) {
        const invalid = records.invalid(record);
        for (let slot = 0; slot < nodes.length; slot += 1) {
          readSlot(records, record, slot, invalid, value);
          visit(row + record, slot, value);
        }
      }
    },
  };
}

/** Reads a value of a record. */
export function readSlot(
  records: RecordReader,
  record: number,
  slot: number,
  invalid: InvalidReason | undefined,
  value: Value,
): void {
  if (hasValues(invalid)) {
    records.read(record, slot, value);
  } else {
    value.kind = kindInvalid;
  }
}
