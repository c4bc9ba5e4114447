import { type ColumnData, firstValueCode } from '../columns/columnData';
import type { ColumnStore } from '../columns/columnStore';
import type { TableFile } from '../read/tableFile';
import type { ShapeNode } from '../read/records/shape';
import { releaseBuffers } from '../threads/memory';
import type { YieldBudget } from '../threads/yieldBudget';
import { kindMissing, kindNull } from '../values/kinds';
import type { Value } from '../read/records/recordReader';
import type { Condition } from './conditions';

/** Which rows match a condition: 1 or 0 by row. */
export type Mask = Uint8Array;

/** Finds the rows of a file that match. */
export class Masks {
  constructor(
    private readonly file: TableFile,
    private readonly store: ColumnStore,
  ) {}

  /** The rows whose values in a column match. */
  async matching(node: ShapeNode, condition: Condition, budget: YieldBudget): Promise<Mask> {
    await budget.pause();
    // Used before the next await: after it, the store may drop the column.
    const [data] = await this.store.columns([node], budget);
    return data?.type === 'dictionary'
      ? byDictionary(condition, data)
      : this.byScan(condition, node, budget);
  }

  /** The rows that are no valid records. */
  async invalid(budget: YieldBudget): Promise<Mask> {
    const mask = new Uint8Array(this.file.index.rows);
    await this.file.scan(budget, {
      nodes: [],
      visit: (records, row) => {
        for (let record = 0; record < records.count; record += 1) {
          mask[row + record] = records.invalid(record) === undefined ? 0 : 1;
        }
      },
    });
    return mask;
  }

  /** Reads the values from the file, because a wide column does not hold them. */
  private async byScan(condition: Condition, node: ShapeNode, budget: YieldBudget): Promise<Mask> {
    const mask = new Uint8Array(this.file.index.rows);
    await this.file.scanValues(budget, [node], (row, _slot, value) => {
      mask[row] = isMatch(condition, value) ? 1 : 0;
    });
    return mask;
  }
}

/** Whether a value matches. */
export function isMatch(condition: Condition, { kind, bytes, from, to }: Value): boolean {
  return kind < kindNull
    ? condition.test(kind, bytes, from, to)
    : (kind === kindNull && condition.null) || (kind === kindMissing && condition.missing);
}

/** Tests each distinct value once. */
function byDictionary(
  condition: Condition,
  { codes, texts }: Extract<ColumnData, { readonly type: 'dictionary' }>,
): Mask {
  const matches = new Uint8Array(texts.count + firstValueCode);
  matches[0] = condition.null ? 1 : 0;
  matches[1] = condition.missing ? 1 : 0;
  for (let number = 0; number < texts.count; number += 1) {
    const { bytes } = texts;
    const test = condition.test(texts.kind(number), bytes, texts.from(number), texts.to(number));
    matches[number + firstValueCode] = test ? 1 : 0;
  }
  const mask = new Uint8Array(codes.length);
  for (let row = 0; row < codes.length; row += 1) {
    mask[row] = matches[codes[row]!]!;
  }
  return mask;
}

/** The rows of a mask, in the order of the file. The mask is consumed. */
export function takeRows(mask: Mask): Uint32Array {
  // Writes every row, and overwrites it if its mask is 0: an unpredictable branch would cost more.
  // So the array has one more item than there are rows.
  const rows = new Uint32Array(countRows(mask) + 1);
  let at = 0;
  for (let row = 0; row < mask.length; row += 1) {
    rows[at] = row;
    at += mask[row]!;
  }
  releaseBuffers(mask);
  return rows.subarray(0, at);
}

/** How many of some rows, or of all, are in a mask. */
export function countMasked(rows: Uint32Array | undefined, mask: Mask): number {
  if (!rows) {
    return countRows(mask);
  }
  let count = 0;
  for (const row of rows) {
    count += mask[row]!;
  }
  return count;
}

function countRows(mask: Mask): number {
  let count = 0;
  // By index, which is several times as fast as an iterator while the engine warms up.
  for (let left = mask.length; left > 0; left -= 1) {
    count += mask[left - 1]!;
  }
  return count;
}
