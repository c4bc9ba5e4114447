import { isUtf8 } from 'node:buffer';
import { groupBy } from '../../base/groupBy';
import { isClosing } from '../../vocabulary/closing';
import { findRoles, mayCloseLate } from '../../vocabulary/roles';
import { isMoreSevere } from '../../vocabulary/severity';
import {
  digestMark,
  type IdentifiedRow,
  type KnownFinding,
  type KnownRowsSummary,
  type PastReason,
} from '../data/known';
import { closingOfFile, firstColumns, lateClosingOfFile } from '../read/detect/sampleColumns';
import type { NewTask, RangeTask } from '../read/ranges/rangeReader';
import type { RangeJob, Scanner } from '../read/ranges/scanner';
import { newValue, type RecordReader, type Value } from '../read/records/recordReader';
import type { ReadableFile } from '../read/records/visitor';
import type { ShapeNode } from '../read/records/shape';
import { fullLength, RowReader } from '../read/rowReader';
import type { ScanOptions, TableFile } from '../read/tableFile';
import type { YieldBudget } from '../threads/yieldBudget';
import { kindNull } from '../values/kinds';
import { mainParts, partsOfId, stableText } from './idParts';
import {
  findKnownColumns,
  type IdPlan,
  type KnownColumns,
  maxIdBytes,
  rowIdentifier,
} from './rowIdentity';

/** Values of so many bytes in all make no longer one, however they are escaped in JSON. */
const surelyShort = maxIdBytes / 8;

/** The rows of a file that are known. */
export interface KnownRows extends Omit<KnownRowsSummary, 'hasChanged'> {
  /** In ascending order. */
  readonly numbers: Uint32Array;
  /** Why, by the position of the number. */
  readonly findings: readonly KnownFinding[];
  /** Of rows that are no longer known: why they were, and why not now. */
  readonly past: ReadonlyMap<number, PastRow>;
}

