import { Worker } from 'node:worker_threads';
import { isOutOfMemory, TableError } from '../values/tableError';
import type { CallOptions } from '../rpc';
import { type Comparison, type ComparisonRequest, NoKeyError } from './comparison';
import type { FromCompareWorker } from './compareWorker';

/** The heap of the thread; the data about records is outside the heap. */
const resourceLimits = { maxOldGenerationSizeMb: 192, maxYoungGenerationSizeMb: 32 };

/**
 * Compares two files in a separate thread; see `compareFiles`. If it is cancelled, the incomplete
 * target stays.
 * @param script the bundle of `compareWorker.ts`.
 * @throws NoKeyError, TableError
 */
export async function runComparison(
  script: string,
  request: ComparisonRequest,
  { signal, onProgress }: CallOptions = {},
): Promise<Comparison> {
  const cancelled = () => new TableError('cancelled', 'The comparison was cancelled.');
  if (signal?.aborted) {
    throw cancelled();
  }
  const worker = new Worker(script, { workerData: request, resourceLimits, name: 'Comparison' });
  let cancel: () => void = () => undefined;
  try {
    return await new Promise<Comparison>((resolve, reject) => {
      cancel = () => {
        reject(cancelled());
      };
      signal?.addEventListener('abort', cancel, { once: true });
      worker.on('message', (message: FromCompareWorker) => {
        switch (message.type) {
          case 'progress':
            onProgress?.(message.share);
            return;
          case 'done':
            resolve(message.comparison);
            return;
          case 'noKey':
            reject(new NoKeyError(message.key, message.states, message.columns));
            return;
          case 'failed':
            reject(new TableError(message.code, message.message, { details: message.details }));
        }
      });
      worker.on('error', (error) => {
        const isMemory = isOutOfMemory(error);
        reject(new TableError(isMemory ? 'memory' : 'internal', error.message, { cause: error }));
      });
      worker.on('exit', (code) => {
        reject(new TableError('internal', `The thread of a comparison exited with code ${code}.`));
      });
    });
  } finally {
    signal?.removeEventListener('abort', cancel);
    await worker.terminate();
  }
}
