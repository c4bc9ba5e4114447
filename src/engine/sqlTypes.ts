import type { ColumnId } from './types';

/*
 * What the engines of SQL may not read as the table does. It is known only after all records are
 * read.
 */

/** How the records of a file follow each other: see `RecordForm` in `read/recordReader.ts`. */
type RecordForm = 'lines' | 'array' | 'topArray' | 'texts' | 'whole' | 'csv';

export type FileOddity =
  /** CSV: lines before the heading or the first row, such as a title. */
  | 'linesBefore'
  /** CSV: rows of blank fields, or blank lines below a single column. */
  | 'blankRows'
  /** CSV: lines that end in LF and CR LF. */
  | 'twoLineEnds'
  /** CSV: the same below a single column, or in CR and something else. */
  | 'oddLineEnds'
  /** NDJSON: blank lines. */
  | 'blankLines'
  /** CSV: quoted fields with CR. */
  | 'returnsInFields'
  /** CSV: quotes or line ends in fields that are not quoted. */
  | 'looseFields'
  /** JSON: more than the list that is shown, such as another list, or what is not JSON. */
  | 'otherValues'
  /** JSON: a member that its object has twice. */
  | 'duplicates'
  | 'byteOrderMark'
  /** A byte order mark before a quote, which DuckDB does not know as a quote then. */
  | 'quoteAfterMark'
  /** JSON: half a character, written as an escape. */
  | 'surrogates'
  /** NDJSON: lines that are invalid here, but may be valid elsewhere. */
  | 'doubtfulLines'
  /** JSON: the name of the member that has the list contains a dot. */
  | 'dottedMember'
  | 'longRecords';

/** See the functions of the same meaning in `sqlValues.ts`. */
export type ValueOddity =
  'longNumbers' | 'lostDigits' | 'otherNumbers' | 'otherJson' | 'otherDates' | 'otherCase';

export interface ColumnFacts {
  /** The kinds of its values, one bit each. */
  readonly kinds: number;
  readonly oddities: ReadonlySet<ValueOddity>;
}

export interface SqlFacts {
  readonly splitter: RecordForm;
  /** The size of the file; unpacked if it is compressed. */
  readonly bytes: number;
  readonly oddities: ReadonlySet<FileOddity>;
  readonly columns: ReadonlyMap<ColumnId, ColumnFacts>;
}
