import { firstValueCode } from '../columns/columnData';
import { threadKernel } from '../threads/kernel';
import { newValue, type RecordReader } from '../read/records/recordReader';
import type { ShapeNode } from '../read/records/shape';
import { kindNull } from '../values/kinds';
import { mayHideSecret } from '../read/rowReader';
import { hasValues, type ReadableFile, type Visitor } from '../read/records/visitor';
import { countsClosed, type CountScope, countsKnown } from '../data/overview';
import { firstFrom } from '../query/knownRows';
import { knownMark, likelyMark, type ExploitedRows } from '../query/exploitedRows';
import {
  type IssueColumns,
  IssueTypeCounts,
  maxAssets,
  maxIssueTypes,
  maxSplitAssets,
} from './issueTypeCounts';
import { findLateMeaning, type Role } from '../../vocabulary/roles';
import { TimeCounts } from './timeCounts';
import { ValueCounts } from './valueCounts';
import { type ClosingForm, isClosing, isNewSinceBaseline } from '../../vocabulary/closing';
import { exploitSignOf } from '../../vocabulary/exploited';

/** What is counted: all columns, or how many findings are open, by severity. */
export type CountedColumns = 'all' | 'open';

/** The most values of a column that are listed. */
export const maxListed = 50;
/** The most distinct values of a column, by role; a column with more is left out. */
const maxValues: Readonly<Partial<Record<Role, number>>> = {
  severity: 256,
  status: 256,
  factor: 256,
  issueType: maxIssueTypes,
  scorecard: maxIssueTypes,
  asset: maxAssets,
};
/**
 * The most bytes of the distinct values of a column; a column with more is left out. Of most columns
 * there may be as many as `maxColumns`, all of which have to fit into the memory of the kernel.
 */
const maxTextBytes = 1024 ** 2;
const maxTextBytesOf: Readonly<Partial<Record<Role, number>>> = {
  issueType: 64 * 1024 ** 2,
  asset: 64 * 1024 ** 2,
};
/** So many columns that may say which findings are exploited have more values and bytes: probabilities, or lists. */
const maxSignColumns = 6;
const maxSignValues = 64 * 1024;
const maxSignBytes = 16 * 1024 ** 2;
/** The most columns that are counted. */
const maxColumns = 300;

/** The state of a column when its counting begins. */
interface ColumnSetup {
  readonly role: Role | undefined;
  /** Whether the name gives the role, regardless of the values. */
  readonly isNamed: boolean;
  /** How its values say that a finding is closed. */
  readonly closing: ClosingForm | undefined;
  /**
   * `isCollapsed` of the node when counting began. If the node becomes a map later, only some of its
   * values were counted.
   */
  readonly wasCollapsed: boolean;
}

/** A column that is counted. */
export interface CountedColumn extends ColumnSetup {
  readonly node: ShapeNode;
  readonly counts: ValueCounts | TimeCounts;
  /** Whether it has few enough values so far. */
  isCounted: boolean;
}

/** A column whose values are counted, rather than its times. */
export type CountedValues = CountedColumn & { readonly counts: ValueCounts };

/** The rows that lists of CVEs mark, as far as they are counted. */
type MarksToCount = Pick<ExploitedRows, 'numbers' | 'marks'>;

const countedMarks = [knownMark, likelyMark] as const;
/** What a mark says. */
const signOfMark = { [knownMark]: 'known', [likelyMark]: 'likely' } as const;

function addTo(counts: Map<number, number>, key: number, count: number): void {
  counts.set(key, (counts.get(key) ?? 0) + count);
}

/** What is known of a closed record: whether its values count. An open one has 0. */
const closedMark = 1;
const leftOutMark = 2;

function isClosingSeverity({ closing }: CountedColumn): boolean {
  return closing === 'severity';
}

function closesButSeverity(counted: CountedColumn): boolean {
  return counted.closing !== undefined && !isClosingSeverity(counted);
}

/** The slot of a column in the reader of the records that are counted. */
type SlotOf = (counted: CountedColumn) => number;

/** What was counted before, as plain data: other threads need it to count a part of the rows. */
export type CountsState = ReturnType<OverviewCounts['state']>;
export type CountsPart = ReturnType<OverviewCounts['part']>;

