import type { ClosingForm } from '../../vocabulary/closing';
import type { ColumnId } from './column';
import type { ListedSign } from './cveLists';
import type { PastReason } from './known';

/**
 * A condition on rows. Texts are compared in full. Rows without values match only `invalid` and
 * `anywhere`, so they match the `not` of every other condition.
 */
export type Filter =
  | { readonly op: 'and' | 'or'; readonly of: readonly Filter[] }
  | { readonly op: 'not'; readonly of: Filter }
  /** Ignores case unless `matchCase`. */
  | {
      readonly op: 'contains' | 'equals' | 'startsWith' | 'endsWith';
      readonly column: ColumnId;
      readonly text: string;
      readonly matchCase?: boolean;
    }
  /** One of these values; `keys` come from `DistinctValue.key` and are exact. */
  | { readonly op: 'in'; readonly column: ColumnId; readonly keys: readonly string[] }
  /** Compares numbers exactly; `number` is written as in JSON. Other values do not match. */
  | {
      readonly op: 'compare';
      readonly column: ColumnId;
      readonly is: '<' | '<=' | '=' | '!=' | '>=' | '>';
      readonly number: string;
    }
  /** Dates from (inclusive) to (exclusive), in milliseconds since the epoch; one may be absent. */
  | {
      readonly op: 'dateRange';
      readonly column: ColumnId;
      readonly from?: number;
      readonly to?: number;
    }
  /** `present`: neither null nor missing nor an empty text; `empty`: one of these. */
  | { readonly op: 'present' | 'empty'; readonly column: ColumnId }
  /** A value that says that a finding is closed. */
  | { readonly op: 'closes'; readonly column: ColumnId; readonly form: ClosingForm }
  /** The text in any column, ignoring case. */
  | { readonly op: 'anywhere'; readonly text: string }
  | { readonly op: 'invalid' }
  /** Findings that a user has decided about; with `was`, those about which a decision no longer holds. */
  | { readonly op: 'known'; readonly was?: PastReason }
  /** Findings about a CVE that a list of the user has: attacks are known, or likely by its EPSS. */
  | { readonly op: 'listed'; readonly sign: ListedSign };

/**
 * Numbers are ordered by value, dates by time, texts by code point; a mixed column has numbers,
 * dates, texts, booleans, JSON. An empty text, null, missing and invalid come last in both
 * directions. Rows with
 * equal values, such as 1 and 1.0, are ordered by the next key, then as in the file. Severities,
 * grades and statuses have their natural order: a descending sort shows the worst first, unknown
 * words last.
 */
export interface SortKey {
  readonly column: ColumnId;
  readonly descending: boolean;
}

export interface Query {
  /** If absent, all rows. */
  readonly filter?: Filter;
  /** The first key has priority. If empty, the rows are in the order of the file. */
  readonly sort?: readonly SortKey[];
  /**
   * If absent or empty, the view has rows. Otherwise, it has one group for each combination of
   * values of these columns. Unlike in a sort, 1 and 1.0 are two groups: groups compare values as
   * written.
   */
  readonly groupBy?: readonly ColumnId[];
}

/** The view of all rows in the order of the file; it always exists and grows. */
export const wholeFile = 0;

/** The result of a query: ordered rows that are read in pages. */
export interface View {
  /** A positive number. Only the latest view, those that are held, as for an export, and `wholeFile` exist. */
  readonly id: number;
  readonly rows: number;
  /** The number of groups, if the query groups rows. */
  readonly groups?: number;
  /** How many of its rows are open findings; absent if nothing tells, or nothing is filtered or grouped. */
  readonly open?: number;
}
