import type { ExportFormat } from '../base/exportFormats';
import type { ColumnRole } from '../vocabulary/columnRole';

/*
 * The data between the Report Table's engine and the page: plain data that can be posted to a
 * thread or a webview, independent of any query language. Row numbers start at 0 unless stated
 * otherwise.
 */

/** The most rows in a page; a round trip with this many rows takes about 9 ms. */
export const maxPageRows = 200;

/** The most rows of a copy, and the most UTF-16 code units of its text. */
export const maxCopyRows = 100_000;
export const maxCopyLength = 32 * 1024 ** 2;

/** The most values in a list of distinct values. */
export const maxDistinctValues = 1000;

/**
 * Where a column's values are in a record, as a JSON pointer (RFC 6901): `/a/b` is the member `b`
 * of the object `a`, and an empty text is the whole record. A CSV record is an array of texts:
 * `/0`, `/1`. A file has the same ids each time it is opened.
 */
export type ColumnId = string;

/** The names of the objects that contain a column, followed by its own name. */
export function namesOf(id: ColumnId): string[] {
  return id
    .split('/')
    .slice(1)
    .map((part) => part.replaceAll('~1', '/').replaceAll('~0', '~'));
}

/**
 * The type of a column's values, except nulls and empty texts: `date` are texts in one of the forms of
 * `kernel/values.ts`, or in a `ValueForm`; `json` are arrays and objects.
 */
export type ColumnType = 'text' | 'number' | 'date' | 'boolean' | 'json' | 'mixed';

/** The order of day and month in dates with slashes. */
export const dateOrders = ['dayFirst', 'monthFirst'] as const;
export type DateOrder = (typeof dateOrders)[number];

/**
 * How values are written that only all values of their column together tell, or a user. Dates are `13/02/2026` or
 * `02/13/2026`, or a number of seconds or milliseconds since 1970-01-01; they are shown as in ISO 8601. Numbers are
 * `0,5` or `1.234,56`; they are shown without points. Whatever is read as `text` is a text.
 */
export const valueForms = [
  ...dateOrders,
  'seconds',
  'milliseconds',
  'decimalComma',
  'text',
] as const;
export type ValueForm = (typeof valueForms)[number];

/** What a user may choose for a column whose values allow it. */
export const formChoices = ['text', 'decimalComma', ...dateOrders] as const;
export type FormChoice = (typeof formChoices)[number];

export interface Column {
  readonly id: ColumnId;
  /** The shown name: a CSV heading, or the names joined as `a.b`. It is not necessarily unique. */
  readonly name: string;
  readonly type: ColumnType;
  /** Whether the type is based on all rows rather than on a sample. */
  readonly verified: boolean;
  /** Whether the name looks like a secret, so that values are masked unless a user shows them. */
  readonly secret: boolean;
  /** It never changes while the file is open. */
  readonly role?: ColumnRole;
  readonly form?: ValueForm;
  /** What a user may choose for its form, as its first values allow; absent if there is nothing. */
  readonly formChoices?: readonly FormChoice[];
  /** What a user has chosen; without it, the first values tell the form. */
  readonly chosenForm?: FormChoice;
  /** No row has a value so far: each is null, missing or an empty text. */
  readonly empty?: true;
  /** In the page of a comparison: some records have another value here than before. */
  readonly changed?: true;
}

/** Which encoding a file is read in: names for `TextDecoder`. Without them, the first bytes tell. */
export interface EncodingChoice {
  /** Whatever the bytes look like. */
  readonly chosen?: string;
  /** Where the first bytes are neither UTF-8 nor UTF-16. Default: UTF-8, with U+FFFD for what is invalid. */
  readonly fallback?: string;
}

/** The format of the file. */
export interface TableFormat {
  readonly kind: 'ndjson' | 'csv' | 'json';
  /** Whether the file is compressed. */
  readonly gzip: boolean;
  /** The encoding that was read, by its WHATWG name; absent for UTF-8. */
  readonly encoding?: string;
  /** CSV: the separator of fields. */
  readonly delimiter?: string;
  /** CSV: whether the first record is a heading, not a row. */
  readonly heading?: boolean;
  /** CSV: how many lines before the heading are not shown, such as a title; absent if none. */
  readonly linesBefore?: number;
  /**
   * JSON: the member of the top object that contains the rows, such as `findings`, or a nested
   * member, such as `data.findings`; absent if the top value is the array.
   */
  readonly member?: string;
}

/** The name for all of a JSON document as one row, beside those of its lists. */
export const wholeDocument = '';

/** A list of a JSON document. */
export interface ListInfo {
  /**
   * Where it is: members joined by dots, `[]` behind each list, `{}` behind a map: `runs[].results[]`. A name
   * with a dot, a bracket or a quote is a JSON string: `"scan.results"[]`.
   */
  readonly list: string;
  readonly rows: number;
  /** Whether its elements are findings with a severity. */
  readonly hasFindings?: true;
}

/**
 * How the file has changed since it was opened: `grown` (rows found so far stay valid), `replaced`
 * or `removed` (the old content is still served), `modified` (queries are refused with `changed`).
 */
