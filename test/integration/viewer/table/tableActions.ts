import type { TableActions } from '../../../../src/viewer/table/ui/tableActions';

const refuse = () => Promise.reject(new Error('Nothing leads out of this table.'));

/** For tables out of which nothing leads. */
export const noTableActions: TableActions = {
  showFinding: refuse,
  openFile: refuse,
  findAsset: refuse,
  compareWithPrevious: refuse,
};