interface PastRow {
  readonly finding: KnownFinding;
  readonly why: PastReason;
  /** Whether it needs no new decision: its file says that it is closed. */
  readonly isClosed?: true;
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

/**
 * Finds the rows of known findings in one pass. Of several rows with the same id, only those with the same detail are
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
  if (known.length === 0) {
    return { ...noKnownRows, unmatched: all };
  }
  const columns = findKnownColumns(file);
  const byId = groupBy(all, (at) => known[at]!.id);
  const groups = await findGroups(file, scanner, columns, new Set(byId.keys()), budget, options);
  const rows: { row: number; finding: KnownFinding }[] = [];
  const matched = new Set<number>();
  const worse = new Set<number>();
  const past = new Map<number, PastRow>();
  const isClosed = closedReader(file);
  for (const [id, found] of groups) {
    const own = byId.get(id) ?? [];
    const byDetail = groupBy(own, (at) => known[at]!.detail ?? '');
    for (const { record, detail, severity } of found) {
      const isAlone = found.length === 1;
      const exact = byDetail.get(detail ?? '') ?? [];
      const others = isAlone ? own.filter((at) => known[at]!.isShared !== true) : [];
      const decisions = [...new Set([...exact, ...others])];
      decisions.forEach((at) => matched.add(at));
      const holds = (at: number) =>
        known[at]!.isOver !== true && !isMoreSevere(severity, known[at]!.severity);
      const at = decisions.find(holds) ?? decisions[0];
      if (at === undefined) {
        continue;
      }
      if (holds(at)) {
        rows.push({ row: record, finding: known[at]! });
      } else {
        const why = known[at]!.isOver ? 'expired' : 'worse';
        past.set(record, {
          finding: known[at]!,
          why,
          ...(isClosed(record) && { isClosed: true as const }),
        });
      }
      if (isMoreSevere(severity, known[at]!.severity) && !isClosed(record)) {
        worse.add(at);
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

/** Reads whether a row is closed, as the table says it: by columns that only later rows have, too. */
function closedReader(file: TableFile): (row: number) => boolean {
  const columns = firstColumns(file);
  const roles = findRoles(columns);
  const forms = new Map(
    Array.from(closingOfFile(file, columns, roles), ([{ node }, form]) => [node, form]),
  );
  const mayBeLate = mayCloseLate(columns, roles);
  let seenNodes = 0;
  let reader: RowReader | undefined;
  const addLate = (row: number) => {
    // The check waits until it is known which rows are.
    if (!file.shape.isComplete) {
      file.growShape(row, 1);
    }
    for (const [node, form] of lateClosingOfFile(file, seenNodes)) {
      if (!forms.has(node)) {
        forms.set(node, form);
        reader = undefined;
      }
    }
    seenNodes = file.shape.nodes.length;
  };
  return (row) => {
    if (mayBeLate) {
      addLate(row);
    }
    // Nothing of it is shown.
    reader ??= new RowReader(file, [...forms.keys()], { reveal: true, maxLength: fullLength });
    const closing = [...forms.values()];
    return (
      closing.length > 0 &&
      reader.row(row).cells.some(({ text }, at) => isClosing(closing[at]!, text))
    );
  };
}

/** What tells rows apart, and what they are about; without those that nothing tells apart. */
export async function identifyRows(
  file: TableFile,
  scanner: Scanner,
  rows: readonly number[],
  budget: YieldBudget,
): Promise<readonly IdentifiedRow[]> {
  const columns = findKnownColumns(file);
  const read = rowIdentifier(file, columns);
  const identified = rows.flatMap((row) => read(row) ?? []);
  if (columns.plan.isOfService) {
    return identified;
  }
  const ids = new Set(identified.map(({ id }) => id));
  const groups = await findGroups(file, scanner, columns, ids, budget, {});
  return identified.map((row) => ({
    ...row,
    ...((groups.get(row.id)?.length ?? 0) > 1 && { isShared: true as const }),
  }));
}

/** The rows with these ids, by id. */
async function findGroups(
  file: TableFile,
  scanner: Scanner,
  columns: KnownColumns,
  ids: ReadonlySet<string>,
  budget: YieldBudget,
  options: ScanOptions,
): Promise<Map<string, IdentifiedRow[]>> {
  const rows: Uint32Array[] = [];
  const payload: KnownPayload = {
    plan: columns.plan,
    hashes: Int32Array.from([...ids].flatMap((id) => hashOfId(columns.plan, id) ?? [])),
    hasDigests: Array.from(ids).some((id) => id.startsWith(digestMark)),
    hasDamaged: Array.from(ids).some((id) => id.includes('\ufffd')),
  };
  const job: RangeJob = {
    task: 'known',
    payload: () => payload,
    visitor: new KnownTask(file, payload, (row) => rows.push(Uint32Array.of(row))),
    addResult: (found) => rows.push(found as Uint32Array),
  };
  await scanner.scan(budget, job, options);
  const read = rowIdentifier(file, columns);
  const found: IdentifiedRow[] = [];
  for (const row of rows.flatMap((some) => [...some])) {
    const identified = read(row);
    if (identified && ids.has(identified.id)) {
      found.push(identified);
    }
    if (budget.shouldYield(4096)) {
      await budget.pause();
    }
  }
  return groupBy(found, ({ id }) => id);
}

/** What the thread of a range needs. */
interface KnownPayload {
  readonly plan: IdPlan;
  readonly hashes: Int32Array;
  /** Whether rows are searched for that have no other id than a digest. */
  readonly hasDigests: boolean;
  /** Whether an id has a character that stands for bytes that are not UTF-8, whose hash is another one. */
  readonly hasDamaged: boolean;
}

/** Finds the rows whose ids have one of some hashes. */
class KnownTask implements RangeTask {
  readonly nodes: readonly ShapeNode[];
  /** By column of the plan: a node has one slot. */
  private readonly slots: readonly number[];
  private readonly hashes: ReadonlySet<number>;
  private readonly value = newValue();
  private readonly found: number[] = [];

