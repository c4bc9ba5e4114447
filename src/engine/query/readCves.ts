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
import { hasValues } from '../read/records/visitor';
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
  const entries = new Map<number, Entry>();
  let inPercent = false;
  let isTooLong = false;
  const add = (codes: readonly number[], isKnown: boolean, probability: string) => {
    inPercent ||= arePercents([probability]);
    for (const code of codes) {
      const entry = entries.get(code) ?? { isKnown: false, epss: NaN, epssOfPercents: NaN };
      entries.set(code, entry);
      entry.isKnown ||= isKnown;
      entry.epss = highest(entry.epss, readEpss(probability));
      entry.epssOfPercents = highest(
        entry.epssOfPercents,
        readEpss(probability, { inPercent: true }),
      );
    }
    isTooLong = entries.size > maxListedCves;
  };
  // A file without a heading has its first id in the place of one.
  add(cveCodes(id.name), !epss && !known, '');
  const nodes = [id, known, epss].flatMap((column) => column?.node ?? []);
  const read = textReader(nodes);
  await file.scan(budget, {
    nodes,
    visit: (records) => {
      for (let record = 0; record < records.count && !isTooLong; record += 1) {
        if (hasValues(records.invalid(record))) {
          const [ids, saying, probability] = [id, known, epss].map((column) =>
            column ? read(records, record, column.node) : '',
          );
          const isKnown = known ? saysExploited(known.name, saying!) : !epss;
          add(cveCodes(ids!), isKnown, probability!);
        }
      }
    },
  });
  if (isTooLong) {
    return { refused: 'tooMany' };
  }
  return entries.size === 0
    ? { refused: 'noCves' }
    : inOrder(entries, ({ epss: one, epssOfPercents }) => (inPercent ? epssOfPercents : one));
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

function textReader(nodes: readonly ShapeNode[]) {
  const value = newValue();
  return (records: RecordReader, record: number, node: ShapeNode): string => {
    records.read(record, nodes.indexOf(node), value);
    return value.kind < kindNull ? value.bytes.toString('utf8', value.from, value.to) : '';
  };
}
