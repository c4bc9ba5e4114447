import { sameValue, sortRows } from '../columns/keySort';
import { bitsOf, isShared, type KeptRowsOfFile } from '../data/keptRows';
import type { NewTask, RangeTask } from '../read/ranges/rangeReader';
import type { RangeJob, Scanner } from '../read/ranges/scanner';
import type { RecordReader } from '../read/records/recordReader';
import type { ReadableFile } from '../read/records/visitor';
import type { ShapeNode } from '../read/records/shape';
import type { MaskedFile } from '../read/rowReader';
import type { TableFile } from '../read/tableFile';
import { enlarged, releaseBuffers } from '../threads/memory';
import type { YieldBudget } from '../threads/yieldBudget';
import { digestOfDetail, digestOfId } from './findingDigest';
import { findKnownColumns, type KnownColumns, RowIdentifier } from './rowIdentity';

/** The numbers of a row in the result of a range: the digest of its id, of its detail, and its bits. */
const rowWords = 4;

/** The bits of a row that nothing tells apart. */
const isNothing = 0x80;

/** So many closed rows are looked up between two pauses. */
const lookedUpAtOnce = 100_000;

/**
 * What is kept of some rows of a file, in one pass over all rows: those that are not kept only tell which ids are shared.
 * Rows that nothing tells apart are left out.
 * @param rows in ascending order; `undefined` for all.
 */
export async function findKeptRows(
  file: TableFile,
  scanner: Scanner,
  rows: Uint32Array | undefined,
  budget: YieldBudget,
): Promise<KeptRowsOfFile> {
  const columns = findKnownColumns(file);
  const payload: KeepPayload = { columns, detected: file.detected };
  const found = new Collector(rows, rows?.length ?? file.index.rows, columns.plan.isOfService);
  const job: RangeJob = {
    task: 'keep',
    payload: () => payload,
    visitor: new KeepTask(file, payload, (part) => {
      found.add(part);
    }),
    addResult: (part) => {
      found.add(part as Uint32Array);
    },
  };
  await scanner.scan(budget, job);
  return found.finish(budget);
}

/** What the thread of a range needs. */
interface KeepPayload {
  readonly columns: KnownColumns;
  readonly detected: MaskedFile['detected'];
}

/** Reads what tells the rows of a range apart. */
class KeepTask implements RangeTask {
  readonly nodes: readonly ShapeNode[];
  private readonly identifier: RowIdentifier;
  private readonly parts: Uint32Array[] = [];

  /** @param onPart receives the numbers of some rows, in the order of the file. */
  constructor(
    { shape }: ReadableFile,
    { columns, detected }: KeepPayload,
    private readonly onPart: (part: Uint32Array) => void = (part) => this.parts.push(part),
  ) {
    this.identifier = new RowIdentifier({ shape, detected }, columns);
    this.nodes = this.identifier.nodes;
  }

  visit(records: RecordReader): void {
    const part = new Uint32Array(rowWords * records.count);
    for (let record = 0; record < records.count; record += 1) {
      const identity = this.identifier.identify(records, record);
      const [high, low] = identity ? digestOfId(identity.id) : [0, 0];
      const bits = identity ? bitsOf(identity.severity) : isNothing;
      part.set([high, low, digestOfDetail(identity?.detail), bits], rowWords * record);
    }
    this.onPart(part);
  }

  finish() {
    const length = this.parts.reduce((sum, part) => sum + part.length, 0);
    const result = new Uint32Array(length);
    let at = 0;
    for (const part of this.parts) {
      result.set(part, at);
      at += part.length;
    }
    return { result, transferred: [result] };
  }
}

export const keepTask: NewTask = (file, { payload }) => new KeepTask(file, payload as KeepPayload);

/** Receives the numbers of all rows in the order of the file, and sorts those that are kept. */
class Collector {
  private readonly high: Uint32Array;
  private readonly low: Uint32Array;
  private readonly detail: Uint32Array;
  private readonly bits: Uint8Array;
  private readonly records: Uint32Array;
  private count = 0;
  /** The next row, and how many rows before it are kept. */
  private row = 0;
  private position = 0;
  /** The digests of the ids of the rows that are not kept. */
  private others = new Uint32Array(0);
  private otherWords = 0;