export type FileChange = 'grown' | 'replaced' | 'removed' | 'modified';

/**
 * Why rows are missing at the end: the file stops inside a record (`record`) or inside gzip data
 * (`gzip`), is damaged (`damaged`: it cannot be unpacked to its end, or a checksum differs), or is
 * too large or the disk has no room for it (`limit`).
 */
export type Truncation = 'record' | 'gzip' | 'damaged' | 'limit';

/** The state of a table so far. */
export interface TableInfo {
  readonly format: TableFormat;
  /** JSON: the name of the list whose elements are the rows; absent if the document is one row. */
  readonly list?: string;
  /** JSON: all lists that could be shown, the most likely ones first; absent until they are known. */
  readonly lists?: readonly ListInfo[];
  /** Records found so far. */
  readonly rows: number;
  /** Whether all records are found and `rows` is final. */
  readonly done: boolean;
  /** Bytes of the file read so far, and all bytes; as they are in the file, such as compressed. */
  readonly bytesRead: number;
  readonly bytes: number;
  readonly columns: readonly Column[];
  /** Columns beyond the limit. Their values are only in the text of the records. */
  readonly moreColumns: number;
  /** Invalid records found so far. Those without values are rows of kind `invalid`. */
  readonly invalidRows: number;
  /** Whether every record was checked, so that `invalidRows` and `columns` are complete. */
  readonly checked: boolean;
  readonly truncated?: Truncation;
  /** The file is not valid UTF-8 as far as it was read: some characters may be shown as U+FFFD. */
  readonly notUtf8?: true;
  /**
   * JSON: bytes after the value whose array is shown. They are other values or not JSON, and are
   * not shown as rows.
   */
  readonly bytesAfterValue?: number;
  readonly changed?: FileChange;
}

/**
 * The kind of a cell: a JSON value, `null` (in CSV: an empty field), or no value (`missing`). In a
 * row without values the first cell is `invalid`, with the beginning of the record; the others are
 * missing.
 */
export type CellKind =
  'text' | 'number' | 'date' | 'boolean' | 'json' | 'null' | 'missing' | 'invalid';

/** A cell as it is shown. Plain text from the file: never HTML or Markdown. */
export interface Cell {
  readonly kind: CellKind;
  /** Numbers are as written in the file, with all digits. Empty for `null` and `missing`. */
  readonly text: string;
  /** The text is truncated; the record has the full text. */
  readonly cut?: true;
  /** The text is a mask. */
  readonly masked?: true;
}

export interface Row {
  /** Its number in the file. The first record is 0; a CSV heading does not count. */
  readonly record: number;
  /** One for each requested column, in that order. */
  readonly cells: readonly Cell[];
  /** Why the record is invalid. */
  readonly invalid?: InvalidReason;
}

/**
 * Why a record is invalid: it is not JSON (`syntax`), has quotes that CSV does not allow
 * (`fields`), is too long (`tooLong`), or is incomplete at the end of the file (`truncated`). The
 * records of a CSV file have values even so, unless they are too long.
 */
export type InvalidReason = 'syntax' | 'fields' | 'tooLong' | 'truncated';

/**
 * A condition on rows. Texts are compared in full. Rows without values match only `invalid` and
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
  | { readonly op: 'present' | 'empty'; readonly column: ColumnId }
  /** The text in any column, ignoring case. */
  | { readonly op: 'anywhere'; readonly text: string }
  | { readonly op: 'invalid' };

/**
 * Numbers are ordered by value, dates by time, texts by code point; a mixed column has numbers,
 * dates, texts, booleans, JSON. An empty text, null, missing and invalid come last in both
 * directions. Rows with
 * equal values, such as 1 and 1.0, are ordered by the next key, then as in the file. Severities,
 * grades and statuses have their natural order: a descending sort shows the worst first, unknown
 * words last.
 */
export interface SortKey {
  readonly column: ColumnId;
  readonly descending: boolean;
}

export interface Query {
  /** If absent, all rows. */
  readonly filter?: Filter;
  /** The first key has priority. If empty, the rows are in the order of the file. */
  readonly sort?: readonly SortKey[];
  /**
   * If absent or empty, the view has rows. Otherwise, it has one group for each combination of
   * values of these columns. Unlike in a sort, 1 and 1.0 are two groups: groups compare values as
   * written.
   */
  readonly groupBy?: readonly ColumnId[];
}

/** The view of all rows in the order of the file; it always exists and grows. */
export const wholeFile = 0;

/** The result of a query: ordered rows that are read in pages. */
export interface View {
  /** A positive number. Only the latest view, views for exports and `wholeFile` exist. */
  readonly id: number;
  readonly rows: number;
  /** The number of groups, if the query groups rows. */
  readonly groups?: number;
}

export interface RowPage {
  readonly view: number;
  /** Position of the first row in the view. */
  readonly from: number;
  readonly rows: readonly Row[];
}

