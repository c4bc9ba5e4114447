import type { Cell } from './cell';
import type { ColumnId } from './column';
import type { ListedRow } from './cveLists';
import type { PastDecision } from './known';
import type { Filter } from './query';

/** The most rows in a page; a round trip with this many rows takes about 9 ms. */
export const maxPageRows = 200;

export interface Row {
  /** Its number in the file. The first record is 0; a CSV heading does not count. */
  readonly record: number;
  /** One for each requested column, in that order. */
  readonly cells: readonly Cell[];
  /** Why the record is invalid. */
  readonly invalid?: InvalidReason;
  /** Why the finding is known, in words. */
  readonly known?: string;
  /** Why it was known, and no longer is. */
  readonly wasKnown?: PastDecision;
  /** Whether attackers are known to exploit it, as a column or a list of CVEs says. */
  readonly isExploited?: true;
}

/**
 * Why a record is invalid: it is not JSON (`syntax`), has quotes that CSV does not allow
 * (`fields`), is too long (`tooLong`), or is incomplete at the end of the file (`truncated`). The
 * records of a CSV file have values even so, unless they are too long.
 */
export type InvalidReason = 'syntax' | 'fields' | 'tooLong' | 'truncated';

/** What of a table is masked. */
export interface MaskedValues {
  /** The columns in which the value of at least one row is masked, even in part. */
  readonly columns: readonly ColumnId[];
  /** Whether a row that is not valid CSV is masked whole: which of its columns has a secret, nothing tells. */
  readonly hidesInvalid: boolean;
}

export interface RowPage {
  readonly view: number;
  /** Position of the first row in the view. */
  readonly from: number;
  readonly rows: readonly Row[];
}

export interface Group {
  /** One for each grouped column. */
  readonly values: readonly Cell[];
  readonly count: number;
  /** How many of its rows are open findings; absent if nothing tells. */
  readonly open?: number;
  /** Matches the rows of the group; combine it with the query's filter. */
  readonly filter: Filter;
}

/**
 * A page of groups, those with the most rows first. If the first column has severities, grades or
 * statuses, groups are first sorted by these in their order; unknown words follow.
 */
export interface GroupPage {
  readonly view: number;
  readonly from: number;
  readonly groups: readonly Group[];
}

/** The number of rows of a group, in a copy; no column of a file has this id. */
export const countColumn = '#count';

/** The most values in a list of distinct values. */
export const maxDistinctValues = 1000;

export interface DistinctValue {
  readonly cell: Cell;
  /**
   * Identifies exactly this value in a filter, only for this file and not for display. It does not
   * reveal a masked value.
   */
  readonly key: string;
  /** The keys of values that are counted with this one, because they are shown as one: `HIGH` and `high`. */
  readonly moreKeys?: readonly string[];
  /** Set if it stands for all scores of a level, whose word its cell has. */
  readonly scores?: { readonly lowest: number; readonly highest: number };
  readonly count: number;
}

export interface DistinctValues {
  /** Severities, grades and statuses in their natural order; other values by count, the largest first. */
  readonly values: readonly DistinctValue[];
  /** The number of distinct values, including those not in `values`. */
  readonly total: number;
}

/** Where a text was found. */
export interface FindMatch {
  /** Position in the view. */
  readonly position: number;
  readonly record: number;
  /**
   * Its number among the rows with the text, starting at 1 in the order of the view, and the total
   * number of these rows.
   */
  readonly number: number;
  readonly total: number;
  /** How many rows have the text that are not in the view; absent if none has. */
  readonly elsewhere?: number;
  /** The first of the shown columns that has it, or else of all; absent in a row without values. */
  readonly column?: ColumnId;
  /** The search wrapped at the end, or at the start. */
  readonly wrapped: boolean;
}

export interface Field {
  readonly column: ColumnId;
  readonly name: string;
  /** With the full text, up to 1 Mi UTF-16 code units. */
  readonly cell: Cell;
}

/** One record in full. */
export interface TableRecord {
  readonly record: number;
  /** As in the file, unless masked; up to 1 Mi UTF-16 code units. */
  readonly text: string;
  readonly cut: boolean;
  /** Whether secret-like values are masked in `text`. If so, it is rewritten. */
  readonly masked: boolean;
  /** The values of all columns that the record has; empty in a row without values. */
  readonly fields: readonly Field[];
  readonly invalid?: InvalidReason;
  /** As of a row. */
  readonly known?: string;
  readonly wasKnown?: PastDecision;
  /** What was written about why it is or was known. */
  readonly comment?: string;
  /** What lists of CVEs say of it; absent if nothing. */
  readonly listed?: readonly ListedRow[];
}
