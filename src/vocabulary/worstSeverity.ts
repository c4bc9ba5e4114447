import type { JsonObject, JsonValue } from '../base/json/json';
import { namesWith } from './meanings';
import {
  isUnspecifiedSeverity,
  mayBeSeverities,
  findSeverityLevel,
  readSeverity,
  type SaidSeverity,
  severityLevels,
} from './severity';

export interface WorstSeverity {
  /** Its position among the levels of severity: 0 is the worst. */
  readonly position: number;
  /** The number of findings that have it; absent if a report shows it without a number. */
  readonly count?: number;
  /** When the report that shows it was made, in milliseconds since the epoch. */
  readonly reportedAt?: number;
}

/** The field with the severity of a finding; `undefined` if it has no known one. */
export function findSeverityField(entry: JsonObject): string | undefined {
  return namesWith('severity', Object.keys(entry)).find(
    (name) => findPosition(name, entry[name]) !== undefined,
  );
}

/** The position of a finding among the levels of severity; `undefined` if it has no known severity. */
export function severityPosition(entry: JsonObject): number | undefined {
  const field = findSeverityField(entry);
  return field === undefined ? undefined : findPosition(field, entry[field]);
}

/** What the severity of a finding says, also that its tool does not know it; `undefined` if it says nothing. */
export function findSaidSeverity(entry: JsonObject): SaidSeverity | undefined {
  const position = severityPosition(entry);
  const isUnknown = (value: JsonValue | undefined, name: string) =>
    typeof value === 'string' && readSeverity(value, name) === 'unknown';
  const fields = namesWith('severity', Object.keys(entry));
  return position === undefined
    ? fields.some((name) => isUnknown(entry[name], name))
      ? 'unknown'
      : undefined
    : severityLevels[position];
}

function findPosition(name: string, value: JsonValue | undefined): number | undefined {
  const isKnown =
    typeof value === 'string' && !isUnspecifiedSeverity(value) && mayBeSeverities(name, [value]);
  const level = isKnown ? findSeverityLevel(value, name) : undefined;
  return level && severityLevels.indexOf(level);
}

/** The worst of several. The counts of equally bad ones are added, if each is known. */
export function findWorst(all: readonly (WorstSeverity | undefined)[]): WorstSeverity | undefined {
  return all.reduce((worst, next) => {
    if (!next || (worst && worst.position < next.position)) {
      return worst;
    }
    if (worst?.position !== next.position) {
      return next;
    }
    const { position } = worst;
    const reportedAt = worst.reportedAt ?? next.reportedAt;
    const isCounted = worst.count !== undefined && next.count !== undefined;
    return {
      position,
      ...(isCounted && { count: worst.count + next.count }),
      ...(reportedAt !== undefined && { reportedAt }),
    };
  }, undefined);
}

/** For sorting: the worst first, then by the number of findings with that severity; unknown ones last. */
export function compareWorst(
  one: WorstSeverity | undefined,
  other: WorstSeverity | undefined,
): number {
  if (!one || !other) {
    return Number(one === undefined) - Number(other === undefined);
  }
  return one.position - other.position || (other.count ?? 0) - (one.count ?? 0);
}
