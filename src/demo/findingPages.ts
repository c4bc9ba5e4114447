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

const blockSize = 256;
const keptFilters = 8;

/** Cuts pages out of the generated lists. Nothing is held but the block counts of a few filters. */
export class FindingPages {
  /** How many matches lie before each block of a filtered list, so that a page starts near its place. */
  private readonly matchesBefore = new Map<string, Promise<number[]>>();

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
    const before = await this.index(list, filter);
    const total = before.at(-1) ?? 0;
    const entries: JsonObject[] = [];
    let block = Math.max(
      0,
      before.findLastIndex((count) => count <= offset),
    );
    let match = before[block] ?? 0;
    for (; entries.length < limit && match < total; block++) {
      for (const entry of this.matches(list, block, filter)) {
        if (match >= offset && entries.length < limit) {
          entries.push(entry);
        }
        match++;
      }
      await setImmediate();
    }
    return { entries, total, remaining: offset + limit < total };
  }

  private index(list: FindingList, filter: FindingFilter): Promise<number[]> {
    const key = `${list.scorecard.id}/${list.issueType}?${filter.key}`;
    const known = this.matchesBefore.get(key);
    if (known) {
      return known;
    }
    const oldest = this.matchesBefore.keys().next();
    if (this.matchesBefore.size >= keptFilters && !oldest.done) {
      this.matchesBefore.delete(oldest.value);
    }
    const index = this.countMatches(list, filter);
    this.matchesBefore.set(key, index);
    return index;
  }

  private async countMatches(list: FindingList, filter: FindingFilter): Promise<number[]> {
    const before = [0];
    for (let block = 0; block * blockSize < list.positions; block++) {
      this.closing.throwIfAborted();
      before.push((before.at(-1) ?? 0) + this.matches(list, block, filter).length);
      await setImmediate();
    }
    return before;
  }

  private matches(list: FindingList, block: number, filter: FindingFilter): JsonObject[] {
    const end = Math.min((block + 1) * blockSize, list.positions);
    const entries: JsonObject[] = [];
    for (let position = block * blockSize; position < end; position++) {
      const entry = this.entryAt(list, position);
      if (entry && filter.matches(entry)) {
        entries.push(entry);
      }
    }
    return entries;
  }

  private entryAt(list: FindingList, position: number): JsonObject | undefined {
    return position >= list.withheldFrom && position < list.withheldTo
      ? undefined
      : findingAt(this.seed, list, position, this.reference).entry;
  }
}
