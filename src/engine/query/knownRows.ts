import { findIdentityColumns } from '../../vocabulary/identityColumns';
import { isNameOf, likelihoodOf, type Meaning } from '../../vocabulary/meanings';
import { findRoles } from '../../vocabulary/roles';
import { findSeverityLevel, type SeverityLevel, severityLevels } from '../../vocabulary/severity';
import type { IdentifiedRow, KnownFinding, KnownRowsSummary } from '../data/known';
import type { Row } from '../data/answers';
import { type ColumnSample, sampleColumns, sampledRows } from '../read/detect/sampleColumns';
import type { NewTask, RangeTask } from '../read/ranges/rangeReader';
import type { RangeJob, Scanner } from '../read/ranges/scanner';
import { newValue, type RecordReader, type Value } from '../read/records/recordReader';
import type { ReadableFile } from '../read/records/visitor';
import type { ShapeNode } from '../read/records/shape';
import { fullLength, RowReader, shownLength } from '../read/rowReader';
import type { ScanOptions, TableFile } from '../read/tableFile';
import type { YieldBudget } from '../threads/yieldBudget';
import { kindNull } from '../values/kinds';

/** Longer texts identify nothing. */
const maxIdBytes = 4096;

/** The columns of a file that tell its findings apart, and those that describe one. */
interface KnownColumns {
  readonly id: readonly ShapeNode[];
  readonly line: ShapeNode | undefined;
  readonly severity: ShapeNode | undefined;
  readonly rule: ShapeNode | undefined;
  readonly title: ShapeNode | undefined;
  readonly place: ShapeNode | undefined;
}

/** The rows of a file that are known. */
export interface KnownRows extends KnownRowsSummary {
  /** In ascending order. */
  readonly numbers: Uint32Array;
  /** Why, by the position of the number. */
  readonly findings: readonly KnownFinding[];
  /** Of rows that are no longer known: why they were. */
  readonly past: ReadonlyMap<number, KnownFinding>;
}

export const noKnownRows: KnownRows = {
  rows: 0,
  numbers: new Uint32Array(),
  findings: [],
  past: new Map(),
  unmatched: [],
  worse: [],
};

/** Why a row is known; `undefined` if it is not. */
export function knownFinding(
  { numbers, findings }: KnownRows,
  row: number,
): KnownFinding | undefined {
  const at = firstFrom(numbers, row);
  return numbers[at] === row ? findings[at] : undefined;
}

/** The position of the first number that is not less. */
export function firstFrom(numbers: Uint32Array, row: number): number {
  let [low, high] = [0, numbers.length];
  while (low < high) {
    const middle = (low + high) >>> 1;
    if (numbers[middle]! < row) {
      low = middle + 1;
    } else {
      high = middle;
    }
  }
  return low;
}

/** By the names of the columns and the first 200 rows; `undefined` if nothing tells the rows apart. */
export function findKnownColumns(file: TableFile): KnownColumns | undefined {
  const columns = sampleColumns(file).filter(({ node }) => !node.secret);
  const found = findIdentityColumns(columns, Math.min(sampledRows, file.index.rows));
  if (!found) {
    return undefined;
  }
  const roles = findRoles(columns);
  const id = found.columns.map(({ node }) => node);
  const named = (...meanings: Meaning[]) =>
    meanings.flatMap((meaning) => mostLikely(columns, meaning) ?? [])[0]?.node;
  return {
    id,
    line: found.line?.node,
    severity: roles.get('severity')?.column.node,
    rule: roles.get('issueType')?.column.node ?? named('vulnerability', 'rule', 'issueType'),
    title: named('message', 'title'),
    place: named('file') ?? roles.get('asset')?.column.node ?? named('package'),
  };
}

function mostLikely(columns: readonly ColumnSample[], meaning: Meaning): ColumnSample | undefined {
  return columns
    .filter(({ name, texts }) => texts.length > 0 && likelihoodOf(meaning, name) !== undefined)
    .toSorted(
      (one, other) => likelihoodOf(meaning, one.name)! - likelihoodOf(meaning, other.name)!,
    )[0];
}

/**
 * Finds the rows of known findings in one pass. Of several rows with the same id, only those in the same line are
 * known: another one is new. A row that is more severe than it was is not known.
 */
