import type { OpenOptions } from './engine';
import type { ColumnId, CopyRange, Filter, Query, TableErrorCode, TableInfo } from './types';

/* What a table's thread and the extension host say to each other; both are ours, so nothing is checked. */

/** What the thread starts with. */
export interface WorkerData extends OpenOptions {
  readonly path: string;
}

/** A question: the method and its arguments but for the options. */
export type Call =
  | { readonly method: 'indexed' | 'checked' }
  | { readonly method: 'query'; readonly query: Query }
  | {
      readonly method: 'rows';
      readonly view: number;
      readonly from: number;
      readonly count: number;
      readonly columns: readonly ColumnId[] | undefined;
    }
  | {
      readonly method: 'groups';
      readonly view: number;
      readonly from: number;
      readonly count: number;
    }
  | {
      readonly method: 'distinct';
      readonly column: ColumnId;
      readonly filter?: Filter;
      readonly contains?: string;
      readonly limit?: number;
    }
  | { readonly method: 'count'; readonly filter: Filter }
  | {
      readonly method: 'find';
      readonly view: number;
      readonly text: string;
      readonly from: number;
      readonly backwards: boolean;
    }
  | { readonly method: 'locate'; readonly view: number; readonly record: number }
  | { readonly method: 'record'; readonly record: number }
  | { readonly method: 'copy'; readonly range: CopyRange };

/** To the thread. */
export type ToWorker =
  | { readonly type: 'call'; readonly id: number; readonly call: Call; readonly reveal: boolean }
  | { readonly type: 'cancel'; readonly id: number };

/** From the thread. */
export type FromWorker =
  | { readonly type: 'opened'; readonly info: TableInfo }
  | { readonly type: 'failed'; readonly code: TableErrorCode; readonly message: string }
  | { readonly type: 'info'; readonly info: TableInfo }
  | { readonly type: 'progress'; readonly id: number; readonly share: number }
  | { readonly type: 'result'; readonly id: number; readonly result: unknown }
  | {
      readonly type: 'error';
      readonly id: number;
      readonly code: TableErrorCode;
      readonly message: string;
    };
