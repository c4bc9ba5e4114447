import { line, type Row } from '../line';
import { Program } from '../programs';
import type { QueueResults } from './queueChild';

/**
 * Queues thousands of calls behind a used-up budget and cancels them all at once. Our queue is compared with
 * p-throttle, which does the same. Whole calls of the client are printed as well; p-throttle does only a part
 * of what they do.
 */
export const queue: Row = {
  name: 'queue',
  work: '20,000 calls queued behind a used-up budget, all cancelled',
  async measure() {
    const results = (await Program.result('budget/queueChild')) as QueueResults;
    const { queue: ours, calls, 'p-throttle': theirs } = results;
    const row = this.name;
    const time = { row, unit: 'ms', peer: 'p-throttle', theirs: theirs.milliseconds } as const;
    const memory = { row, unit: 'MB', peer: 'limit', theirs: 50, aim: '< 50 MB' } as const;
    return [
      line(
        { ...time, what: 'time in queue', ours: ours.milliseconds, aim: '<= 1.5 x' },
        (mine, other) => mine <= 1.5 * other,
      ),
      line({ ...memory, what: 'held by queue', ours: ours.heldMb }, (ours, limit) => ours < limit),
      { ...time, what: 'whole calls', ours: calls.milliseconds, aim: 'none', met: undefined },
      line({ ...memory, what: 'held by calls', ours: calls.heldMb }, (ours, limit) => ours < limit),
    ];
  },
};
