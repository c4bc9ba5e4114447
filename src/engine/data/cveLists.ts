import type { ExploitSign } from '../../vocabulary/exploited';

/*
 * Lists of CVEs that a user marks the rows of all tables by: a catalogue of those that attackers exploit, or how likely
 * they will. A list is kept as a file that each thread reads, so that no window holds it.
 */

/** What a list can say of a CVE. */
export const listedSigns = ['known', 'likely'] as const satisfies readonly ExploitSign[];
export type ListedSign = (typeof listedSigns)[number];

/** What a list says of its CVEs. Arrays are by position. */
export interface ListedCves {
  /** The ids as `cveCodes` reads them, each once, in ascending order. */
  readonly codes: Float64Array;
  /** 1 where the list says that attacks are known, else 0. */
  readonly known: Uint8Array;
  /** The probability from 0 to 1, NaN where the list has none; absent if it has none at all. */
  readonly epss?: Float32Array;
}

/** A list as a person knows it. */
export interface CveListTitle {
  /** The name of the file that it was read from. */
  readonly name: string;
  /** When that file was written, in milliseconds since the epoch. */
  readonly at: number;
}

/** A list that is kept. */
export interface CveListFile extends CveListTitle {
  /** The path of what is kept of it. */
  readonly file: string;
  readonly cves: number;
  /** How many of them are exploited. */
  readonly known: number;
  readonly hasEpss: boolean;
}

/** What a list says of a row. */
export interface ListedRow extends CveListTitle {
  readonly cve: string;
  readonly isKnown: boolean;
  /** From 0 to 1. */
  readonly epss?: number;
}

/** What reading a file of a user as a list gives: the list, or why it is none. One without marks says nothing of a CVE. */
export type ReadCves =
  | ListedCves
  | { readonly refused: 'noCves' | 'noMarks' | 'tooMany' | 'severities' };

/** The most CVEs of all lists together. */
export const maxListedCves = 1_000_000;
