import { message } from '../../base/message';
import { kindEmptyText, kindText } from '../values/kinds';
import {
  newValue,
  type RecordForm,
  type RecordReader,
  recordsIn,
} from '../read/records/recordReader';
import { Shape, type ShapeNode } from '../read/records/shape';
import type { TableFile } from '../read/tableFile';
import type { Visitor } from '../read/records/visitor';
import { refuse, stayHere, toCsv, toNdjson } from './sqlRefusal';
import type { SqlEngine } from './sqlEngines';
import type { Needs } from './sqlNeeds';

/** DuckDB reads no longer lines of CSV, unless it is told their length. */
const maxCsvBytes = 2_000_000;
/** The same for JSON. */
const maxJsonBytes = 16 * 1024 ** 2;
/** The same for a list within an object: DuckDB is told the length of the file, in 32 bits. */
const maxFileBytes = 2 ** 32 - 1;

/** Half a character without its other half. An escaped backslash before it is not worth a parser. */
const surrogate =
  /\\u[dD][89abAB][\da-fA-F]{2}(?!\\u[dD][c-fC-F])|(?<!\\u[dD][89abAB][\da-fA-F]{2})\\u[dD][c-fC-F]/;

const beyondLimits = message(
  'The file has records that are too deep for SQL, or whose names or numbers are too long.',
);

const comma = 0x2c;
const openBrace = 0x7b;

/**
 * Reads all bytes of a file: how its records are written, and what is around them. What engines may
 * read otherwise than the table is refused.
 */
export class SqlRecords implements Visitor {
  readonly nodes: readonly ShapeNode[];
  private readonly kind: RecordForm['kind'];
  /** Whether the records are the elements of a list, which has something before and after it. */
  private readonly isList: boolean;
  /** What may be between two records, in addition to a line end or comma. */
  private readonly between: RegExp;
  private readonly csvRecord: RegExp;
  private readonly value = newValue();
  /** The position after the record that was read last. */
  private position = 0;

  constructor(
    private readonly file: TableFile,
    private readonly needs: Needs,
    private readonly engine: Pick<SqlEngine, 'readsRecord'>,
  ) {
    const { form, format } = file.detected;
    const { kind } = form;
    this.nodes = [...needs.keys()];
    this.kind = kind;
    this.isList = kind === 'array' || kind === 'topArray';
    this.between = kind === 'csv' ? /^(?:\r?\n)*$/ : kind === 'lines' ? /^$/ : /^[ \t\r\n]*$/;
    this.csvRecord = csvRecord(format.delimiter ?? ',');
  }

  readHead(): void {
    const { shape, source, detected } = this.file;
    const { start, form, headings } = detected;
    refuseLonger(this.kind === 'array' ? source.available : 0, maxFileBytes);
    if (shape.hasDuplicates) {
      refuseJson();
    }
    const head = this.bytes(0, start);
    const from = head.indexOf('\ufeff') === 0 ? 3 : 0;
    // DuckDB does not know a quote after a mark as a quote.
    if (from > 0 && (this.kind !== 'csv' || this.bytes(from, from + 1).includes('"'))) {
      refuse(message('The file begins with a byte order mark.'), toNdjson);
    }
    this.position = headings || this.isList ? start : from;
    if (headings) {
      const [heading] = recordsIn(head, form, { from });
      if (heading?.start !== from || heading.next !== start) {
        refuseLines();
      }
      this.readCsv(head, from, start);
    }
  }

  visit(records: RecordReader): void {
    const { bytes } = records;
    for (let record = 0; record < records.count; record += 1) {
      const start = records.start(record);
      const position = records.position(record);
      if (position > this.position) {
        this.readBetween(
          records.hasInWindow(this.position)
            ? bytes.subarray(start - (position - this.position), start)
            : this.bytes(this.position, position),
        );
      }
      this.position = records.positionAfter(record);
      if (this.kind === 'csv') {
        this.readCsv(bytes, start, start + this.position - position);
      } else if (this.kind === 'texts' && bytes[start] !== openBrace) {
        // DuckDB reads no numbers or words between objects that share lines.
        refuseJson();
      } else {
        const json = bytes.subarray(start, records.end(record));
        readJson(json);
        if (!this.engine.readsRecord(json)) {
          refuse(beyondLimits, stayHere);
        }
      }
      this.readValues(records, record);
    }
  }

