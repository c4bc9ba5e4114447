import type { Worker } from 'node:worker_threads';
import { isOutOfMemory, TableError } from './tableError';

/** Calls `end` when a thread has ended by itself. It may be called twice. */
export function onThreadEnd(worker: Worker, end: (error: TableError) => void): void {
  worker.on('error', (error) => {
    const isMemory = isOutOfMemory(error);
    end(new TableError(isMemory ? 'memory' : 'internal', error.message, { cause: error }));
  });
  worker.on('exit', (code) => {
    end(new TableError('internal', `The thread exited with code ${code}.`));
  });
}
