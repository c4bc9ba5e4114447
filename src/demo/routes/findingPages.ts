import { setImmediate } from 'node:timers/promises';
import type { JsonObject, JsonValue } from '../../base/json/json';
import type { FindingList } from '../data/demoData';
import { findingAt } from '../data/finding';

export interface FindingFilter {
  /** Equal filters have equal keys. */
  readonly key: string;
  matches(entry: JsonObject): boolean;
}

const filterFields = ['group_status', 'domain', 'ip', 'port', 'target'] as const;

/**
 * Parses the posted body of a findings request. The interface does not say what it may contain (spec section
 * 4.3: "a JSON object"), so the demo accepts the simplest useful form: a field of the entry with the value,
 * or the list of values, that it must have. Unknown fields are ignored.
 */
export function parseFilter(body: JsonObject): FindingFilter | undefined {
  const conditions = filterFields.flatMap((field): [string, ReadonlySet<JsonValue>][] => {
    const accepted = body[field];
    const values = Array.isArray(accepted) ? accepted : [accepted];
    return accepted === undefined ? [] : [[field, new Set(values as JsonValue[])]];
  });
  if (conditions.length === 0) {
    return undefined;
  }
  return {
    key: JSON.stringify(conditions.map(([field, values]) => [field, ...values])),
    matches: (entry) => conditions.every(([field, values]) => values.has(entry[field] ?? null)),
  };
}

/** How many entries are checked before the event loop runs again. */
const sliceSize = 256;

/** Serves pages of the generated lists. Caches only the positions of the matches of filters. */
export class FindingPages {
  /** The positions of the entries that match a filter, by list and filter. */
  private readonly matches = new Map<string, Promise<number[]>>();

  constructor(
    /** The day that dates are relative to. It is fixed, so that a list does not change between its pages. */
    private readonly reference: number,
    private readonly closing: AbortSignal,
  ) {}

  /** A page in the format of the service (spec section 2.3). */
  async page(list: FindingList, offset: number, limit: number, filter: FindingFilter | undefined) {
    const matches = filter && (await this.findMatches(list, filter));
    const positions = matches?.length ?? list.positions;
    const entries: JsonObject[] = [];
    for (let index = offset; index < Math.min(offset + limit, positions); index++) {
      const found = findingAt(list, matches?.[index] ?? index, this.reference);
      if (found) {
        entries.push(found.entry);
      }
    }
    return {
      entries,
      total_count: matches?.length ?? list.total,
      has_more: offset + limit < positions,
      count: entries.length,
      offset,
      limit,
    };
  }

  /** The positions of the entries that match a filter. */
  findMatches(list: FindingList, filter: FindingFilter): Promise<number[]> {
    const key = `${list.scorecard.id}/${list.issueType}?${filter.key}`;
    const found = this.matches.get(key) ?? this.searchMatches(list, filter);
    this.matches.set(key, found);
    return found;
  }

  private async searchMatches(list: FindingList, filter: FindingFilter): Promise<number[]> {
    const positions: number[] = [];
    for (let position = 0; position < list.positions; position++) {
      if (position % sliceSize === 0) {
        this.closing.throwIfAborted();
        await setImmediate();
      }
      const found = findingAt(list, position, this.reference);
      if (found && filter.matches(found.entry)) {
        positions.push(position);
      }
    }
    return positions;
  }
}