/** The values that are counted, and have their numbers for good. */
export class KeptCounts {
  /** By the number of the node. */
  readonly values = new Map<number, ValueCounts>();
  readonly types: IssueTypeCounts;
  /** The severities of each scorecard. */
  readonly scorecards: IssueTypeCounts;
  /** Those of each asset, unless there are more than `maxSplitAssets`. */
  readonly assets: IssueTypeCounts;

  /** Whether they are kept from one range of a thread to the next. */
  readonly isPart: boolean;

  constructor({ isPart }: Pick<KeptCounts, 'isPart'>) {
    this.isPart = isPart;
    this.types = new IssueTypeCounts(isPart);
    this.scorecards = new IssueTypeCounts(isPart, 0);
    this.assets = new IssueTypeCounts(isPart, 0);
  }

  dispose(): void {
    for (const values of this.values.values()) {
      values.release();
    }
    this.types.release();
    this.scorecards.release();
    this.assets.release();
  }
}

/**
 * Counts the values of columns while records are visited, in one pass and bounded memory. A role
 * that is free when counting begins goes to the first column with its name that appears later; no
 * earlier row has a value in that column.
 *
 * Anything beyond the limits is left out rather than counted incorrectly: a column with more
 * distinct values than 50, or than its role allows (256 of severity, status and factor, and of what closes rows, 4,095
 * issue types and scorecards, a million assets, 100,000 days), or with values of more than 1 MB (64 MB of issue types
 * and of assets), or than six columns with signs of attacks have (65,536 values of 16 MB); the assets of issue types if
 * there are more than two million pairs of a type and an asset; the severities of assets if there are more than 65,536
 * of these; and columns beyond 300. A column that is left out closes rows all the same.
 *
 * The limits apply to all rows regardless of their order, so that parts of the rows can be counted
 * separately.
 */
export class OverviewCounts implements Visitor {
  protected rows = 0;
  protected invalid = 0;
  /** Rows that some column closes, or that are known. */
  protected closed = 0;
  /** Rows that are known, whether or not a column closes them, too. */
  protected known = 0;
  /** Closed rows that are not in the scope. They count only in the columns that close some. */
  protected leftOut = 0;
  /** Rows that count, and of which a column says that they are new. */
  protected newRows = 0;
  protected readonly scope: CountScope;
  protected readonly columnsToCount: CountedColumns;
  /** Whether columns that the first rows do not have may close rows. */
  protected readonly mayCloseLate: boolean;
  /** The rows that are known, in ascending order. */
  protected readonly knownRows: Uint32Array;
  /** The rows that lists of CVEs mark. */
  protected readonly marked: MarksToCount;
  /** How many rows that count have each of the marks. */
  protected readonly exploitedRows = new Map<number, number>();
  /** How many of them have each value, by the number of the value; by the column that says the same as the mark. */
  protected readonly markedValues = new Map<CountedColumn, Map<number, number>>();
  /** Further columns with assets: in a row without one, the first value of these counts. */
  protected readonly moreAssets: readonly ShapeNode[];
  /** Whether a value closes a row, by its number; by column. */
  private readonly closingValues = new Map<CountedColumn, boolean[]>();
  /** All columns that were ever counted, by the numbers of their nodes. */
  private readonly byNode = new Map<number, CountedColumn>();
  private readonly byRole = new Map<Role, CountedColumn>();
  /** The columns that are counted, by slot. */
  private slots: readonly CountedColumn[] = [];
  /** Columns that close rows but have too many values to be counted: each value of a row is looked at. */
  private uncounted: readonly CountedColumn[] = [];
  private readonly value = newValue();
  private slotNodes: readonly ShapeNode[] = [];
  /** The slots of the reader, if it reads other nodes, too. */
  private readerSlots: readonly number[] | undefined;
  /** The slot of the asset, and those of further assets. */
  private assetSlot = -1;
  private moreAssetSlots: readonly number[] = [];
  /** The counts of the columns that describe the issue of a row. */
  private issue: IssueColumns = {};
  private ofScorecards: IssueColumns = {};
  private ofAssets: IssueColumns = {};
  /** How many nodes of the shape have been looked at. */
  private seenNodes: number;

  constructor(
    protected readonly walked: ReadableFile,
    {
      columns,
      moreAssets,
      seenNodes,
      scope,
      columnsToCount,
      mayCloseLate,
      knownRows,
      marked,
    }: CountsState,
    protected readonly kept: KeptCounts,
  ) {
    const { nodes } = walked.shape;
    this.scope = scope;
    this.columnsToCount = columnsToCount;
    this.mayCloseLate = mayCloseLate;
    this.knownRows = knownRows;
    this.marked = marked;
    this.moreAssets = moreAssets.map((number) => nodes[number]!);
    this.seenNodes = seenNodes;
    for (const { node, isCounted, ...column } of columns) {
      const counted = this.addColumn(nodes[node]!, column);
      if (!isCounted) {
        this.stopCounting(counted);
      }
    }
    this.updateSlots();
  }

