import type { KnownRatings, TableActions } from '../../../../src/viewer/table/ui/tableActions';

const doNothing = () => Promise.resolve();

/** For tables out of which nothing leads. */
export const noTableActions: TableActions = {
  showFinding: doNothing,
  openFile: doNothing,
  findAsset: doNothing,
  compareWithPrevious: doNothing,
  showTrend: doNothing,
};

/** No company is rated. */
export const noRatings: KnownRatings = {
  read: () => ({}),
  onDidChange: () => ({ dispose: () => undefined }),
};
