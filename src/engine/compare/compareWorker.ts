import { knownTask } from '../query/knownRows';
import { serveCalls } from '../threads/callThread';
import { countTask } from '../overview/countJob';
import { type RangeCalls, rangeReader } from '../read/ranges/rangeReader';
import { RangeThreads } from '../read/ranges/rangeThreads';
import { type Comparison, type ComparisonRequest, NoKeyError } from './comparison';
import { compareFiles } from './compareFiles';
import { recordTask } from './recordTask';

/*
 * The thread of one comparison: the entry point of a separate bundle. More threads of the same bundle read
 * ranges of large files for it.
 */

/** The calls of the thread. An error loses its class on the way, so that a missing key is a result. */
export interface CompareCalls extends RangeCalls {
  compare: {
    readonly params: ComparisonRequest;
    readonly result: Comparison | Pick<NoKeyError, 'key' | 'isMissing' | 'choices'>;
  };
}

const readRange = rangeReader({ records: recordTask, count: countTask, known: knownTask });

serveCalls<CompareCalls>((call, { onProgress }) =>
  call.type === 'read'
    ? readRange(call)
    : compareFiles(call, onProgress, new RangeThreads(__filename)).catch((error: unknown) => {
        if (error instanceof NoKeyError) {
          const { key, isMissing, choices } = error;
          return { key, isMissing, choices };
        }
        throw error;
      }),
);
