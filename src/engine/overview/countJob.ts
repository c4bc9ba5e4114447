import type { Kept, NewTask, RangeRequest, RangeTask } from '../read/ranges/rangeReader';
import type { RangeJob } from '../read/ranges/scanner';
import type { RecordReader } from '../read/records/recordReader';
import type { ShapeNode } from '../read/records/shape';
import { releaseBuffers } from '../values/memory';
import type { ReadableFile, Visitor } from '../read/visitor';
import { type CountsPart, type CountsState, KeptCounts, OverviewCounts } from './overviewCounts';

/** Counts all records. */
export function countJob(counter: OverviewCounts): RangeJob {
  return {
    task: 'count',
    payload: () => counter.state(),
    visitor: counter,
    addResult: (result, { to }) => {
      const part = result as CountsPart;
      counter.merge(part, to);
      releaseBuffers(...arraysOf(part));
    },
  };
}

/** The large arrays of a part. */
function arraysOf({ types, scorecards, columns }: CountsPart): ArrayBufferView[] {
  const { pairs, severities, newest } = types;
  return [
    severities,
    newest,
    scorecards.severities,
    scorecards.newest,
    ...(pairs ? [pairs] : []),
    ...columns.flatMap(({ values, times }) => [
      ...(values ? [values.texts.bytes, values.texts.offsets, values.counts, values.firsts] : []),
      ...(times ? [times] : []),
    ]),
  ];
}

/** Counts a part of the records. */
class CountTask implements RangeTask {
  private readonly counts: OverviewCounts;

  constructor(file: ReadableFile, { payload }: RangeRequest, kept: Kept) {
    kept.value ??= new KeptCounts();
    this.counts = new OverviewCounts(file, payload as CountsState, kept.value as KeptCounts);
  }

  get nodes(): readonly ShapeNode[] {
    return this.counts.nodes;
  }

  get growsShape(): boolean {
    return this.counts.growsShape;
  }

  visit(records: RecordReader, row: number): void {
    this.counts.visit(records, row);
  }

  finish() {
    const result = this.counts.part();
    return { result, transferred: arraysOf(result) };
  }

  dispose(): void {
    this.counts.release();
  }
}

export const countTask: NewTask = (file, request, kept) => new CountTask(file, request, kept);

/** Only completes the shape. */
export function checkJob(): RangeJob {
  return {
    task: 'check',
    payload: () => undefined,
    visitor: shapeVisitor,
    addResult: () => undefined,
  };
}

export const checkTask: NewTask = () => ({
  ...shapeVisitor,
  finish: () => ({ result: undefined }),
});

const shapeVisitor: Visitor = { nodes: [], growsShape: true, visit: () => undefined };