  constructor(
    private readonly rows: Uint32Array | undefined,
    most: number,
    private readonly isOfService: boolean,
  ) {
    this.high = new Uint32Array(most);
    this.low = new Uint32Array(most);
    this.detail = new Uint32Array(most);
    this.bits = new Uint8Array(most);
    this.records = new Uint32Array(most);
  }

  add(part: Uint32Array): void {
    const { rows } = this;
    for (let at = 0; at < part.length; at += rowWords, this.row += 1) {
      const isKept = !rows || rows[this.position] === this.row;
      this.position += isKept ? 1 : 0;
      if (part[at + 3] === isNothing) {
        continue;
      }
      if (isKept) {
        const { count } = this;
        this.high[count] = part[at]!;
        this.low[count] = part[at + 1]!;
        this.detail[count] = part[at + 2]!;
        this.bits[count] = part[at + 3]!;
        this.records[count] = this.row;
        this.count += 1;
      } else if (!this.isOfService) {
        this.addOther(part[at]!, part[at + 1]!);
      }
    }
  }

  async finish(budget: YieldBudget): Promise<KeptRowsOfFile> {
    await budget.pause();
    const order = this.sort();
    const { count } = this;
    const kept = {
      high: inOrder(this.high, order, sharedWords(count)),
      low: inOrder(this.low, order, sharedWords(count)),
      detail: inOrder(this.detail, order, sharedWords(count)),
      bits: inOrder(this.bits, order, new Uint8Array(new SharedArrayBuffer(count))),
      records: inOrder(this.records, order, sharedWords(count)),
    };
    releaseBuffers(order);
    await this.markShared(kept, budget);
    releaseBuffers(this.others);
    return kept;
  }

  private addOther(high: number, low: number): void {
    if (this.otherWords === this.others.length) {
      this.others = enlarged(this.others, Math.max(1024, 2 * this.others.length));
    }
    this.others[this.otherWords] = high;
    this.others[this.otherWords + 1] = low;
    this.otherWords += 2;
  }

  /** The positions of what is kept, in its order; marks ids that several have. */
  private sort(): Uint32Array {
    const { count, detail, bits } = this;
    const kinds = new Uint8Array(count);
    const keys = { kinds, high: this.high, low: this.low };
    const { rows: order, states } = sortRows(keys, () => sameValue);
    for (let start = 0; start < count;) {
      let end = start + 1;
      while (end < count && states[end] === sameValue) {
        end += 1;
      }
      if (end - start > 1) {
        const some = order
          .subarray(start, end)
          .sort((one, other) => detail[one]! - detail[other]! || bits[one]! - bits[other]!);
        for (const at of this.isOfService ? [] : some) {
          bits[at]! |= isShared;
        }
      }
      start = end;
    }
    releaseBuffers(kinds, states);
    return order;
  }

  /** Marks the ids that rows have which are not kept. */
  private async markShared(kept: KeptRowsOfFile, budget: YieldBudget): Promise<void> {
    const { high, low, bits } = kept;
    const { others } = this;
    for (let other = 0; other < this.otherWords; other += 2) {
      const [otherHigh, otherLow] = [others[other]!, others[other + 1]!];
      let at = firstOf(kept, otherHigh, otherLow);
      // They are all marked, or none is.
      while (high[at] === otherHigh && low[at] === otherLow && (bits[at]! & isShared) === 0) {
        bits[at]! |= isShared;
        at += 1;
      }
      if (other % (2 * lookedUpAtOnce) === 0) {
        await budget.pause();
      }
    }
  }
}

/** The first position whose id is not before this one. */
function firstOf(
  { high, low }: Pick<KeptRowsOfFile, 'high' | 'low'>,
  ofHigh: number,
  ofLow: number,
): number {
  let [from, to] = [0, high.length];
  while (from < to) {
    const middle = (from + to) >>> 1;
    if (high[middle]! < ofHigh || (high[middle] === ofHigh && low[middle]! < ofLow)) {
      from = middle + 1;
    } else {
      to = middle;
    }
  }
  return from;
}

/** Moves numbers into this order, and releases the memory that they had. */
function inOrder<T extends Uint8Array | Uint32Array>(numbers: T, order: Uint32Array, target: T): T {
  for (let at = 0; at < order.length; at += 1) {
    target[at] = numbers[order[at]!]!;
  }
  releaseBuffers(numbers);
  return target;
}

function sharedWords(count: number): Uint32Array {
  return new Uint32Array(new SharedArrayBuffer(4 * count));
}