export interface Group {
  /** One for each grouped column. */
  readonly values: readonly Cell[];
  readonly count: number;
  /** Matches the rows of the group; combine it with the query's filter. */
  readonly filter: Filter;
}

/**
 * A page of groups, those with the most rows first. If the first column has severities, grades or
 * statuses, groups are first sorted by these in their order; unknown words follow.
 */
export interface GroupPage {
  readonly view: number;
  readonly from: number;
  readonly groups: readonly Group[];
}

export interface DistinctValue {
  readonly cell: Cell;
  /**
   * Identifies exactly this value in a filter, only for this file and not for display. It does not
   * reveal a masked value.
   */
  readonly key: string;
  /** The keys of values that are counted with this one, because they are shown as one: `HIGH` and `high`. */
  readonly moreKeys?: readonly string[];
  /** Set if it stands for all scores of a level, whose word its cell has. */
  readonly scores?: { readonly lowest: number; readonly highest: number };
  readonly count: number;
}

export interface DistinctValues {
  /** Severities, grades and statuses in their natural order; other values by count, the largest first. */
  readonly values: readonly DistinctValue[];
  /** The number of distinct values, including those not in `values`. */
  readonly total: number;
}

/** Where a text was found. */
export interface FindMatch {
  /** Position in the view. */
  readonly position: number;
  readonly record: number;
  /**
   * Its number among the rows with the text, starting at 1 in the order of the view, and the total
   * number of these rows.
   */
  readonly number: number;
  readonly total: number;
  /** Absent in a row without values. */
  readonly column?: ColumnId;
  /** The search wrapped at the end, or at the start. */
  readonly wrapped: boolean;
}

export interface Field {
  readonly column: ColumnId;
  readonly name: string;
  /** With the full text, up to 1 Mi UTF-16 code units. */
  readonly cell: Cell;
}

/** One record in full. */
export interface TableRecord {
  readonly record: number;
  /** As in the file, unless masked; up to 1 Mi UTF-16 code units. */
  readonly text: string;
  readonly cut: boolean;
  /** Whether secret-like values are masked in `text`. If so, it is rewritten. */
  readonly masked: boolean;
  /** The values of all columns that the record has; empty in a row without values. */
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
  /** Markdown for a file of differences: whether old values are written before the new ones. */
  readonly compared?: boolean;
  /** The name of {@link countColumn}, when groups are copied. */
  readonly countName?: string;
  /** Markdown: see `ShownNames`; with them, severities and keys are as users read them. */
  readonly names?: Readonly<Record<string, string>>;
}

/** The number of rows of a group, in a copy; no column of a file has this id. */
export const countColumn = '#count';

export interface CopyResult {
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
   * If absent, all columns, and records of a JSON file are written as in that file. With selected
   * columns, records keep their nesting.
   */
  readonly columns?: readonly ColumnId[];
  /** The name of {@link countColumn}, when groups are exported. */
  readonly countName?: string;
}

export interface ExportedRows {
  /** About a MiB, and at least a row. */
  readonly text: string;
  readonly rows: number;
  /** Whether the view ends here. If so, the text includes the end of the file. */
  readonly isLast: boolean;
}

/** The next rows of an export to Parquet, one part after another. */
export type ParquetPart = Omit<ExportPart, 'format'>;

export interface ParquetRows extends Pick<ExportedRows, 'rows' | 'isLast'> {
  /** A row group. If the view ends here, they include the end of the file. */
  readonly bytes: Uint8Array;
}

/** Why a call failed: the file (the first seven), the request (the next six), or the thread. */
export type TableErrorCode =
  | 'notFound'
  | 'unreadable'
  | 'notATable'
  | 'noList'
  | 'utf32'
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

/** A query that is written as SQL. */
export interface SqlRequest {
  /** The columns of the file that this one is read beside; empty for the first of them, absent if it is alone. */
  readonly like?: SqlColumns;
  /** The absolute path of the file. */
  readonly path: string;
  readonly dialect: SqlDialect;
  readonly query: Query;
  /** The columns of the answer; groups have those they are grouped by instead. */
  readonly columns: readonly ColumnId[];
}

/** A column of a file that SQL reads beside others. */
export interface SqlColumn {
  readonly name: string;
  /** The kinds of its values, one bit each. */
  readonly kinds: number;
  /** If its values are ordered words and the query sorts by them: these, in its order. Other files may have more. */
  readonly words?: readonly string[];
}

export type SqlColumns = Readonly<Record<ColumnId, SqlColumn>>;

/** A sort key in SQL. */
export interface SqlOrder {
  readonly value: string;
  /** If the values are ordered words: their column. */
  readonly wordsOf?: ColumnId;
  readonly isDescending: boolean;
}

/** What the SQL for files needs of one. */
export interface SqlPart {
  /** How an engine reads the file. */
  readonly source: string;
  /** The columns of the answer, each with its name. */
  readonly selected: readonly string[];
  readonly condition?: string;
  /** How many of the columns are those of groups. */
  readonly groupedBy: number;
  readonly order: readonly SqlOrder[];
  readonly columns: SqlColumns;
}
