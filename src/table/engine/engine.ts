import type { Disposable } from '../../base/disposable';
import type { Event } from '../../base/emitter';
import type { AskOptions } from '../rpc';
import type { Overview } from './overviewTypes';
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

/* What the engine of the Report Table offers, free of VS Code and of how a file is read. */

/** What can be asked of an open table: {@link TableHandle.ask} asks, `TableCore` answers. */
export interface TableCalls {
  /** Answered when every record was checked, or the file has changed so that it cannot be. */
  checked: { readonly ask: object; readonly answer: TableInfo };
  /**
   * Prepares a view; waits until all records are found. A later query supersedes an earlier one
   * that is still running, which is refused with `superseded`.
   */
  query: { readonly ask: { readonly query: Query }; readonly answer: View };
  /** A page of a view; fewer rows at its end. Refused with `gone` for an old view. */
  rows: {
    readonly ask: {
      readonly view: number;
      readonly from: number;
      /** 1 to 200. */
      readonly count: number;
      /** Absent: all, in the order of `TableInfo.columns`. */
      readonly columns?: readonly ColumnId[];
    };
    readonly answer: Page;
  };
  groups: {
    readonly ask: { readonly view: number; readonly from: number; readonly count: number };
    readonly answer: GroupPage;
  };
  /** The values of a column among the rows that the filter lets through. */
  distinct: {
    readonly ask: {
      readonly column: ColumnId;
      readonly filter?: Filter;
      readonly limit?: number;
    };
    readonly answer: DistinctValues;
  };
  /**
   * The counts of the file so far, at once; `done` when every row is counted. The first such question
   * starts the counting.
   */
  overview: {
    readonly ask: {
      /** What ages are reckoned from, in milliseconds since the epoch. */
      readonly now: number;
      /** Rows first seen at this time or later are counted, too. */
      readonly since?: number;
    };
    readonly answer: Overview;
  };
  /** The overview when every row is counted. Refused with `changed` when the file changed so that it cannot be. */
  counted: TableCalls['overview'];
  /** The next row with the text after (or before) a position, which is looked at last of all. */
  find: {
    readonly ask: {
      readonly view: number;
      readonly text: string;
      /** Position to search from; -1 backwards from the end or onwards from the start. */
      readonly from: number;
      readonly backwards: boolean;
    };
    /** `null` where the text is nowhere. */
    readonly answer: Found | null;
  };
  /** The position of a record in a view, or of the nearest later one in an unsorted view. */
  locate: {
    readonly ask: { readonly view: number; readonly record: number };
    readonly answer: number | null;
  };
  record: { readonly ask: { readonly record: number }; readonly answer: TableRecord };
  copy: { readonly ask: CopyRange; readonly answer: Copied };
}

export interface TableAskOptions extends AskOptions {
  /** Shows what would be masked. Only where a person asked for it. */
  readonly reveal?: boolean;
}

/** An open file. */
export interface TableHandle extends Disposable {
  readonly info: TableInfo;
  /** Told at most ten times a second while rows are found, and at every other change. */
  readonly onInfo: Event<TableInfo>;
  /** Why the table cannot be asked any more; also after `dispose`. */
  readonly ended: TableError | undefined;
  /** Told when it ends by itself, whether or not anything is asked: it must be opened anew. */
  readonly onEnded: Event<TableError>;
  /** Rejects with a TableError. */
  ask<Name extends keyof TableCalls>(
    name: Name,
    question: TableCalls[Name]['ask'],
    options?: TableAskOptions,
  ): Promise<TableCalls[Name]['answer']>;
}

export interface OpenOptions {
  /** Where an unpacked copy of a compressed file is kept while it is open. */
  readonly cacheFolder: string;
}
