import { recordsIn } from '../read/recordReader';
import { Shape } from '../read/shape';
import type { TableFile } from '../read/tableFile';
import type { FileOddity } from '../sqlTypes';

/** Looks for what engines may read otherwise, in all bytes of a file. */
export interface FormReader {
  /** The longest record that engines read. */
  readonly maxBytes: number;
  /**
   * @param head the bytes before the records.
   * @param from the position after a byte order mark.
   * @returns the position where the first record should start
   */
  readHead(head: Buffer, from: number): number;
  /** @param next the position after its line end or comma. */
  readRecord(bytes: Buffer, start: number, end: number, next: number): void;
  /** Reads what is between two records, in addition to a line end or comma. */
  readBetween(bytes: Buffer): void;
  /** @param before the byte before the tail. */
  readTail(tail: Buffer, before: number | undefined): void;
}

export function newFormReader(file: TableFile, oddities: Set<FileOddity>): FormReader {
  return file.detected.format.kind === 'csv'
    ? new CsvForm(file, oddities)
    : new JsonForm(file, oddities);
}

const quote = 0x22;
const comma = 0x2c;
const lineFeed = 0x0a;
const carriageReturn = 0x0d;

class CsvForm implements FormReader {
  /** DuckDB reads no longer lines, unless it is told their length. */
  readonly maxBytes = 2_000_000;
  private readonly delimiter: string;
  private readonly lineEnds = new Set<string>();

  constructor(
    private readonly file: TableFile,
    private readonly oddities: Set<FileOddity>,
  ) {
    this.delimiter = file.detected.format.delimiter ?? ',';
  }

  readHead(head: Buffer, from: number): number {
    const { start, form, headings } = this.file.detected;
    if (!headings) {
      return from;
    }
    const [heading] = recordsIn(head, form, { from });
    if (heading?.start === from && heading.next === start) {
      this.readRecord(head, from, heading.end, start);
    } else {
      this.oddities.add('linesBefore');
    }
    return start;
  }

  readRecord(bytes: Buffer, start: number, end: number, next: number): void {
    const text = bytes.subarray(start, end);
    const hasReturns = text.includes(carriageReturn);
    const hasBreaks = hasReturns || text.includes(lineFeed);
    if (hasReturns) {
      this.oddities.add('returnsInFields');
    }
    if (hasBreaks) {
      this.readLineEnds(text.toString('latin1'));
    }
    if (next === end + 1) {
      this.addLineEnd(bytes[end] === lineFeed ? '\n' : '\r');
    } else if (next > end) {
      this.readLineEnds(bytes.toString('latin1', end, next));
    }
    if (hasLooseMarks(text, this.delimiter.charCodeAt(0), hasBreaks)) {
      this.oddities.add('looseFields');
    }
  }

  readBetween(bytes: Buffer): void {
    const { oddities, delimiter } = this;
    const between = bytes.toString('latin1');
    this.readLineEnds(between);
    const text = between.replace(/[\r\n]/g, '');
    if (text.replaceAll(delimiter, '').trim() !== '') {
      oddities.add('linesBefore');
    } else if (text !== '' || this.isSingleColumn) {
      oddities.add('blankRows');
    }
  }

  readTail(tail: Buffer): void {
    if (tail.length > 0) {
      this.readBetween(tail);
    }
  }

  private readLineEnds(text: string): void {
    for (const [lineEnd] of text.matchAll(/\r\n|[\r\n]/g)) {
      this.addLineEnd(lineEnd);
    }
  }

  /** Adds a line end, also those in quotes: engines go by the first one. */
  private addLineEnd(lineEnd: string): void {
    const { lineEnds, oddities } = this;
    if (!lineEnds.has(lineEnd)) {
      lineEnds.add(lineEnd);
      if (lineEnds.size > 1) {
        oddities.add(lineEnds.has('\r') || this.isSingleColumn ? 'oddLineEnds' : 'twoLineEnds');
      }
    }
  }

  private get isSingleColumn(): boolean {
    return this.file.shape.top.members.length === 1;
  }
}

