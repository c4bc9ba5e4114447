import { Worker } from 'node:worker_threads';
import { TableError } from '../values/tableError';
import { onThreadEnd } from '../values/threadEnd';
import { type CallOptions, type ReplyMessage, RpcClient } from '../rpc';
import { type Comparison, type ComparisonRequest, NoKeyError } from './comparison';
import type { CompareCalls } from './compareWorker';

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
  options: CallOptions = {},
): Promise<Comparison> {
  const { signal } = options;
  const worker = new Worker(script, { resourceLimits, name: 'Comparison' });
  const client = new RpcClient<CompareCalls>((message) => {
    worker.postMessage(message);
  });
  worker.on('message', (reply: ReplyMessage) => {
    client.receive(reply);
  });
  onThreadEnd(worker, (error) => {
    client.end(error);
  });
  const cancel = () => {
    client.end(new TableError('cancelled', 'The comparison was cancelled.'));
  };
  signal?.addEventListener('abort', cancel, { once: true });
  try {
    const result = await client.call('compare', request, options);
    if ('isMissing' in result) {
      throw new NoKeyError(result.key, result.isMissing, result.columns);
    }
    return result;
  } finally {
    signal?.removeEventListener('abort', cancel);
    await worker.terminate();
  }
}
