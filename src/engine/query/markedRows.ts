import { readFile } from 'node:fs/promises';
import { areIdsWithCve, cveCodes, formatCveCode } from '../../vocabulary/cve';
import { exploitSignOf, isLikely, saysExploited } from '../../vocabulary/exploited';
import { likelihoodOf, mayMean } from '../../vocabulary/meanings';
import type { CveListFile, ListedCves, ListedRow } from '../data/cveLists';
import { firstFrom } from './knownRows';
import { type ColumnSample, sampleColumns } from '../read/detect/sampleColumns';
import type { NewTask, RangeTask } from '../read/ranges/rangeReader';
import type { RangeJob, Scanner } from '../read/ranges/scanner';
import { newValue, type RecordReader } from '../read/records/recordReader';
import type { ShapeNode } from '../read/records/shape';
import { hasValues, type ReadableFile } from '../read/records/visitor';
import { fullLength, RowReader } from '../read/rowReader';
import type { ScanOptions, TableFile } from '../read/tableFile';
import type { YieldBudget } from '../threads/yieldBudget';
import { kindNull } from '../values/kinds';
import { visitCves } from './cveBytes';
import { unpackCves } from './packedCves';

/** What lists say of a row, as bits. */
export const knownMark = 1;
export const likelyMark = 2;

/** The most columns with ids that are read of a row. */
const maxColumns = 8;

/** A longer value is read up to here: its first ids say what it is about. */
const maxBytes = 64 * 1024;

/** A list that this thread has read. */
export interface OpenCveList {
  readonly title: Pick<CveListFile, 'name' | 'at'>;
  readonly cves: ListedCves;
}

/** The rows of a file that lists of CVEs mark. Arrays are in memory that threads share. */
export interface MarkedRows {
  /** In ascending order. */
  readonly numbers: Uint32Array;
  /** By the position of the number: `knownMark`, `likelyMark` or both. */
  readonly marks: Uint8Array;
  /** The marks that a row could have: where there is no list with them, that no row has them says nothing. */
  readonly possible: number;
  readonly lists: readonly OpenCveList[];
  /** The columns with ids of CVEs. */
  readonly columns: readonly ShapeNode[];
}

export const noMarkedRows: MarkedRows = {
  numbers: new Uint32Array(),
  marks: new Uint8Array(),
  possible: 0,
  lists: [],
  columns: [],
};

/** Reads lists. One that is gone, or not whole, marks nothing. */
export async function openCveLists(files: readonly CveListFile[]): Promise<OpenCveList[]> {
  const opened: OpenCveList[] = [];
  for (const { file, name, at } of files) {
    const bytes = await readFile(file).catch(() => undefined);
    const cves = bytes && unpackCves(bytes);
    if (cves) {
      opened.push({ title: { name, at }, cves });
    }
  }
  return opened;
}

/** The columns that say which vulnerability a row is about, by their names and the values of the first rows. */
export function findCveColumns(columns: readonly ColumnSample[]): ColumnSample[] {
  return columns
    .filter(
      ({ node, name, texts }) =>
        !node.secret && (mayMean('cve', name) || texts.some(areIdsWithCve)),
    )
    .toSorted((one, other) => likelihood(one) - likelihood(other))
    .slice(0, maxColumns);
}

function likelihood({ name }: ColumnSample): number {
  return likelihoodOf('cve', name) ?? Infinity;
}

/** Finds the rows that lists mark in one pass. */
export async function findMarkedRows(
  file: TableFile,
  scanner: Scanner,
  lists: readonly OpenCveList[],
  budget: YieldBudget,
  options: ScanOptions = {},
): Promise<MarkedRows> {
  const columns = findCveColumns(sampleColumns(file)).map(({ node }) => node);
  if (lists.length === 0 || columns.length === 0) {
    return { ...noMarkedRows, lists };
  }
  const found: MarkedPart[] = [];
  const payload: MarkPayload = {
    nodes: columns.map(({ number }) => number),
    lists: lists.map(({ cves }) => cves),
  };
  const here = new MarkTask(file, payload);
  const job: RangeJob = {
    task: 'marks',
    payload: () => payload,
    visitor: here,
    addResult: (part) => found.push(here.take(), part as MarkedPart),
  };
  await scanner.scan(budget, job, options);
  found.push(here.take());
  return { ...joinParts(found), possible: possibleMarks(lists), lists, columns };
}

/** What lists say of a row, as bits; 0 if nothing. */
export function markOfRow({ numbers, marks }: MarkedRows, row: number): number {
  const at = firstFrom(numbers, row);
  return numbers[at] === row ? marks[at]! : 0;
}

function possibleMarks(lists: readonly OpenCveList[]): number {
  const known = lists.some(({ cves }) => cves.known.includes(1)) ? knownMark : 0;
  return known | (lists.some(({ cves }) => cves.epss) ? likelyMark : 0);
}

