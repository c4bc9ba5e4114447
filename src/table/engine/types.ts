import type { ExportFormat } from '../../base/exportFormats';

/*
 * The data between the Report Table's engine and the page: plain data that can be posted to a
 * thread or a webview, free of any query language. Row numbers start at 0 unless stated otherwise.
 */

/** The most rows in an answer; a round trip of that many takes about 9 ms. */
export const maxPageRows = 200;

/** The most rows of a copy, and the most UTF-16 units of its text. */
export const maxCopyRows = 100_000;
export const maxCopyLength = 32 * 1024 ** 2;

/** The most values in a list of distinct values. */
export const maxDistinctValues = 1000;

/**
 * Where a column's values are in a record, as a JSON pointer (RFC 6901): `/a/b` is the member `b` of
 * the object `a`, an empty text the whole record. A record of CSV is an array of texts: `/0`, `/1`.
 * The same file gives the same ids each time it is opened.
 */
export type ColumnId = string;

/** The names of the objects that a column is in, and its own. */
export function namesOf(id: ColumnId): string[] {
  return id
    .split('/')
    .slice(1)
    .map((part) => part.replaceAll('~1', '/').replaceAll('~0', '~'));
}

/**
 * The type of a column's values, except nulls: `date` are ISO 8601 texts, `json` arrays and
 * objects.
 */
export type ColumnType = 'text' | 'number' | 'date' | 'boolean' | 'json' | 'mixed';

/**
 * What a column is in a file of findings, by its name and the values of the first 200 rows. Only `id`
 * (identifiers) and `change` (what a comparison says of a row) are of several columns.
 */
export type ColumnRole =
  'change' | 'severity' | 'issueType' | 'factor' | 'status' | 'firstSeen' | 'asset' | 'id';

export interface Column {
  readonly id: ColumnId;
  /** The shown name: a heading of CSV, or the names joined as `a.b`. Not necessarily unique. */
  readonly name: string;
  readonly type: ColumnType;
  /** Whether the type is based on all rows; else on a sample. */
  readonly verified: boolean;
  /** Whether the name looks like a secret, so that values are masked unless a person shows them. */
  readonly secret: boolean;
  /** It never changes while the file is open. */
  readonly role?: ColumnRole;
  /** No row has a value so far: each is null, missing or an empty text. */
  readonly empty?: true;
  /** In the page of a comparison: records are known that have another value here than before. */
  readonly changed?: true;
}

/** The format of the file. */
export interface TableFormat {
  readonly kind: 'ndjson' | 'csv' | 'json';
  /** Whether the file is compressed. */
  readonly gzip: boolean;
  /** CSV: the separator of fields. */
  readonly delimiter?: string;
  /** CSV: whether the first record is a heading, not a row. */
  readonly heading?: boolean;
  /**
   * JSON: the member of the top object that holds the rows, as `findings`, or the one of a member, as
   * `data.findings`; absent where the top is the array.
   */
  readonly member?: string;
  /**
   * JSON: other arrays near the beginning of the file, which are not shown; same form as `member`.
   */
  readonly otherArrays?: readonly string[];
}

/**
 * How the file differs from what was opened: `grown` (rows known so far stay right), `replaced` or
 * `removed` (the old content is still served), `modified` (queries are refused with `changed`).
 */
export type FileChange = 'grown' | 'replaced' | 'removed' | 'modified';

/**
 * Why rows are missing at the end: the file stops inside a record or inside gzip, is too large, or
 * is damaged: it cannot be unpacked to its end, or a checksum differs.
 */
export type Truncation = 'record' | 'gzip' | 'damaged' | 'limit';