  constructor(
    { shape }: ReadableFile,
    private readonly payload: KnownPayload,
    private readonly onFound: (row: number) => void = (row) => this.found.push(row),
  ) {
    const numbers = [...new Set(payload.plan.nodes)];
    this.nodes = numbers.map((number) => shape.nodes[number]!);
    this.slots = payload.plan.nodes.map((number) => numbers.indexOf(number));
    this.hashes = new Set(payload.hashes);
  }

  visit(records: RecordReader, row: number): void {
    const { isOfService } = this.payload.plan;
    for (let record = 0; record < records.count; record += 1) {
      if (isOfService ? this.hasServiceId(records, record) : this.hasId(records, record)) {
        this.onFound(row + record);
      }
    }
  }

  finish() {
    const result = Uint32Array.from(this.found);
    return { result, transferred: [result] };
  }

  private hasServiceId(records: RecordReader, record: number): boolean {
    records.read(record, 0, this.value);
    return this.hashes.has(hashBytes(firstHash, this.value)) || this.mayBeDamaged(this.value);
  }

  private mayBeDamaged({ bytes, from, to }: Value): boolean {
    return this.payload.hasDamaged && !isUtf8(bytes.subarray(from, to));
  }

  /** Whether the id that `composeId` makes may be one of those, or there is none and it may have a digest instead. */
  private hasId(records: RecordReader, record: number): boolean {
    const { value, payload, hashes } = this;
    const { parts, forms } = payload.plan;
    let hash = firstHash;
    let length = 0;
    let slot = 0;
    let hasRule = false;
    let hasPlace = false;
    let isDamaged = false;
    for (let part = 0; part < partsOfId; part += 1) {
      let isFilled = false;
      for (; parts[slot] === part; slot += 1) {
        if (isFilled) {
          continue;
        }
        const column = this.slots[slot] ?? -1;
        if (this.nodes[column]?.secret) {
          // It tells nothing: an id has no secrets.
          continue;
        }
        records.read(record, column, value);
        const form = forms[slot] ?? 'whole';
        const own = form === 'whole' ? value : valueOf(stableText(form, textOf(value)));
        const ofPart = own.kind < kindNull ? own.to - own.from : 0;
        isFilled = ofPart > 0;
        length += ofPart;
        isDamaged ||= this.mayBeDamaged(own);
        hash = hashBytes(hash, own);
      }
      hash = endOfPart(hash);
      if (part === 0) {
        hasRule = isFilled;
      } else {
        hasPlace ||= isFilled && part < mainParts;
      }
    }
    const isId = hasRule && hasPlace;
    return (
      (isId && (isDamaged || hashes.has(hash))) ||
      (payload.hasDigests && (!isId || length > surelyShort))
    );
  }
}

export const knownTask: NewTask = (file, { payload }) =>
  new KnownTask(file, payload as KnownPayload);

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

/** So that `a` and `bc` differ from `ab` and `c`. */
function endOfPart(hash: number): number {
  return Math.imul(hash ^ 0xff, 0x01000193);
}

/** The hash of an id: of that of the service, or of its parts; `undefined` if no row of such a file has it. */
function hashOfId({ isOfService }: IdPlan, id: string): number | undefined {
  if (isOfService) {
    return hashBytes(firstHash, valueOf(id));
  }
  if (!id.startsWith('[')) {
    return undefined;
  }
  try {
    const parts: unknown = JSON.parse(id);
    const texts = (Array.isArray(parts) ? parts : []).map(String);
    const empty = Array.from({ length: Math.max(0, partsOfId - texts.length) }, () => '');
    return [...texts, ...empty].reduce(
      (hash, part) => endOfPart(hashBytes(hash, valueOf(part))),
      firstHash,
    );
  } catch {
    return undefined;
  }
}

function valueOf(text: string): Value {
  const bytes = Buffer.from(text);
  return { kind: 0, bytes, from: 0, to: bytes.length, time: NaN };
}

function textOf({ kind, bytes, from, to }: Value): string {
  return kind < kindNull ? bytes.toString('utf8', from, to) : '';
}
