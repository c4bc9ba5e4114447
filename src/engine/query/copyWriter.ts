import type { ComparedCell } from '../values/comparisonColumns';

/** Writes rows as text for the clipboard. */
export interface CopyWriter {
  head(): string;
  row(cells: readonly ComparedCell[], index: number): string;
  tail(rows: number): string;
  /** Replaces the whole text, if it depends on all rows. */
  finalText?(rows: number): string;
}
