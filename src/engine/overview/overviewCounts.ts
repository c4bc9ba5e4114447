import { isClosedStatus } from '../../base/text/orderedWords';
import { firstValueCode } from '../columns/columnData';
import { threadKernel } from '../values/kernel';
import { columnType, isMeasuredType } from '../values/kinds';
import type { RecordReader } from '../read/records/recordReader';
import type { ShapeNode } from '../read/records/shape';
import { hasValues, type ReadableFile, type Visitor } from '../read/visitor';
import type { DistinctValue } from '../types';
import {
  type IssueColumns,
  IssueTypeCounts,
  type IssueTypesPart,
  maxAssets,
  maxIssueTypes,
} from './issueTypeCounts';
import { RangeSample, type SamplePart } from './rangeSample';
import { type Role, roleOfName } from '../values/roles';
import { TimeCounts } from './timeCounts';
import { ValueCounts, type ValuesPart } from './valueCounts';

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
/** The most columns that are counted. */
const maxColumns = 300;

/** The state of a column when its counting begins. */
interface ColumnSetup {
  readonly role: Role | undefined;
  /** Whether the name gives the role, regardless of the values. */
  readonly isNamed: boolean;
  /**
   * `closed` of the node when counting began. If the node becomes a map later, only some of its
   * values were counted.
   */
  readonly wasClosed: boolean;
}

/** A column that is counted. */
export interface CountedColumn extends ColumnSetup {
  readonly node: ShapeNode;
  readonly counts: ValueCounts | TimeCounts;
  readonly sample: RangeSample;
  /** The values as last read, by number: masked, and unmasked. */
  readonly shown: readonly [Map<number, DistinctValue>, Map<number, DistinctValue>];
}

/** The columns to count, as plain data: other threads need it to count a part of the rows. */
export interface CountsState {
  readonly columns: readonly (ColumnSetup & {
    /** The number of its node. */
    readonly node: number;
    readonly counting: 'values' | 'range' | 'nothing';
    /** See `RangeSample`. */
    readonly every: number;
  })[];
  /** The numbers of further nodes with assets. */
  readonly moreAssets: readonly number[];
  /** How many nodes of the shape have been looked at. */
  readonly seenNodes: number;
  /** See `CountsOptions`. */
  readonly openOnly: boolean;
}

/** The counts of a part of the rows. */
export interface CountsPart {
  readonly invalid: number;
  /** Rows that were left out because of their status. */
  readonly closed: number;
  readonly columns: readonly (ColumnSetup & {
    readonly node: number;
    /** Absent if the column has too many values. */
    readonly values?: ValuesPart;
    readonly times?: Float64Array;
    /** Absent if it is empty. */
    readonly sample?: SamplePart;
  })[];
  readonly types: IssueTypesPart;
  readonly scorecards: IssueTypesPart;
  /** See `CountsState`. */
  readonly seenNodes: number;
}

/** What is counted. */
interface CountsOptions {
  /** Whether rows with a closed status count only among the statuses. */
  readonly openOnly?: boolean;
  /** Further columns with assets: in a row without one, the first value of these counts. */
  readonly moreAssets?: readonly ShapeNode[];
}

/** The values that are known from earlier ranges of a thread, which have their numbers for good. */
export class KeptCounts {
  /** By the number of the node. */
  readonly values = new Map<number, ValueCounts>();
  readonly types = new IssueTypeCounts(true);
  readonly scorecards = new IssueTypeCounts(true, 0);

  dispose(): void {
    for (const values of this.values.values()) {
      values.release();
    }
    this.types.release();
    this.scorecards.release();
  }
}

/** Whether a column may have a role: counts mask secret values, but times would be shown unmasked. */
export function mayHaveRole(node: ShapeNode, role: Role): boolean {
  return role !== 'firstSeen' || !node.secret;
}

/**
 * Counts the values of columns while records are visited, in one pass and bounded memory. A role
 * that is free when counting begins goes to the first column with its name that appears later; no
 * earlier row has a value in that column.
 *
 * Anything beyond the limits is left out rather than counted incorrectly: a column with more
 * distinct values than 50, or than its role allows (256 of severity, status and factor, 4,095 issue
 * types and scorecards, a million assets, 100,000 days), or with values of more than 1 MB (64 MB of issue types and
 * of assets); the assets of issue types if there are more than two million pairs of a type and an
 * asset; and columns beyond 300.
 *
 * The limits apply to all rows regardless of their order, so that parts of the rows can be counted
 * separately.
 */
