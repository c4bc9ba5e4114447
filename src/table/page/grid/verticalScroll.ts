/**
 * The most pixels the scrolled element may be high. Browsers cap heights at 16.7 to 33.5 million
 * pixels, and are exact well below that only.
 */
export const maxSpacer = 8_000_000;

/**
 * Where a list of many rows of one height is scrolled to. The position is kept in true pixels of the
 * rows; only the scrollbar's thumb is scaled down where all rows together are higher than an
 * element can be. The header stands above the rows and is no part of this.
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

  get rows(): number {
    return this.rowCount;
  }

  /** Pixels of all rows together. */
  get total(): number {
    return this.rowCount * this.rowHeight;
  }

  get maxTop(): number {
    return Math.max(0, this.total - this.height);
  }

  /** Pixels that the element in place of all rows is high. */
  get spacer(): number {
    return Math.min(this.total, Math.max(maxSpacer, this.height));
  }

  /** Whether the thumb moves less than the rows, so that the wheel has to be taken over. */
  get scaled(): boolean {
    return this.spacer < this.total;
  }

  /** Pixels of rows that are seen at a time. */
  get viewport(): number {
    return this.height;
  }

  /** Takes new measures; what is seen stays where it is as far as possible. */
  resize(rows: number, height: number): void {
    this.rowCount = rows;
    this.height = Math.max(0, height);
    this.top = this.offset;
  }

  /** Where the element's own scroll position has to be for the thumb to tell the truth. */
  get thumb(): number {
    return this.scaled ? (this.offset / this.maxTop) * (this.spacer - this.height) : this.offset;
  }

  /** Takes over where the thumb was dragged to. Its two ends are the exact ends of the rows. */
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

  /** First row seen, also if only in part. */
  get first(): number {
    return Math.floor(this.offset / this.rowHeight);
  }

  /** The row behind the last one seen. */
  get end(): number {
    return Math.min(this.rowCount, Math.ceil((this.offset + this.height) / this.rowHeight));
  }

  /** Rows that fit in full; at least one, so that Page Down always moves. */
  get page(): number {
    return Math.max(1, Math.floor(this.height / this.rowHeight));
  }

  /** Scrolls as little as is needed for a row to be seen in full. */
  reveal(row: number): void {
    const top = row * this.rowHeight;
    if (top < this.offset) {
      this.top = top;
    } else if (top + this.rowHeight > this.offset + this.height) {
      this.top = top + this.rowHeight - this.height;
    }
  }

  /** Scrolls a row to the middle, unless it is seen already. */
  center(row: number): void {
    const top = row * this.rowHeight;
    if (top < this.offset || top + this.rowHeight > this.offset + this.height) {
      this.top = top - (this.height - this.rowHeight) / 2;
    }
  }
}
