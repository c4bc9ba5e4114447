import { severityScale } from '../base/orderedWords';
import type { JsonObject } from '../base/json';
import type { ListRow } from '../lists/loadedList';

/** Fields in which a service says how severe a finding is, the likeliest first. */
const severityFields = [
  'severity',
  'issue_severity',
  'issue_type_severity',
  'finding_severity',
  'severity_level',
];

/** The worst severity of several findings. */
export interface Worst {
  /** Its place on the scale of severities: 0 is the worst. */
  readonly place: number;
  /** How many findings have it; absent where only a report says so. */
  readonly count?: number;
  /** When the report was made that says so, in milliseconds since the epoch. */
  readonly reportedAt?: number;
}

/** The place of a finding on the scale of severities; `undefined` where it has no known one. */
export function severityPlace(entry: JsonObject): number | undefined {
  for (const field of severityFields) {
    const value = entry[field];
    const place = typeof value === 'string' ? severityScale.placeOf(value) : undefined;
    if (place !== undefined) {
      return place;
    }
  }
  return undefined;
}

/** The worst severity of rows; an array that grows is not looked at twice. */
export class WorstSeverities {
  private readonly known = new WeakMap<readonly ListRow[], { length: number; worst?: Worst }>();

  of(rows: readonly ListRow[]): Worst | undefined {
    const known = this.known.get(rows);
    let worst = known?.worst;
    for (let at = known?.length ?? 0; at < rows.length; at += 1) {
      const row = rows[at];
      const place = row && severityPlace(row.entry);
      worst = place === undefined ? worst : worstOf([worst, { place, count: 1 }]);
    }
    this.known.set(rows, { length: rows.length, ...(worst ? { worst } : {}) });
    return worst;
  }
}

/** The worst of several. The counts of those that are as bad are added, if each is known. */
export function worstOf(all: readonly (Worst | undefined)[]): Worst | undefined {
  return all.reduce((worst, next) => {
    if (!next || (worst && worst.place < next.place)) {
      return worst;
    }
    if (worst?.place !== next.place) {
      return next;
    }
    const { place } = worst;
    return worst.count !== undefined && next.count !== undefined
      ? { place, count: worst.count + next.count }
      : { place, ...reportOf(worst, next) };
  }, undefined);
}

/** The report that one of both is of. */
function reportOf(one: Worst, other: Worst): Pick<Worst, 'reportedAt'> {
  const reportedAt = one.reportedAt ?? other.reportedAt;
  return reportedAt === undefined ? {} : { reportedAt };
}

/** For sorting: the worst first, then the most findings of that severity, what is not known last. */
export function compareWorst(one: Worst | undefined, other: Worst | undefined): number {
  if (!one || !other) {
    return Number(one === undefined) - Number(other === undefined);
  }
  return one.place - other.place || (other.count ?? 0) - (one.count ?? 0);
}