  readTail(): void {
    const tail = this.bytes(this.position, this.file.source.available);
    if (!this.isList) {
      this.readBetween(tail);
      return;
    }
    const around = Buffer.concat([this.bytes(0, this.file.detected.start), tail]);
    const shape = new Shape();
    const [value] = recordsIn(around, { kind: 'whole' }, { from: 0, shape });
    // DuckDB allows no comma before the bracket.
    const [last] = this.bytes(this.position - 1, this.position);
    if (value?.isValid !== true || shape.hasDuplicates || last === comma) {
      refuseJson();
    }
    readJson(around);
  }

  private readValues(records: RecordReader, record: number): void {
    const { value } = this;
    let slot = 0;
    for (const [{ name }, needs] of this.needs) {
      records.read(record, slot, value);
      slot += 1;
      const { bytes, from, to } = value;
      const kind = value.kind === kindText && from === to ? kindEmptyText : value.kind;
      for (const { kinds, fits, reason, remedy } of needs) {
        if (kinds.includes(kind) && !fits(bytes.toString('utf8', from, to), kind)) {
          refuse(reason, remedy, name);
        }
      }
    }
  }

  /** @param to the position after the line end. */
  private readCsv(bytes: Buffer, from: number, to: number): void {
    refuseLonger(to - from, maxCsvBytes);
    if (!this.csvRecord.test(bytes.toString('latin1', from, to))) {
      const reason = message('The file has quotes or line ends that SQL would read differently.');
      refuse(reason, toNdjson);
    }
  }

  private readBetween(bytes: Buffer): void {
    if (!this.between.test(bytes.toString('latin1'))) {
      (this.kind === 'csv' || this.kind === 'lines' ? refuseLines : refuseJson)();
    }
  }

  /** Bytes beside the records, of which there are usually few. */
  private bytes(from: number, to: number): Buffer {
    refuseLonger(to - from, maxJsonBytes);
    const bytes = Buffer.alloc(Math.max(0, to - from));
    return bytes.subarray(0, this.file.source.read(bytes, 0, bytes.length, Math.max(0, from)));
  }
}

/** A record whose fields have quotes and line ends only within quotes, and no line end of CR alone. */
function csvRecord(delimiter: string): RegExp {
  const between = `\\x${delimiter.charCodeAt(0).toString(16).padStart(2, '0')}`;
  // Not `(\r\n|""|[^"\r\n])*`, which would remember every character.
  const quoted = `"[^"\\r\\n]*(?:(?:\\r?\\n|"")[^"\\r\\n]*)*"`;
  const field = `(?:${quoted}|[^"\\r\\n${between}]*)`;
  return new RegExp(`^${field}(?:${between}${field})*(?:\\r?\\n)?$`);
}

function readJson(bytes: Buffer): void {
  refuseLonger(bytes.length, maxJsonBytes);
  if (bytes.includes('\\u') && surrogate.test(bytes.toString('latin1'))) {
    refuseJson();
  }
}

function refuseLonger(bytes: number, max: number): void {
  if (bytes > max) {
    refuse(message('The file has records that are too long for SQL.'), stayHere);
  }
}

function refuseJson(): never {
  const reason = message(
    'The file has JSON that SQL would read differently, such as several lists, or a member twice.',
  );
  return refuse(reason, toCsv);
}

function refuseLines(): never {
  const reason = message('The file has lines that are not rows, such as a title or blank lines.');
  return refuse(reason, toNdjson);
}
