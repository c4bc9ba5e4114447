import { parentPort } from 'node:worker_threads';
import { TableError } from '../tableError';
import type { TableErrorCode } from '../types';
import { type NewTask, type RangeOrder, type RangePart, readRange } from './rangeReader';

/** What a thread starts with; it tells the thread apart from others of the same bundle. */
export interface RangeThreadData {
  readonly readsRanges: true;
}

/** To the thread. */
export interface RangeAsk {
  readonly id: number;
  readonly order: RangeOrder;
}

/** From the thread; without a part where nobody wants it any more. */
export interface RangeAnswer {
  readonly id: number;
  readonly part?: RangePart;
  readonly failed?: { readonly code: TableErrorCode; readonly message: string };
}

export function readsRanges(data: unknown): boolean {
  return (data as Partial<RangeThreadData> | null)?.readsRanges === true;
}

/** Reads ranges that the thread above asks for, one after the other. */
export function serveRanges(tasks: Readonly<Record<string, NewTask>>): void {
  const port = parentPort!;
  port.on('message', ({ id, order }: RangeAsk) => {
    try {
      const read = readRange(order, tasks[order.task]!);
      const buffers = new Set(read?.moved.map(({ buffer }) => buffer as ArrayBuffer));
      port.postMessage({ id, ...(read && { part: read.part }) } satisfies RangeAnswer, [
        ...buffers,
      ]);
    } catch (error) {
      if (!(error instanceof TableError)) {
        // Such as without memory: the thread ends, and the range is read without it.
        throw error;
      }
      const { code, message } = error;
      port.postMessage({ id, failed: { code, message } } satisfies RangeAnswer);
    }
  });
}
