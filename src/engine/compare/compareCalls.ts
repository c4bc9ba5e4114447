import type { CallOptions } from '../../base/rpc';
import type { RangeThreads } from '../read/ranges/rangeThreads';
import { type Comparison, type ComparisonRequest, NoKeyError } from './comparison';
import { compareFiles } from './compareFiles';

/** The call of a thread that compares. An error loses its class on the way, so that a missing key is a result. */
export interface CompareCalls {
  compare: {
    readonly params: ComparisonRequest;
    readonly result: Comparison | Pick<NoKeyError, 'key' | 'isMissing' | 'choices'>;
  };
}

/** Answers the call. @param threads read ranges of large files for it. @throws TableError */
export async function answerCompare(
  request: ComparisonRequest,
  onProgress: Required<CallOptions>['onProgress'],
  threads: RangeThreads,
): Promise<CompareCalls['compare']['result']> {
  try {
    return await compareFiles(request, onProgress, threads);
  } catch (error) {
    if (error instanceof NoKeyError) {
      const { key, isMissing, choices } = error;
      return { key, isMissing, choices };
    }
    throw error;
  }
}
