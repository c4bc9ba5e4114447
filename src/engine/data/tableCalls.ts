import type { Disposable } from '../../base/events/disposable';
import type { Event } from '../../base/events/emitter';
import type { CallOptions } from '../../base/rpc';
import type { Charts, CountScope, Overview } from './overview';
import type { TableError } from './tableError';
import type {
  DistinctValues,
  FindMatch,
  GroupPage,
  MaskedValues,
  RowPage,
  TableRecord,
} from './answers';
import type { ColumnId, DateOrder, FormChoice } from './column';
import type {
  CopyResult,
  CopyRange,
  ExportedRows,
  ExportPart,
  PackedPart,
  PackedRows,
} from './copies';
import type { CveListFile, ReadCves } from './cveLists';
import type { KeptRowsOfFile } from './keptRows';
import type { IdentifiedRow, KnownFinding, KnownRowsSummary } from './known';
import type { Filter, Query, View } from './query';
import type { SqlPart, SqlRequest } from './sqlParts';
import type { EncodingChoice, TableInfo } from './tableInfo';

/* The interface of the Report Table's engine, independent of VS Code and of how a file is read. */

/** The calls of an open table: {@link TableHandle.call} sends them, `TableCore` answers. */
export interface TableCalls {
  /** Resolves when every record has been checked, or when a change of the file makes that impossible. */
  checked: { readonly params: object; readonly result: TableInfo };
  /**
   * Prepares a view; waits until all records are found. A later query supersedes an earlier one
   * that is still running, which then rejects with `superseded`.
   */
  query: { readonly params: { readonly query: Query }; readonly result: View };
  /** A page of a view; fewer rows at its end. Rejects with `gone` for an old view. */
  rows: {
    readonly params: {
      readonly view: number;
      readonly from: number;
      /** 1 to 200. */
      readonly count: number;
      /** If absent, all columns in the order of `TableInfo.columns`. */
      readonly columns?: readonly ColumnId[];
    };
    readonly result: RowPage;
  };
  groups: {
    readonly params: { readonly view: number; readonly from: number; readonly count: number };
    readonly result: GroupPage;
  };
  /** The values of a column in the rows that match the filter. */
  distinct: {
    readonly params: {
      readonly column: ColumnId;
      readonly filter?: Filter;
      readonly limit?: number;
    };
    readonly result: DistinctValues;
  };
  /**
   * Which of these columns have values that are masked: who must not see them must not filter, sort or group by these
   * columns, either. Waits until every record has been checked.
   */
  masked: {
    readonly params: { readonly columns: readonly ColumnId[] };
    readonly result: MaskedValues;
  };
  /**
   * The counts so far, without waiting; `done` when every row is counted. The first call starts the
   * counting.
   */
  readOverviewSoFar: {
    readonly params: {
      /** The time that ages are relative to, in milliseconds since the epoch. */
      readonly now: number;
      /** Also counts rows first seen at this time or later. */
      readonly since?: number;
      /** By default `all`. */
      readonly scope?: CountScope;
      /** The scorecards whose companies are rated, in lower case, the worst first. */
      readonly rated?: readonly string[];
    };
    readonly result: Overview;
  };
  /** Small charts of the columns, based on the counts so far. Starts the counting like `readOverviewSoFar`. */
  charts: { readonly params: object; readonly result: Charts };
  /** The overview when every row is counted. Rejects with `changed` if the file has changed. */
  readOverview: TableCalls['readOverviewSoFar'];
  /** The next row with the text after (or before) a position; the row at the position comes last. */
  find: {
    readonly params: {
      readonly view: number;
      readonly text: string;
      /** The position to search from; -1 searches from the start, or backwards from the end. */
      readonly from: number;
      readonly backwards: boolean;
      /** The columns that are shown, in their order: the first of them with the text is found. */
      readonly columns?: readonly ColumnId[] | undefined;
    };
    /** `null` if not found. */
    readonly result: FindMatch | null;
  };
  /** The position of a record in a view, or of the nearest later one in an unsorted view. */
  locate: {
    readonly params: { readonly view: number; readonly record: number };
    readonly result: number | null;
  };
  record: { readonly params: { readonly record: number }; readonly result: TableRecord };
  /**
   * Tells which findings are known, in place of those told before. Resolves when their rows are found, from which on
   * they count as closed.
   */
  setKnown: {
    readonly params: { readonly known: readonly KnownFinding[] };
    readonly result: KnownRowsSummary;
  };
  /**
   * Tells the lists of CVEs of the user, in place of those told before. Resolves when their rows are found, from which
   * on they count as exploited, with how many these are and whether they are others than before.
   */
  setCveLists: {
    readonly params: { readonly lists: readonly CveListFile[] };
    readonly result: { readonly rows: number; readonly hasChanged: boolean };
  };
  /** Reads the whole file as a list of CVEs. */
  readCves: { readonly params: object; readonly result: ReadCves };
  /** What tells rows of a view apart, at most `maxIdentified`; without those that nothing tells apart. */
  identify: {
    readonly params: { readonly view: number; readonly from: number; readonly count: number };
    readonly result: readonly IdentifiedRow[];
  };
  /**
   * What is kept of the rows of a view, which are in the order of the file, without those that nothing tells apart;
   * `null` if it has more rows than `most`, or its file more than 16 million.
   */
  keep: {
    readonly params: { readonly view: number; readonly most: number };
    readonly result: KeptRowsOfFile | null;
  };
  /** The same as `identify` for rows by their numbers, but not whether they share their ids: that takes no pass. */
  identifyRecords: {
    readonly params: { readonly records: readonly number[] };
    readonly result: readonly IdentifiedRow[];
  };
  copy: { readonly params: CopyRange; readonly result: CopyResult };
  /** Prepares a view for what is not shown: exports, marks, Problems, programs. It exists until `release`; no query replaces it. */
  hold: TableCalls['query'];
  release: { readonly params: { readonly view: number }; readonly result: null };
  /**
   * A query for SQL that reads the same as the table (see `sqlOfFile`, `sqlOfReports`); waits until every
   * record has been checked. Rejects with `noSql` if there is none, and details that say why and what to do.
   * Rows with equal sort keys may come in a different order, and `null` and a missing member are the same.
   */
  sql: { readonly params: SqlRequest; readonly result: SqlPart };
  /** The next rows of a view as text, with full values. */
  exportPart: { readonly params: ExportPart; readonly result: ExportedRows };
  /** The same as bytes: each part once, in their order; waits until every record has been checked. */
  packedPart: { readonly params: PackedPart; readonly result: PackedRows };
}