/** What is known about a table so far. */
export interface TableInfo {
  readonly format: TableFormat;
  /** Records found so far. */
  readonly rows: number;
  /** Whether all records are found and `rows` is final. */
  readonly done: boolean;
  /** Bytes of the file read so far, and all bytes; compressed bytes if it is compressed. */
  readonly bytesRead: number;
  readonly bytes: number;
  readonly columns: readonly Column[];
  /** Columns beyond the limit. Their values are only in the text of the records. */
  readonly moreColumns: number;
  /** Invalid records found so far. They are rows of kind `invalid`. */
  readonly invalidRows: number;
  /** Whether every record was checked, so that `invalidRows` and `columns` are complete. */
  readonly checked: boolean;
  readonly truncated?: Truncation;
  /** Bytes after the compressed data, which are not shown. */
  readonly trailingBytes?: number;
  /** The file is not valid UTF-8 as far as it was read: some characters may be shown as U+FFFD. */
  readonly notUtf8?: true;
  /**
   * JSON: bytes after the value whose array is shown. They are other values or not JSON, and not
   * rows.
   */
  readonly behind?: number;
  readonly changed?: FileChange;
}

/**
 * The kind of a cell: a JSON value, `null` (in CSV: an empty field), or no value (`missing`). In an
 * invalid row the first cell is `invalid`, with the beginning of the record; the others are
 * missing.
 */
export type CellKind =
  'text' | 'number' | 'date' | 'boolean' | 'json' | 'null' | 'missing' | 'invalid';

/** A cell as it is shown. Plain text from the file: never HTML or Markdown. */
export interface Cell {
  readonly kind: CellKind;
  /** Numbers are as written in the file, with all digits. Empty for `null` and `missing`. */
  readonly text: string;
  /** The text is truncated; the record has all of it. */
  readonly cut?: true;
  /** The text is a mask. */
  readonly masked?: true;
}

export interface Row {
  /** Its number in the file; the first record is 0, headings of CSV not counted. */
  readonly record: number;
  /** One for each requested column, in that order. */
  readonly cells: readonly Cell[];
  /** Why the record is invalid. */
  readonly invalid?: InvalidReason;
}

/**
 * Why a record is invalid: not JSON, not an object or array, fields that CSV does not allow, too
 * long.
 */
export type InvalidReason = 'syntax' | 'fields' | 'tooLong' | 'truncated';

/**
 * A condition on rows. Texts are compared in full. Invalid rows match only `invalid` and
 * `anywhere`, so they match the `not` of every other condition.
 */
export type Filter =
  | { readonly op: 'and' | 'or'; readonly of: readonly Filter[] }
  | { readonly op: 'not'; readonly of: Filter }
  /** Ignores case unless `matchCase`. */
  | {
      readonly op: 'contains' | 'equals' | 'startsWith' | 'endsWith';
      readonly column: ColumnId;
      readonly text: string;
      readonly matchCase?: boolean;
    }
  /** One of these values; `keys` come from `DistinctValue.key` and are exact. */
  | { readonly op: 'in'; readonly column: ColumnId; readonly keys: readonly string[] }
  /** Compares numbers exactly; `number` is written as in JSON. Other values do not match. */
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
 * Numbers are ordered by value, dates by time, texts by code point; a mixed column has numbers,
 * dates, texts, booleans, JSON. Null, missing and invalid come last in either direction. Rows with
 * equal values are ordered by the next key, then as in the file: 1 and 1.0 are equal. Severities,
 * grades and statuses have their natural order: a descending sort shows the worst first, unknown words
 * last.
 */
export interface SortKey {
  readonly column: ColumnId;
  readonly descending: boolean;
}

export interface Query {
  /** Absent: all rows. */
  readonly filter?: Filter;
  /** The first key has priority; empty: the order of the file. */
  readonly sort?: readonly SortKey[];
  /**
   * Absent or empty: rows. Else one group for each combination of values of these columns. Unlike
   * in a sort, 1 and 1.0 are two groups: groups compare values as written.
   */
  readonly groupBy?: readonly ColumnId[];
}

/** The view of all rows in the order of the file; it always exists and grows. */
export const wholeFile = 0;

