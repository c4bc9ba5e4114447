import type { Route } from '../paths';
import type { CallOptions } from '../types';

export interface QueueItem {
  readonly route: Route;
  readonly priority: NonNullable<CallOptions['priority']>;
  /** Whether the call was sent before (a retry, a redirect): it goes ahead of those that were not. */
  readonly again: boolean;
  /** Increases with every addition. */
  readonly order: number;
}

/**
 * What waits, in the order in which it is sent: interactive before bulk, within each what was sent
 * before ahead of what was not, then first in, first out. Adding, and taking out from anywhere,
 * cost the same however much waits.
 */
export class Lanes<T extends QueueItem> {
  /** Per lane, the sets by endpoint, since an endpoint may be paused by itself. */
  private readonly lanes: readonly Map<string, Set<T>>[] = [
    new Map(),
    new Map(),
    new Map(),
    new Map(),
  ];
  private count = 0;

  get size(): number {
    return this.count;
  }

  add(item: T): void {
    this.count += 1;
    const lane = this.laneOf(item);
    const items = lane.get(item.route.label);
    if (items) {
      items.add(item);
    } else {
      lane.set(item.route.label, new Set([item]));
    }
  }

  has(item: T): boolean {
    return this.laneOf(item).get(item.route.label)?.has(item) ?? false;
  }

  delete(item: T): void {
    const lane = this.laneOf(item);
    const items = lane.get(item.route.label);
    if (!items?.delete(item)) {
      return;
    }
    this.count -= 1;
    if (items.size === 0) {
      lane.delete(item.route.label);
    }
  }

  /** The first of those whose endpoint is open. */
  first(isOpen: (label: string) => boolean): T | undefined {
    for (const lane of this.lanes) {
      let first: T | undefined;
      for (const [label, items] of lane) {
        const [head] = items;
        if (head && isOpen(label) && head.order < (first?.order ?? Infinity)) {
          first = head;
        }
      }
      if (first) {
        return first;
      }
    }
    return undefined;
  }

  /** Whether an item waits and no other of its lane and endpoint is ahead of it. */
  isFirst(item: T): boolean {
    const [head] = this.laneOf(item).get(item.route.label) ?? [];
    return head === item;
  }

  isEmpty(): boolean {
    return this.lanes.every((lane) => lane.size === 0);
  }

  /** How many there are in the lane of an item and in those ahead of it, itself included. */
  countUpTo(item: T): number {
    let count = 0;
    for (const lane of this.lanes.slice(0, laneNumber(item) + 1)) {
      for (const items of lane.values()) {
        count += items.size;
      }
    }
    return count;
  }

  labels(): Set<string> {
    return new Set(this.lanes.flatMap((lane) => [...lane.keys()]));
  }

  all(): T[] {
    return this.lanes.flatMap((lane) => [...lane.values()].flatMap((items) => [...items]));
  }

  private laneOf(item: T): Map<string, Set<T>> {
    const lane = this.lanes[laneNumber(item)];
    if (!lane) {
      throw new RangeError('There are four lanes.');
    }
    return lane;
  }
}

function laneNumber({ priority, again }: QueueItem): number {
  return (priority === 'interactive' ? 0 : 2) + (again ? 0 : 1);
}
