import { setImmediate } from 'node:timers/promises';
import type { JsonObject } from '../base/json';
import type { FindingList } from './demoData';
import { findingAt } from './finding';
import type { FindingFilter } from './findingFilter';

/** A page of findings as the service answers it (spec section 2.3). */
export interface FindingsAnswer extends JsonObject {
  entries: JsonObject[];
  total_count: number;
  has_more: boolean;
  count: number;
  offset: number;
  limit: number;
}

/** Entries that are looked at in one turn of the event loop. */
const turnSize = 256;
const keptFilters = 8;

/** Cuts pages out of the generated lists. Only the positions of the matches of a few filters are held. */
export class FindingPages {
  /** The positions of the entries that match a filter. */
  private readonly matches = new Map<string, Promise<number[]>>();

  constructor(
    private readonly seed: number,
    /** The day that dates are relative to; fixed, so that a list does not change between its pages. */
    private readonly reference: number,
    private readonly closing: AbortSignal,
  ) {}

  async page(
    list: FindingList,
    offset: number,
    limit: number,
    filter: FindingFilter | undefined,
  ): Promise<FindingsAnswer> {
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
    if (this.matches.size >= keptFilters && !oldest.done) {
      this.matches.delete(oldest.value);
    }
    const found = this.findMatches(list, filter);
    this.matches.set(key, found);
    return found;
  }

  private async findMatches(list: FindingList, filter: FindingFilter): Promise<number[]> {
    const positions: number[] = [];
    for (let position = 0; position < list.positions; position++) {
      if (position % turnSize === 0) {
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
