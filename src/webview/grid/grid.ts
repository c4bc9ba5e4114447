import { setAttribute } from '../dom';
import type { Texts } from '../texts';
import type { ShownColumn } from './columnModel';
import { HeadPainter, RowPainter, type Window } from './gridPainter';
import {
  cellId,
  cornerText,
  type CellPosition,
  clampSelection,
  extend,
  filterId,
  type GridActions,
  gridElements,
  type GridElements,
  type GridFocus,
  type GridSource,
  headId,
  select,
  type Zone,
} from './gridParts';

/** Rows painted above and below the visible ones. */
const overscan = 3;

/** The visible grid: the window over rows and columns, and the selection. */
export class Grid {
  readonly elements: GridElements;
  readonly scroll: VerticalScroll;
  private readonly rowPainter: RowPainter;
  private readonly headPainter: HeadPainter;
  private current: GridFocus = { selection: select({ row: 0, column: 0 }), zone: 'cells' };
  private shown: GridSource | undefined;
  private thumb = 0;
  private frame: number | undefined;
  private filterRow = true;
  private foundText = '';

  constructor(
    readonly texts: Texts,
    readonly actions: GridActions,
    rowHeight: number,
  ) {
    this.elements = gridElements(texts.get('table'));
    this.scroll = new VerticalScroll(rowHeight);
    this.rowPainter = new RowPainter(this.elements.rows, texts, actions);
    const { header, filters, grid } = this.elements;
    this.headPainter = new HeadPainter(header, filters, texts, actions, {
      leave: (zone) => {
        this.focus = { ...this.current, zone };
        this.domFocus();
      },
      entered: (column) => {
        this.enterFilter(column.id);
      },
    });
    grid.addEventListener('scroll', () => {
      this.onScroll();
    });
    grid.addEventListener(
      'wheel',
      (event) => {
        this.onWheel(event);
      },
      { passive: false },
    );
    new ResizeObserver(() => {
      this.refresh();
    }).observe(grid);
  }

  get source(): GridSource {
    return this.shown ?? noSource;
  }

  get focus(): GridFocus {
    return this.current;
  }

  set focus(focus: GridFocus) {
    const { rows, columns, queryable } = this.source;
    const selection = clampSelection(focus.selection, rows, columns.length);
    const zone = focus.zone === 'filter' && !(this.filterRow && queryable) ? 'header' : focus.zone;
    this.current = { selection, zone };
    this.refresh();
    this.actions.focusChanged(this.current);
  }

  /**
   * Sets the source, new or changed. The scroll position stays, and the selection stays in its columns even
   * if other columns are inserted before them.
   */
  show(source: GridSource): void {
    const before = this.source;
    this.shown = source;
    const { selection, zone } = this.current;
    const follow = ({ row, column }: CellPosition): CellPosition => {
      const id = before.columns[column]?.column.id;
      const isSame =
        before.queryable !== source.queryable || source.columns[column]?.column.id === id;
      const at = isSame ? column : source.columns.findIndex((shown) => shown.column.id === id);
      return { row, column: at < 0 ? column : at };
    };
    const followed = {
      ...selection,
      anchor: follow(selection.anchor),
      active: follow(selection.active),
    };
    this.current = {
      selection: clampSelection(followed, source.rows, source.columns.length),
      zone,
    };
    this.refresh();
  }

  /** The text that is marked in the cells; empty for none. */
  set found(text: string) {
    this.foundText = text;
    this.refresh();
  }

  showFilters(on: boolean): void {
    this.filterRow = on;
    this.refresh();
  }

  /** Gives the grid the keyboard focus. `focus` is the active cell. */
  domFocus(): void {
    this.elements.grid.focus({ preventScroll: true });
  }

  /** Selects the first cell, before other rows are shown. */
  selectFirst(): void {
    this.focus = { selection: select({ row: 0, column: 0 }), zone: 'cells' };
  }

  /** Moves the active cell, or extends the selection, and scrolls to it. */
  goTo(position: CellPosition, grow = false): void {
    const { selection } = this.current;
    const { rows, columns } = this.source;
    const active = {
      row: Math.max(0, Math.min(position.row, rows - 1)),
      column: Math.max(0, Math.min(position.column, columns.length - 1)),
    };
    // Rows may have been added since the last paint.
    this.measure();
    this.scroll.reveal(active.row);
    this.revealColumn(active.column);
    this.focus = { selection: grow ? extend(selection, active) : select(active), zone: 'cells' };
  }

  /** Centers a row unless it is visible, and activates a cell in it. */
  jumpTo(row: number, column = this.current.selection.active.column): void {
    this.measure();
    this.scroll.center(row);
    this.goTo({ row, column });
  }

