/**
 * The role of a column in a file of findings, based on its name and the values of the first 200
 * rows; in a table, one that only later rows have is at most an `id`, or of a comparison; an overview may
 * give it another. Only `id` (identifiers), `fix` (whether
 * there is a repair) and `change` (the result of a comparison for a row) can be the role of several columns. `rule` is
 * that of ids of what was found, as only their values tell.
 */
export type ColumnRole =
  | 'change'
  | 'severity'
  | 'issueType'
  | 'factor'
  | 'status'
  | 'firstSeen'
  | 'asset'
  | 'id'
  | 'fix'
  | 'rule';

/** What of a column of a table says what its values mean. */
export interface NamedColumn {
  readonly name: string;
  readonly role?: ColumnRole;
}
