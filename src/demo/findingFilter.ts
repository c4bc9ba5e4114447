import type { JsonObject, JsonValue } from '../base/json';
import { RefusedError } from './exchange';

export interface FindingFilter {
  /** The same for equal filters. */
  readonly key: string;
  matches(entry: JsonObject): boolean;
}

const filterFields = ['group_status', 'domain', 'ip', 'port', 'target'] as const;
const maxValues = 100;

/**
 * Reads the posted body of a findings request. The interface does not say what it may hold (spec
 * section 4.3: "a JSON object"), so the demo takes the simplest thing that is of use: a field of
 * the entry with the value, or the list of values, that it must have. What it does not understand
 * is ignored but not hidden: the response names it in the header X-Ignored-Body-Fields.
 */
export function readFilter(body: JsonObject): { filter?: FindingFilter; ignored: string[] } {
  const ignored = Object.keys(body).filter((name) => !filterFields.some((field) => field === name));
  const conditions: [string, ReadonlySet<JsonValue>][] = [];
  for (const field of filterFields) {
    const wanted = body[field];
    if (wanted !== undefined) {
      conditions.push([field, new Set(acceptedValues(field, wanted))]);
    }
  }
  if (conditions.length === 0) {
    return { ignored };
  }
  return {
    ignored,
    filter: {
      key: JSON.stringify(conditions.map(([field, values]) => [field, ...values])),
      matches: (entry) => conditions.every(([field, values]) => values.has(entry[field] ?? null)),
    },
  };
}

function acceptedValues(field: string, wanted: JsonValue): JsonValue[] {
  const values = Array.isArray(wanted) ? wanted : [wanted];
  if (
    values.length > maxValues ||
    values.some((value) => typeof value === 'object' && value !== null)
  ) {
    throw new RefusedError(
      400,
      `Validation failed:\n  - body.${field}: must be a value or a list of at most ${maxValues} values`,
      { key: 'validation_failed' },
    );
  }
  return values;
}
