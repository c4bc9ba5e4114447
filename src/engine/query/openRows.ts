import { maxSingleReads, type ColumnStore } from '../columns/columnStore';
import type { ColumnId } from '../data/column';
import { newValue } from '../read/records/recordReader';
import type { ShapeNode } from '../read/records/shape';
import type { TableFile } from '../read/tableFile';
import { releaseBuffers } from '../threads/memory';
import type { YieldBudget } from '../threads/yieldBudget';
import type { ClosingForm } from '../../vocabulary/closing';
import { closingCondition, type Condition } from './conditions';
import { knownFinding, type KnownRows } from './knownRows';
import { countMasked, isMatch, type Mask, type Masks } from './masks';

/** How columns say which rows are closed findings. */
export type ClosingColumns = ReadonlyMap<ColumnId, ClosingForm>;

/** What tells which rows are open findings. */
interface Closing {
  readonly columns: ClosingColumns;
  readonly known: KnownRows;
}

/** The budget takes a row that is read alone for so many bytes. */
const singleReadWeight = 16 * 1024;

/** The rows that are open findings: no column says that they are closed, nobody knows them, and they can be read. */
export class OpenRows {
  /** Those of the last query, as most queries ask for the same. */
  private kept: { readonly of: string; readonly known: KnownRows; readonly mask: Mask } | undefined;

  constructor(
    private readonly file: TableFile,
    private readonly store: ColumnStore,
    private readonly masks: Masks,
  ) {}

  /** The columns that are read, to be built with others in one scan. */
  columns(columns: ClosingColumns): ShapeNode[] {
    return [...columns.keys()].map((id) => this.file.shape.get(id));
  }

  /** How many of some rows, in the order of the file, are open. */
  async count(rows: Uint32Array, closing: Closing, budget: YieldBudget): Promise<number> {
    const isRead = this.kept !== undefined || this.store.has(this.columns(closing.columns));
    return isRead || rows.length > maxSingleReads
      ? countMasked(rows, await this.mask(closing, budget))
      : this.countSingly(rows, closing, budget);
  }

  /** All open rows. They stay those of this object. */
  async mask(closing: Closing, budget: YieldBudget): Promise<Mask> {
    const { columns, known } = closing;
    const { index, shape } = this.file;
    const of = JSON.stringify([index.rows, shape.invalidRows, ...columns]);
    if (this.kept?.of !== of || this.kept.known !== known) {
      // The last one is not released: another query may be in the middle of it.
      this.kept = { of, known, mask: await this.find(closing, budget) };
    }
    return this.kept.mask;
  }

  private async find(closing: Closing, budget: YieldBudget): Promise<Mask> {
    const mask = new Uint8Array(this.file.index.rows).fill(1);
    for (const row of closing.known.numbers) {
      mask[row] = 0;
    }
    const remove = (others: Mask) => {
      for (let row = 0; row < mask.length; row += 1) {
        mask[row]! &= 1 - others[row]!;
      }
      releaseBuffers(others);
    };
    // All are built in one scan.
    await this.store.columns(this.columns(closing.columns), budget);
    for (const [node, condition] of this.conditions(closing)) {
      remove(await this.masks.matching(node, condition, budget));
    }
    if (this.mayBeUnreadable) {
      remove(await this.masks.invalid(budget));
    }
    return mask;
  }

  /** Reads a few rows one by one: faster than a column of all rows, which no other query may need. */
  private async countSingly(
    rows: Uint32Array,
    closing: Closing,
    budget: YieldBudget,
  ): Promise<number> {
    const conditions = this.conditions(closing);
    const nodes = conditions.map(([node]) => node);
    const value = newValue();
    const { mayBeUnreadable } = this;
    let open = 0;
    for (const row of rows) {
      const reader = this.file.read(row, nodes);
      const isClosed =
        knownFinding(closing.known, row) !== undefined ||
        (mayBeUnreadable && reader.invalid(0) !== undefined) ||
        conditions.some(([, condition], slot) => {
          reader.read(0, slot, value);
          return isMatch(condition, value);
        });
      open += isClosed ? 0 : 1;
      if (budget.shouldYield(singleReadWeight)) {
        await budget.pause();
      }
    }
    return open;
  }

  private conditions({ columns }: Closing): (readonly [ShapeNode, Condition])[] {
    return Array.from(columns, ([id, form]) => [this.file.shape.get(id), closingCondition(form)]);
  }

  /** Whether a row may have no values. Rows of CSV that are not valid have values all the same. */
  private get mayBeUnreadable(): boolean {
    const { shape, detected } = this.file;
    return detected.format.kind !== 'csv' && shape.invalidRows > 0;
  }
}
