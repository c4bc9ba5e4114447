import { parentPort, workerData } from 'node:worker_threads';
import { TableError } from '../../table/engine/tableError';
import type { TableErrorCode } from '../../table/engine/types';
import { type Comparison, type ComparisonRequest, NoKeyError } from '../comparison';
import { compareFiles } from './compareFiles';

/* The thread of one comparison: the entry point of a bundle of its own. */

/** What the thread sends; the last message is `done` or `failed`. */
export type FromCompareWorker =
  | { readonly type: 'progress'; readonly share: number }
  | { readonly type: 'done'; readonly comparison: Comparison }
  | { readonly type: 'noKey'; readonly key: string; readonly columns: readonly string[] }
  | { readonly type: 'failed'; readonly code: TableErrorCode; readonly message: string };

const leastShare = 0.01;
let reported = 0;

function send(message: FromCompareWorker): void {
  parentPort?.postMessage(message);
}

compareFiles(workerData as ComparisonRequest, (share) => {
  if (share - reported >= leastShare) {
    reported = share;
    send({ type: 'progress', share });
  }
}).then(
  (comparison) => {
    send({ type: 'done', comparison });
  },
  (error: unknown) => {
    const { code, message } = error as NodeJS.ErrnoException;
    if (error instanceof NoKeyError) {
      send({ type: 'noKey', key: error.key, columns: error.columns });
    } else if (error instanceof TableError) {
      send({ type: 'failed', code: error.code, message: error.message });
    } else {
      const isDisk = code === 'ENOSPC' || code === 'EDQUOT';
      send({ type: 'failed', code: isDisk ? 'disk' : 'internal', message });
    }
  },
);
