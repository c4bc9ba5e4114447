import type { StoredReport } from '../reports/reportRecord';
import type { TableHandle } from '../engine/engine';
import type { EncodingChoice, TableInfo } from '../engine/types';
import type { SincePrevious } from '../engine/values/comparisonAbout';
import type { FileAbout } from '../webview/protocol';

/** The arguments of Compare Reports for the same files, the newer one as the older. */
export interface SwappedComparison {
  /** The ID of a report, or an absolute path. */
  readonly before: string;
  readonly after: string;
  readonly key?: string;
  readonly list?: string;
}

/** A table as a file on this machine. */
export interface LocalTable {
  /** Absolute. */
  readonly path: string;
  /** Whether all secret-like values in the file are masked, so that none can be shown. */
  readonly isMasked: boolean;
  readonly encoding?: EncodingChoice;
  /** JSON: the name of the list that was chosen; absent to show the one with findings. */
  readonly list?: string | undefined;
  /** The report, or what was compared; absent for other files. */
  readonly about?: FileAbout;
  /** For a file of differences: how to swap the files. */
  readonly swapped?: SwappedComparison;
  /**
   * For a full report: its account, when it was created (milliseconds since the epoch), and the scorecard that it
   * is about, unless it is about all.
   */
  readonly fullReport?: {
    readonly accountId: string;
    readonly madeAt: number;
    readonly scorecardId?: string | undefined;
  };
  /** For a report: its time, and the other downloaded reports of its kind. */
  readonly reportsOfKind?: () => ReportsOfKind;
  /** The title of its tab; absent if that is the name of the file. */
  readonly tabTitle?: string;
  /** Finds out more about the report, which takes longer. Resolves to `undefined` if there is nothing to add. */
  readonly loadMoreAbout?: () => Promise<FileAbout | undefined>;
  /** Removes temporary files of the table. Never rejects. */
  release(): Promise<void>;
}

/** The file of a report, and when it was made, in milliseconds since the epoch. */
export interface DatedReport {
  readonly path: string;
  readonly madeAt: number;
}

export interface ReportsOfKind extends Pick<DatedReport, 'madeAt'> {
  /** Their names for users. */
  readonly kind: string;
  readonly others: readonly DatedReport[];
}

/** Runs work on the table of a report, which is closed afterwards. @param work gets the path of the file, too. */
export type WithReport = <T>(
  report: DatedReport,
  work: (table: TableHandle, path: string) => Promise<T>,
  signal: AbortSignal,
) => Promise<T>;

/** How many rows and columns a table has. */
export interface TableSize extends Pick<TableInfo, 'list' | 'lists'> {
  readonly rows: number;
  readonly columns: number;
}

/** Facts about files, provided by a feature above this one. */
export interface FileInfoProvider {
  /** Whether a file is a file of differences. */
  isComparison(file: string): boolean;
  /** What a file of differences compares; `undefined` for any other file. */
  aboutComparison(
    file: string,
  ): Promise<
    (Required<Pick<LocalTable, 'about' | 'tabTitle'>> & Pick<LocalTable, 'swapped'>) | undefined
  >;
  /** How a report differs from the one before it; `undefined` if that is unknown. Never rejects. */
  sincePrevious(report: StoredReport): Promise<SincePrevious | undefined>;
}