export class OverviewCounts implements Visitor {
  protected rows = 0;
  protected invalid = 0;
  /** Rows that are left out because of their status. */
  protected closed = 0;
  protected readonly openOnly: boolean;
  protected moreAssets: readonly ShapeNode[];
  /** By the number of a status: 1 if it is closed. */
  private closedStatuses = new Uint8Array();
  private knownStatuses = 0;
  protected counted: CountedColumn[] = [];
  /** Columns of numbers or dates with too many values to count. */
  protected ranges: CountedColumn[] = [];
  protected readonly byRole = new Map<Role, CountedColumn>();
  protected readonly types: IssueTypeCounts;
  /** The severities of each scorecard. */
  protected readonly scorecards: IssueTypeCounts;
  /** All columns that were ever counted, by the numbers of their nodes. */
  private readonly columns = new Map<number, CountedColumn>();
  /** The columns by slot; the first `countedSlots` of them are counted. */
  private slots: CountedColumn[] = [];
  private slotNodes: readonly ShapeNode[] = [];
  private countedSlots = 0;
  /** The slot of the asset, and those of further assets. */
  private assetSlot = -1;
  private moreAssetSlots: readonly number[] = [];
  /** The counts of the columns that describe the issue of a row. */
  private issue: IssueColumns = {};
  private ofScorecards: IssueColumns = {};
  /** How many nodes of the shape have been looked at. */
  private seenNodes = 0;

  /**
   * @param roles the roles of the columns known so far, or the state of another instance.
   * @param kept what earlier parts of this thread know, if this counts a part of the rows for another
   *   instance.
   */
  constructor(
    protected readonly walked: ReadableFile,
    roles: ReadonlyMap<ShapeNode, { readonly role: Role; readonly isNamed: boolean }> | CountsState,
    private readonly kept?: KeptCounts,
    { openOnly = false, moreAssets = [] }: CountsOptions = {},
  ) {
    this.types = kept?.types ?? new IssueTypeCounts(false);
    this.scorecards = kept?.scorecards ?? new IssueTypeCounts(false, 0);
    if ('columns' in roles) {
      this.openOnly = roles.openOnly;
      this.moreAssets = roles.moreAssets.map((number) => walked.shape.nodes[number]!);
      this.continue(roles);
    } else {
      this.openOnly = openOnly;
      this.moreAssets = moreAssets;
      for (const node of this.unseen()) {
        const { role, isNamed = false } = roles.get(node) ?? {};
        this.addUnlessTooMany(node, role, isNamed);
      }
    }
    this.updateSlots();
  }

  /** The columns that are counted; also those that the next record has for the first time. */
  get nodes(): readonly ShapeNode[] {
    if (this.seenNodes < this.walked.shape.nodes.length) {
      this.addNewColumns();
    }
    return this.slotNodes;
  }

  get growsShape(): boolean {
    return !this.walked.shape.isComplete;
  }

  visit(records: RecordReader, row: number): void {
    this.rows = row + records.count;
    this.hideInvalid(records);
    for (const slot of this.moreAssetSlots) {
      threadKernel().exports.fillMissing(records.inKernel, records.count, this.assetSlot, slot);
    }
    const { slots, countedSlots } = this;
    let isDropped = false;
    const status = this.openOnly ? this.byRole.get('status') : undefined;
    if (status) {
      isDropped = !this.leaveOutClosed(records, status, row);
    }
    for (let slot = 0; slot < slots.length; slot += 1) {
      const { node, counts, sample } = slots[slot]!;
      if (slots[slot] === status) {
        continue;
      }
      if (isMeasuredType(columnType(node.kinds))) {
        sample.add(records, slot, row);
      }
      if (slot < countedSlots && !counts.add(records, slot, row)) {
        this.drop(slots[slot]!);
        isDropped = true;
      }
    }
    if (isDropped) {
      this.updateSlots();
    }
    this.types.add(records.count, this.issue);
    this.scorecards.add(records.count, this.ofScorecards);
  }

