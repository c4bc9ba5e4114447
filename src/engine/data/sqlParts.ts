import type { ColumnId } from './column';
import type { Query } from './query';

/** An engine that SQL is written for. */
export type SqlDialect = 'duckdb' | 'spark';

/** A query that is written as SQL. */
export interface SqlRequest {
  /** The columns of the file that this one is read beside; empty for the first of them, absent if it is alone. */
  readonly like?: SqlColumns;
  /** The absolute path of the file. */
  readonly path: string;
  readonly dialect: SqlDialect;
  readonly query: Query;
  /** The columns of the answer; groups have those they are grouped by instead. */
  readonly columns: readonly ColumnId[];
}

/** A column of a file that SQL reads beside others. */
export interface SqlColumn {
  readonly name: string;
  /** The kinds of its values, one bit each. */
  readonly kinds: number;
  /** If its values are ordered words and the query sorts by them: these, in its order. Other files may have more. */
  readonly words?: readonly string[];
}

export type SqlColumns = Readonly<Record<ColumnId, SqlColumn>>;

/** A sort key in SQL. */
export interface SqlOrder {
  readonly value: string;
  /** If the values are ordered words: their column. */
  readonly wordsOf?: ColumnId;
  readonly isDescending: boolean;
}

/** What the SQL for files needs of one. */
export interface SqlPart {
  /** How an engine reads the file. */
  readonly source: string;
  /** The columns of the answer, each with its name. */
  readonly selected: readonly string[];
  readonly condition?: string;
  /** How many of the columns are those of groups. */
  readonly groupedBy: number;
  readonly order: readonly SqlOrder[];
  readonly columns: SqlColumns;
}
