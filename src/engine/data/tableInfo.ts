import type { Column } from './column';
import type { PastReason } from './known';

/** Which encoding a file is read in: names for `TextDecoder`. Without them, the first bytes tell. */
export interface EncodingChoice {
  /** Whatever the bytes look like. */
  readonly chosen?: string;
  /**
   * Where the first bytes are neither UTF-8 nor UTF-16. Default: Windows-1252 where they can hardly be anything else, or
   * UTF-8, with U+FFFD for what is invalid.
   */
  readonly fallback?: string;
}

/** The format of the file. */
export interface TableFormat {
  readonly kind: 'ndjson' | 'csv' | 'json';
  /** Whether the file is compressed. */
  readonly gzip: boolean;
  /** The encoding that was read, by its WHATWG name; absent for UTF-8. */
  readonly encoding?: string;
  /** Whether nothing but the bytes tells that encoding, which is not Unicode. */
  readonly isEncodingGuessed?: true;
  /** CSV: the separator of fields. */
  readonly delimiter?: string;
  /** CSV: whether the first record is a heading, not a row. */
  readonly heading?: boolean;
  /** CSV: how many lines before the heading, or the first row, are not shown, such as a title; absent if none. */
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
  /** How many of them are findings that are known; absent if none is. */
  readonly known?: number;
  /** How many were known and are open again, by why; absent if none was known. */
  readonly wasKnown?: Readonly<Record<PastReason, number>>;
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
  /** JSON: the list is one of findings in the format of the document, even if it has no rows. */
  readonly areFindings?: true;
  /** The rows are in other files, which this one names, as SARIF may do. */
  readonly areElsewhere?: true;
  readonly changed?: FileChange;
}