function joinParts(parts: readonly MarkedPart[]): Pick<MarkedRows, 'numbers' | 'marks'> {
  const count = parts.reduce((sum, { numbers }) => sum + numbers.length, 0);
  const numbers = new Uint32Array(new SharedArrayBuffer(4 * count));
  const marks = new Uint8Array(new SharedArrayBuffer(count));
  let at = 0;
  for (const part of parts) {
    numbers.set(part.numbers, at);
    marks.set(part.marks, at);
    at += part.numbers.length;
  }
  return { numbers, marks };
}

/** What the thread of a range needs. */
interface MarkPayload {
  readonly nodes: readonly number[];
  readonly lists: readonly ListedCves[];
}

interface MarkedPart {
  readonly numbers: Uint32Array;
  readonly marks: Uint8Array;
}

class MarkTask implements RangeTask {
  readonly nodes: readonly ShapeNode[];
  private readonly value = newValue();
  private numbers: number[] = [];
  private marks: number[] = [];

  constructor(
    { shape }: ReadableFile,
    private readonly payload: MarkPayload,
  ) {
    this.nodes = payload.nodes.map((number) => shape.nodes[number]!);
  }

  visit(records: RecordReader, row: number): void {
    for (let record = 0; record < records.count; record += 1) {
      const mark = hasValues(records.invalid(record)) ? this.markOf(records, record) : 0;
      if (mark !== 0) {
        this.numbers.push(row + record);
        this.marks.push(mark);
      }
    }
  }

  /** What was found since this was last asked for. */
  take(): MarkedPart {
    const part = { numbers: Uint32Array.from(this.numbers), marks: Uint8Array.from(this.marks) };
    this.numbers = [];
    this.marks = [];
    return part;
  }

  finish() {
    const result = this.take();
    return { result, transferred: [result.numbers, result.marks] };
  }

  private markOf(records: RecordReader, record: number): number {
    const { value } = this;
    let mark = 0;
    for (let slot = 0; slot < this.nodes.length; slot += 1) {
      records.read(record, slot, value);
      if (value.kind < kindNull) {
        visitCves(value.bytes, value.from, Math.min(value.to, value.from + maxBytes), (code) => {
          for (const list of this.payload.lists) {
            mark |= markIn(list, positionIn(list, code));
          }
        });
      }
    }
    return mark;
  }
}

export const markTask: NewTask = (file, { payload }) => new MarkTask(file, payload as MarkPayload);

function markIn({ known, epss }: ListedCves, at: number): number {
  return at < 0
    ? 0
    : (known[at] === 1 ? knownMark : 0) | (isLikely(epss?.[at] ?? 0) ? likelyMark : 0);
}

/** The position of a code; -1 if the list does not have it. */
function positionIn({ codes }: ListedCves, code: number): number {
  let [low, high] = [0, codes.length];
  while (low < high) {
    const middle = (low + high) >>> 1;
    if (codes[middle]! < code) {
      low = middle + 1;
    } else {
      high = middle;
    }
  }
  return codes[low] === code ? low : -1;
}

/** What lists say of a row: each once, by its first exploited CVE, or that with the highest EPSS. */
export function describeMarks(file: TableFile, { lists, columns }: MarkedRows, row: number) {
  if (lists.length === 0 || columns.length === 0) {
    return [];
  }
  const reader = new RowReader(file, columns, { reveal: false, maxLength: fullLength });
  const codes = reader.row(row).cells.flatMap(({ text }) => cveCodes(text));
  return lists.flatMap(({ title, cves }): ListedRow[] => {
    const listed = codes.flatMap((code) => {
      const at = positionIn(cves, code);
      const epss = cves.epss?.[at] ?? NaN;
      return at < 0 ? [] : { code, isKnown: cves.known[at] === 1, epss };
    });
    const [best] = listed.toSorted(
      (one, other) =>
        Number(other.isKnown) - Number(one.isKnown) || (other.epss || 0) - (one.epss || 0),
    );
    return best && (best.isKnown || !isNaN(best.epss))
      ? [
          {
            ...title,
            cve: formatCveCode(best.code),
            isKnown: best.isKnown,
            ...(!isNaN(best.epss) && { epss: best.epss }),
          },
        ]
      : [];
  });
}

/** The columns that say which rows are exploited. A secret is never read for it. */
export function findKnownColumns(columns: readonly ColumnSample[]): ShapeNode[] {
  return columns
    .map(({ node }) => node)
    .filter(({ name, secret }) => !secret && exploitSignOf(name) === 'known');
}

/** Returns what reads whether columns say that a row is exploited. */
export function exploitedReader(
  file: TableFile,
  nodes: readonly ShapeNode[],
): (row: number) => boolean {
  const reader = new RowReader(file, nodes, { reveal: false, maxLength: fullLength });
  return (row) =>
    nodes.length > 0 &&
    reader.row(row).cells.some(({ text }, at) => saysExploited(nodes[at]!.name, text));
}
