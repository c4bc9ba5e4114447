import type { NewTask, RangeTask } from '../read/ranges/rangeReader';
import type { RecordReader } from '../read/records/recordReader';
import type { ShapeNode } from '../read/records/shape';
import { arraysOf } from '../overview/countJob';
import {
  type CountsPart,
  type CountsState,
  KeptCounts,
  OverviewCounts,
} from '../overview/overviewCounts';
import { type RecordHashPayload, type RecordHashTask, newRecordHashTask } from './recordHashes';

/** What a thread needs to read a range of records. */
export interface RecordPayload {
  readonly hashes: RecordHashPayload;
  readonly counts: CountsState;
}

/** What a thread has read. */
export interface RecordPart {
  readonly hashes: Uint8Array;
  readonly counts: CountsPart;
}

/** Hashes records, and counts those that are open findings, in one pass. */
export class RecordTask implements RangeTask {
  readonly growsShape = true;
  private read: readonly ShapeNode[] = [];
  private hashed: readonly ShapeNode[] | undefined;
  private counted: readonly ShapeNode[] | undefined;

  constructor(
    private readonly hashes: RecordHashTask,
    private readonly counts: OverviewCounts,
  ) {}

  get nodes(): readonly ShapeNode[] {
    const { nodes: hashed } = this.hashes;
    const { nodes: counted } = this.counts;
    if (hashed !== this.hashed || counted !== this.counted) {
      this.hashed = hashed;
      this.counted = counted;
      // The slots of what is hashed are the first; a column has one slot.
      this.read = [...new Set([...hashed, ...counted])];
      this.counts.readAmong(this.read);
    }
    return this.read;
  }

  visit(records: RecordReader, row: number): void {
    this.hashes.visit(records, row);
    // Hides the values of closed records: it comes last.
    this.counts.visit(records, row);
  }

  finish() {
    const hashes = this.hashes.finish();
    const counts = this.counts.part();
    const result: RecordPart = { hashes, counts };
    return { result, transferred: [hashes, ...arraysOf(counts)] };
  }

  dispose(): void {
    this.hashes.dispose();
    this.counts.release();
  }
}

export const recordTask: NewTask = (file, { payload, ...range }, kept) => {
  const { hashes, counts } = payload as RecordPayload;
  kept.value ??= new KeptCounts({ isPart: true });
  return new RecordTask(
    newRecordHashTask(file, range, hashes),
    new OverviewCounts(file, counts, kept.value as KeptCounts),
  );
};
