import type { CopyFormat, PackedFormat, TableTextFormat } from '../../base/exportFormats';
import type { ColumnId } from './column';
import type { PastReason } from './known';
import type { ReadNames, ShownNames } from '../../vocabulary/shownNames';

/** The most rows of a copy, and the most UTF-16 code units of its text. */
export const maxCopyRows = 100_000;
export const maxCopyLength = 32 * 1024 ** 2;

/** What is added to the columns that are copied or exported. */
export interface HandedOn {
  /** Set for a file of differences: each column brings its old value. */
  readonly compared?: boolean;
  /** The names of scorecards, by UUID in lower case: they get a column beside that of the UUIDs. */
  readonly scorecards?: Readonly<Record<string, string>>;
}

/** How people read values, as plain data. @see ShownNames.texts */
export interface CopiedNames extends Omit<ReadNames, 'names'> {
  readonly texts: ShownNames['texts'];
}

/** TSV and Markdown are for people: an old value is written before the new one. */
export interface CopyRange extends HandedOn {
  readonly view: number;
  readonly from: number;
  readonly count: number;
  readonly columns: readonly ColumnId[];
  readonly format: CopyFormat;
  /** TSV and CSV: whether a first line has the names of the columns. */
  readonly headings: boolean;
  /** Markdown: whether columns without a value in any of the rows are left out. */
  readonly onlyFilled?: boolean;
  /** The name of {@link countColumn}, when groups are copied. */
  readonly countName?: string;
  /** TSV and Markdown: with them, values are as users read them. */
  readonly names?: CopiedNames;
  /** TSV and Markdown: what users read instead of the names of columns, by their ids. */
  readonly titles?: Readonly<Record<ColumnId, string>>;
  /** Markdown: with them, why rows are known, or were, is in a column of its own. */
  readonly reasons?: Pick<ExportWords, 'addedTitles' | 'past'>;
}

export interface CopyResult {
  readonly text: string;
  readonly rows: number;
  /** Some rows exceeded the limits. */
  readonly cut: boolean;
}

/** The columns that an export adds: the names of scorecards, and why findings are known, or were. */
export type AddedColumn = 'scorecardName' | 'known' | 'wasKnown';

/** What people read in a file for them, as plain data. IDs of scorecards stay: their names are beside them. */
export interface ExportWords extends Omit<CopiedNames, 'scorecards'> {
  /** Instead of the names of columns, by their ids. */
  readonly titles: Readonly<Record<ColumnId, string>>;
  readonly addedTitles: Readonly<Record<AddedColumn, string>>;
  /** Why a decision no longer holds. */
  readonly past: Readonly<Record<PastReason, string>>;
}

/** The next rows of an export. */
export interface ExportPart extends HandedOn {
  readonly view: number;
  /** Position of the first row; 0 writes the beginning of the file, too. */
  readonly from: number;
  readonly format: TableTextFormat;
  /**
   * If absent, all columns, and records of a JSON file are written as in that file. With selected
   * columns, records keep their nesting.
   */
  readonly columns?: readonly ColumnId[];
  /** The name of {@link countColumn}, when groups are exported. */
  readonly countName?: string;
  /** Formats for people: with them, values are as users read them. */
  readonly words?: ExportWords;
  /** CSV for Excel: whether numbers have a decimal comma; then semicolons separate the fields. */
  readonly decimalComma?: boolean;
}

export interface ExportedRows {
  /** About a MiB, and at least a row. */
  readonly text: string;
  readonly rows: number;
  /** Whether the view ends here. If so, the text includes the end of the file. */
  readonly isLast: boolean;
}

/** The next rows of an export whose files are not text, one part after another. */
export interface PackedPart extends Omit<ExportPart, 'format' | 'decimalComma'> {
  readonly format: PackedFormat;
  /** XLSX: the name of the first sheet. */
  readonly sheetName?: string;
}

export interface PackedRows extends Pick<ExportedRows, 'rows' | 'isLast'> {
  /** What is written of the file so far, without what was before. If the view ends here, with the end of the file. */
  readonly bytes: Uint8Array;
  /** XLSX: how many cells of these rows have longer texts than a cell can have. */
  readonly cutCells?: number;
}
