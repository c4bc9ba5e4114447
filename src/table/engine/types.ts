/*
 * The data that pass between the Report Table's engine and what shows a table: plain data that can be
 * posted to a thread or a webview, free of any query language. All row numbers count from 0 unless
 * said otherwise.
 */

/** The most rows that are handed out at a time; a round trip of that many takes about 9 ms. */
export const maxPageRows = 200;

/** The most rows that one copy takes, and the most UTF-16 units of its text. */
export const maxCopyRows = 100_000;
export const maxCopyLength = 32 * 1024 ** 2;

/** The most values that a list of distinct values holds. */
export const maxDistinctValues = 1000;

/**
 * Where a column's values are in a record, as a JSON pointer (RFC 6901): `/a/b` is the member `b` of
 * the object `a`, an empty text the whole record. A record of CSV is an array of texts: `/0`, `/1`.
 * The same file gives the same ids each time it is opened.
 */
export type ColumnId = string;

/** What a column's values are, nulls aside: `date` are ISO 8601 texts, `json` arrays and objects. */
export type ColumnType = 'text' | 'number' | 'date' | 'boolean' | 'json' | 'mixed';

export interface Column {
  readonly id: ColumnId;
  /** What a person reads: a heading of CSV, or the names joined as `a.b`. Need not be unique. */
  readonly name: string;
  readonly type: ColumnType;
  /** Whether all rows were looked at for the type; else a sample was. */
  readonly verified: boolean;
  /** Whether the name is that of a secret, so that values are masked unless deliberately shown. */
  readonly secret: boolean;
}

/** How the file is written. */
export interface TableFormat {
  readonly kind: 'ndjson' | 'csv' | 'json';
  /** Whether the file is compressed. */
  readonly gzip: boolean;
  /** CSV: what stands between two fields. */
  readonly delimiter?: string;
  /** CSV: whether the first record is the headings, which are no row then. */
  readonly heading?: boolean;
  /**
   * JSON: the member of the top object that holds the rows, as `findings`, or the one of a member, as
   * `data.findings`; absent where the top is the array.
   */
  readonly member?: string;
  /** JSON: other arrays found near the beginning of the file, which are not shown, named likewise. */
  readonly otherArrays?: readonly string[];
}

/**
 * How the file differs from what was opened: `grown` (rows known so far stay right), `replaced` or
 * `removed` (the old content is still served), `modified` (queries are refused with `changed`).
 */
export type FileChange = 'grown' | 'replaced' | 'removed' | 'modified';

/**
 * Why rows are missing at the end: the file stops inside a record, inside gzip, or was too large. What is
 * `damaged` cannot be unpacked to its end, or is not what was packed: a checksum is another one.
 */
export type Truncation = 'record' | 'gzip' | 'damaged' | 'limit';

/** What is known about a table by now. */
export interface TableInfo {
  readonly format: TableFormat;
  /** Records found so far. */
  readonly rows: number;
  /** Whether all records are found, so that `rows` will not grow any more. */
  readonly done: boolean;
  /** Bytes of the file looked through so far, and of all; compressed bytes where it is compressed. */
  readonly bytesRead: number;
  readonly bytes: number;
  readonly columns: readonly Column[];
  /** Columns beyond the most that are listed. Their values are in the records only. */
  readonly moreColumns: number;
  /** Records that could not be read, known so far. They are rows of kind `invalid`. */
  readonly invalidRows: number;
  /** Whether every record was checked, so that `invalidRows` and `columns` are complete. */
  readonly checked: boolean;
  readonly truncated?: Truncation;
  /** Bytes behind what is compressed, which are not shown. */
  readonly trailingBytes?: number;
  /** The file is not UTF-8 as far as it was read: letters beyond ASCII may be shown as U+FFFD. */
  readonly notUtf8?: true;
  /**
   * JSON: bytes behind the text whose array is shown. They are further texts, or no JSON, and no rows.
   */
  readonly behind?: number;
  readonly changed?: FileChange;
}

/**
 * What a cell holds: a value of JSON, `null` (in CSV: an empty field), or nothing at all (`missing`).
 * In a wrong row the first cell is `invalid`, with the beginning of the record; the others are missing.
 */
export type CellKind =
  'text' | 'number' | 'date' | 'boolean' | 'json' | 'null' | 'missing' | 'invalid';

/** A cell as it is shown. Plain text of foreign origin: it is never HTML or Markdown. */
export interface Cell {
  readonly kind: CellKind;
  /** Numbers stand as written in the file, with all digits. Empty for `null` and `missing`. */
  readonly text: string;
  /** The text was longer than shown; the record has all of it. */
  readonly cut?: true;
  /** The text is a mask. */
  readonly masked?: true;
}

export interface Row {
  /** Its number in the file; the first record is 0, headings of CSV not counted. */
  readonly record: number;
  /** One for each column asked for, in that order. */
  readonly cells: readonly Cell[];
  /** What is wrong with the record, if anything. */
  readonly invalid?: InvalidReason;
}

/** Why a record is wrong: no JSON, no object or array, fields that CSV does not allow, too long. */
export type InvalidReason = 'syntax' | 'fields' | 'tooLong' | 'truncated';

/**
 * A condition on rows. Texts are compared as shown in full. Of all conditions wrong rows meet only
 * `invalid` and `anywhere`, so they meet the `not` of each of the others.
 */
