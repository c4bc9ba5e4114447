import { kindDate, kindEmptyText, kindJson, kindNumber, kindText } from '../values/kinds';
import type { YieldBudget } from '../values/yieldBudget';
import type { ShapeNode } from '../read/shape';
import type { TableFile } from '../read/tableFile';
import { newValue, type RecordReader } from '../read/recordReader';
import type { Visitor } from '../read/visitor';
import type { FileOddity, SqlFacts, ValueOddity } from '../sqlTypes';
import { type FormReader, newFormReader } from './sqlForm';
import {
  datePattern,
  isExactDouble,
  keepsInnerValues,
  keepsJsonText,
  keepsNumberText,
  keepsValue,
  mayBeRead,
  otherCase,
} from './sqlValues';

/**
 * Reads all records for what engines of SQL may read otherwise.
 * @param shown the columns of the answer.
 * @param compared those of filters, sorts and groups.
 */
export async function readSqlFacts(
  file: TableFile,
  shown: readonly ShapeNode[],
  compared: readonly ShapeNode[],
  budget: YieldBudget,
): Promise<SqlFacts> {
  // A value of CSV that is only shown is a text.
  const others = file.detected.format.kind === 'csv' ? [] : shown;
  const reader = new FactReader(file, new Set([...compared, ...others]), new Set(compared));
  reader.readHead();
  await file.scan(budget, reader);
  reader.readTail();
  return reader.facts();
}

/** The most bytes before or after the records that are read. */
const maxOuterBytes = 64 * 1024 ** 2;
/** Other numbers have few enough digits for a double. */
const mayLoseDigits = /[eE]|[\d.]{16}/;
const byteOrderMark = Buffer.from('\ufeff');

/** What is found in a column. */
interface FoundValues {
  readonly isCompared: boolean;
  kinds: number;
  readonly oddities: Set<ValueOddity>;
}

class FactReader implements Visitor {
  readonly nodes: readonly ShapeNode[];
  private readonly oddities = new Set<FileOddity>();
  private readonly form: FormReader;
  private readonly columns: readonly FoundValues[];
  private readonly value = newValue();
  private readonly isCsv: boolean;
  private readonly date: RegExp;
  /** The position after the record that was read last. */
  private position = 0;

  constructor(
    private readonly file: TableFile,
    nodes: ReadonlySet<ShapeNode>,
    compared: ReadonlySet<ShapeNode>,
  ) {
    this.nodes = [...nodes];
    this.form = newFormReader(file, this.oddities);
    this.columns = this.nodes.map((node) => ({
      isCompared: compared.has(node),
      kinds: 0,
      oddities: new Set(),
    }));
    this.isCsv = file.detected.format.kind === 'csv';
    this.date = new RegExp(datePattern(this.isCsv));
  }

  facts(): SqlFacts {
    const { file, nodes, oddities, columns } = this;
    return {
      splitter: file.detected.form.kind,
      bytes: file.source.available,
      oddities,
      columns: new Map(
        nodes.map(({ id }, at) => {
          const { kinds, oddities: found } = columns[at]!;
          return [id, { kinds, oddities: found }];
        }),
      ),
    };
  }

  readHead(): void {
    const { oddities } = this;
    const head = this.bytes(0, this.file.detected.start);
    const hasMark = head.subarray(0, byteOrderMark.length).equals(byteOrderMark);
    const from = hasMark ? byteOrderMark.length : 0;
    if (hasMark) {
      oddities.add('byteOrderMark');
      if (this.bytes(from, from + 1).includes('"')) {
        oddities.add('quoteAfterMark');
      }
    }
    this.position = this.form.readHead(head, from);
  }

  visit(records: RecordReader): void {
    for (let record = 0; record < records.count; record += 1) {
      this.readRecord(records, record);
    }
  }

  private readRecord(records: RecordReader, record: number): void {
    const { form, oddities } = this;
    const { bytes } = records;
    const [start, end] = [records.start(record), records.end(record)];
    const position = records.position(record);
    if (position > this.position) {
      const from = start - (position - this.position);
      form.readBetween(
        records.hasInWindow(this.position)
          ? bytes.subarray(from, start)
          : this.bytes(this.position, position),
      );
    }
    this.position = records.positionAfter(record);
    if (records.tooLong || end - start > form.maxBytes) {
      oddities.add('longRecords');
    } else if (records.invalid(record) !== undefined) {
      if (mayBeRead(bytes.toString('utf8', start, end))) {
        oddities.add('doubtfulLines');
      }
    } else {
      form.readRecord(bytes, start, end, start + this.position - position);
      this.readValues(records, record);
    }
  }

  readTail(): void {
    const tail = this.bytes(this.position, this.file.source.available);
    this.form.readTail(tail, this.bytes(this.position - 1, this.position)[0]);
  }

  /** Bytes beside the records, of which there are usually few. */
  private bytes(from: number, to: number): Buffer {
    const bytes = Buffer.alloc(Math.max(0, Math.min(to - from, maxOuterBytes)));
    if (bytes.length < to - from) {
      this.oddities.add('longRecords');
    }
    return bytes.subarray(0, this.file.source.read(bytes, 0, bytes.length, Math.max(0, from)));
  }

  private readValues(records: RecordReader, record: number): void {
    const { columns, value } = this;
    for (let slot = 0; slot < columns.length; slot += 1) {
      const column = columns[slot]!;
      records.read(record, slot, value);
      const { kind, from, to } = value;
      column.kinds |= 1 << (kind === kindText && from === to ? kindEmptyText : kind);
      if (column.isCompared) {
        this.readCompared(column);
      } else if (kind === kindNumber || kind === kindJson) {
        this.readShown(column);
      }
    }
  }

  /** Reads a number or JSON of a column that is only shown. */
  private readShown({ oddities }: FoundValues): void {
    const { kind, bytes, from, to } = this.value;
    const text = bytes.toString('utf8', from, to);
    if (
      mayLoseDigits.test(text) &&
      !(kind === kindNumber ? keepsValue(text) : keepsInnerValues(text))
    ) {
      oddities.add('lostDigits');
    }
  }

  private readCompared(column: FoundValues): void {
    const { kind, bytes, from, to } = this.value;
    const { oddities } = column;
    switch (kind) {
      case kindNumber: {
        const text = bytes.toString('latin1', from, to);
        if (!isExactDouble(text)) {
          oddities.add('longNumbers');
        }
        if (!this.isCsv && !keepsNumberText(text)) {
          oddities.add('otherNumbers');
          this.readShown(column);
        }
        return;
      }
      case kindDate:
        if (!this.date.test(bytes.toString('latin1', from, to))) {
          oddities.add('otherDates');
        }
        return;
      case kindText:
        this.readLetters(column);
        return;
      case kindJson:
        if (!keepsJsonText(bytes.toString('utf8', from, to))) {
          oddities.add('otherJson');
          this.readShown(column);
        }
        this.readLetters(column);
        return;
    }
  }

  private readLetters({ oddities }: FoundValues): void {
    const { bytes, from, to } = this.value;
    const text = bytes.subarray(from, to);
    if (otherCase.some((letter) => text.includes(letter))) {
      oddities.add('otherCase');
    }
  }
}
