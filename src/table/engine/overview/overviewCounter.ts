import {
  areAllKnown,
  compareListed,
  mostNamedWords,
  type Scale,
  scaleOf,
  severityScale,
  statusScale,
} from '../../../base/orderedWords';
import { columnType, kindMissing, kindNull, kinds } from '../columns/kinds';
import type { ColumnChart, ColumnCounts, IssueTypeSummary, Overview } from '../overviewTypes';
import { keyOf } from '../query/conditions';
import { readValue } from '../query/groupReader';
import type { RecordCursor } from '../read/recordCursor';
import type { ShapeNode } from '../read/shape';
import { readSlot, type TableFile, type Visitor } from '../read/tableFile';
import { newValue, type Walker } from '../read/walker';
import type { DistinctValue, InvalidReason } from '../types';
import { IssueTypeCounts, maxAssets, maxIssueTypes } from './issueTypeCounts';
import { RangeSample } from './rangeSample';
import { findRoles, type Role, roleOfName } from './roles';
import { sampleColumns } from './sampleColumns';
import { TimeCounts } from './timeCounts';
import { ValueCounts } from './valueCounts';

/** The values of a column that are listed. */
const maxListed = 50;
/** Issue types that are listed with what their rows have in common. */
const maxTopTypes = 10;
/** Distinct values above which a column is left out, by role. */
const mostValues: Readonly<Partial<Record<Role, number>>> = {
  severity: 256,
  status: 256,
  factor: 256,
  issueType: maxIssueTypes,
  asset: maxAssets,
};
/** Issue types whose severity is told. */
const maxTypeSeverities = 500;
/** Values, or steps of a range, in the chart of a column. */
const maxCharted = 8;
const chartSteps = 20;
/** Columns that are counted at a time. */
const maxColumns = 300;
/** So few values are of interest if any row repeats one; more must come up twice on average. */
const fewValues = 8;

export interface OverviewQuestion {
  readonly now: number;
  readonly since?: number;
  /** Whether secrets are shown. */
  readonly reveal: boolean;
}

/** A column that is counted. */
interface Counted {
  readonly node: ShapeNode;
  readonly counts: ValueCounts | TimeCounts;
  readonly sample: RangeSample;
  readonly role: Role | undefined;
  /** Whether the name says the role, whatever the values are. */
  readonly isNamed: boolean;
  /** As it was when counting began: of what becomes a map later only some values were counted. */
  readonly wasClosed: boolean;
  /** Values as they were read last, by number: masked, and not. */
  readonly shown: readonly [Map<number, DistinctValue>, Map<number, DistinctValue>];
}

type CountedValues = Counted & { readonly counts: ValueCounts };

/**
 * Counts the values of columns while records are gone through, in one pass and bounded memory. Roles are
 * given at the start, by the names and the first 200 rows; a role that is free then goes to the first
 * column with its name that comes up later, of which no earlier row has a value.
 *
 * What is too much is left out rather than told wrong: a column with more distinct values than 50, or
 * than its role allows (256 of severity, status and factor, 4,095 issue types, a million assets, 100,000
 * days); the
 * assets of issue types above two million pairs of a type and an asset; and columns beyond 300.
 */
export class OverviewCounter implements Visitor {
  walker: Walker;
  /** Whether all rows are counted. */
  isDone = false;
  private rows = 0;
  private invalid = 0;
  private counted: Counted[] = [];
  /** Columns of numbers or dates with too many values to count. */
  private ranges: Counted[] = [];
  /** The columns by slot of the walker: those that are counted first. */
  private slots: Counted[] = [];
  private countedSlots = 0;
  private readonly byRole = new Map<Role, Counted>();
  private readonly types = new IssueTypeCounts();
  /** Where the row counted last has its issue. */
  private issue: Readonly<{
    type?: ValueCounts | undefined;
    severity?: ValueCounts | undefined;
    asset?: ValueCounts | undefined;
    times?: TimeCounts | undefined;
  }> = {};
  /** Places of the shape that were looked at. */
  private seen = 0;
  private readonly value = newValue();

