import { CallThread } from '../threads/callThread';
import type { CallOptions } from '../../base/rpc';
import { TableError } from '../data/tableError';
import { type Comparison, type ComparisonRequest, NoKeyError } from './comparison';
import type { CompareCalls } from './compareCalls';

/** The heap of the thread; the data about records is outside the heap. */
const resourceLimits = { maxOldGenerationSizeMb: 192, maxYoungGenerationSizeMb: 32 };

/**
 * Compares two files in a separate thread; see `compareFiles`. If it is cancelled, a draft
 * stays beside the target.
 * @param script the bundle of `engineWorker.ts`.
 * @throws NoKeyError, TableError
 */
export async function runComparison(
  script: string,
  request: ComparisonRequest,
  options: CallOptions = {},
): Promise<Comparison> {
  const thread = new CallThread<CompareCalls>(script, { resourceLimits, name: 'Comparison' });
  try {
    const result = await thread.call('compare', request, options);
    if ('isMissing' in result) {
      throw new NoKeyError(result.key, result.isMissing, result.choices);
    }
    return result;
  } finally {
    await thread.end(new TableError('closed', 'The comparison has ended.'));
  }
}
