import { kindDate, kindEmptyText, kindJson, kindNumber, kindText } from '../values/kinds';
import type { YieldBudget } from '../values/yieldBudget';
import { JsonWalker } from '../read/jsonWalker';
import type { RecordCursor } from '../read/recordIndex';
import { newSplitter, record } from '../read/recordSplitter';
import { Shape, type ShapeNode } from '../read/shape';
import type { TableFile } from '../read/tableFile';
import { readSlot } from '../read/walkableFile';
import { newValue, type Walker } from '../read/walker';
import type { InvalidReason } from '../types';
import type { FileOddity, SqlFacts, ValueOddity } from '../sqlTypes';
import {
  datePattern,
  hasOtherCase,
  isExactDouble,
  keepsInnerValues,
  keepsJsonText,
  keepsNumberText,
  keepsValue,
  mayBeRead,
  otherCase,
} from './sqlValues';

/** @param columns those that a query names. */
export async function readSqlFacts(
  file: TableFile,
  columns: readonly ShapeNode[],
  budget: YieldBudget,
): Promise<SqlFacts> {
  const reader = new FactReader(file, columns);
  reader.readHead();
  await file.scan(budget, reader);
  reader.readTail();
  return reader.facts();
}

/** DuckDB does not read longer records, unless it is told how long they are. */
const maxCsvBytes = 2_000_000;
const maxJsonBytes = 16 * 1024 ** 2;
/** The most bytes before or after the records that are read. */
const maxOuterBytes = 64 * 1024 ** 2;

const byteOrderMark = Buffer.from('\ufeff');
/** Half a character without its other half. An escaped backslash before it is not worth a parser. */
const surrogate =
  /\\u[dD][89abAB][\da-fA-F]{2}(?!\\u[dD][c-fC-F])|(?<!\\u[dD][89abAB][\da-fA-F]{2})\\u[dD][c-fC-F]/;

class FactReader {
  readonly walker: Walker;
  private readonly oddities = new Set<FileOddity>();
  private readonly columns: { kinds: number; readonly oddities: Set<ValueOddity> }[];
  private readonly value = newValue();
  private readonly isCsv: boolean;
  private readonly date: RegExp;
  private readonly quotedField: RegExp;
  /** The position after the record that was read last. */
  private position: number;
  /** How lines of CSV end. */
  private readonly lineEnds = new Set<string>();

  constructor(
    private readonly file: TableFile,
    private readonly nodes: readonly ShapeNode[],
  ) {
    const { format, start } = file.detected;
    this.walker = file.walker(nodes);
    this.columns = nodes.map(() => ({ kinds: 0, oddities: new Set() }));
    this.isCsv = format.kind === 'csv';
    this.date = new RegExp(datePattern(this.isCsv));
    this.quotedField = quotedField(format.delimiter ?? ',');
    this.position = start;
  }

  facts(): SqlFacts {
    const { file, nodes, oddities, columns } = this;
    return {
      splitter: file.detected.splitter.kind,
      bytes: file.source.available,
      oddities,
      columns: new Map(nodes.map(({ id }, at) => [id, columns[at]!])),
    };
  }

  /** Reads what is before the records. */
  readHead(): void {
    const { file, oddities } = this;
    const { format, start, splitter, headings, outerObjects } = file.detected;
    const head = this.bytes(0, start);
    const hasMark = head.subarray(0, byteOrderMark.length).equals(byteOrderMark);
    const first = hasMark ? byteOrderMark.length : 0;
    if (hasMark) {
      oddities.add('byteOrderMark');
      if (this.bytes(first, first + 1).includes('"')) {
        oddities.add('quoteAfterMark');
      }
    }
    if (file.shape.hasDuplicates) {
      oddities.add('duplicates');
    }
    if (headings) {
      const heading = newSplitter(splitter);
      const split = heading.find(head, first, head.length, true);
      if (split === record && heading.start === first && heading.next === start) {
        this.readFields(head.subarray(heading.start, heading.end));
        this.readLineEnds(head, heading.start, heading.end, start);
      } else {
        oddities.add('linesBefore');
      }
    } else if (this.isCsv) {
      this.position = first;
    }
    if (outerObjects !== undefined) {
      if (format.member?.split('.').length !== outerObjects) {
        oddities.add('dottedMember');
      }
      const end = Buffer.from(`]${'}'.repeat(outerObjects)}`);
      if (this.readJson(Buffer.concat([head.subarray(first), end])).hasDuplicates) {
        oddities.add('duplicates');
      }
    }
  }

  visit(_row: number, invalid: InvalidReason | undefined, cursor: RecordCursor): void {
    const { bytes, start, end, position } = cursor;
    const text = bytes.subarray(start, end);
    if (position > this.position) {
      const from = start - (position - this.position);
      this.readBetween(
        from < 0 ? this.bytes(this.position, position) : bytes.subarray(from, start),
      );
    }
    this.position = cursor.nextPosition;
    if (this.isCsv) {
      this.readLineEnds(bytes, start, end, start + this.position - position);
    }
    if (cursor.tooLong || text.length > (this.isCsv ? maxCsvBytes : maxJsonBytes)) {
      this.oddities.add('longRecords');
    } else if (invalid !== undefined) {
      if (mayBeRead(text.toString())) {
        this.oddities.add('doubtfulLines');
      }
    } else {
      this.readRecord(text);
      const mayHaveOtherCase = otherCase.some((letter) => text.includes(letter));
      for (let slot = 0; slot < this.columns.length; slot += 1) {
        readSlot(this.walker, slot, invalid, cursor, this.value);
        // A value with escapes has bytes of its own.
        this.readValue(slot, mayHaveOtherCase || this.value.bytes !== bytes);
      }
    }
  }

