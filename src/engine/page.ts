/**
 * The door of the engine for pages: plain data that crosses its border, independent of VS Code, of how a file is read
 * and of any query language. Numbers of rows start at 0 unless stated otherwise. Nothing here needs Node. See README.md.
 */
export {
  countColumn,
  type DistinctValue,
  type DistinctValues,
  type Field,
  type FindMatch,
  type InvalidReason,
  maxDistinctValues,
  maxPageRows,
  type Row,
  type TableRecord,
} from './data/answers';
export type { Cell } from './data/cell';
export {
  digestMark,
  type FindingIdentity,
  type IdentifiedRow,
  type KnownFinding,
  type KnownRowsSummary,
  maxIdentified,
  type PastDecision,
  type PastReason,
  pastReasons,
} from './data/known';
export {
  type CveListFile,
  type CveListTitle,
  type ListedCves,
  type ListedRow,
  type ListedSign,
  listedSigns,
  maxListedCves,
  type ReadCves,
} from './data/cveLists';
export { listColumnFilters, recordOfKey } from './data/columnFilters';
export { hasRanges, parseColumnFilter } from './data/parseColumnFilter';
export { type Column, type ColumnId, type FormChoice, formChoices } from './data/column';
export {
  changesSince,
  type ClosedCounts,
  type ClosedDifferences,
  type ComparedSide,
  type ComparisonAbout,
  hasChanges,
  openCounts,
  type OpenFindings,
  type OpenSeverity,
  type SincePrevious,
  type Tallies,
} from './data/comparisonAbout';
export {
  becameColumn,
  changeColumn,
  type ComparedCell,
  comparedFields,
  formatCell,
  oldColumn,
  findOldColumns,
  withOldValues,
  withoutOldColumns,
} from './data/comparisonColumns';
export {
  type CopyRange,
  type CopyResult,
  type ExportPart,
  type ExportWords,
  type HandedOn,
  maxCopyRows,
  type PackedPart,
} from './data/copies';
export {
  type Charts,
  type ColumnChart,
  type ColumnCounts,
  type CountScope,
  distinctValues,
  isEmptyValue,
  type IssueTypeSummary,
  keysOf,
  type Overview,
} from './data/overview';
export { joinLists, splitLists, uniteLists } from './data/listNames';
export { type Filter, type Query, type SortKey, type View, wholeFile } from './data/query';
export type { SqlDialect, SqlRequest } from './data/sqlParts';
export type { TableCallOptions, TableCalls, TableHandle } from './data/tableCalls';
export { findTableCause, TableError, type TableErrorCode, toTableError } from './data/tableError';
export {
  type EncodingChoice,
  type FileChange,
  type ListInfo,
  type TableInfo,
  type Truncation,
  wholeDocument,
} from './data/tableInfo';
