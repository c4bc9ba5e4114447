import { joinRawFields } from '../../base/text/csv';
import {
  containsSecretWord,
  isErrorCode,
  isTraffic,
  mask,
  maxErrorCodeLength,
  namesSecret,
} from '../../vocabulary/secretFields';
import { maskSent } from '../../vocabulary/sentSecrets';
import { kindJson, kindMissing, kindNumber, kindNull, kinds, kindText } from '../values/kinds';
import { maskField, maskJson } from '../values/masking';
import { newValue, type RecordReader, type Value } from './records/recordReader';
import type { Shape, ShapeNode } from './records/shape';
import { type NameNode, SecretNames } from './secretNames';
import type { TableFile } from './tableFile';
import { hasValues } from './records/visitor';
import type { Row, TableRecord, InvalidReason } from '../data/answers';
import type { Cell } from '../data/cell';

/** The most UTF-16 code units of a cell's text in a page, and in a record. */
export const shownLength = 300;
export const fullLength = 1024 ** 2;

export interface RowReaderOptions {
  /** Whether secrets are shown. */
  readonly reveal: boolean;
  /** The most UTF-16 code units of a cell's text. */
  readonly maxLength: number;
}

/** What of a file says how its values are masked: threads that read ranges have no more of it. */
export type MaskedFile = Pick<TableFile, 'shape' | 'detected'>;

/** Reads values of records as they are shown: plain texts, with secrets masked unless revealed. */
export class CellReader {
  /** The columns that are read: those that are shown, and those that may name one of them as secret. */
  readonly read: readonly ShapeNode[];
  protected readonly value = newValue();
  private readonly name = newValue();
  /** By slot: what tells that the value is secret. */
  private readonly tellers: readonly Tellers[];
  /** Of records that have members of objects around them: what these tell, by the names of members of the record. */
  protected readonly ofParents: ReadonlyMap<string, Tellers>;

  protected readonly reveal: boolean;
  protected readonly maxLength: number;

  constructor(
    private readonly of: MaskedFile,
    protected readonly nodes: readonly ShapeNode[],
    { reveal, maxLength }: RowReaderOptions,
  ) {
    this.reveal = reveal;
    this.maxLength = maxLength;
    const { shape, detected } = of;
    const names = new SecretNames(shape.top, detected.extracted?.outer ?? []);
    const members = reveal || !names.haveParents ? [] : shape.top.members;
    const read = new Map<ShapeNode, number>();
    const slotOf = (node: ShapeNode) => {
      const slot = read.get(node) ?? read.size;
      read.set(node, slot);
      return slot;
    };
    nodes.forEach(slotOf);
    const tellersOf = (node: ShapeNode): Tellers => {
      const slotsOf = (found: readonly NameNode[]) =>
        found.map(({ node: name, tells }) => ({ nameSlot: slotOf(name), tells }));
      return {
        names: slotsOf(names.findNames(node)),
        tools: slotsOf(names.findTools(node)),
        beside: names.findBeside(node).map((group) => group.map((each) => each.map(slotOf))),
      };
    };
    this.tellers = nodes.map((node) => (reveal ? noTellers : tellersOf(node)));
    this.ofParents = new Map(members.map((node) => [node.ownName, tellersOf(node)]));
    this.read = [...read.keys()];
  }

  /**
   * Whether a value is masked, at least in part.
   * @param record one of the last step of a reader of `read` that has values, see `mayHideSecret`.
   * @param slot the position of its column.
   */
  isMasked(reader: RecordReader, record: number, slot: number): boolean {
    return this.cell(slot, reader, { record }).masked === true;
  }

  /** Whether objects around the records may tell that something in these is secret. */
  get dependsOnParents(): boolean {
    return Array.from(this.ofParents.values()).some(
      ({ names, tools, beside }) => names.length + tools.length + beside.length > 0,
    );
  }

  /** Whether values of a column may be masked in some rows, as other columns or what is in them tells. */
  mayMask(slot: number): boolean {
    const { secret, name, kinds: those } = this.nodes[slot]!;
    const kindOfNested = this.of.detected.format.kind === 'csv' ? kindText : kindJson;
    return (
      secret ||
      isTraffic(name) ||
      this.tellers[slot]!.names.length > 0 ||
      this.tellers[slot]!.beside.length > 0 ||
      (those & (1 << kindOfNested)) !== 0
    );
  }

