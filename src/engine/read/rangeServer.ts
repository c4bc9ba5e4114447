import { parentPort } from 'node:worker_threads';
import { TableError } from '../values/tableError';
import type { TableErrorCode } from '../types';
import {
  disposeKept,
  type Kept,
  type NewTask,
  type RangePart,
  type RangeRequest,
  readRange,
} from './rangeReader';

/** The data that a thread starts with. It distinguishes the thread from others of the same bundle. */
export interface RangeThreadData {
  readonly readsRanges: true;
}

/** A message to the thread. */
export interface RangeCall {
  readonly id: number;
  readonly request: RangeRequest;
}

/** A message from the thread; without a part if the part is no longer needed. */
export interface RangeResponse {
  readonly id: number;
  readonly part?: RangePart;
  readonly failed?: { readonly code: TableErrorCode; readonly message: string };
}

export function readsRanges(data: unknown): boolean {
  return (data as Partial<RangeThreadData> | null)?.readsRanges === true;
}

/** Reads the ranges that the parent thread requests, one after another. */
export function serveRanges(tasks: Readonly<Record<string, NewTask>>): void {
  const port = parentPort!;
  const kept: Kept = {};
  let series = '';
  port.on('message', ({ id, request }: RangeCall) => {
    if (request.series !== series) {
      disposeKept(kept);
      ({ series } = request);
    }
    try {
      const read = readRange(request, tasks[request.task]!, kept);
      const buffers = new Set(read?.transferred.map(({ buffer }) => buffer as ArrayBuffer));
      port.postMessage({ id, ...(read && { part: read.part }) } satisfies RangeResponse, [
        ...buffers,
      ]);
    } catch (error) {
      if (!(error instanceof TableError)) {
        // For example, out of memory: the thread ends, and the range is read without it.
        throw error;
      }
      const { code, message } = error;
      port.postMessage({ id, failed: { code, message } } satisfies RangeResponse);
    }
  });
}
