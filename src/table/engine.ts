import type { Disposable } from '../common/disposable';
import type { Event } from '../common/emitter';
import type { TableError } from './tableError';
import type {
  ColumnId,
  Copied,
  CopyRange,
  DistinctValues,
  Filter,
  Found,
  GroupPage,
  Page,
  Query,
  TableInfo,
  TableRecord,
  View,
} from './types';

/*
 * What the Report Table's engine offers, free of VS Code and of how a file is read, so that another
 * engine can take its place.
 */

/** What every request may carry. */
export interface RequestOptions {
  /** Ends the work; the promise rejects with `cancelled`. */
  readonly signal?: AbortSignal;
  /** Shows what would be masked. Only where a person asked for it. */
  readonly reveal?: boolean;
  /** Called now and then with the share of the work that is done, 0 to 1. */
  readonly onProgress?: (share: number) => void;
}

/** An open file. Every method rejects with a TableError. */
export interface TableHandle extends Disposable {
  readonly info: TableInfo;
  /** Told at most ten times a second while rows are found, and at every other change. */
  readonly onInfo: Event<TableInfo>;
  /** Why the table cannot be asked any more; also after `dispose`. */
  readonly ended: TableError | undefined;
  /** Told when it ends by itself, whether or not anything is asked: it must be opened anew. */
  readonly onEnded: Event<TableError>;
  /** Resolves when all records are found. */
  indexed(): Promise<TableInfo>;
  /** Resolves when every record was checked, or the file has changed so that it cannot be. */
  checked(): Promise<TableInfo>;
  /**
   * Prepares a view; waits until all records are found. A later query supersedes an earlier one
   * that is still running, which rejects with `superseded`.
   */
  query(query: Query, options?: RequestOptions): Promise<View>;
  /** A page of a view; fewer rows at its end. `columns` absent: all. Rejects with `gone` for an old view. */
  rows(
    view: number,
    from: number,
    count: number,
    columns?: readonly ColumnId[],
    options?: RequestOptions,
  ): Promise<Page>;
  groups(view: number, from: number, count: number, options?: RequestOptions): Promise<GroupPage>;
  /** The values of a column among the rows that the filter lets through. */
  distinct(
    column: ColumnId,
    request?: { readonly filter?: Filter; readonly contains?: string; readonly limit?: number },
    options?: RequestOptions,
  ): Promise<DistinctValues>;
  /** How many rows a filter lets through. */
  count(filter: Filter, options?: RequestOptions): Promise<number>;
  /** The next row with the text after (or before) a position, which is looked at last of all. */
  find(
    view: number,
    text: string,
    from: number,
    backwards: boolean,
    options?: RequestOptions,
  ): Promise<Found | undefined>;
  /** The position of a record in a view, or of the nearest later one in an unsorted view. */
  locate(view: number, record: number, options?: RequestOptions): Promise<number | undefined>;
  record(record: number, options?: RequestOptions): Promise<TableRecord>;
  copy(range: CopyRange, options?: RequestOptions): Promise<Copied>;
}

export interface OpenOptions {
  /** Where an unpacked copy of a compressed file is kept while it is open. */
  readonly cacheFolder: string;
  /** The most bytes that a compressed file may unpack to; default 16 GiB. */
  readonly maxUnpackedBytes?: number;
}

export interface TableEngine {
  /** Resolves when the format is known and the first rows can be shown. @throws TableError */
  open(path: string, options: OpenOptions, signal?: AbortSignal): Promise<TableHandle>;
}