  /** The columns that are counted; also those that the next record has for the first time. */
  get nodes(): readonly ShapeNode[] {
    if (this.seenNodes < this.walked.shape.nodes.length) {
      this.addColumns((node) => this.lateColumn(node));
    }
    return this.slotNodes;
  }

  /** What a column is that the first rows do not have, by its name. */
  protected lateColumn(node: ShapeNode): Omit<ColumnSetup, 'wasCollapsed'> | undefined {
    // A node that contains other values says nothing itself, regardless of its name.
    if (node.members.length > 0) {
      return undefined;
    }
    const { role, closing } = findLateMeaning(node.name, {
      columns: this.walked.shape.nodes,
      taken: this.byRole,
      mayClose: this.mayCloseLate,
    });
    return role === undefined && closing === undefined
      ? undefined
      : { role, isNamed: true, closing };
  }

  get growsShape(): boolean {
    return !this.walked.shape.isComplete;
  }

  /** Says which nodes the reader of the next records has, if these are not only its own. */
  readAmong(nodes: readonly ShapeNode[]): void {
    this.readerSlots = this.slotNodes.map((node) => nodes.indexOf(node));
  }

  /** Counts columns that close rows, then known rows, then a severity that closes some, then the other columns. */
  visit(records: RecordReader, row: number): void {
    this.rows = row + records.count;
    this.hideInvalid(records);
    for (const slot of this.moreAssetSlots) {
      threadKernel().exports.fillMissing(records.inKernel, records.count, this.assetSlot, slot);
    }
    // They change when a column is dropped.
    const { slots, slotNodes, readerSlots } = this;
    const slotOf: SlotOf = ({ node }) => {
      const slot = slotNodes.indexOf(node);
      return readerSlots?.[slot] ?? slot;
    };
    const countThose = (isOne: (counted: CountedColumn) => boolean) => {
      slots.forEach((counted, slot) => {
        if (isOne(counted)) {
          this.count(records, counted, readerSlots?.[slot] ?? slot, row);
        }
      });
    };
    const mayClose =
      this.knownRows.length > 0 ||
      this.uncounted.length > 0 ||
      slots.some(({ closing }) => closing);
    const closed = new Uint8Array(mayClose ? records.count : 0);
    countThose(closesButSeverity);
    this.closeRecords(records, closed, closesButSeverity, slotOf);
    this.closeKnown(records, row, closed);
    // A severity is counted of open rows only, although it may close some.
    countThose(isClosingSeverity);
    this.closeRecords(records, closed, isClosingSeverity, slotOf);
    this.countNew(records, closed);
    countThose(({ closing }) => closing === undefined);
    this.countMarked(records, row, closed);
    this.kept.types.add(records.count, this.issue);
    this.kept.scorecards.add(records.count, this.ofScorecards);
    if (this.splitsAssets) {
      this.kept.assets.add(records.count, this.ofAssets);
    }
  }

  /** Adds the values of a column, or stops counting it if they are too many. */
  private count(records: RecordReader, counted: CountedColumn, slot: number, row: number): void {
    if (counted.isCounted && !counted.counts.add(records, slot, row)) {
      this.drop(counted);
    }
  }

  /**
   * Counts the records that a value closes, which was just counted, and leaves out their other values.
   * @param closed what is known of the records so far, to which those are added.
   */
  private closeRecords(
    records: RecordReader,
    closed: Uint8Array,
    isOne: (counted: CountedColumn) => boolean,
    slotOf: SlotOf,
  ): void {
    const close = (record: number) => {
      if (closed[record] !== leftOutMark) {
        this.close(records, record, closed, { counts: countsClosed(this.scope) });
      }
    };
    for (const counted of this.slots.filter(isOne)) {
      const values = this.closingValuesOf(counted);
      if (!(counted.counts instanceof ValueCounts) || !values.includes(true)) {
        continue;
      }
      const codes = counted.counts.lastCodes(records.count);
      // A plain loop: it runs for each record of a file.
      for (let record = 0; record < codes.length; record += 1) {
        if (values[codes[record]! - firstValueCode] === true) {
          close(record);
        }
      }
    }
    for (const counted of this.uncounted.filter(isOne)) {
      const slot = slotOf(counted);
      for (let record = 0; record < records.count; record += 1) {
        if (this.isClosedBy(counted, records, record, slot)) {
          close(record);
        }
      }
    }
  }

