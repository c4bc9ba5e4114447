import type { PageState } from '../pageState';
import type { Column, ColumnId } from '../../engine/types';

export const minWidth = 48;
export const maxWidth = 1200;

/** A visible column. */
export interface ShownColumn {
  readonly column: Column;
  /** Pixels. */
  readonly width: number;
  /** Pixels from the left edge of the first column. */
  readonly left: number;
}

interface Kept {
  readonly width?: number;
  readonly hidden?: boolean;
}

/** Pixels, before values were measured. */
const usualWidths: Record<Column['type'], number> = {
  text: 180,
  number: 96,
  date: 180,
  boolean: 88,
  json: 240,
  mixed: 180,
};

/** The visibility, order and width of columns. */
export class ColumnModel {
  private all: readonly Column[] = [];
  private order: ColumnId[] = [];
  private readonly kept = new Map<ColumnId, Kept>();
  /** Measured widths, until a person sets one. */
  private readonly fitted = new Map<ColumnId, number>();
  private list: readonly ShownColumn[] = [];

  constructor(state: PageState['columns'] = []) {
    for (const { id, width, hidden } of state) {
      this.order.push(id);
      this.kept.set(id, {
        ...(width !== undefined && { width }),
        ...(hidden !== undefined && { hidden }),
      });
    }
  }

  /** Those shown, from left to right. */
  get shown(): readonly ShownColumn[] {
    return this.list;
  }

  /** All columns in order, hidden ones included. */
  get ordered(): readonly Column[] {
    const byId = new Map(this.all.map((column) => [column.id, column]));
    return this.order.flatMap((id) => byId.get(id) ?? []);
  }

  /** Pixels of all shown columns together. */
  get width(): number {
    const last = this.list.at(-1);
    return last ? last.left + last.width : 0;
  }

  get state(): PageState['columns'] {
    // Includes measured widths: the scroll position depends on them.
    return this.order.map((id) => {
      const width = this.fitted.get(id);
      return { id, ...(width !== undefined && { width }), ...this.kept.get(id) };
    });
  }

  /** Sets the columns of the file; new ones come last. */
  update(columns: readonly Column[]): void {
    this.all = columns;
    const known = new Set(this.order);
    this.order.push(...columns.map(({ id }) => id).filter((id) => !known.has(id)));
    this.layOut();
  }

  isHidden(id: ColumnId): boolean {
    return this.kept.get(id)?.hidden ?? false;
  }

  setHidden(id: ColumnId, hidden: boolean): void {
    // The last one stays: without columns the keyboard could not restore any.
    if (hidden && this.list.length < 2) {
      return;
    }
    const { width } = this.kept.get(id) ?? {};
    this.kept.set(id, { ...(width !== undefined && { width }), ...(hidden && { hidden }) });
    this.layOut();
  }

  resize(id: ColumnId, width: number): void {
    const rounded = Math.round(Math.min(maxWidth, Math.max(minWidth, width)));
    this.kept.set(id, { ...this.kept.get(id), width: rounded });
    this.layOut();
  }

  /** Sets measured widths, for columns that nobody has resized; none becomes narrower. */
  fit(widths: ReadonlyMap<ColumnId, number>): void {
    for (const [id, width] of widths) {
      const before = this.fitted.get(id) ?? minWidth;
      this.fitted.set(id, Math.round(Math.min(360, Math.max(before, width))));
    }
    this.layOut();
  }

  /** Moves a visible column to the position of another. */
  move(from: number, to: number): void {
    const moved = this.list[from]?.column.id;
    const target = this.list[to]?.column.id;
    if (moved === undefined || target === undefined || moved === target) {
      return;
    }
    this.order = this.order.filter((id) => id !== moved);
    this.order.splice(this.order.indexOf(target) + (from < to ? 1 : 0), 0, moved);
    this.layOut();
  }

  private layOut(): void {
    let left = 0;
    this.list = this.ordered
      .filter(({ id }) => !this.isHidden(id))
      .map((column) => {
        const width =
          this.kept.get(column.id)?.width ?? this.fitted.get(column.id) ?? usualWidths[column.type];
        const shown = { column, width, left };
        left += width;
        return shown;
      });
  }
}
