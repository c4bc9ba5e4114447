/** A part of a document that its rows refer to: in SARIF of a run, or an element of it. */
export interface PartOfRun {
  /** The number of the run, from 1. */
  readonly run: number;
  readonly value: unknown;
}