/** The answer to a query: ordered rows that are read in pages. */
export interface View {
  /** A positive number. Only the latest view, held views and `wholeFile` are kept. */
  readonly id: number;
  readonly rows: number;
  /** How many groups there are, where the query groups. */
  readonly groups?: number;
  /**
   * Absent: the order is exact. Else there are too many long texts with the same beginning: only
   * this many first bytes were compared, and texts equal in them are in the order of the file.
   */
  readonly sortedByFirst?: number;
}

export interface RowPage {
  readonly view: number;
  /** Position of the first row in the view. */
  readonly from: number;
  readonly rows: readonly Row[];
}

export interface Group {
  /** One for each column grouped by. */
  readonly values: readonly Cell[];
  readonly count: number;
  /** Matches the rows of the group; combine it with the query's filter. */
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
  /**
   * Identifies exactly this value in a filter, for this file only; not for display. Reveals no
   * masked value.
   */
  readonly key: string;
  readonly count: number;
}

export interface DistinctValues {
  /** Severities, grades and statuses in their natural order; other values by count, the largest first. */
  readonly values: readonly DistinctValue[];
  /** How many there are, including those not in `values`. */
  readonly total: number;
}

/** Where a text was found. */
export interface Found {
  /** Position in the view. */
  readonly position: number;
  readonly record: number;
  /** Its number among the rows with the text, from 1 in the order of the view, and how many there are. */
  readonly number: number;
  readonly total: number;
  /** Absent in an invalid row. */
  readonly column?: ColumnId;
  /** The search wrapped at the end, or at the start. */
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
  /** Whether secret-like values are masked in `text`, which is rewritten then. */
  readonly masked: boolean;
  /** The values of all columns that the record has; empty in an invalid row. */
  readonly fields: readonly Field[];
  readonly invalid?: InvalidReason;
}

export type TableCopyFormat = 'tsv' | 'csv' | 'json' | 'markdown';

export interface CopyRange {
  readonly view: number;
  readonly from: number;
  readonly count: number;
  readonly columns: readonly ColumnId[];
  readonly format: TableCopyFormat;
  /** TSV and CSV: whether a first line has the names of the columns. */
  readonly headings: boolean;
  /** Markdown: whether columns without a value in any of the rows are left out. */
  readonly onlyFilled?: boolean;
  /** Markdown of a file of differences: whether old values stand before the new ones. */
  readonly compared?: boolean;
  /** The name of {@link countColumn}, when groups are copied. */
  readonly countName?: string;
}

/** The number of rows of a group, in a copy; no column of a file has this id. */
export const countColumn = '#count';

export interface Copied {
  readonly text: string;
  readonly rows: number;
  /** Some rows exceeded the limits. */
  readonly cut: boolean;
}

/** The next rows of an export. */
export interface ExportPart {
  readonly view: number;
  /** Position of the first row; 0 writes the beginning of the file, too. */
  readonly from: number;
  readonly format: ExportFormat;
  /**
   * Absent: all. Records of a JSON file are then written as they are in it; with some columns they
   * keep their nesting.
   */
  readonly columns?: readonly ColumnId[];
  /** The name of {@link countColumn}, when groups are exported. */
  readonly countName?: string;
}

export interface ExportedRows {
  /** About a MiB, and at least a row. */
  readonly text: string;
  readonly rows: number;
  /** Whether the view ends here; the text then has the end of the file. */
  readonly isLast: boolean;
}

/** Why a call failed: the file (the first six), the request (the next five), or the thread. */
export type TableErrorCode =
  | 'notFound'
  | 'unreadable'
  | 'notATable'
  | 'utf16'
  | 'changed'
  | 'disk'
  | 'badRequest'
  | 'noSql'
  | 'gone'
  | 'cancelled'
  | 'superseded'
  | 'memory'
  | 'closed'
  | 'internal';

/** An engine that SQL is written for. */
export type SqlDialect = 'duckdb' | 'spark';
