import { joinRawFields } from '../../base/text/csv';
import {
  containsSecretWord,
  fieldMeaning,
  findBesideSecret,
  isCodeOfResult,
  isRuleOrTool,
  isSnippet,
  looksForSecrets,
  mask,
  namesSecret,
  pathsOfRuleOrTool,
} from '../../vocabulary/secretFields';
import { kindJson, kindMissing, kindNull, kinds, kindText } from '../values/kinds';
import { maskField, maskJson } from '../values/masking';
import { newValue, type RecordReader, type Value } from './records/recordReader';
import type { Shape, ShapeNode } from './records/shape';
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

/** Reads records as they are shown: plain texts, with secrets masked unless revealed. */
export class RowReader {
  /** The columns that are read: those that are shown, and those that may name one of them as secret. */
  readonly read: readonly ShapeNode[];
  private readonly value = newValue();
  private readonly name = newValue();
  /** By slot: the slots of texts that may name the value as secret. */
  private readonly nameSlots: readonly (readonly NameSlot[])[];
  /** By slot: those of the rule and the tool of the results that the value is in. */
  private readonly toolSlots: readonly (readonly NameSlot[])[];
  /** By slot: for each group of members that only together tell that the value is secret, the slots of each. */
  private readonly besideSlots: readonly (readonly (readonly number[])[])[][];

  private readonly reveal: boolean;
  private readonly maxLength: number;

