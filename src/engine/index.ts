/**
 * The door of the engine: files as tables, in threads. Other rooms import only this file, and pages only page.ts.
 * See README.md.
 */
export * from './page';
export {
  type Comparison,
  type ComparisonRequest,
  NoKeyError,
  noSameList,
} from './compare/comparison';
export type { KeyChoice } from './compare/keyChoices';
export { runComparison } from './compare/runComparison';
export {
  findingsAtOnce,
  haveSameId,
  isShared,
  type KeptRows,
  type KeptRowsOfFile,
  severityBits,
  severityOfBits,
} from './data/keptRows';
export { digestFindings } from './query/findingDigest';
export {
  countChanges,
  countOpenRows,
  type DifferenceVisitor,
  KnownDigests,
  type Side,
  visitDifferences,
} from './query/keptDifferences';
export { parseKeptRows, putKeptRows } from './query/packedRows';
export { keyOfText } from './values/kinds';
export { openTable, severalLists, checkedSize } from './openTable';
export { otherColumns } from './query/sqlRefusal';
export { isSameQuery, type ReportPart, sqlOfFile, sqlOfReports } from './query/sqlText';
export { maxCveHeader, packCves, readCveHeader } from './query/packedCves';
export { markdownRecord } from './query/tableMarkdown';