export async function findKnownRows(
  file: TableFile,
  scanner: Scanner,
  known: readonly KnownFinding[],
  budget: YieldBudget,
  options: ScanOptions = {},
): Promise<KnownRows> {
  const all = known.map((_, at) => at);
  const columns = known.length > 0 ? findKnownColumns(file) : undefined;
  if (!columns) {
    return { ...noKnownRows, unmatched: all };
  }
  const byId = new Map<string, number[]>();
  known.forEach(({ id }, at) => {
    byId.set(id, [...(byId.get(id) ?? []), at]);
  });
  const candidates = await findCandidates(file, scanner, columns, byId, budget, options);
  const rows: { row: number; finding: KnownFinding }[] = [];
  const matched = new Set<number>();
  const worse = new Set<number>();
  const past = new Map<number, KnownFinding>();
  for (const [id, found] of candidates) {
    for (const { row, line, severity } of found) {
      const own = byId.get(id)!.filter((at) => found.length === 1 || known[at]!.line === line);
      own.forEach((one) => matched.add(one));
      const [at] = own;
      const finding = at === undefined ? undefined : known[at]!;
      if (at === undefined || !finding) {
        continue;
      }
      const hasGotWorse = isWorse(severity, finding.severity);
      if (hasGotWorse) {
        worse.add(at);
      }
      if (hasGotWorse || finding.isOver) {
        past.set(row, finding);
      } else {
        rows.push({ row, finding });
      }
    }
  }
  rows.sort((one, other) => one.row - other.row);
  return {
    rows: rows.length,
    numbers: Uint32Array.from(rows, ({ row }) => row),
    findings: rows.map(({ finding }) => finding),
    past,
    unmatched: all.filter((at) => !matched.has(at)),
    worse: [...worse],
  };
}

interface Candidate {
  readonly row: number;
  readonly line: string | undefined;
  readonly severity: SeverityLevel | undefined;
}

async function findCandidates(
  file: TableFile,
  scanner: Scanner,
  columns: KnownColumns,
  byId: ReadonlyMap<string, unknown>,
  budget: YieldBudget,
  options: ScanOptions,
): Promise<Map<string, Candidate[]>> {
  const rows: Uint32Array[] = [];
  const ids = Array.from(byId.keys(), (id) => hashOfId(id, columns.id.length));
  const payload = { nodes: columns.id.map(({ number }) => number), hashes: Int32Array.from(ids) };
  const job: RangeJob = {
    task: 'known',
    payload: () => payload,
    visitor: new KnownTask(file, payload, (row) => rows.push(Uint32Array.of(row))),
    addResult: (found) => rows.push(found as Uint32Array),
  };
  await scanner.scan(budget, job, options);
  const candidates = rows.flatMap((some) => [...some]);
  const read = rowIdentifier(file, columns);
  const found = new Map<string, Candidate[]>();
  for (const row of candidates) {
    const { id, line, severity } = read(row) ?? {};
    if (id !== undefined && byId.has(id)) {
      found.set(id, [...(found.get(id) ?? []), { row, line, severity }]);
    }
    if (budget.shouldYield(4096)) {
      await budget.pause();
    }
  }
  return found;
}

/** What the thread of a range needs. */
interface KnownPayload {
  /** The numbers of the nodes that identify a row. */
  readonly nodes: readonly number[];
  readonly hashes: Int32Array;
}

/** Finds the rows whose ids have one of some hashes. */
class KnownTask implements RangeTask {
  readonly nodes: readonly ShapeNode[];
  private readonly hashes: ReadonlySet<number>;
  private readonly arePlaces: readonly boolean[];
  private readonly value = newValue();
  private readonly found: number[] = [];

  constructor(
    { shape }: ReadableFile,
    { nodes, hashes }: KnownPayload,
    private readonly onFound: (row: number) => void = (row) => this.found.push(row),
  ) {
    this.nodes = nodes.map((number) => shape.nodes[number]!);
    this.hashes = new Set(hashes);
    this.arePlaces = this.nodes.map(isPlaces);
  }

  visit(records: RecordReader, row: number): void {
    const { value, arePlaces, hashes } = this;
    const slots = this.nodes.length;
    for (let record = 0; record < records.count; record += 1) {
      let hash = firstHash;
      for (let slot = 0; slot < slots; slot += 1) {
        records.read(record, slot, value);
        hash = slot === 0 ? hash : separate(hash);
        hash = arePlaces[slot] ? hashText(hash, placesText(textOf(value))) : hashBytes(hash, value);
      }
      if (hashes.has(hash)) {
        this.onFound(row + record);
      }
    }
  }