export type Filter =
  | { readonly op: 'and' | 'or'; readonly of: readonly Filter[] }
  | { readonly op: 'not'; readonly of: Filter }
  /** Cases are the same unless `matchCase`. */
  | {
      readonly op: 'contains' | 'equals' | 'startsWith' | 'endsWith';
      readonly column: ColumnId;
      readonly text: string;
      readonly matchCase?: boolean;
    }
  /** One of these values; `keys` come from `DistinctValue.key` and are exact. */
  | { readonly op: 'in'; readonly column: ColumnId; readonly keys: readonly string[] }
  /** Compares as numbers, exactly; `number` is written as in JSON. What is no number does not match. */
  | {
      readonly op: 'compare';
      readonly column: ColumnId;
      readonly is: '<' | '<=' | '=' | '!=' | '>=' | '>';
      readonly number: string;
    }
  /** Dates from (inclusive) to (exclusive), in milliseconds since the epoch; one may be absent. */
  | {
      readonly op: 'dateRange';
      readonly column: ColumnId;
      readonly from?: number;
      readonly to?: number;
    }
  /** `present`: neither null nor missing nor an empty text; `empty`: one of these. */
  | {
      readonly op: 'present' | 'empty' | 'null' | 'missing';
      readonly column: ColumnId;
    }
  /** The text, whatever its cases, in any column. */
  | { readonly op: 'anywhere'; readonly text: string }
  | { readonly op: 'invalid' };

/**
 * Numbers come by value, dates by time, texts by code point; a mixed column has numbers, dates,
 * texts, booleans, JSON. Null, missing and wrong ones are last in either direction. Rows that are equal
 * in one key go by the next, and keep the order of the file in the end: 1 and 1.0 are equal, however
 * they are written. Severities, grades and statuses come in their order: a descending sort shows the worst
 * first, and words that are not known last.
 */
export interface SortKey {
  readonly column: ColumnId;
  readonly descending: boolean;
}

export interface Query {
  /** Absent: all rows. */
  readonly filter?: Filter;
  /** The first key decides first; none: the order of the file. */
  readonly sort?: readonly SortKey[];
  /**
   * Absent or empty: rows. Else one group for each combination of values of these columns. Unlike in a
   * sort, 1 and 1.0 are two groups: a group is told apart by what is written.
   */
  readonly groupBy?: readonly ColumnId[];
}

/** The view of all rows in the order of the file; it is always there, and grows. */
export const wholeFile = 0;

/** The answer to a query: rows in an order, that pages are taken of. */
export interface View {
  /** A positive number. Only the latest view and `wholeFile` are kept. */
  readonly id: number;
  readonly rows: number;
  /** How many groups there are, where the query groups. */
  readonly groups?: number;
  /**
   * Absent: the order is right. Else so many of its texts are so long, and begin alike, that only so
   * many first bytes of them were compared: where these are equal, texts are in the order of the file.
   */
  readonly sortedByFirst?: number;
}

export interface Page {
  readonly view: number;
  /** Position of the first row in the view. */
  readonly from: number;
  readonly rows: readonly Row[];
}

export interface Group {
  /** One for each column grouped by. */
  readonly values: readonly Cell[];
  readonly count: number;
  /** What the rows of the group have in common: put it beside the query's filter to see them. */
  readonly filter: Filter;
}

/**
 * Groups, those with the most rows first. Where the first column has severities, grades or statuses, these
 * decide first, in their order; words that are not known follow.
 */
export interface GroupPage {
  readonly view: number;
  readonly from: number;
  readonly groups: readonly Group[];
}

export interface DistinctValue {
  readonly cell: Cell;
  /** Stands for exactly this value in a filter, of this file only; not to be shown. Tells nothing masked. */
  readonly key: string;
  readonly count: number;
}

export interface DistinctValues {
  /** In the order of groups: severities, grades and statuses in theirs, else those with the most rows first. */
  readonly values: readonly DistinctValue[];
  /** How many there are, also beyond `values`. */
  readonly total: number;
}

/** Where a text was found. */
export interface Found {
  /** Position in the view. */
  readonly position: number;
  readonly record: number;
  /** Absent in a wrong row. */
  readonly column?: ColumnId;
  /** The search went past the end, or the start, of the view to get there. */
  readonly wrapped: boolean;
}

export interface Field {
  readonly column: ColumnId;
  readonly name: string;
  /** With the whole text, up to 1 Mi UTF-16 units. */
  readonly cell: Cell;
}

/** One record in full. */
export interface TableRecord {
  readonly record: number;
  /** As in the file, unless masked; up to 1 Mi UTF-16 units. */
  readonly text: string;
  readonly cut: boolean;
  /** Values of secret-like fields are masked in `text`, which is written anew then. */
  readonly masked: boolean;
  /** The values of all columns that the record has; empty in a wrong row. */
  readonly fields: readonly Field[];
  readonly invalid?: InvalidReason;
}

export type CopyFormat = 'tsv' | 'csv' | 'json';

export interface CopyRange {
  readonly view: number;
  readonly from: number;
  readonly count: number;
  readonly columns: readonly ColumnId[];
  readonly format: CopyFormat;
  /** TSV and CSV: whether a first line has the names of the columns. */
  readonly headings: boolean;
  /** What {@link countColumn} is called, where groups are copied. */
  readonly countName?: string;
}

/** Stands for the number of rows of a group in a copy; no column of a file has such an id. */
export const countColumn = '#count';

export interface Copied {
  readonly text: string;
  readonly rows: number;
  /** Some rows did not fit into the limits. */
  readonly cut: boolean;
}

/** Why something failed: the file (the first six), the request (the next four), or the thread. */
export type TableErrorCode =
  | 'notFound'
  | 'unreadable'
  | 'notATable'
  | 'utf16'
  | 'changed'
  | 'disk'
  | 'badRequest'
  | 'gone'
  | 'cancelled'
  | 'superseded'
  | 'memory'
  | 'closed'
  | 'internal';