  revealColumn(column: number): void {
    const shown = this.source.columns[column];
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

  editFilter(column: number, typed?: string, caret?: number): void {
    const shown = this.source.columns[column];
    if (shown && this.filterRow && this.source.queryable) {
      this.revealColumn(column);
      const { row } = this.current.selection.active;
      this.focus = { selection: select({ row, column }), zone: 'filter' };
      this.paint();
      this.headPainter.edit(shown.column, typed, caret);
    }
  }

  /** Called when a filter gets the focus. */
  private enterFilter(id: string): void {
    const column = this.source.columns.findIndex((shown) => shown.column.id === id);
    const { selection, zone } = this.current;
    if (column >= 0 && (zone !== 'filter' || column !== selection.active.column)) {
      this.focus = { selection: select({ row: selection.active.row, column }), zone: 'filter' };
    }
  }

  /** The element of a heading or filter, or the whole header if that is not painted. */
  headAnchor(column: number, zone: 'header' | 'filter'): Element {
    const shown = this.source.columns[column];
    return (shown && this.headPainter.anchor(shown.column, zone)) ?? this.elements.header;
  }

  /** The element of the active cell, or the grid if that is not painted. */
  get activeElement(): Element {
    return document.getElementById(this.activeId()) ?? this.elements.grid;
  }

  /** Pixels scrolled to the right. */
  get left(): number {
    return this.elements.grid.scrollLeft;
  }

  scrollTo(top: number, left: number): void {
    this.measure();
    this.scroll.top = top;
    this.elements.grid.scrollLeft = left;
    this.refresh();
  }

  /** The width of the column of row numbers in pixels. */
  get numberWidth(): number {
    const digits = String(Math.max(99, this.source.lastNumber)).length;
    const ofNumbers = Math.ceil(digits * 8.2 + Math.floor((digits - 1) / 3) * 4) + 22;
    // Its heading is longer in some languages, and where it says "Group".
    return Math.max(ofNumbers, this.texts.get(cornerText(this.source)).length * 8 + 18);
  }

  /** The nearest row and column to the pointer, and the zone. */
  positionAt(
    x: number,
    y: number,
  ): CellPosition & { readonly zone: Zone; readonly inNumbers: boolean } {
    const { grid, rows, header, filters } = this.elements;
    const box = grid.getBoundingClientRect();
    const fromLeft = x - box.left - grid.clientLeft;
    const { columns } = this.source;
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
      row: Math.floor((down + this.scroll.top) / this.scroll.rowHeight),
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
    this.measure();
    const window = this.window();
    const { grid, filters } = this.elements;
    const source = this.source;
    source.load(window.first, window.end, window.firstColumn, window.endColumn);
    this.headPainter.paint(source, this.current, window);
    this.rowPainter.paint(source, this.current, window);
    this.rowPainter.mark(source, window, this.foundText);
    filters.hidden = !this.filterRow || !source.queryable;
    setAttribute(grid, 'aria-rowcount', source.rows);
    setAttribute(grid, 'aria-colcount', source.columns.length + 1);
    const id = this.activeId();
    setAttribute(grid, 'aria-activedescendant', document.getElementById(id) ? id : undefined);
    const { thumb } = this.scroll;
    if (Math.abs(grid.scrollTop - thumb) >= 1) {
      grid.scrollTop = thumb;
      this.thumb = grid.scrollTop;
    }
    this.actions.scrolled();
  }

  private activeId(): string {
    const { selection, zone } = this.current;
    const { active } = selection;
    return zone === 'cells'
      ? cellId(active)
      : zone === 'header'
        ? headId(active.column)
        : filterId(active.column);
  }

  private measure(): void {
    const { grid, sizer, layer, header, filters, rows } = this.elements;
    const source = this.source;
    filters.hidden = !this.filterRow || !source.queryable;
    const head = header.offsetHeight + filters.offsetHeight;
    const width = Math.max(this.numberWidth + source.width, 0);
    sizer.style.width = `${width}px`;
    layer.style.width = `max(100%, ${width}px)`;
    const height = Math.max(0, grid.clientHeight - head);
    this.scroll.resize(source.rows, height);
    rows.style.height = `${height}px`;
    sizer.style.height = `${head + Math.max(this.scroll.spacer, height)}px`;
    grid.style.setProperty('--number-width', `${this.numberWidth}px`);
    grid.style.setProperty('--row-height', `${this.scroll.rowHeight}px`);
  }

  private window(): Window {
    const { scroll, source, numberWidth } = this;
    const { grid } = this.elements;
    const { columns } = source;
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
      first: Math.max(0, scroll.first - overscan),
      end: Math.min(source.rows, scroll.end + overscan),
    };
  }