export interface TableCallOptions extends CallOptions {
  /** Shows masked values. Only at a user's request. */
  readonly reveal?: boolean;
}

/** An open file. */
export interface TableHandle extends Disposable {
  readonly info: TableInfo;
  /** Fires at most ten times a second while rows are found, and at every other change. */
  readonly onInfo: Event<TableInfo>;
  /** Why the table ended; also set after `dispose`. */
  readonly ended: TableError | undefined;
  /** Fires when the table ends without `dispose`. It must then be opened again. */
  readonly onEnded: Event<TableError>;
  /** Does what `dispose` does. Resolves when nothing has the file open any more. */
  close(): Promise<void>;
  /** Rejects with a TableError. */
  call<Name extends keyof TableCalls>(
    name: Name,
    params: TableCalls[Name]['params'],
    options?: TableCallOptions,
  ): Promise<TableCalls[Name]['result']>;
}

export interface TableOptions {
  /** The folder for a copy of a file that is not plain UTF-8, while it is open. */
  readonly cacheFolder: string;
  readonly encoding?: EncodingChoice | undefined;
  /** JSON: the name of the list to read, as in `TableInfo.lists`, or `wholeDocument`. Default: the one with findings. */
  readonly list?: string | undefined;
  /** The order of day and month in dates with slashes. Default: what the first rows tell. */
  readonly dateOrder?: DateOrder | undefined;
  /** What a user has chosen for the form of columns. */
  readonly forms?: Readonly<Record<ColumnId, FormChoice>> | undefined;
}
