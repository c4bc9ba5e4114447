import type { StoredReport } from '../../service/reports/reportRecord';
import type { TableHandle, EncodingChoice, TableInfo, SincePrevious } from '../../engine';
import type { FileAbout } from '../../summary/fileAbout';

/** The arguments of Compare Reports for the same files, the newer one as the older. */
export interface SwappedComparison {
  /** The ID of a report, or an absolute path. */
  readonly before: string;
  readonly after: string;
  readonly key?: string | undefined;
  readonly list?: string | undefined;
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
  /** The report that it is the file of. */
  readonly report?: StoredReport;
  /** The title of its tab; absent if that is the name of the file. */
  readonly tabTitle?: string;
  /** Removes temporary files of the table. Never rejects. */
  release(): Promise<void>;
}

/** Runs work on the table of a report, which is closed afterwards. @param work gets the path of the file, too. */
export type WithReport = <T>(
  report: StoredReport,
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
