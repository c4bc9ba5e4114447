import type { NewTask, RangeTask } from '../read/ranges/rangeReader';
import type { RangeJob } from '../read/ranges/scanner';
import { releaseBuffers } from '../threads/memory';
import type { Visitor } from '../read/records/visitor';
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
export function arraysOf({ types, scorecards, assets, columns }: CountsPart): ArrayBufferView[] {
  const { pairs, severities, newest } = types;
  return [
    severities,
    newest,
    ...[scorecards, assets].flatMap((counts) => [counts.severities, counts.newest]),
    ...(pairs ? [pairs] : []),
    ...columns.flatMap(({ values, times }) => [
      ...(values ? [values.texts.bytes, values.texts.offsets, values.counts, values.firsts] : []),
      ...(times ? [times] : []),
    ]),
  ];
}

/** Counts a part of the records. */
class CountTask extends OverviewCounts implements RangeTask {
  finish() {
    const result = this.part();
    return { result, transferred: arraysOf(result) };
  }

  dispose(): void {
    this.release();
  }
}

export const countTask: NewTask = (file, { payload }, kept) => {
  kept.value ??= new KeptCounts({ isPart: true });
  return new CountTask(file, payload as CountsState, kept.value as KeptCounts);
};

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
