import { LatestCall } from './hostLink';
import type { PageCalls } from '../../protocol/tableProtocol';
import type { Store } from './store';

/** The calls that count all rows: their answer says whether all of them were counted. */
type CountingCall = 'readOverviewSoFar' | 'charts';

/** Counts of a file, which are requested again with each update of the file until all rows are counted. */
export class FileCounts<Name extends CountingCall> {
  private readonly call: LatestCall;
  /** What is counted, and the update of the file that it was last requested after. */
  private counted: string | undefined;
  private update: number | undefined;
  private isDone = false;

  constructor(
    private readonly store: Store,
    private readonly name: Name,
    private readonly answered: (counts: PageCalls[Name]['result']) => void,
    private readonly failed: (error: unknown) => void,
  ) {
    this.call = new LatestCall(store.link);
  }

  /** Requests the counts, unless they are known or on their way. */
  request(params: PageCalls[Name]['params']): void {
    const { generation, updates } = this.store;
    const counted = JSON.stringify([generation, params]);
    if (counted !== this.counted) {
      this.call.cancel();
      this.counted = counted;
      this.update = undefined;
      this.isDone = false;
    }
    if (this.call.isRunning || this.isDone || this.update === updates) {
      return;
    }
    this.update = updates;
    this.call.request(this.name, params).then((counts) => {
      this.isDone = counts.done;
      this.answered(counts);
    }, this.failed);
  }

  /** Requests the counts again after a failure. */
  retry(): void {
    this.update = undefined;
    this.store.changed();
  }
}