  /**
   * A value of a record of the reader's last step.
   * @param isMasked whether it is, whatever the value.
   */
  cell(
    slot: number,
    reader: RecordReader,
    { record = 0, isMasked = false }: { readonly record?: number; readonly isMasked?: boolean },
  ): Cell {
    const { value } = this;
    const { secret, name } = this.nodes[slot]!;
    // It reads another value, after which the bytes of the first one are no longer there.
    const isSecret =
      isMasked || (secret && !this.reveal) || this.isNamedSecret(slot, reader, record);
    reader.read(record, slot, value);
    if (value.kind === kindMissing) {
      return missing;
    }
    const kind = kinds[value.kind] ?? 'text';
    if (value.kind === kindNull) {
      return { kind, text: '' };
    }
    if (isSecret && value.to > value.from) {
      return { kind, text: mask, masked: true };
    }
    // Decodes only what is shown: a UTF-16 code unit is at most three bytes of UTF-8.
    const first = value.bytes[value.from];
    const isCsv = this.of.detected.format.kind === 'csv';
    const mayNest = isCsv
      ? first !== undefined && nesting.includes(first)
      : value.kind === kindJson;
    const isJson = mayNest && !this.reveal;
    const isSent = !isJson && !this.reveal && value.kind === kindText && isTraffic(name);
    const stop =
      isJson || isSent ? value.to : Math.min(value.to, value.from + 3 * this.maxLength + 3);
    const raw = value.bytes.toString('utf8', value.from, stop);
    const { shape } = this.of;
    const { isAboutSecrets } = shape;
    const isOfSecret = isJson && this.isNamed(this.tellers[slot]!.tools, reader, record);
    const maskText = isCsv ? maskField : maskJson;
    const masked = isSent ? maskSent(raw) : raw;
    const text = isJson
      ? maskText(raw, { isAboutSecrets, isOfSecret, isSent: isTraffic(name) })
      : masked;
    const isCut = text.length > this.maxLength || stop < value.to;
    return {
      kind,
      text: isCut ? cutText(text, this.maxLength) : text,
      ...(isCut && { cut: true as const }),
      ...(text !== raw && { masked: true as const }),
    };
  }

  /** Whether other members of the record tell that a value is secret. */
  protected isNamedSecret(slot: number, reader: RecordReader, record: number): boolean {
    const tellers = this.tellers[slot]!;
    if (!this.isTold(tellers, reader, record)) {
      return false;
    }
    const areRules = tellers.names.every(({ tells }) => tells !== namesSecret);
    // A rule tells nothing of a number, such as the code of a status, nor of the short code of an error.
    const mayBeCode = areRules && tellers.beside.length === 0;
    return !(mayBeCode && this.isNumberOrErrorCode(slot, reader, record));
  }

  /** Whether other members tell that a value is secret, whatever it is. */
  protected isTold({ names, beside }: Tellers, reader: RecordReader, record: number): boolean {
    return (
      this.isNamed(names, reader, record) ||
      beside.some((group) => group.every((each) => each.some((slot) => reader.has(record, slot))))
    );
  }

  private isNumberOrErrorCode(slot: number, reader: RecordReader, record: number): boolean {
    reader.read(record, slot, this.value);
    const { kind, bytes, from, to } = this.value;
    return (
      kind === kindNumber ||
      (kind === kindText &&
        to - from <= maxErrorCodeLength &&
        isErrorCode(bytes.toString('latin1', from, to)))
    );
  }

  protected isNamed(slots: readonly NameSlot[], reader: RecordReader, record: number): boolean {
    return slots.some(({ nameSlot, tells }) => {
      reader.read(record, nameSlot, this.name);
      const { kind, bytes, from, to } = this.name;
      return (
        kind === kindText && to - from <= maxNameBytes && tells(bytes.toString('utf8', from, to))
      );
    });
  }
}

/** Reads rows of a file as they are shown. */
export class RowReader extends CellReader {
  constructor(
    private readonly file: TableFile,
    nodes: readonly ShapeNode[],
    options: RowReaderOptions,
  ) {
    super(file, nodes, options);
  }

  row(row: number): Row {
    const { file, nodes } = this;
    const reader = file.read(row, this.read);
    const reason = reader.invalid(0);
    const isMasked = !this.reveal && mayHideSecret(file.shape, reader);
    const cells = hasValues(reason)
      ? nodes.map((_, slot) => this.cell(slot, reader, { isMasked }))
      : nodes.map((_, slot) => (slot === 0 ? this.invalidCell(reader) : missing));
    if (reason === undefined) {
      return { record: row, cells };
    }
    const isCutOff = reason !== 'tooLong' && file.isCutOffAt(reader);
    return { record: row, cells, invalid: isCutOff ? 'truncated' : reason };
  }

  /** Visits the values of a row that are not masked. A value is overwritten by the next one. */
  visitValues(row: number, visit: (slot: number, value: Value) => void): void {
    const reader = this.file.read(row, this.read);
    // In a row that is not valid CSV, a secret may be in any column.
    if (reader.invalid(0) !== undefined) {
      return;
    }
    this.nodes.forEach(({ secret }, slot) => {
      const isSecret = secret && !this.reveal;
      if (reader.has(0, slot) && !isSecret && !this.isNamedSecret(slot, reader, 0)) {
        reader.read(0, slot, this.value);
        visit(slot, this.value);
      }
    });
  }