/** Whether there are quotes or line breaks in a field that is not quoted. */
function hasLooseMarks(text: Buffer, delimiter: number, hasBreaks: boolean): boolean {
  for (let at = 0; ;) {
    const open = text.indexOf(quote, at);
    const plain = text.subarray(at, open < 0 ? text.length : open);
    if (hasBreaks && (plain.includes(lineFeed) || plain.includes(carriageReturn))) {
      return true;
    }
    if (open < 0) {
      return false;
    }
    if (open > 0 && text[open - 1] !== delimiter) {
      return true;
    }
    let close = text.indexOf(quote, open + 1);
    while (close >= 0 && text[close + 1] === quote) {
      close = text.indexOf(quote, close + 2);
    }
    if (close < 0) {
      return false;
    }
    at = close + 1;
  }
}

/** Half a character without its other half. An escaped backslash before it is not worth a parser. */
const surrogate =
  /\\u[dD][89abAB][\da-fA-F]{2}(?!\\u[dD][c-fC-F])|(?<!\\u[dD][89abAB][\da-fA-F]{2})\\u[dD][c-fC-F]/;

class JsonForm implements FormReader {
  readonly maxBytes: number;

  constructor(
    private readonly file: TableFile,
    private readonly oddities: Set<FileOddity>,
  ) {
    const { kind } = file.detected.form;
    const isOneText = kind === 'array' || kind === 'whole';
    // DuckDB reads no longer texts, unless it is told their length, in 32 bits.
    this.maxBytes = isOneText ? 2 ** 32 - 1 : 16 * 1024 ** 2;
    if (isOneText && file.source.available > this.maxBytes) {
      oddities.add('longRecords');
    }
    if (file.shape.hasDuplicates) {
      oddities.add('duplicates');
    }
  }

  readHead(head: Buffer, from: number): number {
    const { format, start, outerObjects } = this.file.detected;
    if (outerObjects !== undefined) {
      if (format.member?.split('.').length !== outerObjects) {
        this.oddities.add('dottedMember');
      }
      const end = Buffer.from(`]${'}'.repeat(outerObjects)}`);
      if (this.readOuter(Buffer.concat([head.subarray(from), end])).hasDuplicates) {
        this.oddities.add('duplicates');
      }
    }
    return start;
  }

  readRecord(bytes: Buffer, start: number, end: number): void {
    this.readEscapes(bytes.subarray(start, end));
    const isObjectOrArray = bytes[start] === 0x7b || bytes[start] === 0x5b;
    if (this.file.detected.form.kind === 'texts' && !isObjectOrArray) {
      this.oddities.add('otherValues');
    }
  }

  readBetween(bytes: Buffer): void {
    if (bytes.toString('latin1').trim() !== '') {
      this.oddities.add('otherValues');
    } else if (this.file.detected.form.kind === 'lines') {
      this.oddities.add('blankLines');
    }
  }

  readTail(tail: Buffer, before: number | undefined): void {
    const { form, outerObjects } = this.file.detected;
    if (outerObjects !== undefined) {
      this.readOuter(Buffer.concat([Buffer.from(`${'{"":'.repeat(outerObjects)}[`), tail]));
    } else if (form.kind === 'topArray') {
      // DuckDB allows no comma before the bracket.
      if (before === comma || tail.toString('latin1').trim() !== ']') {
        this.oddities.add('otherValues');
      }
    } else if (tail.length > 0) {
      this.readBetween(tail);
    }
  }

  /** Reads the objects around a list, without the list. */
  private readOuter(bytes: Buffer): Shape {
    const shape = new Shape();
    const [value] = recordsIn(bytes, { kind: 'whole' }, { from: 0, shape });
    if (value?.isValid !== true) {
      this.oddities.add('otherValues');
    }
    this.readEscapes(bytes);
    return shape;
  }

  private readEscapes(bytes: Buffer): void {
    if (bytes.includes('\\u') && surrogate.test(bytes.toString('latin1'))) {
      this.oddities.add('surrogates');
    }
  }
}
