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
import { maxListedCves, type ReadCves } from '../data/cveLists';
import { type ColumnSample, sampleColumns } from '../read/detect/sampleColumns';
import { newValue, type RecordReader } from '../read/records/recordReader';
import type { ShapeNode } from '../read/records/shape';
import { hasValues, type Visitor } from '../read/records/visitor';
import type { TableFile } from '../read/tableFile';
import type { YieldBudget } from '../threads/yieldBudget';
import { kindNull } from '../values/kinds';
import { findCveColumns } from './markedRows';

/** What a list says of one CVE so far. */
interface Entry {
  isKnown: boolean;
  /** NaN if it says nothing; as a probability, and as it is if the numbers of the list are percents. */
  epss: number;
  epssOfPercents: number;
}

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
    this.add(cveCodes(id.name), !epss && !known, '');
  }

  visit(records: RecordReader): void {
    const { id, known, epss } = this.columns;
    for (let record = 0; record < records.count; record += 1) {
      if (!this.isTooLong && hasValues(records.invalid(record))) {
        const isKnown = known
          ? saysExploited(known.name, this.text(records, record, known))
          : !epss;
        const probability = epss ? this.text(records, record, epss) : '';
        this.add(cveCodes(this.text(records, record, id)), isKnown, probability);
      }
    }
  }

  result(): ReadCves {
    const { entries, inPercent } = this;
    if (this.isTooLong) {
      return { refused: 'tooMany' };
    }
    return entries.size === 0
      ? { refused: 'noCves' }
      : inOrder(entries, ({ epss, epssOfPercents }) => (inPercent ? epssOfPercents : epss));
  }

  private get isTooLong(): boolean {
    return this.entries.size > maxListedCves;
  }

  private add(codes: readonly number[], isKnown: boolean, probability: string): void {
    this.inPercent ||= arePercents([probability]);
    const epss = readEpss(probability);
    const epssOfPercents = readEpss(probability, { inPercent: true });
    for (const code of codes) {
      const entry = this.entries.get(code) ?? { isKnown: false, epss: NaN, epssOfPercents: NaN };
      this.entries.set(code, entry);
      entry.isKnown ||= isKnown;
      entry.epss = highest(entry.epss, epss);
      entry.epssOfPercents = highest(entry.epssOfPercents, epssOfPercents);
    }
  }

  private text(records: RecordReader, record: number, { node }: ColumnSample): string {
    const { value } = this;
    records.read(record, this.nodes.indexOf(node), value);
    return value.kind < kindNull ? value.bytes.toString('utf8', value.from, value.to) : '';
  }
}

/** The ids of a file of one line, which looks like a heading. */
function headingOnly(columns: readonly ColumnSample[]): ReadCves {
  const codes = columns.flatMap(({ name, texts }) => (texts.length === 0 ? cveCodes(name) : []));
  return codes.length === 0
    ? { refused: 'noCves' }
    : inOrder(
        new Map(codes.map((code) => [code, { isKnown: true, epss: NaN, epssOfPercents: NaN }])),
        () => NaN,
      );
}

function inOrder(entries: ReadonlyMap<number, Entry>, epssOf: (entry: Entry) => number): ReadCves {
  const codes = Float64Array.from(entries.keys()).sort();
  const all = Array.from(codes, (code) => entries.get(code)!);
  const epss = Float32Array.from(all, epssOf);
  return {
    codes,
    known: Uint8Array.from(all, ({ isKnown }) => Number(isKnown)),
    ...(epss.some((each) => !isNaN(each)) && { epss }),
  };
}

/** The column that most likely has a sign, if it has any value. */
function likeliest(columns: readonly ColumnSample[], sign: ExploitSign): ColumnSample | undefined {
  return columns
    .filter(
      ({ name, node, texts }) =>
        exploitSignOf(name) === sign && !isOnlyRemark(name) && !node.secret && texts.length > 0,
    )
    .toSorted((one, other) => signLikelihood(one.name) - signLikelihood(other.name))[0];
}

function highest(one: number, other: number | undefined): number {
  return other === undefined || one >= other ? one : other;
}