  /** Reads what is after the records. */
  readTail(): void {
    const { splitter, outerObjects } = this.file.detected;
    const { available } = this.file.source;
    const tail = this.bytes(this.position, available);
    if (outerObjects !== undefined) {
      this.readJson(Buffer.concat([Buffer.from(`${'{"":'.repeat(outerObjects)}[`), tail]));
    } else if (splitter.kind === 'topArray') {
      // The byte before is a comma if no value follows it.
      if (!/^[^,]\s*\]\s*$/.test(this.bytes(this.position - 1, available).toString('latin1'))) {
        this.oddities.add('otherValues');
      }
    } else if (tail.length > 0) {
      this.readBetween(tail);
    }
  }

  /** Bytes beside the records, of which there are usually few. */
  private bytes(from: number, to: number): Buffer {
    const bytes = Buffer.alloc(Math.min(to - from, maxOuterBytes));
    if (bytes.length < to - from) {
      this.oddities.add('longRecords');
    }
    return bytes.subarray(0, this.file.source.read(bytes, 0, bytes.length, from));
  }

  /** Reads what is between two records, beside one line end or comma. */
  private readBetween(bytes: Buffer): void {
    const { oddities, isCsv } = this;
    const { format, splitter } = this.file.detected;
    const between = bytes.toString('latin1');
    const text = between.replace(/[\r\n]/g, '');
    if (isCsv) {
      this.addLineEnds(between);
      if (text.replaceAll(format.delimiter ?? ',', '').trim() !== '') {
        oddities.add('linesBefore');
      } else if (text !== '' || this.isSingleColumn) {
        oddities.add('blankRows');
      }
    } else if (text.trim() !== '') {
      oddities.add('otherValues');
    } else if (splitter.kind === 'lines') {
      oddities.add('blankLines');
    }
  }

  /** Reads the line ends of a record, also those in quotes: engines go by the first one. */
  private readLineEnds(bytes: Buffer, from: number, end: number, to: number): void {
    const text = bytes.subarray(from, end);
    const hasReturns = text.includes('\r');
    if (hasReturns) {
      this.oddities.add('returnsInFields');
    }
    this.addLineEnds(bytes.toString('latin1', hasReturns || text.includes('\n') ? from : end, to));
  }

  private addLineEnds(text: string): void {
    const { lineEnds, oddities } = this;
    for (const [lineEnd] of text.matchAll(/\r\n|[\r\n]/g)) {
      lineEnds.add(lineEnd);
    }
    if (lineEnds.size > 1) {
      oddities.add(lineEnds.has('\r') || this.isSingleColumn ? 'oddLineEnds' : 'twoLineEnds');
    }
  }

  private get isSingleColumn(): boolean {
    return this.isCsv && this.file.shape.top.members.length === 1;
  }

  /** Reads the objects around a list, without the list. */
  private readJson(bytes: Buffer): Shape {
    const shape = new Shape();
    if (!new JsonWalker(shape, [], true).walk(bytes, 0, bytes.length)) {
      this.oddities.add('otherValues');
    }
    this.readEscapes(bytes);
    return shape;
  }

  private readRecord(bytes: Buffer): void {
    if (this.isCsv) {
      this.readFields(bytes);
      return;
    }
    this.readEscapes(bytes);
    const isObjectOrArray = bytes[0] === 0x7b || bytes[0] === 0x5b;
    if (this.file.detected.splitter.kind === 'texts' && !isObjectOrArray) {
      this.oddities.add('otherValues');
    }
  }

  private readFields(bytes: Buffer): void {
    if (
      (bytes.includes('"') || bytes.includes('\r') || bytes.includes('\n')) &&
      /["\r\n]/.test(bytes.toString('latin1').replace(this.quotedField, ''))
    ) {
      this.oddities.add('looseFields');
    }
  }

  private readEscapes(bytes: Buffer): void {
    if (bytes.includes('\\u') && surrogate.test(bytes.toString('latin1'))) {
      this.oddities.add('surrogates');
    }
  }

  private readValue(slot: number, mayHaveOtherCase: boolean): void {
    const facts = this.columns[slot]!;
    const { kind, bytes, from, to } = this.value;
    facts.kinds |= 1 << (kind === kindText && from === to ? kindEmptyText : kind);
    const add = (oddity: ValueOddity, isOdd: boolean) => {
      if (isOdd) {
        facts.oddities.add(oddity);
      }
    };
    switch (kind) {
      case kindNumber: {
        const text = bytes.toString('latin1', from, to);
        add('longNumbers', !isExactDouble(text));
        if (!this.isCsv) {
          add('otherNumbers', !keepsNumberText(text));
          add('lostDigits', !keepsValue(text));
        }
        return;
      }
      case kindDate:
        add('otherDates', !this.date.test(bytes.toString('latin1', from, to)));
        return;
      case kindText:
        add('otherCase', mayHaveOtherCase && hasOtherCase(bytes.toString('utf8', from, to)));
        return;
      case kindJson: {
        const text = bytes.toString('utf8', from, to);
        if (!keepsJsonText(text)) {
          add('otherJson', true);
          add('lostDigits', !keepsInnerValues(text));
        }
        add('otherCase', mayHaveOtherCase && hasOtherCase(text));
        return;
      }
    }
  }
}

/** Quoted fields, with the delimiter before them. */
function quotedField(delimiter: string): RegExp {
  const separator = `\\x${delimiter.charCodeAt(0).toString(16).padStart(2, '0')}`;
  return new RegExp(`(?:^|${separator})"[^"]*(?:""[^"]*)*"(?=${separator}|$)`, 'g');
}
