import type { Filter } from '../engine/page';

/** A filter that was chosen, not typed, with its label. */
export interface LabeledFilter {
  /** Plain text. */
  readonly label: string;
  readonly filter: Filter;
}