  private onScroll(): void {
    const { grid } = this.elements;
    // Ignores positions that this class has set, and fractions of a pixel if a pixel represents many rows.
    if (Math.abs(grid.scrollTop - this.thumb) > (this.scroll.scaled ? 0.9 : 0)) {
      this.scroll.dragTo(grid.scrollTop);
      this.thumb = grid.scrollTop;
    }
    this.refresh();
  }

  private onWheel(event: WheelEvent): void {
    if (!this.scroll.scaled || event.ctrlKey || event.shiftKey || event.deltaY === 0) {
      return;
    }
    event.preventDefault();
    const unit =
      event.deltaMode === WheelEvent.DOM_DELTA_LINE
        ? this.scroll.rowHeight
        : event.deltaMode === WheelEvent.DOM_DELTA_PAGE
          ? this.scroll.viewport
          : 1;
    this.scroll.top += event.deltaY * unit;
    this.elements.grid.scrollLeft += event.deltaX * unit;
    this.refresh();
  }
}

const noSource: GridSource = {
  rows: 0,
  lastNumber: 0,
  columns: [],
  width: 0,
  sort: [],
  queryable: false,
  row: () => undefined,
  cell: () => undefined,
  load: () => undefined,
  filterOf: () => ({ text: '' }),
};

/**
 * The maximum height of the scrolled element in pixels. Browsers cap heights at 16.7 to 33.5
 * million pixels, and are exact only well below that.
 */
export const maxSpacer = 8_000_000;

/**
 * The scroll position in many rows of equal height, in unscaled pixels. Only the thumb of the scrollbar is
 * scaled, if all rows together are higher than an element can be. The header is not included.
 */
export class VerticalScroll {
  private rowCount = 0;
  private height = 0;
  private offset = 0;

  constructor(readonly rowHeight: number) {}

  /** Pixels that are scrolled away, 0 to {@link maxTop}. */
  get top(): number {
    return this.offset;
  }

  set top(value: number) {
    this.offset = Math.min(Math.max(0, value), this.maxTop);
  }

  /** The total height of all rows in pixels. */
  get total(): number {
    return this.rowCount * this.rowHeight;
  }

  get maxTop(): number {
    return Math.max(0, this.total - this.height);
  }

  /** The height in pixels of the element that represents all rows. */
  get spacer(): number {
    return Math.min(this.total, Math.max(maxSpacer, this.height));
  }

  /** Whether the thumb is scaled, so that the wheel is handled here. */
  get scaled(): boolean {
    return this.spacer < this.total;
  }

  /** The height in pixels of the area that shows rows. */
  get viewport(): number {
    return this.height;
  }

  /** Sets new sizes; the position stays as far as possible. */
  resize(rows: number, height: number): void {
    this.rowCount = rows;
    this.height = Math.max(0, height);
    this.top = this.offset;
  }

  /** The scroll position of the element that puts the thumb in the right place. */
  get thumb(): number {
    return this.scaled ? (this.offset / this.maxTop) * (this.spacer - this.height) : this.offset;
  }

  /** Scrolls to where the thumb was dragged. Its ends are the exact ends of the rows. */
  dragTo(thumb: number): void {
    const range = this.spacer - this.height;
    if (!this.scaled) {
      this.top = thumb;
    } else if (thumb >= range - 1) {
      this.top = this.maxTop;
    } else {
      this.top = (thumb / range) * this.maxTop;
    }
  }

  /** The first visible row, even if only a part of it is visible. */
  get first(): number {
    return Math.floor(this.offset / this.rowHeight);
  }

  /** The row after the last visible one. */
  get end(): number {
    return Math.min(this.rowCount, Math.ceil((this.offset + this.height) / this.rowHeight));
  }

  /** The number of rows that fit completely; at least one, so that Page Down always moves. */
  get page(): number {
    return Math.max(1, Math.floor(this.height / this.rowHeight));
  }

  /** Scrolls a row into view. */
  reveal(row: number): void {
    const top = row * this.rowHeight;
    if (top < this.offset) {
      this.top = top;
    } else if (top + this.rowHeight > this.offset + this.height) {
      this.top = top + this.rowHeight - this.height;
    }
  }

  /** Centers a row, unless it is visible. */
  center(row: number): void {
    const top = row * this.rowHeight;
    if (top < this.offset || top + this.rowHeight > this.offset + this.height) {
      this.top = top - (this.height - this.rowHeight) / 2;
    }
  }
}
