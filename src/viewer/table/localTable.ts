import type { EncodingChoice, TableInfo } from '../../engine';
import type { FileAbout } from '../../summary/fileAbout';

/** A file on this machine that is read as a table. */
export interface LocalFile {
  /** Absolute. */
  readonly path: string;
  /** Whether all secret-like values in the file are masked, so that none can be shown. */
  readonly isMasked: boolean;
  /** Removes temporary files of the table. Never rejects. */
  release(): Promise<void>;
}

/** A file that is read where it is. */
export function fileInPlace(file: string, { isMasked = false } = {}): LocalFile {
  return { path: file, isMasked, release: () => Promise.resolve() };
}

/** What is known of a file besides its content. */
export interface FileFacts {
  /** The report, or what was compared. */
  readonly about: FileAbout;
  readonly tabTitle: string;
  /**
   * For a file of differences: compares the same files the other way round.
   * @returns whether that is shown
   */
  readonly swap?: () => Promise<boolean>;
}

/** A table as a file on this machine. Without facts, its name is all that is known. */
export interface LocalTable extends LocalFile, Partial<FileFacts> {
  readonly encoding?: EncodingChoice;
  /** JSON: the name of the list that was chosen; absent to show the one with findings. */
  readonly list?: string | undefined;
}

/** How many rows and columns a table has. */
export interface TableSize extends Pick<TableInfo, 'list' | 'lists'> {
  readonly rows: number;
  readonly columns: number;
}
