import { message } from '../../base/message';
import { type EncodingChoice, wholeDocument } from '../data/tableInfo';
import type { ComparisonCounts } from '../data/comparisonAbout';
import type { KnownFinding } from '../data/known';
import { TableError } from '../data/tableError';
import type { KeyChoice } from './keyChoices';

/*
 * The result of a comparison of two files, as plain data: it is posted between threads, and stored next to
 * the file of differences.
 */

/** How a record differs: it is only in the newer file, is only in the older one, or has other values in the newer one. */
export type Change = 'new' | 'gone' | 'changed';

/**
 * The members of a line: the kind of the change, the names of the fields that differ, whether a changed finding was
 * closed or reopened, and the old values. A field of the record that has one of these names, or such a name followed by `_`, gets another
 * `_`. For an object, the old values are only those of the members that differ.
 */
export const changeMember = 'change';
export const fieldsMember = 'changed_fields';
export const becameMember = 'became';
export const beforeMember = 'before';
const reserved = new RegExp(
  `^(${[changeMember, fieldsMember, becameMember, beforeMember].join('|')})_*$`,
);

/** The name of a field in a line of differences. */
export function outputName(name: string): string {
  return reserved.test(name) ? `${name}_` : name;
}

/** Two numbers, one for each file. */
export interface BeforeAndAfter {
  readonly before: number;
  readonly after: number;
}

/** How two files differ. */
export interface Comparison extends ComparisonCounts {
  /** The column that identifies records, or several, joined. */
  readonly key: string;
  /** Records with the key of an earlier record of the same file, in both files together. */
  readonly duplicates: number;
  /** Records without a key. */
  readonly withoutKey: BeforeAndAfter;
  /** Records that could not be read; they are left out. */
  readonly invalid: BeforeAndAfter;
  /** Columns that only the older file has, and columns that only the newer file has; at most 20 names each. */
  readonly onlyBefore: readonly string[];
  readonly onlyAfter: readonly string[];
  /** Whether a file ends in the middle. */
  readonly truncated: boolean;
}

/** The request for a comparison. Paths are absolute. The files can have any format that the table reads. */
export interface ComparisonRequest {
  readonly before: string;
  readonly after: string;
  /**
   * The key: the name of a column, or of several, joined as in `KeyChoice`. Default: `usualIdentity`, or in files
   * without it, what was found and where, or else a fingerprint or an id that tells all records apart.
   */
  readonly key?: string;
  /**
   * The file that the differences are written to, as NDJSON. It must not exist. Without it, differences are
   * only counted.
   */
  readonly target?: string;
  /** The folder for copies of files that are not plain UTF-8, during the comparison. */
  readonly cacheFolder: string;
  /**
   * The name of the list of JSON documents to compare. Default: the list with findings of either document,
   * if the other one has it, too.
   */
  readonly list?: string | undefined;
  /** The findings that are known: in both files they count as closed. */
  readonly known?: readonly KnownFinding[];
  readonly encodings?: Partial<Record<'before' | 'after', EncodingChoice | undefined>>;
}

/** There is no such column to identify records by. */
export class NoKeyError extends Error {
  override readonly name = 'NoKeyError';

  /**
   * @param isMissing whether each file has no value in such a column.
   * @param choices what may identify records in both files, the best first.
   */
  constructor(
    readonly key: string,
    readonly isMissing: Readonly<Record<keyof BeforeAndAfter, boolean>>,
    readonly choices: readonly KeyChoice[],
  ) {
    super(`Not both files have values in a column "${key}".`);
  }
}

/** Why files with more records are refused. */
export const tooManyRecords = message(
  'These files have too many records to compare: the limit is 16 million in both together.',
);

/** The error for two documents without a list of the same name, with the lists that they have. */
export function noSameList(before = wholeDocument, after = wholeDocument): TableError {
  const details =
    before === wholeDocument || after === wholeDocument
      ? []
      : [message('The older file has the list "{0}", the newer one "{1}".', before, after)];
  return new TableError('noList', 'The files have no list in common.', { details });
}
