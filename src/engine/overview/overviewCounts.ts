import { columnType, isMeasuredType } from '../values/kinds';
import type { RecordCursor } from '../read/recordIndex';
import type { ShapeNode } from '../read/shape';
import { hasValues, readSlot, type Visitor, type WalkableFile } from '../read/walkableFile';
import { newValue, type Walker } from '../read/walker';
import type { DistinctValue, InvalidReason } from '../types';
import { IssueTypeCounts, type IssueTypesPart, maxAssets, maxIssueTypes } from './issueTypeCounts';
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
  asset: maxAssets,
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
  /** How many nodes of the shape have been looked at. */
  readonly seenNodes: number;
}

/** The counts of a part of the rows. */
export interface CountsPart {
  readonly invalid: number;
  readonly columns: readonly (ColumnSetup & {
    readonly node: number;
    /** Absent if the column has too many values. */
    readonly values?: ValuesPart;
    readonly times?: Float64Array;
    /** Absent if it is empty. */
    readonly sample?: SamplePart;
  })[];
  readonly types: IssueTypesPart;
  /** See `CountsState`. */
  readonly seenNodes: number;
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
 * types, a million assets, 100,000 days); the assets of issue types if there are more than two
 * million pairs of a type and an asset; and columns beyond 300.
 *
 * The limits apply to all rows regardless of their order, so that parts of the rows can be counted
 * separately.
 */
export class OverviewCounts implements Visitor {
  walker: Walker;
  protected rows = 0;
  protected invalid = 0;
  protected counted: CountedColumn[] = [];
  /** Columns of numbers or dates with too many values to count. */
  protected ranges: CountedColumn[] = [];
  protected readonly byRole = new Map<Role, CountedColumn>();
  protected readonly types: IssueTypeCounts;
  /** All columns that were ever counted, by the numbers of their nodes. */
  private readonly columns = new Map<number, CountedColumn>();
  /** The columns by slot of the walker; the first `countedSlots` of them are counted. */
  private slots: CountedColumn[] = [];
  private countedSlots = 0;
  /** The counts of the columns that describe the issue of a row. */
  private issue: Readonly<{
    type?: ValueCounts | undefined;
    severity?: ValueCounts | undefined;
    asset?: ValueCounts | undefined;
    times?: TimeCounts | undefined;
  }> = {};
  /** How many nodes of the shape have been looked at. */
  private seenNodes = 0;
  /** Whether this counts a part of the rows for another instance. */
  private readonly isPart: boolean;
  private readonly value = newValue();

  /** @param roles the roles of the columns known so far, or the state of another instance. */
  constructor(
    protected readonly walked: WalkableFile,
    roles: ReadonlyMap<ShapeNode, { readonly role: Role; readonly isNamed: boolean }> | CountsState,
  ) {
    this.isPart = 'columns' in roles;
    this.types = new IssueTypeCounts(this.isPart);
    if ('columns' in roles) {
      this.continue(roles);
    } else {
      for (const node of this.unseen()) {
        const { role, isNamed = false } = roles.get(node) ?? {};
        this.addColumn(node, { role, isNamed, wasClosed: node.closed });
      }
    }
    this.walker = this.newWalker();
  }

