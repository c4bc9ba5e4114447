import type { TableOptions, TableCalls } from './engine';
import type { AskMessage, CancelMessage, Refusal, ReplyMessage } from '../rpc';
import type { TableInfo } from './types';

/*
 * The messages between a table's thread and the extension host; both are ours, so they are not
 * checked.
 */

/** What the thread starts with. */
export interface WorkerData extends TableOptions {
  readonly path: string;
}

export type TableQuestion<Name extends keyof TableCalls = keyof TableCalls> = AskMessage<
  TableCalls,
  Name
> & { readonly reveal?: boolean };

/** To the thread. */
export type ToWorker = TableQuestion | CancelMessage;

/** From the thread. */
export type FromWorker =
  | { readonly type: 'opened'; readonly info: TableInfo }
  | ({ readonly type: 'failed' } & Refusal)
  | { readonly type: 'info'; readonly info: TableInfo }
  | ReplyMessage;
