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
  /** The height in pixels of the area that shows rows. */
  viewport = 0;
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
    return Math.max(0, this.total - this.viewport);
  }

  /** The height in pixels of the element that represents all rows. */
  get spacer(): number {
    return Math.min(this.total, Math.max(maxSpacer, this.viewport));
  }

  /** Whether the thumb is scaled, so that the wheel is handled here. */
  get scaled(): boolean {
    return this.spacer < this.total;
  }

  /** Sets new sizes; the position stays as far as possible. */
  resize(rows: number, height: number): void {
    this.rowCount = rows;
    this.viewport = Math.max(0, height);
    this.top = this.offset;
  }

  /** The scroll position of the element that puts the thumb in the right place. */
  get thumb(): number {
    return this.scaled ? (this.offset / this.maxTop) * (this.spacer - this.viewport) : this.offset;
  }

  /** Scrolls to where the thumb was dragged. Its ends are the exact ends of the rows. */
  dragTo(thumb: number): void {
    const range = this.spacer - this.viewport;
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

  get end(): number {
    return Math.min(this.rowCount, Math.ceil((this.offset + this.viewport) / this.rowHeight));
  }

  /** The number of rows that fit completely; at least one, so that Page Down always moves. */
  get page(): number {
    return Math.max(1, Math.floor(this.viewport / this.rowHeight));
  }

  /** Scrolls a row into view. */
  reveal(row: number): void {
    const top = row * this.rowHeight;
    if (top < this.offset) {
      this.top = top;
    } else if (top + this.rowHeight > this.offset + this.viewport) {
      this.top = top + this.rowHeight - this.viewport;
    }
  }

  /** Centers a row, unless it is visible. */
  center(row: number): void {
    const top = row * this.rowHeight;
    if (top < this.offset || top + this.rowHeight > this.offset + this.viewport) {
      this.top = top - (this.viewport - this.rowHeight) / 2;
    }
  }
}
