import type { NewTask, RangeFile, RangeRequest, RangeTask } from '../read/rangeReader';
import type { RangeJob } from '../read/scanner';
import type { RecordCursor } from '../read/recordIndex';
import type { InvalidReason } from '../types';
import type { Walker } from '../read/walker';
import type { Visitor, WalkableFile } from '../read/walkableFile';
import { type CountsPart, type CountsState, OverviewCounts } from './overviewCounts';

/**
 * Counts all records.
 * @param growsShape whether the shape is not complete yet.
 */
export function countJob(counter: OverviewCounts, growsShape: boolean): RangeJob {
  return {
    task: 'count',
    growsShape,
    payload: () => counter.state(),
    visitor: counter,
    addResult: (result, { to }) => {
      counter.merge(result as CountsPart, to);
    },
  };
}

/** Counts a part of the records. */
class CountTask implements RangeTask {
  private readonly counts: OverviewCounts;

  constructor(file: RangeFile, { payload }: RangeRequest) {
    this.counts = new OverviewCounts(file, payload as CountsState);
  }

  get walker(): Walker {
    return this.counts.walker;
  }

  visit(row: number, invalid: InvalidReason | undefined, cursor: RecordCursor): void {
    this.counts.visit(row, invalid, cursor);
  }

  finish() {
    const result = this.counts.part();
    const { pairs } = result.types;
    const transferred = [
      ...(pairs ? [pairs] : []),
      ...result.columns.flatMap(({ values, times }) => [
        ...(values ? [values.texts.bytes, values.texts.offsets, values.counts, values.firsts] : []),
        ...(times ? [times] : []),
      ]),
    ];
    this.counts.release();
    return { result, transferred };
  }
}

export const countTask: NewTask = (file, order) => new CountTask(file, order);

/** Only completes the shape. */
export function checkJob(file: WalkableFile): RangeJob {
  return {
    task: 'check',
    growsShape: true,
    payload: () => undefined,
    visitor: shapeVisitor(file),
    addResult: () => undefined,
  };
}

export const checkTask: NewTask = (file) => ({
  ...shapeVisitor(file),
  finish: () => ({ result: undefined }),
});

function shapeVisitor(file: WalkableFile): Visitor {
  return { walker: file.walker([], true), visit: () => undefined };
}
