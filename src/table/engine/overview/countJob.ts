import type { NewTask } from '../read/rangeReader';
import type { RangeJob } from '../read/rangeScan';
import type { Visitor, Walked } from '../read/tableFile';
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

export const countTask: NewTask = (file, { question }) => {
  const counts = new OverviewCounts(file, question as CountsState);
  return {
    get walker() {
      return counts.walker;
    },
    visit: (row, invalid, cursor) => {
      counts.visit(row, invalid, cursor);
    },
    finish: () => {
      const answer = counts.part();
      const { pairs } = answer.types;
      const moved = [
        ...(pairs ? [pairs.places, pairs.words] : []),
        ...answer.columns.flatMap(({ values, times }) => [
          ...(values
            ? [values.texts.bytes, values.texts.offsets, values.counts, values.firsts]
            : []),
          ...(times ? [times] : []),
        ]),
      ];
      counts.release();
      return { answer, moved };
    },
  };
};

/** Only learns the shape. */
export function learnJob(file: Walked): RangeJob {
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

function learner(file: Walked): Visitor {
  return { walker: file.walker([], true), visit: () => undefined };
}