  /** The record as it is in the file, or in the copy of a nested list, unless masked; `undefined` if it is invalid. */
  text(row: number): string | undefined {
    const reader = this.file.read(row, this.read);
    if (reader.invalid(0) !== undefined) {
      return undefined;
    }
    const raw = reader.bytes.toString('utf8', reader.start(0), reader.end(0));
    if (this.reveal) {
      return raw;
    }
    return this.file.shape.top.secret ? JSON.stringify(mask) : this.maskMembers(raw, reader);
  }

  /** Masks a record of JSON. */
  private maskMembers(raw: string, reader: RecordReader): string {
    const { isAboutSecrets } = this.file.shape;
    const told = [...this.ofParents];
    const hidden = told.flatMap(([name, tellers]) =>
      this.isTold(tellers, reader, 0) ? [name] : [],
    );
    const isOfSecret = told.some(([, { tools }]) => this.isNamed(tools, reader, 0));
    return maskJson(raw, { isAboutSecrets, isOfSecret, hidden: new Set(hidden) });
  }

  /** The record with all its values. */
  record(row: number): TableRecord {
    const { record, cells, invalid } = this.row(row);
    const reader = this.file.read(row, this.read);
    const raw = rawText(reader);
    const masked = this.reveal ? raw : this.maskRecord(raw, cells, invalid, reader);
    const text = masked.slice(0, fullLength);
    return {
      record,
      text,
      masked: masked !== raw,
      cut: text.length < masked.length || reader.tooLong,
      fields: this.nodes.flatMap(({ id, name }, slot) => {
        const cell = cells[slot] ?? missing;
        return cell.kind === 'missing' || cell.kind === 'invalid'
          ? []
          : [{ column: id, name, cell }];
      }),
      ...(invalid !== undefined && { invalid }),
    };
  }

  private maskRecord(
    raw: string,
    cells: readonly Cell[],
    invalid: InvalidReason | undefined,
    reader: RecordReader,
  ): string {
    const { detected, shape } = this.file;
    const { format } = detected;
    if (shape.top.secret) {
      return mask;
    }
    if (format.kind !== 'csv') {
      return invalid === undefined ? this.maskMembers(raw, reader) : maskJson(raw, shape);
    }
    if (invalid !== undefined) {
      return hidesSecret(shape, raw) ? mask : raw;
    }
    if (shape.columns().more > 0 && hidesSecret(shape, raw)) {
      // Fields after the last shown column have no cells that would show whether they are masked.
      return mask;
    }
    return cells.some(({ masked }) => masked)
      ? joinRawFields(
          cells.map(({ text }) => text),
          format.delimiter ?? ',',
        )
      : raw;
  }

  private invalidCell(reader: RecordReader): Cell {
    const raw = rawText(reader);
    const text = this.reveal ? raw : this.maskRecord(raw, [], 'syntax', reader);
    const isCut = text.length > this.maxLength || reader.tooLong;
    return {
      kind: 'invalid' as const,
      text: isCut ? cutText(text, this.maxLength) : text,
      ...(isCut && { cut: true as const }),
      ...(text !== raw && { masked: true as const }),
    };
  }
}

/** Whether a record is invalid and may have a secret: in CSV, that may be in any of its columns, so all are masked. */
export function mayHideSecret(shape: Shape, reader: RecordReader, record = 0): boolean {
  return reader.invalid(record) !== undefined && hidesSecret(shape, rawText(reader, record));
}

/** Whether a text may have a secret of which it is unknown which part belongs to which column. */
function hidesSecret(shape: Shape, raw: string): boolean {
  return shape.hasSecrets || containsSecretWord(raw);
}

/** A slot whose text may name another value as secret, or is the rule that it was found by. */
interface NameSlot {
  readonly nameSlot: number;
  readonly tells: NameNode['tells'];
}

/** The slots that tell whether a value is secret. */
interface Tellers {
  /** Those of texts that may name it so. */
  readonly names: readonly NameSlot[];
  /** Those of the rule and the tool of the results that it is in. */
  readonly tools: readonly NameSlot[];
  /** For each group of members that only together tell it, the slots of each. */
  readonly beside: readonly (readonly (readonly number[])[])[];
}

const noTellers: Tellers = { names: [], tools: [], beside: [] };

/** Longer texts are no names. */
const maxNameBytes = 1000;

/** The first characters of JSON in a field: a bracket, or blanks before it. */
const nesting = Buffer.from('{[ \t\r\n');
const missing: Cell = { kind: 'missing', text: '' };

function rawText(reader: RecordReader, record = 0): string {
  const start = reader.start(record);
  const end = Math.min(reader.end(record), start + 3 * fullLength + 3);
  return reader.bytes.toString('utf8', start, end);
}

/** Truncates a text without splitting a surrogate pair. */
function cutText(text: string, length: number): string {
  return text.slice(0, length).replace(/[\ud800-\udbff]$/, '');
}
