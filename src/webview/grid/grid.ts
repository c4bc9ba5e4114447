import type { Store } from '../state/store';
import type { ShownColumn } from '../state/columnModel';
import { type CellPosition, clampSelection, select, type Zone } from '../state/selection';
import { cornerText, drawHead } from './gridHead';
import {
  cellId,
  filterId,
  gridElements,
  type GridElements,
  type GridMenus,
  headId,
  type Window,
} from './gridParts';
import { drawRows, FoundMarks } from './gridRows';

/** Rows painted above and below the visible ones. */
const overscan = 3;

/** The nearest row and column to the pointer, and the zone. */
export interface PointerPosition extends CellPosition {
  readonly zone: Zone;
  readonly inNumbers: boolean;
}

/** The visible grid: the window over rows and columns, and the selection. */
export class Grid {
  readonly elements: GridElements;
  private readonly marks = new FoundMarks();
  /** What was drawn. */
  private drawn: { readonly columns: readonly ShownColumn[]; readonly grouped: boolean };
  private thumb = 0;
  private frame: number | undefined;

  /** @param onPaint called after each paint, when the scroll position may be another. */
  constructor(
    readonly store: Store,
    readonly menus: GridMenus,
    private readonly onPaint: () => void,
  ) {
    this.elements = gridElements(store.texts.get('table'));
    this.drawn = { columns: [], grouped: false };
    const { grid } = this.elements;
    grid.addEventListener('scroll', () => this.onScroll());
    grid.addEventListener('wheel', (event) => this.onWheel(event), { passive: false });
    new ResizeObserver(() => this.refresh()).observe(grid);
  }

  get columns(): readonly ShownColumn[] {
    return this.store.view.shownColumns.shown;
  }

  /**
   * Draws the rows of the store, soon. The scroll position stays, and the selection stays in its columns even if
   * other columns are inserted before them.
   */
  draw(): void {
    const { store } = this;
    const { drawn: before, columns } = this;
    const { rows, grouped } = store.view;
    this.drawn = { columns, grouped };
    const { selection, zone } = store.focus;
    const follow = ({ row, column }: CellPosition): CellPosition => {
      const id = before.columns[column]?.column.id;
      const isSame = before.grouped !== grouped || columns[column]?.column.id === id;
      const at = isSame ? column : columns.findIndex((shown) => shown.column.id === id);
      return { row, column: at < 0 ? column : at };
    };
    const followed = {
      ...selection,
      anchor: follow(selection.anchor),
      active: follow(selection.active),
    };
    const clamped = clampSelection(followed, rows, columns.length);
    store.focus = { selection: clamped, zone: store.zoneNear(zone) };
    if (columns !== before.columns && this.isInFilter) {
      // The filter that is edited stays in view when columns are fitted, or inserted before it.
      store.scrollTarget ??= { column: clamped.active.column };
    }
    const { edited } = store;
    store.edited = undefined;
    if (edited) {
      this.editFilter(edited.column, edited.text, edited.caret);
    }
    this.refresh();
  }

  /** Gives the grid the keyboard focus. `focus` is the active cell. */
  domFocus(): void {
    this.elements.grid.focus({ preventScroll: true });
  }

  private get isInFilter(): boolean {
    return this.elements.filters.contains(document.activeElement);
  }

  private revealColumn(column: number): void {
    const shown = this.columns[column];
    const { grid } = this.elements;
    if (shown) {
      const room = grid.clientWidth - this.numberWidth;
      if (shown.left < grid.scrollLeft) {
        grid.scrollLeft = shown.left;
      } else if (shown.left + shown.width > grid.scrollLeft + room) {
        grid.scrollLeft = Math.min(shown.left, shown.left + shown.width - room);
      }
    }
  }

  private editFilter(column: number, typed?: string, caret = typed?.length ?? 0): void {
    const { store } = this;
    if (this.columns[column] && store.hasFilters) {
      const { row } = store.focus.selection.active;
      store.scrollTarget = { column };
      store.select(select({ row, column }), 'filter');
      this.paint();
      const input = this.elements.filters.querySelector<HTMLInputElement>(
        `#${filterId(column)} input`,
      );
      input?.focus({ preventScroll: true });
      if (typed === undefined) {
        input?.select();
      } else if (input) {
        input.value = typed;
        input.setSelectionRange(caret, caret);
      }
    }
  }

  /** The element of a heading, or the whole header if that is not painted. */
  headingOf(column: number): Element {
    return document.getElementById(headId(column)) ?? this.elements.header;
  }

  /** The element of the active cell, heading or filter, or the grid if that is not painted. */
  get activeElement(): Element {
    return document.getElementById(this.activeId()) ?? this.elements.grid;
  }

  /** The width of the column of row numbers in pixels. */
  get numberWidth(): number {
    const { view, texts } = this.store;
    // Row numbers are those of the file, not of the view.
    const digits = String(Math.max(99, view.rows, view.info.rows)).length;
    const ofNumbers = Math.ceil(digits * 8.2 + Math.floor((digits - 1) / 3) * 4) + 22;
    // Its heading is longer in some languages, and where it says "Group".
    return Math.max(ofNumbers, texts.get(cornerText(view)).length * 8 + 18);
  }

