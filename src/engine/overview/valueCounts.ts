import { compareValues } from '../columns/columnData';
import { threadKernel } from '../threads/kernel';
import { TextSet } from '../values/texts';
import type { RecordReader } from '../read/records/recordReader';

export type ValuesPart = ReturnType<ValueCounts['part']>;

/** Counts the distinct values of a column, as long as there are few enough, in the memory of the kernel. */
export class ValueCounts {
  private readonly kernel = threadKernel();
  /** The address in the kernel; 0 when the memory is freed. */
  private address = this.kernel.exports.newCounts();
  private readonly texts = new TextSet(this.state(0));

  /**
   * @param most the most distinct values, and `maxTextBytes` the most bytes of them; a column with
   *   more is not counted.
   */
  constructor(
    private readonly most: number,
    private readonly maxTextBytes: number,
  ) {}

  /** Its address in the kernel, which has the codes of the last records that were added. */
  get inKernel(): number {
    return this.address;
  }

  /** The number of distinct values. Their own numbers are below it. */
  get distinct(): number {
    return this.texts.count;
  }

  get nulls(): number {
    return this.state(3);
  }

  /** Rows with a value. */
  get present(): number {
    return this.state(4);
  }

  /**
   * The counts since the last part, by the numbers that its values have here. Only values that are in no part yet
   * are copied.
   */
  part() {
    const { kernel, distinct, nulls, present } = this;
    const part = {
      texts: this.texts.part(),
      counts: kernel.copyWords(this.state(1), distinct),
      firsts: kernel.copyWords(this.state(2), distinct),
      nulls,
      present,
    };
    kernel.exports.clearCounts(this.address);
    return part;
  }

  /**
   * Adds the counts of later rows.
   * @returns the numbers that the values of the part have here; `undefined` if there are too many
   *   values.
   */
  merge({ texts, counts, firsts, nulls, present }: ValuesPart): Uint32Array | undefined {
    const { kernel } = this;
    const numbers = this.texts.merge(texts);
    if (!this.isWithinLimits()) {
      this.release();
      return undefined;
    }
    kernel.withCopies([numbers, counts, firsts], (...arrays) => {
      const [numbersAt = 0, countsAt = 0, firstsAt = 0] = arrays;
      const { address } = this;
      const count = counts.length;
      kernel.exports.mergeCounts(address, numbersAt, countsAt, firstsAt, count, nulls, present);
    });
    return numbers;
  }

  /**
   * Adds the values of some records.
   * @returns whether counting can continue. If not, all counts are gone.
   */
  add(records: RecordReader, slot: number, row: number): boolean {
    const { address, most, maxTextBytes } = this;
    const { inKernel, count } = records;
    this.kernel.exports.countValues(address, inKernel, count, slot, row, most, maxTextBytes);
    if (!this.isWithinLimits()) {
      this.release();
      return false;
    }
    return true;
  }

  /** The codes of the records that were last added, see `RecordReader.codes`. */
  lastCodes(count: number): Int32Array {
    const at = this.state(5) >>> 2;
    return this.kernel.words.subarray(at, at + count);
  }

  private isWithinLimits(): boolean {
    return this.distinct <= this.most && this.texts.textBytes <= this.maxTextBytes;
  }

  private state(at: number): number {
    this.kernel.exports.readCounts(this.address);
    return this.kernel.result(at);
  }

  release(): void {
    if (this.address !== 0) {
      this.kernel.exports.freeCounts(this.address);
      this.address = 0;
    }
  }
  count(number: number): number {
    return this.kernel.words[(this.state(1) >>> 2) + number]!;
  }

  /** The first row with a value. */
  first(number: number): number {
    return this.kernel.words[(this.state(2) >>> 2) + number]!;
  }

  kind(number: number): number {
    return this.texts.kind(number);
  }

  text(number: number): string {
    return this.texts.text(number);
  }

  /**
   * The numbers of the values with the most rows, at most `most`. Equally frequent values are in
   * sort order.
   */
  mostFrequent(most: number): number[] {
    // Nothing below allocates, so the array stays where it is; asking for each count takes longer.
    const first = this.state(1) >>> 2;
    const counts = this.kernel.words.subarray(first, first + this.distinct);
    if (most >= this.distinct) {
      return Array.from({ length: this.distinct }, (_, number) => number).sort((one, other) =>
        this.compare(counts, one, other),
      );
    }
    const found: number[] = [];
    for (let number = 0; number < this.distinct; number += 1) {
      if (found.length < most || this.compare(counts, number, found[found.length - 1]!) < 0) {
        let at = found.length;
        while (at > 0 && this.compare(counts, number, found[at - 1]!) < 0) {
          at -= 1;
        }
        found.splice(at, 0, number);
        if (found.length > most) {
          found.pop();
        }
      }
    }
    return found;
  }

  private compare(counts: Int32Array, one: number, other: number): number {
    const { texts } = this;
    return (
      counts[other]! - counts[one]! ||
      texts.kind(one) - texts.kind(other) ||
      compareValues(
        texts.kind(one),
        texts.bytes,
        texts.from(one),
        texts.to(one),
        texts.bytes,
        texts.from(other),
        texts.to(other),
      )
    );
  }
}
