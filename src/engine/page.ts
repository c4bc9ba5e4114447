/**
 * What a page may import of the engine: the values that cross its border. Nothing here needs Node. See README.md.
 */
export type { TableCallOptions, TableCalls, TableHandle } from './engine';
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
} from './overviewTypes';
export {
  type CallFailure,
  type CallMessage,
  type CallOptions,
  type CancelMessage,
  type ReplyMessage,
  RpcClient,
  RpcServer,
} from './rpc';
export {
  type Cell,
  type Column,
  type ColumnId,
  type ColumnType,
  type CopyResult,
  countColumn,
  type DistinctValue,
  type DistinctValues,
  type EncodingChoice,
  type ExportPart,
  type Field,
  type FileChange,
  type Filter,
  type FindMatch,
  type FormChoice,
  formChoices,
  type InvalidReason,
  type ListInfo,
  maxCopyRows,
  maxDistinctValues,
  maxPageRows,
  type Query,
  type Row,
  type SortKey,
  type SqlDialect,
  type SqlRequest,
  type TableCopyFormat,
  type TableErrorCode,
  type TableInfo,
  type TableRecord,
  type Truncation,
  type ValueForm,
  type View,
  wholeDocument,
  wholeFile,
} from './types';
export {
  type ComparedSide,
  type ComparisonAbout,
  hasChanges,
  openCounts,
  type SincePrevious,
  type Tallies,
} from './values/comparisonAbout';
export {
  changeColumn,
  type ComparedCell,
  comparedFields,
  oldColumn,
  oldColumnsOf,
  withOldValues,
  withoutOldColumns,
} from './values/comparisonColumns';
export { tableCauseOf, TableError } from './values/tableError';
