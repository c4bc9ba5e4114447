import type { YieldBudget } from '../threads/yieldBudget';
import type { PackedRows } from '../data/copies';

/** An export whose parts follow from each other: none can be written again. */
export interface PackedExport {
  /** Writes the next rows, and after the last one the end of the file. */
  next(from: number, budget: YieldBudget): Promise<PackedRows>;
  /** Gives up what is not written. */
  dispose?(): void;
}
