import { type Column, type ColumnId, countColumn, type FormChoice } from '../../engine/page';
import type { LaidOutColumn } from '../../protocol/tableProtocol';
import type { PageState } from './pageState';
import type { ColumnRole } from '../../vocabulary/columnRole';
import type { Texts } from '../../summary/texts';
import { fieldPlaces, isLastField } from '../../vocabulary/fieldOrder';
import { areFindings } from '../../vocabulary/findingColumns';

const minWidth = 48;
const maxWidth = 1200;

/** A visible column. */
export interface ShownColumn {
  readonly column: Column;
  /** Pixels. */
  readonly width: number;
  /** Pixels from the left edge of the first column. */
  readonly left: number;
}

/**
 * A column as the page saves it. A width that a user set counts, not the one that was measured. A column that is
 * neither hidden nor shown by a user is hidden while it is empty.
 */
type ColumnState = PageState['columns'][number];

/** What a user may choose as the type of a column, if that may be another one. */
export function typeChoices({ type, formChoices = [], chosenForm }: Column): readonly FormChoice[] {
  return type !== 'text' || chosenForm || formChoices.length > 1 ? formChoices : [];
}

/** Widths in pixels until values are measured. */
const usualWidths: Record<Column['type'], number> = {
  text: 180,
  number: 96,
  date: 180,
  boolean: 88,
  json: 240,
  mixed: 180,
};
const idWidth = 96;
/** The largest width in pixels that is set by measuring: IDs, old values with new ones, and other values. */
const widestFitted = { id: 120, change: 600, value: 360 };

/** The measured width of a column. */
export interface MeasuredColumn {
  readonly id: ColumnId;
  /** Pixels. */
  readonly width: number;
  readonly holds: keyof typeof widestFitted;
}

/** The visibility, order and width of columns. */
export class ColumnModel {
  private all: readonly Column[] = [];
  private order: ColumnId[] = [];
  private readonly settings = new Map<ColumnId, Omit<ColumnState, 'id'>>();
  private empty: ReadonlySet<ColumnId> = new Set();
  private list: readonly ShownColumn[] = [];
  /** Whether a user has seen the order: changed columns are then no longer moved to the front. */
  private isArranged: boolean;
  /** Whether the order is one that a user has chosen. */
  private isMoved = false;

  constructor(state: readonly ColumnState[] = []) {
    this.isArranged = state.length > 0;
    this.add(state);
  }

  /** Arranges the columns that follow as a user has arranged others. */
  arrange(layout: readonly LaidOutColumn[]): void {
    this.clear();
    this.isArranged = layout.length > 0;
    this.isMoved = layout.length > 0;
    this.add(layout);
  }

  private add(state: readonly ColumnState[]): void {
    for (const { id, ...settings } of state) {
      this.order.push(id);
      this.settings.set(id, settings);
    }
  }

  /** Forgets all columns, because those of other rows follow. */
  clear(): void {
    this.order = [];
    this.settings.clear();
    this.isArranged = false;
    this.isMoved = false;
  }

  /** The visible columns, from left to right. */
  get shown(): readonly ShownColumn[] {
    return this.list;
  }

  /** All columns in order, hidden ones included. */
  get ordered(): readonly Column[] {
    const byId = new Map(this.all.map((column) => [column.id, column]));
    return this.order.flatMap((id) => byId.get(id) ?? []);
  }

  /** The total width of all visible columns in pixels. */
  get width(): number {
    const last = this.list.at(-1);
    return last ? last.left + last.width : 0;
  }

  /** What a user has arranged, for other files of this kind; empty if that is nothing. */
  get layout(): readonly LaidOutColumn[] {
    const isChosen = this.isMoved || [...this.settings.values()].some(isChoice);
    return isChosen
      ? this.order.map((id) => {
          const { fitted: _fitted, ...chosen } = this.settings.get(id) ?? {};
          return { id, ...chosen };
        })
      : [];
  }

  /** Forgets what a user has arranged; measured widths stay. */
  reset(): void {
    const fitted = [...this.settings].flatMap(([id, { fitted: width }]) =>
      width === undefined ? [] : [[id, { fitted: width }] as const],
    );
    this.clear();
    fitted.forEach(([id, settings]) => this.settings.set(id, settings));
    this.update(this.all);
  }

  /** Includes measured widths, and which columns had a value: the scroll position depends on them. */
  get state(): readonly ColumnState[] {
    return this.order.map((id) => ({
      id,
      ...(!this.empty.has(id) && { hidden: false }),
      ...this.settings.get(id),
    }));
  }