  finish() {
    const result = Uint32Array.from(this.found);
    return { result, transferred: [result] };
  }
}

export const knownTask: NewTask = (file, { payload }) =>
  new KnownTask(file, payload as KnownPayload);

/** Reads what tells a row apart, and what it is about; `undefined` if nothing does. Values that are masked do not. */
export function rowIdentifier(
  file: TableFile,
  columns: KnownColumns,
): (row: number) => IdentifiedRow | undefined {
  const { id: idNodes, line, severity, rule, title, place } = columns;
  const described = [line, severity, rule, title, place];
  const nodes = [...new Set([...idNodes, ...described.flatMap((node) => node ?? [])])];
  const reader = new RowReader(file, nodes, { reveal: false, maxLength: fullLength });
  return (record) => {
    const row = reader.row(record);
    const text = (node: ShapeNode | undefined) => textIn(row, node ? nodes.indexOf(node) : -1);
    const ids = idNodes.map((node) =>
      isPlaces(node) ? placesText(text(node) ?? '') : (text(node) ?? ''),
    );
    if (row.invalid !== undefined || ids.every((one) => one === '')) {
      return undefined;
    }
    const isMasked = idNodes.some((node) => row.cells[nodes.indexOf(node)]?.masked === true);
    const level = severity && findSeverityLevel(text(severity) ?? '', severity.name);
    const places = idNodes.find(isPlaces);
    const short = (node: ShapeNode | undefined) => {
      const words = text(node)?.replace(/\s+/g, ' ').trim().slice(0, shownLength);
      return words === undefined || words === '' ? undefined : words;
    };
    const optional = {
      line: places ? /"startLine":(\d+)/.exec(text(places) ?? '')?.[1] : text(line),
      severity: level,
      rule: short(rule),
      title: short(title),
      place: places ? placesText(text(places) ?? '') : short(place),
    };
    return isMasked
      ? undefined
      : {
          record,
          id: ids.length === 1 ? ids[0]! : JSON.stringify(ids),
          ...(Object.fromEntries(
            Object.entries(optional).filter(([, value]) => value !== undefined),
          ) as Partial<typeof optional> as object),
        };
  };
}

function textIn({ cells }: Row, slot: number): string | undefined {
  const cell = cells[slot];
  return cell === undefined || cell.text === '' ? undefined : cell.text;
}

/** Whether a column has the locations of SARIF, in which lines are beside files. */
function isPlaces(node: ShapeNode): boolean {
  return isNameOf('places', node.name);
}

/** The files in a list of locations, without their lines. */
function placesText(text: string): string {
  const uris = Array.from(text.matchAll(/"uri":\s*"((?:[^"\\]|\\.)*)"/g), ([, uri]) => uri);
  return uris.length > 0 ? uris.join(' ') : text;
}

function isWorse(now: SeverityLevel | undefined, before: SeverityLevel | undefined): boolean {
  return (
    now !== undefined &&
    before !== undefined &&
    severityLevels.indexOf(now) < severityLevels.indexOf(before)
  );
}

/*
 * A hash of 32 bits (FNV-1a) finds the rows that may be known: to make a text of each value of millions of rows
 * would take longer than all else.
 */

const firstHash = 0x811c9dc5;

function hashBytes(hash: number, { kind, bytes, from, to }: Value): number {
  let next = hash;
  if (kind < kindNull) {
    const end = Math.min(to, from + maxIdBytes);
    for (let at = from; at < end; at += 1) {
      next = Math.imul(next ^ bytes[at]!, 0x01000193);
    }
  }
  return next;
}

function separate(hash: number): number {
  return Math.imul(hash ^ 0x1f, 0x01000193);
}

function hashText(hash: number, text: string): number {
  const bytes = Buffer.from(text);
  return hashBytes(hash, { kind: 0, bytes, from: 0, to: bytes.length } as Value);
}

function hashOfId(id: string, columns: number): number {
  const texts = columns === 1 ? [id] : parseTexts(id);
  return texts.reduce(
    (hash, text, at) => hashText(at === 0 ? hash : separate(hash), text),
    firstHash,
  );
}

function parseTexts(id: string): readonly string[] {
  try {
    const texts: unknown = JSON.parse(id);
    return Array.isArray(texts) ? texts.map(String) : [id];
  } catch {
    return [id];
  }
}

function textOf({ kind, bytes, from, to }: Value): string {
  return kind < kindNull ? bytes.toString('utf8', from, to) : '';
}