  constructor(
    private readonly file: TableFile,
    private readonly nodes: readonly ShapeNode[],
    { reveal, maxLength }: RowReaderOptions,
  ) {
    this.reveal = reveal;
    this.maxLength = maxLength;
    const names = nodes.map((node) => (reveal ? [] : findNames(node)));
    const tools = nodes.map((node) => (reveal ? [] : findTools(node)));
    const beside = nodes.map((node) => (reveal ? [] : findBeside(node)));
    const others = [...names, ...tools].flat().map(({ node }) => node);
    this.read = [...new Set([...nodes, ...others, ...beside.flat(3)])];
    const slots = new Map(this.read.map((node, slot) => [node, slot]));
    const slotOf = ({ node, isRule }: NameNode) => ({ nameSlot: slots.get(node)!, isRule });
    this.nameSlots = names.map((each) => each.map(slotOf));
    this.toolSlots = tools.map((each) => each.map(slotOf));
    this.besideSlots = beside.map((groups) =>
      groups.map((group) => group.map((each) => each.map((node) => slots.get(node)!))),
    );
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

  /**
   * Whether a value is masked, at least in part.
   * @param record one of the last step of a reader of `read` that has values, see `mayHideSecret`.
   * @param slot the position of its column.
   */
  isMasked(reader: RecordReader, record: number, slot: number): boolean {
    return this.cell(slot, reader, { record }).masked === true;
  }

  /** Whether values of a column may be masked in some rows, as other columns or what is in them tells. */
  mayMask(slot: number): boolean {
    const { secret, kinds: those } = this.nodes[slot]!;
    const kindOfNested = this.file.detected.format.kind === 'csv' ? kindText : kindJson;
    return (
      secret ||
      this.nameSlots[slot]!.length > 0 ||
      this.besideSlots[slot]!.length > 0 ||
      (those & (1 << kindOfNested)) !== 0
    );
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
    const { top, isAboutSecrets } = this.file.shape;
    return top.secret ? JSON.stringify(mask) : maskJson(raw, { isAboutSecrets });
  }

  /** The record with all its values. */
  record(row: number): TableRecord {
    const { record, cells, invalid } = this.row(row);
    const reader = this.file.read(row, this.read);
    const raw = rawText(reader);
    const masked = this.reveal ? raw : this.maskRecord(raw, cells, invalid);
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
  ): string {
    const { detected, shape } = this.file;
    const { format } = detected;
    if (shape.top.secret) {
      return mask;
    }
    if (format.kind !== 'csv') {
      return maskJson(raw, shape);
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

  /** @param isMasked whether it is, whatever the value. */
  private cell(
    slot: number,
    reader: RecordReader,
    { record = 0, isMasked = false }: { readonly record?: number; readonly isMasked?: boolean },
  ): Cell {
    const { value } = this;
    const { secret } = this.nodes[slot]!;
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
    const isCsv = this.file.detected.format.kind === 'csv';
    const mayNest = isCsv
      ? first !== undefined && nesting.includes(first)
      : value.kind === kindJson;
    const isJson = mayNest && !this.reveal;
    const stop = isJson ? value.to : Math.min(value.to, value.from + 3 * this.maxLength + 3);
    const raw = value.bytes.toString('utf8', value.from, stop);
    const { shape } = this.file;
    const { isAboutSecrets } = shape;
    const isOfSecret = isJson && this.isNamed(this.toolSlots[slot]!, reader, record);
    const maskText = isCsv ? maskField : maskJson;
    const text = isJson ? maskText(raw, { isAboutSecrets, isOfSecret }) : raw;
    const isCut = text.length > this.maxLength || stop < value.to;
    return {
      kind,
      text: isCut ? cutText(text, this.maxLength) : text,
      ...(isCut && { cut: true as const }),
      ...(text !== raw && { masked: true as const }),
    };
  }

  /** Whether other members of the record tell that the value in this slot is secret. */
  private isNamedSecret(slot: number, reader: RecordReader, record: number): boolean {
    return (
      this.isNamed(this.nameSlots[slot]!, reader, record) ||
      this.besideSlots[slot]!.some((group) =>
        group.every((each) => each.some((beside) => reader.has(record, beside))),
      )
    );
  }

  private isNamed(slots: readonly NameSlot[], reader: RecordReader, record: number): boolean {
    return slots.some(({ nameSlot, isRule }) => {
      reader.read(record, nameSlot, this.name);
      const { kind, bytes, from, to } = this.name;
      const isSecret = isRule ? looksForSecrets : namesSecret;
      return (
        kind === kindText && to - from <= maxNameBytes && isSecret(bytes.toString('utf8', from, to))
      );
    });
  }

  private invalidCell(reader: RecordReader): Cell {
    const raw = rawText(reader);
    const text = this.reveal ? raw : this.maskRecord(raw, [], 'syntax');
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
  readonly isRule: boolean;
}

/** A node whose text may name another value as secret, or is the rule or the tool that it was found by. */
interface NameNode {
  readonly node: ShapeNode;
  readonly isRule: boolean;
}

/** The members that may name the value of a node, or that of an object around it, as secret. */
function findNames(node: ShapeNode): NameNode[] {
  const names: NameNode[] = [];
  let isInSnippet = false;
  for (let each = node; each.parent; each = each.parent) {
    const { title, parent } = each;
    if (fieldMeaning(title) === 'value') {
      const named = parent.members.filter((member) => fieldMeaning(member.title) === 'name');
      names.push(...named.map((member) => ({ node: member, isRule: false })));
    }
    if (isCodeOfResult(title, parent.title) && parent.parent) {
      names.push(...toolsIn(parent.parent));
    }
    isInSnippet ||= isSnippet(title);
    if (isInSnippet) {
      names.push(...toolsIn(parent));
    }
  }
  return names;
}

/** The members that tell whether a value is of a result of a rule or a tool that looks for secrets. */
function findTools(node: ShapeNode): NameNode[] {
  const tools: NameNode[] = [];
  for (let { parent } = node; parent; { parent } = parent) {
    tools.push(...toolsIn(parent));
  }
  return tools;
}

/** The rule and the tool that an object names. */
function toolsIn(result: ShapeNode): NameNode[] {
  const inObjects = pathsOfRuleOrTool.map((path) =>
    path.reduce<ShapeNode | undefined>((node, name) => node?.byKey.get(name), result),
  );
  return [...result.members.filter(({ title }) => isRuleOrTool(title)), ...inObjects]
    .flatMap((node) => node ?? [])
    .map((node) => ({ node, isRule: true }));
}

/**
 * The groups of members that only together tell that a node, or an object around it, has the code around a secret. Each
 * member is there if one of its nodes has a value.
 */
function findBeside(node: ShapeNode): ShapeNode[][][] {
  const groups: ShapeNode[][][] = [];
  for (let each = node; each.parent; each = each.parent) {
    const { members } = each.parent;
    for (const names of findBesideSecret(each.title)) {
      const beside = names.map((name) => members.filter(({ title }) => title === name));
      if (beside.every((found) => found.length > 0)) {
        groups.push(beside.map((found) => found.flatMap(withMembers)));
      }
    }
  }
  return groups;
}

/** A node with all that is in it: an object has no value of its own where its members are columns. */
function withMembers(node: ShapeNode): ShapeNode[] {
  return [node, ...node.members.flatMap(withMembers)];
}

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