  /** Whether the values of a column that were counted so far close a row, by their numbers. */
  private closingValuesOf(counted: CountedColumn): readonly boolean[] {
    const { counts, closing } = counted;
    const values = this.closingValues.get(counted) ?? [];
    this.closingValues.set(counted, values);
    while (closing && counts instanceof ValueCounts && values.length < counts.distinct) {
      values.push(isClosing(closing, counts.text(values.length)));
    }
    return values;
  }

  private isClosedBy(
    { closing }: CountedColumn,
    records: RecordReader,
    record: number,
    slot: number,
  ): boolean {
    if (closing === undefined || !records.has(record, slot)) {
      return false;
    }
    const { value } = this;
    records.read(record, slot, value);
    const { kind, bytes, from, to } = value;
    return kind < kindNull && isClosing(closing, bytes.toString('utf8', from, to));
  }

  /** Counts the records that are new since the run that the file was compared with, and are not left out. */
  private countNew({ count }: RecordReader, closed: Uint8Array): void {
    const found = this.slots.find(({ closing }) => closing === 'baseline');
    if (!found || !(found.counts instanceof ValueCounts)) {
      return;
    }
    const { counts } = found;
    const isNew = Array.from({ length: counts.distinct }, (_, number) =>
      isNewSinceBaseline(counts.text(number)),
    );
    const codes = counts.lastCodes(count);
    for (let record = 0; record < codes.length; record += 1) {
      if (isNew[codes[record]! - firstValueCode] === true && closed[record] !== leftOutMark) {
        this.newRows += 1;
      }
    }
  }

  /** Counts the records that lists mark and that are not left out, and which values they have. */
  private countMarked({ count }: RecordReader, row: number, closed: Uint8Array): void {
    const { numbers, marks } = this.marked;
    const first = firstFrom(numbers, row);
    if (
      this.columnsToCount !== 'all' ||
      first === numbers.length ||
      numbers[first]! >= row + count
    ) {
      return;
    }
    for (const mark of countedMarks) {
      const columns = this.slots.flatMap((counted) => {
        const { counts, node } = counted;
        const isOne =
          counts instanceof ValueCounts && exploitSignOf(node.name) === signOfMark[mark];
        return isOne ? [{ codes: counts.lastCodes(count), values: this.valuesOf(counted) }] : [];
      });
      for (let at = first; at < numbers.length && numbers[at]! < row + count; at += 1) {
        const record = numbers[at]! - row;
        if ((marks[at]! & mark) !== 0 && closed[record] !== leftOutMark) {
          addTo(this.exploitedRows, mark, 1);
          for (const { codes, values } of columns) {
            addTo(values, codes[record]! - firstValueCode, 1);
          }
        }
      }
    }
  }

  private valuesOf(counted: CountedColumn): Map<number, number> {
    const values = this.markedValues.get(counted) ?? new Map<number, number>();
    this.markedValues.set(counted, values);
    return values;
  }

  /** Counts the records that are known, as `closeRecords` does. */
  private closeKnown(records: RecordReader, row: number, closed: Uint8Array): void {
    const { knownRows } = this;
    for (let at = firstFrom(knownRows, row); at < knownRows.length; at += 1) {
      const record = knownRows[at]! - row;
      if (record >= records.count) {
        return;
      }
      this.known += 1;
      if (closed[record] !== leftOutMark) {
        this.close(records, record, closed, { counts: countsKnown(this.scope) });
      }
    }
  }

  /** Counts a record as closed, once, and leaves it out unless it counts. */
  private close(
    records: RecordReader,
    record: number,
    closed: Uint8Array,
    { counts }: { readonly counts: boolean },
  ): void {
    this.closed += closed[record] === 0 ? 1 : 0;
    closed[record] = counts ? closedMark : leftOutMark;
    if (!counts) {
      this.leftOut += 1;
      records.hideValues(record);
    }
  }

