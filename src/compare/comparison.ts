import type { Tallies } from '../table/comparisonAbout';

/*
 * What a comparison of two files says, in plain data: it is posted between threads, and kept beside the
 * file of differences.
 */

/** What happened to a record: it is only in the newer file, only in the older one, or differs. */
export type Change = 'new' | 'gone' | 'changed';

/**
 * The member of a line that says what happened to the record, the one with the names of the fields that
 * differ, and the one with their old values. A field of the record with such a name, or one that is given
 * here, gets a `_` behind it. Of an object, the old values are those of its members that differ.
 */
export const changeMember = 'change';
export const fieldsMember = 'changed_fields';
export const beforeMember = 'before';

/** The column that findings are recognized by where there is one, unless another is named. */
export const usualKey = 'issue_id';

/** Two numbers, one for each file. */
export interface Both {
  readonly before: number;
  readonly after: number;
}

/** How two files differ. */
export interface Comparison {
  /** The column that records are recognized by. */
  readonly key: string;
  readonly new: number;
  readonly gone: number;
  readonly changed: number;
  readonly unchanged: number;
  /** Records whose key an earlier record of the same file has, of both files together. */
  readonly duplicates: number;
  /** Records without a key. */
  readonly withoutKey: Both;
  /** Records that could not be read; they are left out. */
  readonly invalid: Both;
  /** Columns that only the older file has, and those of the newer one; at most 20 names each. */
  readonly onlyBefore: readonly string[];
  readonly onlyAfter: readonly string[];
  /** Whether a file ends in the middle. */
  readonly truncated: boolean;
  readonly severities?: Tallies;
  readonly issueTypes?: Tallies;
}

/** What is asked of a comparison. Paths are absolute; files are of any format that the table reads. */
export interface ComparisonRequest {
  readonly before: string;
  readonly after: string;
  /** The key; absent: `issue_id`, or in files without it, a column that is named as an id and tells all records apart. */
  readonly key?: string;
  /** Where the differences are written, as NDJSON; the file must not exist. Absent: they are only counted. */
  readonly target?: string;
  /** Where unpacked copies of compressed files are kept meanwhile. */
  readonly cacheFolder: string;
}

/** There is no such column to recognize records by. */
export class NoKeyError extends Error {
  override readonly name = 'NoKeyError';

  /** @param columns the columns that both files have, those first that look like ids. */
  constructor(
    readonly key: string,
    readonly columns: readonly string[],
  ) {
    super(`Not both files have a column "${key}".`);
  }
}