  constructor(private readonly file: TableFile) {
    const roles = new Map(
      Array.from(findRoles(sampleColumns(file)), ([role, { column, isNamed }]) => [
        column.node,
        { role, isNamed },
      ]),
    );
    for (const node of this.unseen()) {
      const found = roles.get(node);
      this.take(node, found?.role, found?.isNamed ?? false);
    }
    this.walker = this.newWalker();
  }

  visit(row: number, invalid: InvalidReason | undefined, cursor: RecordCursor): void {
    this.rows = row + 1;
    if (invalid !== undefined) {
      this.invalid += 1;
      return;
    }
    if (this.seen < this.file.shape.nodes.length && this.takeNew()) {
      this.file.walk(this.walker, cursor);
    }
    const { slots, countedSlots, value, walker } = this;
    let isDropped = false;
    for (let slot = 0; slot < slots.length; slot += 1) {
      const { counts, sample } = slots[slot]!;
      const isCounted = slot < countedSlots;
      if (walker.starts[slot]! >= 0 && (isCounted || sample.wants(row))) {
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

  overview({ now, since, reveal }: OverviewQuestion): Overview {
    const listed = new Set(this.file.shape.columns().columns.map(({ id }) => id));
    const isSound = ({ node, wasClosed }: Counted) =>
      listed.has(node.id) && node.closed === wasClosed;
    const inRole = (role: Role): Counted | undefined => {
      const counted = this.byRole.get(role);
      const isKept = counted && this.counted.includes(counted);
      return isKept && isSound(counted) && hasRole(counted) ? counted : undefined;
    };
    const used = new Set<Counted | undefined>([this.byRole.get('id')]);
    const valuesIn = (role: Role): CountedValues | undefined => {
      const counted = inRole(role);
      used.add(counted);
      return counted && hasValues(counted) ? counted : undefined;
    };
    const countsOf = (counted: CountedValues | undefined) =>
      counted && this.columnCounts(counted, reveal);
    const type = valuesIn('issueType');
    const worst = valuesIn('severity');
    const asset = valuesIn('asset');
    const severity = countsOf(worst);
    const issueType = countsOf(type);
    const factor = countsOf(valuesIn('factor'));
    const status = countsOf(valuesIn('status'));
    const assets = countsOf(asset);
    const firstSeen = inRole('firstSeen');
    const times = firstSeen?.counts;
    return {
      rows: this.rows,
      done: this.isDone,
      ...(severity && { severity }),
      ...(issueType && { issueType }),
      ...(type && { topIssueTypes: this.topIssueTypes(type, worst, asset !== undefined, reveal) }),
      ...(type && worst && this.isDone && { typeSeverities: this.typeSeverities(type, worst) }),
      ...(factor && { factor }),
      ...(status && { status }),
      ...(firstSeen &&
        times instanceof TimeCounts && {
          firstSeen: {
            column: firstSeen.node.id,
            months: times.months(),
            ages: times.ages(now),
            ...(since !== undefined && { sinceCount: times.since(since) }),
          },
        }),
      ...(assets && { assets }),
      others: this.counted
        .filter(hasValues)
        .filter((counted) => !used.has(counted) && isSound(counted) && this.isTelling(counted))
        .map((counted) => this.columnCounts(counted, reveal)),
    };
  }

  /** The columns that have something to draw, in no order; secret ones have not. */
  charts(): ColumnChart[] {
    const columns = this.file.shape.columns().columns.filter(({ secret }) => !secret);
    const types = new Map(columns.map(({ id, type }) => [id, type]));
    return [...this.counted, ...this.ranges].flatMap((counted): ColumnChart[] => {
      const { node, counts, sample, wasClosed } = counted;
      const type = types.get(node.id);
      if (type === undefined || node.closed !== wasClosed) {
        return [];
      }
      const isFew = counts instanceof ValueCounts && counts.distinct <= fewValues;
      const isRange = (type === 'number' || type === 'date') && !isFew;
      const spread = isRange ? sample.spread(chartSteps) : undefined;
      if (spread) {
        return [{ column: node.id, spread }];
      }
      if (isRange || !hasValues(counted) || !this.isCharted(counted)) {
        return [];
      }
      const { values } = this.columnCounts(counted, false);
      return [{ column: node.id, values: values.slice(0, maxCharted) }];
    });
  }

  private columnCounts(counted: CountedValues, reveal: boolean): ColumnCounts {
    const { node, role, counts } = counted;
    const scale = scaleOfColumn(counted);
    const numbers = counts.mostFrequent(scale ? counts.distinct : maxListed);
    const wordOf = (number: number) => ({
      word: counts.text(number),
      count: counts.count(number),
    });
    if (scale) {
      numbers.sort((one, other) => compareListed(scale, wordOf(one), wordOf(other)));
    }
    const values = numbers.map((number) => this.valueOf(counted, number, reveal));
    const missing = this.rows - this.invalid - counts.present - counts.nulls;
    // No asset is none to name; in other columns it is of interest how many rows say nothing.
    const empty = role === 'asset' ? [] : emptyValues(counts.nulls, missing);
    values.push(...empty);
    if (!scale) {
      values.sort((one, other) => other.count - one.count);
    }
    const listed = values.slice(0, maxListed);
    return {
      column: node.id,
      values: listed,
      total: counts.distinct + empty.length,
      other: this.rows - listed.reduce((sum, { count }) => sum + count, 0),
    };
  }

  private typeSeverities(
    type: CountedValues,
    severity: CountedValues,
  ): { type: string; severity: string }[] {
    return type.counts.mostFrequent(maxTypeSeverities).flatMap((number) => {
      const worst = this.worstOf(number, severity);
      return worst ? [{ type: type.counts.text(number), severity: worst.word }] : [];
    });
  }

  /** The worst severity of the rows of a type, and how many rows have it. */
  private worstOf(type: number, { counts }: CountedValues) {
    return this.types
      .severities(type)
      .map((each) => ({ ...each, word: counts.text(each.severity) }))
      .sort((one, other) => compareListed(severityScale, one, other))[0];
  }

  private topIssueTypes(
    type: CountedValues,
    severity: CountedValues | undefined,
    hasAssets: boolean,
    reveal: boolean,
  ): IssueTypeSummary[] {
    return type.counts
      .mostFrequent(type.counts.distinct)
      .map((number) => ({ number, worst: severity && this.worstOf(number, severity) }))
      .sort((one, other) =>
        compareListed(
          severityScale,
          { word: one.worst?.word ?? '', count: type.counts.count(one.number) },
          { word: other.worst?.word ?? '', count: type.counts.count(other.number) },
        ),
      )
      .slice(0, maxTopTypes)
      .map(({ number, worst }) => {
        const assets = hasAssets ? this.types.assets(number) : undefined;
        const lastFirstSeen = this.types.lastFirstSeen(number);
        return {
          value: this.valueOf(type, number, reveal),
          ...(worst &&
            severity && {
              severity: {
                ...this.valueOf(severity, worst.severity, reveal),
                count: worst.count,
              },
            }),
          ...(assets !== undefined && { assets }),
          ...(lastFirstSeen !== undefined && { lastFirstSeen }),
        };
      });
  }

  /** A value as a list of distinct values has it. */
  private valueOf(
    { node, counts, shown }: CountedValues,
    number: number,
    reveal: boolean,
  ): DistinctValue {
    const count = counts.count(number);
    const known = shown[reveal ? 1 : 0];
    let value = known.get(number);
    if (!value) {
      const group = {
        columns: [node.id],
        count: 1,
        first: () => counts.first(number),
        size: () => count,
      };
      value = readValue(this.file, group, 0, reveal);
      known.set(number, value);
    }
    return { ...value, count };
  }

  /** Whether the counts of a column tell more than that its values differ, or do not. */
  private isTelling({ counts }: CountedValues): boolean {
    const { distinct, present } = counts;
    const isRepeating = distinct <= fewValues ? distinct < present : distinct * 2 <= present;
    const hasEmpty = present < this.rows - this.invalid;
    return distinct <= maxListed && isRepeating && (distinct > 1 || hasEmpty);
  }

  /** Whether the most frequent values of a column tell something: what differs in each row does not. */
  private isCharted({ counts }: CountedValues): boolean {
    const { distinct, present } = counts;
    return distinct > 0 && (distinct <= fewValues || distinct * 2 <= present);
  }

  /** Adds what the columns of the row have in common. */
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

  private takeNew(): boolean {
    let isTaken = false;
    for (const node of this.unseen()) {
      // What holds other values is none itself, whatever its name.
      const role = node.members.length === 0 ? roleOfName(node.name) : undefined;
      const isFree = role !== undefined && !this.byRole.has(role);
      isTaken = this.take(node, isFree ? role : undefined, isFree) || isTaken;
    }
    if (isTaken) {
      this.walker = this.newWalker();
    }
    return isTaken;
  }

  private unseen(): ShapeNode[] {
    const { nodes } = this.file.shape;
    const unseen = nodes.slice(this.seen);
    this.seen = nodes.length;
    return unseen;
  }

  private take(node: ShapeNode, role: Role | undefined, isNamed: boolean): boolean {
    if (role === undefined && this.counted.length >= maxColumns) {
      return false;
    }
    const most = (role && mostValues[role]) ?? maxListed;
    const counted: Counted = {
      node,
      role,
      isNamed,
      wasClosed: node.closed,
      sample: new RangeSample(),
      counts: role === 'firstSeen' ? new TimeCounts() : new ValueCounts(most),
      shown: [new Map(), new Map()],
    };
    this.counted.push(counted);
    if (role !== undefined) {
      this.byRole.set(role, counted);
    }
    return true;
  }

  /** The column has too many values; nothing takes its role. */
  private drop(dropped: Counted): void {
    this.counted = this.counted.filter((counted) => counted !== dropped);
    const type = columnType(dropped.node.kinds);
    if (type === 'number' || type === 'date') {
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
    return this.file.walker(
      this.slots.map(({ node }) => node),
      !this.file.shape.isComplete,
    );
  }
}

function hasValues(counted: Counted): counted is CountedValues {
  return counted.counts instanceof ValueCounts;
}

/** Whether a column has its role still, with all that is counted by now. */
function hasRole({ counts, role, isNamed }: Counted): boolean {
  if (counts instanceof TimeCounts) {
    return counts.count > 0;
  }
  const scale = role === 'severity' ? severityScale : role === 'status' ? statusScale : undefined;
  return counts.distinct > 0 && (isNamed || !scale || areAllKnown(scale, textsOf(counts)));
}

function scaleOfColumn({ node, role, counts }: CountedValues): Scale | undefined {
  switch (role) {
    case 'severity':
      return severityScale;
    case 'status':
      return statusScale;
    default:
      return counts.distinct <= mostNamedWords ? scaleOf(node.name, textsOf(counts)) : undefined;
  }
}

function textsOf(counts: ValueCounts): string[] {
  return Array.from({ length: counts.distinct }, (_, number) => counts.text(number));
}

/** Nulls and what is missing as values, where there are any. */
function emptyValues(nulls: number, missing: number): DistinctValue[] {
  return [
    { kind: kindNull, count: nulls },
    { kind: kindMissing, count: missing },
  ]
    .filter(({ count }) => count > 0)
    .map(({ kind, count }) => ({
      cell: { kind: kinds[kind]!, text: '' },
      key: keyOf(kind, ''),
      count,
    }));
}