  /** Counts records without values, and those that may show a secret. */
  private hideInvalid(records: RecordReader): void {
    if (records.invalidCount() === 0) {
      return;
    }
    const { shape } = this.walked;
    for (let record = 0; record < records.count; record += 1) {
      if (!hasValues(records.invalid(record)) || mayHideSecret(shape, records, record)) {
        records.hideValues(record);
        this.invalid += 1;
      }
    }
  }

  /** The columns that are counted now, for other instances that count some of the next rows. Nodes are their numbers. */
  state() {
    const columns = Array.from(this.byNode.values(), (counted) => {
      const { node, role, isNamed, closing, wasCollapsed, isCounted } = counted;
      return { node: node.number, role, isNamed, closing, wasCollapsed, isCounted };
    });
    const { seenNodes, scope, columnsToCount, mayCloseLate, knownRows, marked } = this;
    return {
      columns,
      moreAssets: this.moreAssets.map(({ number }) => number),
      seenNodes,
      scope,
      columnsToCount,
      mayCloseLate,
      knownRows,
      marked,
    };
  }

  /** The counts since the state that this instance began with. Call it last. */
  part() {
    const columns = Array.from(this.byNode.values(), (counted) => {
      const { node, role, isNamed, closing, wasCollapsed, isCounted, counts } = counted;
      return {
        node: node.number,
        role,
        isNamed,
        closing,
        wasCollapsed,
        markedValues: this.markedValues.get(counted),
        values: isCounted && counts instanceof ValueCounts ? counts.part() : undefined,
        times: isCounted && counts instanceof TimeCounts ? counts.part() : undefined,
      };
    });
    return {
      invalid: this.invalid,
      closed: this.closed,
      known: this.known,
      leftOut: this.leftOut,
      newRows: this.newRows,
      exploitedRows: this.exploitedRows,
      columns,
      types: this.kept.types.part(),
      scorecards: this.kept.scorecards.part(),
      assets: this.kept.assets.part(),
      seenNodes: this.seenNodes,
    };
  }

  /** Releases the memory after the last count, except for what a thread keeps. */
  release(): void {
    for (const { counts } of this.byNode.values()) {
      if (counts instanceof TimeCounts) {
        counts.release();
      }
    }
    if (!this.kept.isPart) {
      this.kept.dispose();
    }
  }

  /**
   * Adds the counts of another instance for the next rows, as if they had been counted here. The
   * shape must already have the nodes of those rows.
   */
  merge(part: CountsPart, rows: number): void {
    const { invalid, closed, known, leftOut, newRows, columns, types, scorecards, assets } = part;
    const { seenNodes } = part;
    const { nodes } = this.walked.shape;
    const numbers: Partial<Record<Role, Uint32Array>> = {};
    this.rows = rows;
    this.invalid += invalid;
    this.closed += closed;
    this.known += known;
    this.leftOut += leftOut;
    this.newRows += newRows;
    for (const [mark, count] of part.exploitedRows) {
      addTo(this.exploitedRows, mark, count);
    }
    for (const { node, values, times, markedValues, ...column } of columns) {
      const counted = this.byNode.get(node) ?? this.addColumn(nodes[node]!, column);
      if (!counted.isCounted) {
        continue;
      }
      const { counts, role } = counted;
      if (counts instanceof TimeCounts) {
        counts.merge(times ?? new Float64Array());
        continue;
      }
      const found = values && counts.merge(values);
      if (!found) {
        this.drop(counted);
        continue;
      }
      for (const [number, count] of markedValues ?? []) {
        // Below 0: rows without a value.
        addTo(this.valuesOf(counted), number < 0 ? number : found[number]!, count);
      }
      if (role !== undefined) {
        numbers[role] = found;
      }
    }
    this.seenNodes = Math.max(this.seenNodes, seenNodes);
    const { issueType: type, scorecard, severity, asset } = numbers;
    this.kept.types.merge(types, { type, severity, asset });
    this.kept.scorecards.merge(scorecards, { type: scorecard, severity });
    this.updateSlots();
    if (this.splitsAssets) {
      this.kept.assets.merge(assets, { type: asset, severity });
    }
  }

  /** Whether the assets are few enough for the severities of each. Where one thread has too many, all have. */
  protected get splitsAssets(): boolean {
    const { type, severity } = this.ofAssets;
    return type !== undefined && severity !== undefined && type.distinct <= maxSplitAssets;
  }

  /** The columns that were ever counted, in their order. */
  protected get columns(): readonly CountedColumn[] {
    return [...this.byNode.values()];
  }

