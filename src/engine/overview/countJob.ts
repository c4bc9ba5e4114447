import type { NewTask, RangeFile, RangeOrder, RangeTask } from '../read/rangeReader';
import type { RangeJob } from '../read/rangeScan';
import type { RecordCursor } from '../read/recordIndex';
import type { InvalidReason } from '../types';
import type { Walker } from '../read/walker';
import type { Visitor, WalkableFile } from '../read/tableFile';
import { type CountsPart, type CountsState, OverviewCounts } from './overviewCounts';

/** Counts all records, and learns the shape unless it is complete. */
export function countJob(counter: OverviewCounts, learns: boolean): RangeJob {
  return {
    task: 'count',
    learns,
    question: () => counter.state(),
    visitor: counter,
    take: (answer, { to }) => {
      counter.takePart(answer as CountsPart, to);
    },
  };
}

/** Counts a part of the records. */
class CountTask implements RangeTask {
  private readonly counts: OverviewCounts;

  constructor(file: RangeFile, { question }: RangeOrder) {
    this.counts = new OverviewCounts(file, question as CountsState);
  }

  get walker(): Walker {
    return this.counts.walker;
  }

  visit(row: number, invalid: InvalidReason | undefined, cursor: RecordCursor): void {
    this.counts.visit(row, invalid, cursor);
  }

  finish() {
    const answer = this.counts.part();
    const { pairs } = answer.types;
    const moved = [
      ...(pairs ? [pairs] : []),
      ...answer.columns.flatMap(({ values, times }) => [
        ...(values ? [values.texts.bytes, values.texts.offsets, values.counts, values.firsts] : []),
        ...(times ? [times] : []),
      ]),
    ];
    this.counts.release();
    return { answer, moved };
  }
}

export const countTask: NewTask = (file, order) => new CountTask(file, order);

/** A job that only learns the shape. */
export function learnJob(file: WalkableFile): RangeJob {
  return {
    task: 'learn',
    learns: true,
    question: () => undefined,
    visitor: learner(file),
    take: () => undefined,
  };
}

export const learnTask: NewTask = (file) => ({
  ...learner(file),
  finish: () => ({ answer: undefined }),
});

function learner(file: WalkableFile): Visitor {
  return { walker: file.walker([], true), visit: () => undefined };
}
