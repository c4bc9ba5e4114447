import { parentPort, workerData } from 'node:worker_threads';
import type { Message } from '../../base/message';
import { readsRanges, serveRanges } from '../read/ranges/rangeReader';
import { RangeThreads } from '../read/ranges/rangeThreads';
import { isOutOfMemory, TableError } from '../values/tableError';
import type { TableErrorCode } from '../types';
import { type Comparison, type ComparisonRequest, NoKeyError } from './comparison';
import { compareFiles } from './compareFiles';
import { fingerprintTask } from './fingerprints';

/*
 * The thread of one comparison: the entry point of a separate bundle. More threads of the same bundle read
 * ranges of large files for it.
 */

/** The messages of the thread. The last message is `done`, `noKey` or `failed`. */
export type FromCompareWorker =
  | { readonly type: 'progress'; readonly share: number }
  | { readonly type: 'done'; readonly comparison: Comparison }
  | ({ readonly type: 'noKey' } & Pick<NoKeyError, 'key' | 'states' | 'columns'>)
  | {
      readonly type: 'failed';
      readonly code: TableErrorCode;
      readonly message: string;
      /** See {@link TableError.details}. */
      readonly details: readonly Message[];
    };

const minProgressStep = 0.01;
let reported = 0;

function send(message: FromCompareWorker): void {
  parentPort?.postMessage(message);
}

if (readsRanges(workerData)) {
  serveRanges({ fingerprint: fingerprintTask });
} else {
  const onProgress = (share: number) => {
    if (share - reported >= minProgressStep) {
      reported = share;
      send({ type: 'progress', share });
    }
  };
  compareFiles(workerData as ComparisonRequest, onProgress, new RangeThreads(__filename)).then(
    (comparison) => {
      send({ type: 'done', comparison });
    },
    (error: unknown) => {
      send(failure(error as NodeJS.ErrnoException));
    },
  );
}

function failure(error: NodeJS.ErrnoException): FromCompareWorker {
  if (error instanceof NoKeyError) {
    const { key, states, columns } = error;
    return { type: 'noKey', key, states, columns };
  }
  const isDisk = error.code === 'ENOSPC' || error.code === 'EDQUOT';
  const other = isDisk ? 'disk' : isOutOfMemory(error) ? 'memory' : 'internal';
  const { code, details } =
    error instanceof TableError ? error : { code: other as TableErrorCode, details: [] };
  return { type: 'failed', code, message: error.message, details };
}