  /** The column with this role, unless it has too many values. */
  protected columnOf(role: Role): CountedColumn | undefined {
    const counted = this.byRole.get(role);
    return counted?.isCounted ? counted : undefined;
  }

  /** Adds columns in which no record so far has a value. */
  protected addColumns(
    setUp: (node: ShapeNode) => Omit<ColumnSetup, 'wasCollapsed'> | undefined,
  ): void {
    const { nodes } = this.walked.shape;
    const before = this.byNode.size;
    for (const node of nodes.slice(this.seenNodes)) {
      const { role, isNamed = false, closing } = setUp(node) ?? {};
      // Counts mask secret values, but times would be shown unmasked.
      const isShown = role !== undefined && (role !== 'firstSeen' || !node.secret);
      const tellsOpen = closing !== undefined || role === 'severity';
      const isWanted = isShown || this.byNode.size < maxColumns;
      if (tellsOpen || (isWanted && this.columnsToCount === 'all')) {
        const wasCollapsed = node.isCollapsed;
        this.addColumn(node, { role: isShown ? role : undefined, isNamed, closing, wasCollapsed });
      }
    }
    this.seenNodes = nodes.length;
    // A reader is told all nodes again where they are another array.
    if (this.byNode.size > before) {
      this.updateSlots();
    }
  }

  private addColumn(node: ShapeNode, column: ColumnSetup): CountedColumn {
    const { role, isNamed, closing, wasCollapsed } = column;
    // Not spread: V8 reads objects of the same hidden class several times as fast.
    const counted: CountedColumn = {
      role,
      isNamed,
      closing,
      wasCollapsed,
      node,
      counts: this.newCounts(node, column),
      isCounted: true,
    };
    this.byNode.set(node.number, counted);
    if (role !== undefined) {
      this.byRole.set(role, counted);
    }
    return counted;
  }

  private newCounts(node: ShapeNode, { role, closing }: ColumnSetup): ValueCounts | TimeCounts {
    const { values, isPart } = this.kept;
    if (role === 'firstSeen') {
      return new TimeCounts(isPart);
    }
    const usual = closing === undefined ? maxListed : maxValues.status!;
    const hasSign = role === undefined && this.isSignColumn(node);
    const counts =
      values.get(node.number) ??
      new ValueCounts(
        (role && maxValues[role]) ?? (hasSign ? maxSignValues : usual),
        (role && maxTextBytesOf[role]) ?? (hasSign ? maxSignBytes : maxTextBytes),
      );
    values.set(node.number, counts);
    return counts;
  }

  /** Whether a new column is one of the first that may say which findings are exploited. */
  private isSignColumn({ name }: ShapeNode): boolean {
    const isOne = (each: string) => exploitSignOf(each) !== undefined;
    return (
      isOne(name) && this.columns.filter(({ node }) => isOne(node.name)).length < maxSignColumns
    );
  }

  /** Drops a column with too many values. No other column takes its role. */
  private drop(dropped: CountedColumn): void {
    this.stopCounting(dropped);
    if (dropped.role === 'asset') {
      this.kept.types.dropAssets();
    }
    this.updateSlots();
  }

  private stopCounting(stopped: CountedColumn): void {
    stopped.isCounted = false;
    stopped.counts.release();
    this.kept.values.delete(stopped.node.number);
  }

  private updateSlots(): void {
    this.slots = this.columns.filter(({ isCounted }) => isCounted);
    const asset = this.columnOf('asset');
    this.assetSlot = asset ? this.slots.indexOf(asset) : -1;
    const more = asset ? this.moreAssets : [];
    this.uncounted = this.columns.filter(
      ({ isCounted, closing }) => !isCounted && closing !== undefined,
    );
    const read = [...this.slots, ...this.uncounted].map(({ node }) => node);
    const nodes = new Set([...read, ...more]);
    this.slotNodes = [...nodes];
    this.moreAssetSlots = more.map((node) => this.slotNodes.indexOf(node));
    const values = (role: Role) => {
      const counts = this.columnOf(role)?.counts;
      return counts instanceof ValueCounts ? counts : undefined;
    };
    const severity = values('severity');
    const times = this.columnOf('firstSeen')?.counts;
    this.issue = {
      type: values('issueType'),
      severity,
      asset: values('asset'),
      times: times instanceof TimeCounts ? times : undefined,
    };
    this.ofScorecards = { type: values('scorecard'), severity };
    this.ofAssets = { type: this.issue.asset, severity };
  }
}