  /**
   * Counts the statuses, and leaves out the values of the records that are not open.
   * @returns whether counting the statuses can continue
   */
  private leaveOutClosed(records: RecordReader, status: CountedColumn, row: number): boolean {
    const slot = this.slots.indexOf(status);
    const { counts } = status;
    if (slot < 0 || slot >= this.countedSlots || !(counts instanceof ValueCounts)) {
      return true;
    }
    if (!counts.add(records, slot, row)) {
      this.drop(status);
      return false;
    }
    this.updateClosed(counts);
    const { closedStatuses } = this;
    if (closedStatuses.includes(1)) {
      const codes = counts.lastCodes(records.count);
      for (let record = 0; record < codes.length; record += 1) {
        if (closedStatuses[codes[record]! - firstValueCode] === 1) {
          records.hideValues(record);
          this.closed += 1;
        }
      }
    }
    return true;
  }

  /** Adds the statuses that are new. */
  private updateClosed(counts: ValueCounts): void {
    const { distinct } = counts;
    if (distinct > this.knownStatuses) {
      this.closedStatuses = Uint8Array.from({ length: distinct }, (_, number) =>
        isClosedStatus(counts.text(number)) ? 1 : 0,
      );
      this.knownStatuses = distinct;
    }
  }

  /** Counts records without values, and those that may show a secret. */
  private hideInvalid(records: RecordReader): void {
    if (records.invalidCount() === 0) {
      return;
    }
    const { hasSecrets } = this.walked.shape;
    for (let record = 0; record < records.count; record += 1) {
      const invalid = records.invalid(record);
      if (invalid !== undefined && (hasSecrets || !hasValues(invalid))) {
        // In a row that is not valid CSV, a secret may be in any column.
        records.hideValues(record);
        this.invalid += 1;
      }
    }
  }

  /** The columns that are counted now, for other instances that count some of the next rows. */
  state(): CountsState {
    const columns = Array.from(this.columns.values(), (counted) => {
      const { node, role, isNamed, wasClosed, sample } = counted;
      const counting = this.counted.includes(counted)
        ? ('values' as const)
        : this.ranges.includes(counted)
          ? ('range' as const)
          : ('nothing' as const);
      return { node: node.number, role, isNamed, wasClosed, counting, every: sample.step };
    });
    const { seenNodes, openOnly } = this;
    const moreAssets = this.moreAssets.map(({ number }) => number);
    return { columns, moreAssets, seenNodes, openOnly };
  }

  /** The counts since the state that this instance began with. Call it last. */
  part(): CountsPart {
    const columns = Array.from(this.columns.values(), (counted) => {
      const { node, role, isNamed, wasClosed, counts } = counted;
      const sample = counted.sample.part();
      return {
        node: node.number,
        role,
        isNamed,
        wasClosed,
        ...(this.counted.includes(counted) &&
          (counts instanceof ValueCounts ? { values: counts.part() } : { times: counts.part() })),
        ...(sample.rows.length > 0 && { sample }),
      };
    });
    return {
      invalid: this.invalid,
      closed: this.closed,
      columns,
      types: this.types.part(),
      scorecards: this.scorecards.part(),
      seenNodes: this.seenNodes,
    };
  }

  /** Releases the memory after the last count, except for what is kept. */
  release(): void {
    for (const { counts } of this.columns.values()) {
      if (!this.kept || counts instanceof TimeCounts) {
        counts.release();
      }
    }
    if (!this.kept) {
      this.types.release();
      this.scorecards.release();
    }
  }

  /**
   * Adds the counts of another instance for the next rows, as if they had been counted here. The
   * shape must already have the nodes of those rows.
   */
  merge(part: CountsPart, rows: number): void {
    const { invalid, closed, columns, types, scorecards, seenNodes } = part;
    const { nodes } = this.walked.shape;
    const numbers: Partial<Record<Role, Uint32Array>> = {};
    this.rows = rows;
    this.invalid += invalid;
    this.closed += closed;
    for (const { node, values, times, sample, ...column } of columns) {
      const counted = this.columns.get(node) ?? this.addColumn(nodes[node]!, column);
      if (sample) {
        counted.sample.merge(sample);
      }
      if (!this.counted.includes(counted)) {
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
      } else if (role !== undefined) {
        numbers[role] = found;
      }
    }
    this.seenNodes = Math.max(this.seenNodes, seenNodes);
    const { issueType: type, scorecard, severity, asset } = numbers;
    this.types.merge(types, { type, severity, asset });
    this.scorecards.merge(scorecards, { type: scorecard, severity });
    this.updateSlots();
  }

