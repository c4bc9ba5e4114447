import { threadKernel } from '../threads/kernel';
import { kindNull } from '../values/kinds';
import { newValue, type RecordReader } from './records/recordReader';
import type { ShapeNode } from './records/shape';
import type { TableFile } from './tableFile';
import { hasValues, type Visitor } from './records/visitor';

/** The most bytes that the kernel searches. */
const maxBytes = 64;

/**
 * Finds the records with a text in any cell, in any case. The kernel finds records that may have it,
 * by their bytes, and reads only the values of those.
 */
export class TextFinder implements Visitor {
  readonly nodes: readonly ShapeNode[] = [];
  readonly findsOnly = true;
  private readonly kernel = threadKernel();
  /** The search in the kernel for a part of the text; 0 if any record may have it. */
  private readonly search: number;
  /** Whether what the kernel finds is the whole text. */
  private readonly isWhole: boolean;
  private readonly marks: number;
  private readonly reader: RecordReader;
  private readonly value = newValue();

  /**
   * @param cells the columns that are searched, when all are known. @param folded the text in lower case.
   * @param contains whether a text in any case has it.
   */
  constructor(
    file: TableFile,
    private readonly cells: readonly ShapeNode[],
    folded: string,
    private readonly contains: (text: string) => boolean,
    private readonly found: (row: number) => void,
  ) {
    const { kernel } = this;
    const { exports } = kernel;
    const part = asciiPart(folded);
    this.isWhole = part === folded;
    this.search =
      part === ''
        ? 0
        : exports.newSearch(kernel.place(Buffer.from(part), 0, part.length), part.length);
    this.marks = exports.allocate(8192);
    this.reader = file.index.newReader(file.shape);
    this.reader.select({ nodes: cells });
  }

  visit(records: RecordReader, row: number): void {
    const marks = this.candidates(records);
    for (let from = marks.indexOf(1); from >= 0;) {
      const end = marks.indexOf(0, from);
      const to = end < 0 ? records.count : end;
      this.reader.seek(records.position(from));
      for (let record = from; record < to; record += this.reader.count) {
        if (this.reader.take(to - record) === 0) {
          return;
        }
        this.test(row + record);
      }
      from = marks.indexOf(1, to);
    }
  }

  dispose(): void {
    const { exports } = this.kernel;
    if (this.search !== 0) {
      exports.freeSearch(this.search);
    }
    exports.release(this.marks);
    this.reader.dispose();
  }

  /** By record: whether it may have the text. */
  private candidates(records: RecordReader): Buffer {
    const { kernel, search, marks } = this;
    const { count, inKernel, tooLong } = records;
    if (search === 0 || tooLong) {
      return Buffer.alloc(count, 1);
    }
    kernel.exports.findCandidates(inKernel, count, search, marks);
    return Buffer.from(kernel.bytes.subarray(marks, marks + count));
  }

  /** Looks for the text in the values of records. */
  private test(row: number): void {
    const { reader, search } = this;
    const isFoundThere = search !== 0 && this.isWhole && !reader.tooLong;
    if (isFoundThere) {
      this.kernel.exports.findMatches(reader.inKernel, reader.count, search, this.marks);
    }
    const marks = Buffer.from(this.kernel.bytes.subarray(this.marks, this.marks + reader.count));
    for (let record = 0; record < reader.count; record += 1) {
      const mark = isFoundThere ? marks[record] : 2;
      if (mark === 1 || (mark === 2 && this.isIn(record))) {
        this.found(row + record);
      }
    }
  }

  private isIn(record: number): boolean {
    const { reader, value, contains, cells } = this;
    if (!hasValues(reader.invalid(record))) {
      return contains(reader.bytes.toString('utf8', reader.start(record), reader.end(record)));
    }
    return cells.some((_, slot) => {
      reader.read(record, slot, value);
      const { kind, bytes, from, to } = value;
      return kind < kindNull && contains(bytes.toString('utf8', from, to));
    });
  }
}

/** A part of a text in ASCII: one with digits, or the longest, as fewer records have it. Empty if there is none. */
function asciiPart(text: string): string {
  const hasDigits = (part: string) => Number(/\d/.test(part));
  const [best = ''] = (text.match(/\p{ASCII}+/gu) ?? [])
    .map((part) => part.slice(0, maxBytes))
    .sort((one, other) => hasDigits(other) - hasDigits(one) || other.length - one.length);
  return best;
}
