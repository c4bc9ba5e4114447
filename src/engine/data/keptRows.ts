import { type SaidSeverity, severityLevels } from '../../vocabulary/severity';

/*
 * What is kept of the findings of a file: numbers that tell each apart, which need a few bytes and are compared fast.
 */

/** Findings by their digests: those of ids in ascending order; of equal ids by details, then by severities. */
export interface KeptRows {
  /** The first and the second 32 bits of the digests of ids. */
  readonly high: Uint32Array;
  readonly low: Uint32Array;
  /** The digests of details; 0 without one. */
  readonly detail: Uint32Array;
  /** See `severityOfBits` and `isShared`. */
  readonly bits: Uint8Array;
}

/** The same of an open file. Arrays are in memory that threads share. */
export interface KeptRowsOfFile extends KeptRows {
  /** The numbers of the rows. */
  readonly records: Uint32Array;
}

const saidSeverities: readonly SaidSeverity[] = [...severityLevels, 'unknown'];

/** The bits of a severity; 0 without one. */
export const severityBits = 7;

/** Set if another row of the file has the same id, open or not. */
export const isShared = 8;

/** The bits of a finding. */
export function bitsOf(severity: SaidSeverity | undefined): number {
  return severity === undefined ? 0 : saidSeverities.indexOf(severity) + 1;
}

export function severityOfBits(bits: number): SaidSeverity | undefined {
  return saidSeverities[(bits & severityBits) - 1];
}

export function newKeptRows(count: number): KeptRows {
  return {
    high: new Uint32Array(count),
    low: new Uint32Array(count),
    detail: new Uint32Array(count),
    bits: new Uint8Array(count),
  };
}

/** The order of findings; 0 for those that are equal. */
export function compareRows(one: KeptRows, at: number, other: KeptRows, otherAt: number): number {
  return (
    one.high[at]! - other.high[otherAt]! ||
    one.low[at]! - other.low[otherAt]! ||
    one.detail[at]! - other.detail[otherAt]! ||
    (one.bits[at]! & severityBits) - (other.bits[otherAt]! & severityBits)
  );
}

/** Whether two findings have the same id. */
export function haveSameId(one: KeptRows, at: number, other: KeptRows, otherAt: number): boolean {
  return one.high[at] === other.high[otherAt] && one.low[at] === other.low[otherAt];
}

/** So many findings take less time than a user notices: then a host goes on with other work. */
export const findingsAtOnce = 1_024;
