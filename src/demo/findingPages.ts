import { setImmediate } from 'node:timers/promises';
import type { JsonObject, JsonValue } from '../base/json/json';
import type { FindingList } from './demoData';
import { findingAt } from './finding';
import { RefusedError } from './exchange';

export interface FindingFilter {
  /** Equal filters have equal keys. */
  readonly key: string;
  matches(entry: JsonObject): boolean;
}

const filterFields = ['group_status', 'domain', 'ip', 'port', 'target'] as const;
const maxValues = 100;

/**
 * Parses the posted body of a findings request. The interface does not say what it may contain (spec section
 * 4.3: "a JSON object"), so the demo accepts the simplest useful form: a field of the entry with the value,
 * or the list of values, that it must have. Unknown fields are ignored.
 */
export function parseFilter(body: JsonObject): FindingFilter | undefined {
  const conditions: [string, ReadonlySet<JsonValue>][] = [];
  for (const field of filterFields) {
    const accepted = body[field];
    if (accepted !== undefined) {
      conditions.push([field, new Set(acceptedValues(field, accepted))]);
    }
  }
  if (conditions.length === 0) {
    return undefined;
  }
  return {
    key: JSON.stringify(conditions.map(([field, values]) => [field, ...values])),
    matches: (entry) => conditions.every(([field, values]) => values.has(entry[field] ?? null)),
  };
}

function acceptedValues(field: string, accepted: JsonValue): JsonValue[] {
  const values = Array.isArray(accepted) ? accepted : [accepted];
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

/** A page of findings in the format of the service (spec section 2.3). */
interface FindingsResponse extends JsonObject {
  entries: JsonObject[];
  total_count: number;
  has_more: boolean;
  count: number;
  offset: number;
  limit: number;
}

/** How many entries are checked before the event loop runs again. */
const sliceSize = 256;
/** Enough for one filter of each list of the demo. */
const maxCachedFilters = 100;

/** Serves pages of the generated lists. Caches only the positions of the matches of filters. */
export class FindingPages {
  /** The positions of the entries that match a filter, by list and filter. */
  private readonly matches = new Map<string, Promise<number[]>>();

  constructor(
    private readonly seed: number,
    /** The day that dates are relative to. It is fixed, so that a list does not change between its pages. */
    private readonly reference: number,
    private readonly closing: AbortSignal,
  ) {}

  async page(
    list: FindingList,
    offset: number,
    limit: number,
    filter: FindingFilter | undefined,
  ): Promise<FindingsResponse> {
    const { entries, total, remaining } = filter
      ? await this.filtered(list, offset, limit, filter)
      : this.plain(list, offset, limit);
    return {
      entries,
      total_count: total,
      has_more: remaining,
      count: entries.length,
      offset,
      limit,
    };
  }

  /** How many entries match a filter. */
  async count(list: FindingList, filter: FindingFilter): Promise<number> {
    const { length } = await this.matchesOf(list, filter);
    return length;
  }

  private plain(list: FindingList, offset: number, limit: number) {
    const end = Math.min(offset + limit, list.positions);
    const entries: JsonObject[] = [];
    for (let position = offset; position < end; position++) {
      const entry = this.entryAt(list, position);
      if (entry) {
        entries.push(entry);
      }
    }
    return { entries, total: list.total, remaining: offset + limit < list.positions };
  }

  private async filtered(list: FindingList, offset: number, limit: number, filter: FindingFilter) {
    const positions = await this.matchesOf(list, filter);
    const entries = positions
      .slice(offset, offset + limit)
      .map((position) => findingAt(this.seed, list, position, this.reference).entry);
    return { entries, total: positions.length, remaining: offset + limit < positions.length };
  }

  private matchesOf(list: FindingList, filter: FindingFilter): Promise<number[]> {
    const key = `${list.scorecard.id}/${list.issueType}?${filter.key}`;
    const known = this.matches.get(key);
    if (known) {
      return known;
    }
    const oldest = this.matches.keys().next();
    if (this.matches.size >= maxCachedFilters && !oldest.done) {
      this.matches.delete(oldest.value);
    }
    const found = this.findMatches(list, filter);
    this.matches.set(key, found);
    return found;
  }

  private async findMatches(list: FindingList, filter: FindingFilter): Promise<number[]> {
    const positions: number[] = [];
    for (let position = 0; position < list.positions; position++) {
      if (position % sliceSize === 0) {
        this.closing.throwIfAborted();
        await setImmediate();
      }
      const entry = this.entryAt(list, position);
      if (entry && filter.matches(entry)) {
        positions.push(position);
      }
    }
    return positions;
  }

  private entryAt(list: FindingList, position: number): JsonObject | undefined {
    return position >= list.withheldFrom && position < list.withheldTo
      ? undefined
      : findingAt(this.seed, list, position, this.reference).entry;
  }
}