  private continue({ columns, seenNodes }: CountsState): void {
    const { nodes } = this.walked.shape;
    for (const { node, counting, every, ...column } of columns) {
      const counted = this.addColumn(nodes[node]!, column, every);
      if (counting !== 'values') {
        this.counted.pop();
        this.kept?.values.delete(node);
        counted.counts.release();
      }
      if (counting === 'range') {
        this.ranges.push(counted);
      }
    }
    this.seenNodes = seenNodes;
  }

  /** Adds columns in which no record so far has a value. */
  private addNewColumns(): void {
    const before = this.columns.size;
    for (const node of this.unseen()) {
      // A node that contains other values has no role itself, regardless of its name.
      const role = node.members.length === 0 ? roleOfName(node.name) : undefined;
      const isFree = role !== undefined && !this.byRole.has(role) && mayHaveRole(node, role);
      this.addUnlessTooMany(node, isFree ? role : undefined, isFree);
    }
    // A reader is told all nodes again where they are another array.
    if (this.columns.size > before) {
      this.updateSlots();
    }
  }

  private addUnlessTooMany(node: ShapeNode, role: Role | undefined, isNamed: boolean): void {
    if (role !== undefined || this.columns.size < maxColumns) {
      this.addColumn(node, { role, isNamed, wasClosed: node.closed });
    }
  }

  private unseen(): ShapeNode[] {
    const { nodes } = this.walked.shape;
    const unseen = nodes.slice(this.seenNodes);
    this.seenNodes = nodes.length;
    return unseen;
  }

  private addColumn(node: ShapeNode, column: ColumnSetup, every?: number): CountedColumn {
    const { role, isNamed, wasClosed } = column;
    // Not spread: V8 reads objects of the same hidden class several times as fast.
    const counted: CountedColumn = {
      role,
      isNamed,
      wasClosed,
      node,
      sample: new RangeSample(every),
      counts: this.newCounts(node, role),
      shown: [new Map(), new Map()],
    };
    this.columns.set(node.number, counted);
    this.counted.push(counted);
    if (role !== undefined) {
      this.byRole.set(role, counted);
    }
    return counted;
  }

  private newCounts(node: ShapeNode, role: Role | undefined): ValueCounts | TimeCounts {
    if (role === 'firstSeen') {
      return new TimeCounts(this.kept !== undefined);
    }
    const kept = this.kept?.values.get(node.number);
    const counts =
      kept ??
      new ValueCounts(
        (role && maxValues[role]) ?? maxListed,
        (role && maxTextBytesOf[role]) ?? maxTextBytes,
      );
    this.kept?.values.set(node.number, counts);
    return counts;
  }

  /** Drops a column with too many values. No other column takes its role. */
  private drop(dropped: CountedColumn): void {
    this.counted = this.counted.filter((counted) => counted !== dropped);
    this.kept?.values.delete(dropped.node.number);
    if (isMeasuredType(columnType(dropped.node.kinds))) {
      this.ranges.push(dropped);
    }
    if (dropped.role === 'asset') {
      this.types.dropAssets();
    }
  }

  private updateSlots(): void {
    this.slots = [...this.counted, ...this.ranges];
    this.countedSlots = this.counted.length;
    const asset = this.byRole.get('asset');
    this.assetSlot = asset ? this.counted.indexOf(asset) : -1;
    const more = this.assetSlot < 0 ? [] : this.moreAssets;
    const nodes = new Set([...this.slots.map(({ node }) => node), ...more]);
    this.slotNodes = [...nodes];
    this.moreAssetSlots = more.map((node) => this.slotNodes.indexOf(node));
    const values = (role: Role) => {
      const counted = this.byRole.get(role);
      const isCounted = counted && this.counted.includes(counted);
      return isCounted && counted.counts instanceof ValueCounts ? counted.counts : undefined;
    };
    const times = this.byRole.get('firstSeen')?.counts;
    this.issue = {
      type: values('issueType'),
      severity: values('severity'),
      asset: values('asset'),
      times: times instanceof TimeCounts ? times : undefined,
    };
    this.ofScorecards = { type: values('scorecard'), severity: values('severity') };
  }
}