  /**
   * Sets the columns of the file. Columns that it has already keep their order, and new ones follow them. If
   * the rows are findings, IDs and what is mostly the same are at the end, and new columns are sorted with the
   * most useful role first; otherwise new columns are in the order of the file. In a comparison, the changed
   * columns come first, after the change, the severity, the issue type and the column that names the record.
   */
  update(columns: readonly Column[]): void {
    this.all = columns;
    const empty = columns.filter((column) => column.empty);
    // If all columns are empty, none is hidden: there would be nothing to show.
    this.empty = new Set(empty.length < columns.length ? empty.map(({ id }) => id) : []);
    const hasFindings = areFindings(columns);
    const places = hasFindings ? fieldPlaces(columns) : undefined;
    const last = new Set(hasFindings ? columns.filter(isLastField).map(({ id }) => id) : []);
    const at = 1 + this.order.findLastIndex((id) => !last.has(id));
    const present = new Set(this.order);
    const fresh = columns
      .filter(({ id }) => !present.has(id))
      .sort((one, other) => (places?.get(one) ?? 0) - (places?.get(other) ?? 0))
      .map(({ id }) => id);
    this.order.splice(at, 0, ...fresh.filter((id) => !last.has(id)));
    this.order.push(...fresh.filter((id) => last.has(id)));
    this.moveChangedToFront();
    this.layOut();
  }

  private moveChangedToFront(): void {
    const changed = new Set(this.all.flatMap((column) => (column.changed ? [column.id] : [])));
    if (this.isArranged || changed.size === 0) {
      return;
    }
    const withRole = (role: ColumnRole) => this.all.filter((column) => column.role === role);
    const first = (['change', 'severity', 'issueType'] as const).flatMap(withRole);
    const subject = (['asset', 'id'] as const).flatMap(withRole).slice(0, 1);
    const inFront = [...first, ...subject].map(({ id }) => id);
    const rank = (id: ColumnId) => {
      const at = inFront.indexOf(id);
      return at >= 0 ? at : inFront.length + (changed.has(id) ? 0 : 1);
    };
    this.order.sort((one, other) => rank(one) - rank(other));
  }

  isHidden(id: ColumnId): boolean {
    return this.settings.get(id)?.hidden ?? this.empty.has(id);
  }

  /** The number of columns without a value so far, shown or hidden. */
  get emptyCount(): number {
    return this.empty.size;
  }

  /** The number of columns that are hidden because they are empty. */
  get hiddenEmptyCount(): number {
    return [...this.empty].filter((id) => this.settings.get(id)?.hidden === undefined).length;
  }

  /** The number of columns with values that are hidden. */
  get hiddenFilledCount(): number {
    return this.ordered.filter(({ id }) => this.isHidden(id) && !this.empty.has(id)).length;
  }

  /** Shows empty columns, or hides them until a value is found. */
  setEmptyHidden(hidden: boolean): void {
    for (const id of this.empty) {
      const { hidden: _hidden, ...rest } = this.settings.get(id) ?? {};
      this.settings.set(id, { ...rest, ...(!hidden && { hidden }) });
    }
    this.layOut();
  }

  setHidden(id: ColumnId, hidden: boolean): void {
    // The last column stays: without columns, the keyboard could not show any of them again.
    if (hidden && this.list.length < 2) {
      return;
    }
    this.change(id, { hidden });
    this.layOut();
  }

  resize(id: ColumnId, width: number): void {
    this.change(id, { width: Math.round(Math.min(maxWidth, Math.max(minWidth, width))) });
    this.layOut();
  }

  private change(id: ColumnId, change: Omit<ColumnState, 'id'>): void {
    this.settings.set(id, { ...this.settings.get(id), ...change });
  }

  /** Sets the measured widths of columns that nobody has resized. No column becomes narrower. */
  fit(measured: readonly MeasuredColumn[]): void {
    for (const { id, width, holds } of measured) {
      const before = this.settings.get(id)?.fitted ?? minWidth;
      this.change(id, {
        fitted: Math.round(Math.max(before, Math.min(widestFitted[holds], width))),
      });
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
    this.isArranged = true;
    this.isMoved = true;
    this.layOut();
  }

  private layOut(): void {
    let left = 0;
    const visible = this.ordered.filter(({ id }) => !this.isHidden(id));
    // Without columns, the keyboard could not show any of them again.
    this.list = (visible.length > 0 ? visible : this.ordered).map((column) => {
      const usual = column.role === 'id' ? idWidth : usualWidths[column.type];
      const { fitted = usual, width = fitted } = this.settings.get(column.id) ?? {};
      const shown = { column, width, left };
      left += width;
      return shown;
    });
  }
}

/** Whether settings are more than a measured width. */
function isChoice({ width, hidden }: Omit<ColumnState, 'id'>): boolean {
  return width !== undefined || hidden !== undefined;
}

/** The columns that rows are grouped by, in the order of the grouping, and the numbers of rows. None is hidden. */
export function columnsOfGroups(
  groupBy: readonly ColumnId[],
  columns: readonly Column[],
  texts: Texts,
): ColumnModel {
  const count: Column = {
    id: countColumn,
    name: texts.get('count'),
    type: 'number',
    verified: true,
    secret: false,
  };
  // Groups by time would look alike as days.
  const grouped = groupBy.flatMap((id) => columns.find((one) => one.id === id) ?? []);
  const all = [...grouped.map(({ hasDays: _, ...column }) => column), count];
  const model = new ColumnModel(all.map(({ id }) => ({ id, hidden: false })));
  model.update(all);
  return model;
}
