import { kindInvalid, kindMissing } from '../values/kinds';
import type { InvalidReason, TableFormat } from '../types';
import { CsvFields } from './csvWalker';
import type { DetectedFormat } from './detect';
import { JsonWalkers } from './jsonWalker';
import type { RecordCursor } from './recordIndex';
import type { Shape, ShapeNode } from './shape';
import { newValue, type Value, type Walker, type WalkerFactory } from './walker';

/** A file whose records are walked. */
export interface WalkableFile {
  readonly shape: Shape;
  /** CSV only: the names of the fields, if the file has them. */
  readonly headings: readonly string[] | undefined;
  /** @param growsShape see `WalkerFactory.create`; by default false. */
  walker(nodes: readonly ShapeNode[], growsShape?: boolean): Walker;
  walk(walker: Walker, cursor: RecordCursor): InvalidReason | undefined;
}

/** Whether a record has values, although it may be invalid: fields are found in any text. */
export function hasValues(invalid: InvalidReason | undefined): invalid is 'fields' | undefined {
  return invalid === undefined || invalid === 'fields';
}

/**
 * Receives each record of a file. Its walker has walked the record before, if the record has
 * values.
 */
export interface Visitor {
  /** Read for each record. */
  readonly walker: Walker;
  visit(row: number, invalid: InvalidReason | undefined, cursor: RecordCursor): void;
}

/** Reads the values of nodes of each record. The kind of `value` is always set. */
export function valuesVisitor(
  file: WalkableFile,
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

/** The walkers of a format. */
export function newWalkers(
  { format, headings }: Pick<DetectedFormat, 'format' | 'headings'>,
  shape: Shape,
): WalkerFactory {
  return format.kind === 'csv'
    ? new CsvFields(shape, format.delimiter?.charCodeAt(0) ?? 0x2c, headings)
    : new JsonWalkers(shape);
}

/** Walks the record at a cursor. @returns why the record is invalid; `undefined` if it is valid */
export function walkRecord(
  walker: Walker,
  cursor: RecordCursor,
  { kind }: Pick<TableFormat, 'kind'>,
): InvalidReason | undefined {
  if (cursor.tooLong) {
    return 'tooLong';
  }
  const isCsv = kind === 'csv';
  const isValid =
    (isCsv || !cursor.broken) &&
    walker.walk(cursor.bytes, cursor.start, cursor.end, cursor.hasQuotes);
  return isValid ? undefined : isCsv ? 'fields' : 'syntax';
}

/** Reads the value in a slot of a record that was walked. */
export function readSlot(
  walker: Walker,
  slot: number,
  invalid: InvalidReason | undefined,
  cursor: RecordCursor,
  value: Value,
): void {
  const start = walker.starts[slot]!;
  if (!hasValues(invalid)) {
    value.kind = kindInvalid;
  } else if (start < 0) {
    value.kind = kindMissing;
  } else {
    walker.read(slot, cursor.bytes, value);
  }
}