  visit(row: number, invalid: InvalidReason | undefined, cursor: RecordCursor): void {
    this.rows = row + 1;
    if (!hasValues(invalid) || (invalid !== undefined && this.walked.shape.hasSecrets)) {
      // In a row that is not valid CSV, a secret may be in any column.
      this.invalid += 1;
      return;
    }
    if (this.seenNodes < this.walked.shape.nodes.length && this.addNewColumns()) {
      this.walked.walk(this.walker, cursor);
    }
    const { slots, countedSlots, value, walker } = this;
    let isDropped = false;
    for (let slot = 0; slot < slots.length; slot += 1) {
      const { counts, sample } = slots[slot]!;
      const isCounted = slot < countedSlots;
      if (walker.starts[slot]! >= 0 && (isCounted || sample.includes(row))) {
        readSlot(walker, slot, undefined, cursor, value);
        sample.add(row, value);
        if (isCounted && !counts.add(row, value)) {
          this.drop(slots[slot]!);
          isDropped = true;
        }
      }
    }
    this.addIssue(row);
    if (isDropped) {
      this.walker = this.newWalker();
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
    return { columns, seenNodes: this.seenNodes };
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
    return { invalid: this.invalid, columns, types: this.types.part(), seenNodes: this.seenNodes };
  }

  /** Releases the memory after the last count. */
  release(): void {
    for (const { counts } of this.counted) {
      counts.release();
    }
    this.types.dropAssets();
  }

  /**
   * Adds the counts of another instance for the next rows, as if they had been counted here. The
   * shape must already have the nodes of those rows.
   */
  merge({ invalid, columns, types, seenNodes }: CountsPart, rows: number): void {
    const { nodes } = this.walked.shape;
    const numbers: Partial<Record<Role, Int32Array>> = {};
    this.rows = rows;
    this.invalid += invalid;
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
    const { issueType: type, severity, asset } = numbers;
    this.types.merge(types, { type, severity, asset });
    this.walker = this.newWalker();
  }

  private continue({ columns, seenNodes }: CountsState): void {
    const { nodes } = this.walked.shape;
    for (const { node, counting, every, ...column } of columns) {
      const counted = this.addColumn(nodes[node]!, column, every);
      if (counting !== 'values') {
        this.counted.pop();
      }
      if (counting === 'range') {
        this.ranges.push(counted);
      }
    }
    this.seenNodes = seenNodes;
  }

  /** Adds the issue of a row to the counts of its type. */
  private addIssue(row: number): void {
    const { type, severity, asset, times } = this.issue;
    if (type?.row === row && type.number >= 0) {
      this.types.add(
        type.number,
        severity?.row === row ? severity.number : -1,
        asset?.row === row ? asset.number : -1,
        times?.row === row ? times.time : NaN,
      );
    }
  }

  private addNewColumns(): boolean {
    let isAdded = false;
    for (const node of this.unseen()) {
      // A node that contains other values has no role itself, regardless of its name.
      const role = node.members.length === 0 ? roleOfName(node.name) : undefined;
      const isFree = role !== undefined && !this.byRole.has(role) && mayHaveRole(node, role);
      if (isFree || this.columns.size < maxColumns) {
        const wasClosed = node.closed;
        this.addColumn(node, { role: isFree ? role : undefined, isNamed: isFree, wasClosed });
        isAdded = true;
      }
    }
    if (isAdded) {
      this.walker = this.newWalker();
    }
    return isAdded;
  }

  private unseen(): ShapeNode[] {
    const { nodes } = this.walked.shape;
    const unseen = nodes.slice(this.seenNodes);
    this.seenNodes = nodes.length;
    return unseen;
  }

  private addColumn(node: ShapeNode, column: ColumnSetup, every?: number): CountedColumn {
    const { role, isNamed, wasClosed } = column;
    const most = (role && maxValues[role]) ?? maxListed;
    // Not spread: V8 reads objects of the same hidden class several times as fast.
    const counted: CountedColumn = {
      role,
      isNamed,
      wasClosed,
      node,
      sample: new RangeSample(every),
      counts: role === 'firstSeen' ? new TimeCounts(this.isPart) : new ValueCounts(most),
      shown: [new Map(), new Map()],
    };
    this.columns.set(node.number, counted);
    this.counted.push(counted);
    if (role !== undefined) {
      this.byRole.set(role, counted);
    }
    return counted;
  }

  /** Drops a column with too many values. No other column takes its role. */
  private drop(dropped: CountedColumn): void {
    this.counted = this.counted.filter((counted) => counted !== dropped);
    if (isMeasuredType(columnType(dropped.node.kinds))) {
      this.ranges.push(dropped);
    }
    if (dropped.role === 'asset') {
      this.types.dropAssets();
    }
  }

  private newWalker(): Walker {
    this.slots = [...this.counted, ...this.ranges];
    this.countedSlots = this.counted.length;
    const values = (role: Role) => {
      const counts = this.byRole.get(role)?.counts;
      return counts instanceof ValueCounts ? counts : undefined;
    };
    const times = this.byRole.get('firstSeen')?.counts;
    this.issue = {
      type: values('issueType'),
      severity: values('severity'),
      asset: values('asset'),
      times: times instanceof TimeCounts ? times : undefined,
    };
    return this.walked.walker(
      this.slots.map(({ node }) => node),
      !this.walked.shape.isComplete,
    );
  }
}
