import type { InvalidReason } from '../../data/answers';
import type { RecordReader, Selection } from './recordReader';
import type { Shape } from './shape';

/** A file, or a part of one, whose records are read. */
export interface ReadableFile {
  readonly shape: Shape;
}

/** Receives the records of a file, many at a time. */
export interface Visitor extends Selection {
  /** A row at which a step ends. */
  readonly boundary?: number;
  /** @param row the row of the first record. The records are those of the reader's last step. */
  visit(records: RecordReader, row: number): void;
}

/** Whether a record has values, although it may be invalid: fields are found in any text. */
export function hasValues(invalid: InvalidReason | undefined): invalid is 'fields' | undefined {
  return invalid === undefined || invalid === 'fields';
}