  positionAt({ clientX: x, clientY: y }: MouseEvent): PointerPosition {
    const { grid, rows, header, filters } = this.elements;
    const box = grid.getBoundingClientRect();
    const fromLeft = x - box.left - grid.clientLeft;
    const { columns } = this;
    const across = fromLeft - this.numberWidth + grid.scrollLeft;
    const found = columns.findIndex(({ left, width }) => across < left + width);
    const down = y - rows.getBoundingClientRect().top;
    const zone =
      y < header.getBoundingClientRect().bottom
        ? 'header'
        : y < filters.getBoundingClientRect().bottom
          ? 'filter'
          : 'cells';
    return {
      row: Math.floor((down + this.store.scroll.top) / this.store.scroll.rowHeight),
      column: found < 0 ? columns.length - 1 : found,
      zone,
      inNumbers: fromLeft < this.numberWidth,
    };
  }

  /** Schedules a paint for the next frame. */
  refresh(): void {
    this.frame ??= requestAnimationFrame(() => {
      this.frame = undefined;
      this.paint();
    });
  }

  private paint(): void {
    const { columns, store, menus } = this;
    const { grid } = this.elements;
    const { isInFilter } = this;
    this.measure();
    this.scrollToTarget();
    const window = this.window();
    const { column } = store.focus.selection.active;
    if (
      isInFilter &&
      (!store.hasFilters || column < window.firstColumn || column >= window.endColumn)
    ) {
      // Its column was scrolled away, or groups are shown now. What was typed is applied before its input is gone.
      this.domFocus();
    }
    store.view.load(window.first, window.end, window.firstColumn, window.endColumn);
    const drawn = { store, menus, window };
    drawHead(this.elements, drawn);
    if (isInFilter && !this.isInFilter) {
      // Its column is gone.
      this.domFocus();
    }
    drawRows(this.elements.rows, drawn);
    const { bar, find } = store;
    this.marks.show(this.elements.rows, drawn, bar === 'find' ? find : '');
    const id = this.activeId();
    setAttributes(grid, {
      'aria-rowcount': String(store.view.rows),
      'aria-colcount': String(columns.length + 1),
      'aria-activedescendant': document.getElementById(id) ? id : '',
    });
    const { thumb } = store.scroll;
    if (Math.abs(grid.scrollTop - thumb) >= 1) {
      grid.scrollTop = thumb;
      this.thumb = grid.scrollTop;
    }
    store.left = grid.scrollLeft;
    store.moved();
    this.onPaint();
  }

  private scrollToTarget(): void {
    const { scrollTarget: target } = this.store;
    this.store.scrollTarget = undefined;
    if (target && 'column' in target) {
      this.revealColumn(target.column);
    } else if (target) {
      this.elements.grid.scrollLeft = target.left;
    }
  }

  private activeId(): string {
    const { selection, zone } = this.store.focus;
    const { active } = selection;
    return zone === 'cells'
      ? cellId(active)
      : zone === 'header'
        ? headId(active.column)
        : filterId(active.column);
  }

  private measure(): void {
    const { grid, sizer, layer, header, filters, rows } = this.elements;
    const { view, scroll, hasFilters } = this.store;
    filters.hidden = !hasFilters;
    const head = header.offsetHeight + filters.offsetHeight;
    const width = this.numberWidth + view.shownColumns.width;
    sizer.style.width = `${width}px`;
    layer.style.width = `max(100%, ${width}px)`;
    const height = Math.max(0, grid.clientHeight - head);
    scroll.resize(view.rows, height);
    rows.style.height = `${height}px`;
    sizer.style.height = `${head + Math.max(scroll.spacer, height)}px`;
    grid.style.setProperty('--number-width', `${this.numberWidth}px`);
    grid.style.setProperty('--row-height', `${scroll.rowHeight}px`);
  }

  private window(): Window {
    const { columns, numberWidth, store } = this;
    const { scroll, view } = store;
    const { grid } = this.elements;
    const right = grid.scrollLeft + grid.clientWidth - numberWidth;
    const firstColumn = Math.max(
      0,
      columns.findIndex(({ left, width }) => left + width > grid.scrollLeft),
    );
    const beyond = columns.findIndex(({ left }: ShownColumn) => left >= right);
    return {
      top: scroll.top,
      rowHeight: scroll.rowHeight,
      numberWidth,
      firstColumn,
      endColumn: beyond < 0 ? columns.length : beyond,
      slots: Math.ceil(scroll.viewport / scroll.rowHeight) + 2 * overscan + 1,
      first: Math.max(0, scroll.first - overscan),
      end: Math.min(view.rows, scroll.end + overscan),
    };
  }

  private onScroll(): void {
    const { grid } = this.elements;
    // Ignores positions that this class has set, and fractions of a pixel if a pixel represents many rows.
    if (Math.abs(grid.scrollTop - this.thumb) > (this.store.scroll.scaled ? 0.9 : 0)) {
      this.store.scroll.dragTo(grid.scrollTop);
      this.thumb = grid.scrollTop;
    }
    this.refresh();
  }

  private onWheel(event: WheelEvent): void {
    if (!this.store.scroll.scaled || event.ctrlKey || event.shiftKey || event.deltaY === 0) {
      return;
    }
    event.preventDefault();
    const unit =
      event.deltaMode === WheelEvent.DOM_DELTA_LINE
        ? this.store.scroll.rowHeight
        : event.deltaMode === WheelEvent.DOM_DELTA_PAGE
          ? this.store.scroll.viewport
          : 1;
    this.store.scroll.top += event.deltaY * unit;
    this.elements.grid.scrollLeft += event.deltaX * unit;
    this.refresh();
  }
}

/** Sets attributes only if they change: each write makes the browser update the accessibility tree. */
function setAttributes(target: Element, attributes: Readonly<Record<string, string>>): void {
  for (const [name, value] of Object.entries(attributes)) {
    if (target.getAttribute(name) !== value) {
      target.setAttribute(name, value);
    }
  }
}
