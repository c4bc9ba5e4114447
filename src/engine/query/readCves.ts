import { cveCodes } from '../../vocabulary/cve';
import {
  arePercents,
  type ExploitSign,
  exploitSignOf,
  isOnlyRemark,
  readEpss,
  saysExploited,
  signLikelihood,
} from '../../vocabulary/exploited';
import { isNameOf } from '../../vocabulary/meanings';
import { findRoles } from '../../vocabulary/roles';
import { type ListedCves, maxListedCves, type ReadCves } from '../data/cveLists';
import { type ColumnSample, sampleColumns } from '../read/detect/sampleColumns';
import { visitCves } from './cveBytes';
import { newValue, type RecordReader, type Value } from '../read/records/recordReader';
import type { ShapeNode } from '../read/records/shape';
import { hasValues, type Visitor } from '../read/records/visitor';
import type { TableFile } from '../read/tableFile';
import type { YieldBudget } from '../threads/yieldBudget';
import { kindNull } from '../values/kinds';
import { findCveColumns } from './exploitedRows';

/** NaN if there is none; as a probability, and as it is if the numbers of the list are percents. */
interface Probability {
  epss: number;
  epssOfPercents: number;
}

/** What a list says of one CVE so far. */
interface Entry extends Probability {
  isKnown: boolean;
}

const none: Probability = { epss: NaN, epssOfPercents: NaN };

/** The columns of a list; the last two may be absent. */
interface ListColumns {
  readonly id: ColumnSample;
  /** Says which CVEs are exploited. */
  readonly known: ColumnSample | undefined;
  readonly epss: ColumnSample | undefined;
}

/**
 * Reads a file as a list of CVEs. Where a column says which are exploited, those are; where another one has EPSS, only
 * that counts, because such lists have all CVEs; else all are, as in a catalogue.
 */
export async function readCves(file: TableFile, budget: YieldBudget): Promise<ReadCves> {
  const sampled = sampleColumns(file);
  const [id] = findCveColumns(sampled);
  if (!id) {
    return headingOnly(sampled);
  }
  const known = likeliest(sampled, 'known');
  const epss = likeliest(sampled, 'likely');
  const isCatalogue = sampled.some(({ name }) => isNameOf('catalogueEntry', name));
  if (!known && !epss && !isCatalogue && findRoles(sampled).has('severity')) {
    return { refused: 'severities' };
  }
  const reading = new CveVisitor({ id, known, epss });
  await file.scan(budget, reading);
  return reading.result();
}

class CveVisitor implements Visitor {
  readonly nodes: readonly ShapeNode[];
  private readonly entries = new Map<number, Entry>();
  private inPercent = false;
  private readonly value = newValue();

  constructor(private readonly columns: ListColumns) {
    const { id, known, epss } = columns;
    this.nodes = [id, known, epss].flatMap((column) => column?.node ?? []);
    // A file without a heading may have its first id in the place of one.
    for (const code of cveCodes(id.name)) {
      this.add(code, !epss && !known, none);
    }
  }

  visit(records: RecordReader): void {
    const { id, known, epss } = this.columns;
    for (let record = 0; record < records.count; record += 1) {
      if (!this.isTooLong && hasValues(records.invalid(record))) {
        const isKnown = known
          ? saysExploited(known.name, this.text(records, record, known))
          : !epss;
        const probability = epss ? this.probability(records, record, epss) : none;
        const { bytes, from, to } = this.read(records, record, id);
        visitCves(bytes, from, to, (code) => {
          this.add(code, isKnown, probability);
        });
      }
    }
  }

  result(): ReadCves {
    const { entries, inPercent } = this;
    if (this.isTooLong) {
      return { refused: 'tooMany' };
    }
    if (entries.size === 0) {
      return { refused: 'noCves' };
    }
    const list = inOrder(entries, ({ epss, epssOfPercents }) =>
      inPercent ? epssOfPercents : epss,
    );
    return list.epss || list.known.includes(1) ? list : { refused: 'noMarks' };
  }

  private get isTooLong(): boolean {
    return this.entries.size > maxListedCves;
  }

  private add(code: number, isKnown: boolean, { epss, epssOfPercents }: Probability): void {
    const before = this.entries.get(code);
    if (before) {
      before.isKnown ||= isKnown;
      before.epss = highest(before.epss, epss);
      before.epssOfPercents = highest(before.epssOfPercents, epssOfPercents);
    } else {
      this.entries.set(code, { isKnown, epss, epssOfPercents });
    }
  }

  /** What a value says by itself, and if the numbers of the list are percents. */
  private probability(records: RecordReader, record: number, column: ColumnSample): Probability {
    const text = this.text(records, record, column);
    // Of hundreds of thousands, nearly all are plain numbers.
    const number = /^0?\.\d+$/.test(text) ? Number(text) : undefined;
    if (number !== undefined) {
      return { epss: number, epssOfPercents: number / 100 };
    }
    this.inPercent ||= arePercents([text]);
    return {
      epss: readEpss(text) ?? NaN,
      epssOfPercents: readEpss(text, { inPercent: true }) ?? NaN,
    };
  }

  private text(records: RecordReader, record: number, column: ColumnSample): string {
    const { bytes, from, to } = this.read(records, record, column);
    return bytes.toString('utf8', from, to);
  }

  /** The value of a column; one without bytes if there is none. */
  private read(records: RecordReader, record: number, { node }: ColumnSample): Value {
    const { value } = this;
    records.read(record, this.nodes.indexOf(node), value);
    if (value.kind >= kindNull) {
      value.to = value.from;
    }
    return value;
  }
}

/** The ids of a file of one line, which looks like a heading. */
function headingOnly(columns: readonly ColumnSample[]): ReadCves {
  const codes = columns.flatMap(({ name, texts }) => (texts.length === 0 ? cveCodes(name) : []));
  return codes.length === 0
    ? { refused: 'noCves' }
    : inOrder(new Map(codes.map((code) => [code, { isKnown: true, ...none }])), () => NaN);
}

function inOrder(
  entries: ReadonlyMap<number, Entry>,
  epssOf: (entry: Entry) => number,
): ListedCves {
  const codes = Float64Array.from(entries.keys()).sort();
  const all = Array.from(codes, (code) => entries.get(code)!);
  const epss = Float32Array.from(all, epssOf);
  return {
    codes,
    known: Uint8Array.from(all, ({ isKnown }) => Number(isKnown)),
    ...(epss.some((each) => !isNaN(each)) && { epss }),
  };
}

/** The column that most likely has a sign. One decides by its name, also if no row so far has a value of it. */
function likeliest(columns: readonly ColumnSample[], sign: ExploitSign): ColumnSample | undefined {
  return columns
    .filter(({ name, node }) => exploitSignOf(name) === sign && !isOnlyRemark(name) && !node.secret)
    .toSorted(
      (one, other) =>
        Number(hasNone(one)) - Number(hasNone(other)) ||
        signLikelihood(one.name) - signLikelihood(other.name),
    )[0];
}

function hasNone({ texts }: ColumnSample): boolean {
  return texts.length === 0;
}

function highest(one: number, other: number): number {
  return isNaN(other) || one >= other ? one : other;
}
