import type { Spent } from '../measure';

/** How many findings of each severity there are, and what it took to count them. */
export interface DumpsResult extends Spent {
  readonly counts: Readonly<Record<string, number>>;
  /** Memory of the process, in megabytes. */
  readonly peak: number;
}

/** The same counts are the same text. */
export function byName(counts: ReadonlyMap<string, number>): Record<string, number> {
  return Object.fromEntries([...counts].sort(([one], [other]) => (one < other ? -1 : 1)));
}
