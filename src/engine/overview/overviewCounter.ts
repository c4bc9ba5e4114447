import { defined } from '../../base/defined';
import { firstSentence } from '../../base/text/firstSentence';
import { isUuid } from '../../base/text/uuid';
import { formatKey, isMeasuredType, kindMissing, kindNull, kinds } from '../values/kinds';
import {
  type ColumnChart,
  type ColumnCounts,
  countsClosed,
  type CountScope,
  isEmptyValue,
  type IssueTypeSummary,
  keysOf,
  type Overview,
} from '../data/overview';
import { GroupReader } from '../query/groupReader';
import { type KnownRows, noKnownRows } from '../query/knownRows';
import { knownMark, likelyMark, type ExploitedRows, noExploitedRows } from '../query/exploitedRows';
import type { ExploitSign } from '../../vocabulary/exploited';
import { RowReader, shownLength } from '../read/rowReader';
import type { TableFile } from '../read/tableFile';
import type { DistinctValue } from '../data/answers';
import {
  type CountedColumn,
  type CountedColumns,
  type CountedValues,
  KeptCounts,
  maxListed,
  OverviewCounts,
} from './overviewCounts';
import { ExploitRanks } from './exploitRanks';
import { ExploitedCounts, type ListedRows } from './exploitedCounts';
import type { IssueTypeCounts } from './issueTypeCounts';
import { closingOfFile, firstColumns, sampledRows } from '../read/detect/sampleColumns';
import type { ShapeNode } from '../read/records/shape';
import { findSpreads } from './spreads';
import { TimeCounts } from './timeCounts';
import { ValueCounts } from './valueCounts';
import {
  mayCloseLate,
  findRoles,
  isRuleName,
  moreAssetColumns,
  type Role,
} from '../../vocabulary/roles';
import { areAllKnown, compareListed, type Scale, wordKey } from '../../vocabulary/scale';
import {
  areScores,
  areSeverities,
  mayBeSeverities,
  type ScoreRange,
  findScoreRange,
  severityOrder,
} from '../../vocabulary/severity';
import {
  type ClosingForm,
  closingWord,
  isClosing,
  isNewSinceBaseline,
  isSaidByName,
} from '../../vocabulary/closing';
import { areIdsWithCve } from '../../vocabulary/cve';
import { isNameOf, type Meaning } from '../../vocabulary/meanings';
import { statusScale } from '../../vocabulary/status';
import type { NumberScale } from '../../vocabulary/numberScales';
import { maxSeverities, findOrder } from '../../vocabulary/valueOrder';

/** A word with a number, as checks and advisories are called: `DS002`, `CKV_AWS_20`. */
const code = /^[A-Za-z]{1,8}([-_][A-Za-z]{1,8})?[-_]?\d[\w.:-]*$/;

function isCodeOrCve(text: string): boolean {
  return code.test(text) || areIdsWithCve(text);
}

/** The most issue types that are summarized. */
const maxTopTypes = 10;
/** So many scorecards are named by the domains of their companies. */
const maxDomains = 100;
/** The most issue types whose severity is returned. */
const maxTypeSeverities = 500;
/** The most values in the chart of a column. */
const maxCharted = 8;
/**
 * Up to this many values are of interest if any row repeats one. More values must occur twice on
 * average.
 */
const fewValues = 8;

/** The numbers of values that are shown as one: as the first of them, which has the most rows. */
interface ShownValue {
  readonly numbers: readonly [number, ...number[]];
  readonly word: string;
  readonly count: number;
  /** Set if they are the scores of a level. */
  readonly range?: ScoreRange | undefined;
}

interface Revealing {
  /** Whether secrets are shown. */
  readonly reveal: boolean;
}

/**
 * Counts, and summarizes the counts; see `OverviewCounts`. Roles are chosen by the names and the
 * first 200 rows, those of columns that only later rows have by their names.
 */
export class OverviewCounter extends OverviewCounts {
  /** Whether all rows are counted. */
  isDone = false;
  /** The scale of the numbers of severities, if they have one. */
  readonly severityScale: NumberScale | undefined;
  /** The values as last read: reading them again would take longer than counting. */
  private readonly lastRead = new Map<string, DistinctValue>();
  private readonly exploited = new ExploitedCounts();
  /** The marks that lists could give to a row. */
  private readonly possibleMarks: number;
  private readonly ranks: ExploitRanks;

  constructor(
    private readonly file: TableFile,
    {
      scope = 'all',
      columnsToCount = 'all',
      known = noKnownRows,
      marked = noExploitedRows,
    }: {
      readonly scope?: CountScope;
      readonly columnsToCount?: CountedColumns;
      readonly known?: KnownRows;
      readonly marked?: ExploitedRows;
    } = {},
  ) {
    const columns = firstColumns(file);
    const found = findRoles(columns);
    const asset = found.get('asset')?.column;
    const rows = Math.min(sampledRows, file.index.rows);
    // Most files have an asset in each row: they need not be slower.
    const hasGaps = columnsToCount === 'all' && asset && asset.texts.length < rows;
    const more = hasGaps ? moreAssetColumns(columns, found) : [];
    const moreAssets = more.flatMap(({ node }) => (node.secret ? [] : node.number));
    const closing = new Map(
      Array.from(closingOfFile(file, columns, found), ([{ node }, form]) => [node, form]),
    );
    super(
      file,
      {
        columns: [],
        moreAssets,
        seenNodes: 0,
        scope,
        columnsToCount,
        mayCloseLate: mayCloseLate(columns, found),
        knownRows: known.numbers,
        marked: { numbers: marked.numbers, marks: marked.marks },
      },
      new KeptCounts({ isPart: false }),
    );
    this.severityScale = found.get('severity')?.scale;
    this.possibleMarks = marked.possible;
    this.ranks = new ExploitRanks(file, marked);
    const roles = new Map(
      Array.from(found, ([role, { column, isNamed }]) => [column.node, { role, isNamed }]),
    );
    this.addColumns((node) => {
      if (file.firstNodes.has(node)) {
        const { role, isNamed = false } = roles.get(node) ?? {};
        return { role, isNamed, closing: closing.get(node) };
      }
      const late = this.lateColumn(node);
      const role = late?.role !== undefined && !found.has(late.role) ? late.role : undefined;
      return { role, isNamed: true, closing: closing.get(node) ?? late?.closing };
    });
  }

  readOverview(
    {
      now,
      since,
      rated = [],
    }: { readonly now: number; readonly since?: number; readonly rated?: readonly string[] },
    { reveal }: Revealing,
  ): Overview {
    const listed = new Set(this.file.shape.columns().columns.map(({ id }) => id));
    const isUpToDate = (counted: CountedColumn) =>
      listed.has(counted.node.id) && isUnchanged(counted);
    const countedInRole = (role: Role): CountedColumn | undefined => {
      const counted = this.columnOf(role);
      return counted && isUpToDate(counted) && hasRole(counted) ? counted : undefined;
    };
    const used = new Set([this.columnOf('id')]);
    const valuesIn = (role: Role): CountedValues | undefined => {
      const counted = countedInRole(role);
      used.add(counted);
      return counted && hasValues(counted) ? counted : undefined;
    };
    const countsOf = (counted: CountedValues | undefined) =>
      counted && this.columnCounts(counted, { reveal });
    const type = valuesIn('issueType');
    const worst = valuesIn('severity');
    const asset = valuesIn('asset');
    const severity = countsOf(worst);
    const issueType = countsOf(type);
    const factor = countsOf(valuesIn('factor'));
    const status = countsOf(valuesIn('status'));
    const assets = asset && this.assetCounts(asset, worst, reveal);
    const firstSeen = countedInRole('firstSeen');
    const times = firstSeen?.counts;
    const closed = this.findClosed();
    const scorecard = countedInRole('scorecard');
    const scorecards =
      worst && scorecard && hasValues(scorecard) && scorecard.counts.distinct > 1
        ? this.worstScorecards(scorecard, worst, { reveal, rated })
        : undefined;
    used.add(scorecards && scorecard);
    return {
      rows: this.counted,
      done: this.isDone,
      ...(closed && { closed }),
      ...this.countSinceBaseline(),
      ...this.countExploited(this.columns.filter(hasValues).filter(isUpToDate)),
      ...(severity && { severity }),
      ...(issueType && { issueType }),
      ...(type && { topIssueTypes: this.topIssueTypes(type, worst, asset !== undefined, reveal) }),
      ...(type && worst && this.isDone && { typeSeverities: this.typeSeverities(type, worst) }),
      ...(scorecards && { scorecards }),
      ...(scorecard && hasValues(scorecard) && { domains: this.readDomains(scorecard, reveal) }),
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
      others: this.columns
        .filter(hasValues)
        .filter(
          (counted) => !used.has(counted) && isUpToDate(counted) && this.isInformative(counted),
        )
        .map((counted) => this.columnCounts(counted, { reveal })),
    };
  }

  /** The charts of the columns that have something to draw; secret columns have no chart. */
  charts(): ColumnChart[] {
    const columns = this.file.shape.columns().columns.filter(({ secret }) => !secret);
    const types = new Map(columns.map(({ id, type }) => [id, type]));
    const charted = this.columns.filter(
      // The counts of joined columns are not only those of one.
      (counted) => types.has(counted.node.id) && !this.isJoined(counted) && isUnchanged(counted),
    );
    const isRange = (counted: CountedColumn) =>
      isMeasuredType(types.get(counted.node.id)!) &&
      !(hasValues(counted) && counted.counts.distinct <= fewValues);
    const ranges = charted.filter(isRange).map(({ node }) => node);
    const spreads = findSpreads(this.file, ranges, this.rows);
    return charted.flatMap((counted): ColumnChart[] => {
      const column = counted.node.id;
      const spread = spreads[ranges.indexOf(counted.node)];
      if (spread) {
        return [{ column, spread }];
      }
      if (isRange(counted) || !hasValues(counted) || !this.isCharted(counted)) {
        return [];
      }
      const { values } = this.columnCounts(counted, { reveal: false });
      return [{ column, values: values.slice(0, maxCharted) }];
    });
  }

  private columnCounts(counted: CountedValues, { reveal }: Revealing): ColumnCounts {
    const { node, role, counts, closing } = counted;
    const scale = role === 'severity' ? this.orderOf(counted) : scaleOfColumn(counted);
    const all = shownValues(counted, scale ? counts.distinct : maxListed);
    // All rows count in the columns that close some, but only open ones have a severity.
    const isOpen = ({ word }: ShownValue) =>
      countsClosed(this.scope) || !isClosing('severity', word);
    const shown = closing === 'severity' ? all.filter(isOpen) : all;
    const hidden = all.filter((value) => !shown.includes(value));
    if (scale) {
      shown.sort((one, other) => compareListed(scale, one, other));
    }
    const rows = closing === undefined || closing === 'severity' ? this.counted : this.rows;
    const closed = hidden.reduce((sum, { count }) => sum + count, 0);
    const missing = rows - this.invalid - (counts.present - closed) - counts.nulls;
    const present = shown.map((value) => this.shownValue(counted, value, reveal));
    const none = emptyValues(counts.nulls, missing);
    const values = haveWords(counted) ? withOneEmpty(present, none) : [...present, ...none];
    const empty = values.filter(isEmptyValue);
    const listed = [
      ...values.filter((value) => !isEmptyValue(value)).slice(0, maxListed - empty.length),
      ...empty,
    ];
    if (!scale) {
      listed.sort((one, other) => other.count - one.count);
    }
    const unlisted = counts.distinct - all.reduce((sum, { numbers }) => sum + numbers.length, 0);
    return {
      column: node.id,
      ...(this.isJoined(counted) && { moreColumns: this.moreAssets.map(({ id }) => id) }),
      values: listed,
      total: values.length + unlisted,
      other: rows - listed.reduce((sum, { count }) => sum + count, 0),
    };
  }

  /** The rows that are counted in other columns than those that close some. */
  private get counted(): number {
    return this.rows - this.leftOut;
  }

  /** Whether rows were left out because of a column that has turned out to be another. */
  get isMistaken(): boolean {
    const closing = this.columns.filter((counted) => counted.closing !== undefined);
    return !countsClosed(this.scope) && !closing.every(isUnchanged);
  }

  get closedRows(): number {
    return this.closed;
  }

  /** The columns that close rows, and how they do. */
  get closingColumns(): { readonly node: ShapeNode; readonly form: ClosingForm }[] {
    return this.isMistaken
      ? []
      : this.columns.flatMap(({ node, closing: form }) => (form ? [{ node, form }] : []));
  }

  private countSinceBaseline(): Pick<Overview, 'sinceBaseline'> {
    const counted = this.columns.filter(hasValues).find(({ closing }) => closing === 'baseline');
    if (!counted || counted.counts.present === 0 || !isUnchanged(counted)) {
      return {};
    }
    const { node, counts } = counted;
    const values = Array.from({ length: counts.distinct }, (_, number) => number)
      .filter((number) => isNewSinceBaseline(counts.text(number)))
      .map((number) => this.distinctValue(counted, number, { reveal: false }));
    return { sinceBaseline: { column: node.id, new: this.newRows, values } };
  }

  /** The findings with signs of attacks. A secret is never read for one. */
  private countExploited(columns: readonly CountedValues[]): Pick<Overview, 'exploited'> {
    const exploited = this.exploited.count(
      columns.filter(({ node }) => !node.secret),
      (counted, number) => this.distinctValue(counted, number, { reveal: false }).key,
      (sign) => this.listedRows(sign),
    );
    return exploited.length > 0 ? { exploited } : {};
  }

  /** The rows that lists say of that they have a sign; `undefined` if no list can. */
  private listedRows(sign: ExploitSign): ListedRows | undefined {
    const mark = sign === 'known' ? knownMark : sign === 'likely' ? likelyMark : 0;
    return (this.possibleMarks & mark) === 0
      ? undefined
      : { rows: this.exploitedRows.get(mark) ?? 0, values: this.markedValues };
  }

  /** The rows that are closed, if there are any. */
  private findClosed(): Overview['closed'] {
    if (this.closed === 0) {
      return undefined;
    }
    const by = this.columns.flatMap((counted) => {
      const { closing, node } = counted;
      if (closing === undefined || !isUnchanged(counted)) {
        return [];
      }
      if (!hasValues(counted)) {
        const word = isSaidByName(closing) ? [closingWord(closing, node.name, '')] : [];
        return [{ column: node.id, values: [], words: word, form: closing }];
      }
      const { counts } = counted;
      const values = Array.from({ length: counts.distinct }, (_, number) => number)
        .filter((number) => isClosing(closing, counts.text(number)))
        .map((number) => this.distinctValue(counted, number, { reveal: false }))
        .filter(({ count }) => count > 0)
        .sort((one, other) => other.count - one.count);
      const words = values.map(({ cell }) => closingWord(closing, node.name, cell.text));
      return values.length > 0 ? [{ column: node.id, values, words }] : [];
    });
    const { closed: rows, known } = this;
    return { rows, by, areCounted: this.scope === 'all', ...(known > 0 && { known }) };
  }

  /** Reads the domains of the companies that scorecards are about, by their UUIDs. */
  private readDomains({ counts }: CountedValues, reveal: boolean): Record<string, string> {
    const domainOf = this.textReader('parent', { reveal });
    const found = counts.mostFrequent(maxDomains).flatMap((number): [string, string][] => {
      const id = counts.text(number).toLowerCase();
      const domain = isUuid(id) ? domainOf(counts.first(number)) : undefined;
      return domain === undefined ? [] : [[id, domain]];
    });
    return Object.fromEntries(found);
  }

  /** Reads the first text that a row has in the columns of a meaning: `parent` is the domain of the company. */
  private textReader(meaning: Meaning, { reveal }: Revealing): (row: number) => string | undefined {
    const { file } = this;
    const { columns } = file.shape.columns();
    const nodes = columns
      .filter(({ name }) => isNameOf(meaning, name))
      .map(({ id }) => file.shape.get(id));
    const reader = new RowReader(file, nodes, { reveal, maxLength: shownLength });
    return (row) =>
      nodes.length === 0
        ? undefined
        : reader
            .row(row)
            .cells.find(
              ({ kind, masked, text }) => kind === 'text' && masked !== true && text !== '',
            )?.text;
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

  private orderOf(severity: CountedColumn | undefined): Scale {
    return severityOrder({ name: severity?.node.name ?? '', scale: this.severityScale });
  }

  /** The worst severity of the rows of a type, and how many rows have it. */
  private worstOf(type: number, severity: CountedValues) {
    const { counts } = severity;
    const order = this.orderOf(severity);
    const all = this.kept.types
      .severities(type)
      .map((each) => ({ ...each, word: counts.text(each.severity) }))
      .sort((one, other) => compareListed(order, one, other));
    const [worst] = all;
    const same = all.filter(({ word }) => worst && wordKey(word) === wordKey(worst.word));
    return worst && { ...worst, count: same.reduce((sum, { count }) => sum + count, 0) };
  }

  private topIssueTypes(
    type: CountedValues,
    severity: CountedValues | undefined,
    hasAssets: boolean,
    reveal: boolean,
  ): IssueTypeSummary[] {
    const titleOf = this.textReader('vulnerabilityTitle', { reveal });
    const readRule = isRuleName(type.node.name)
      ? this.textReader('ruleText', { reveal })
      : undefined;
    const isOfIds = readRule !== undefined && !isNameOf('rule', type.node.name);
    const readName = this.textReader('ruleTitle', { reveal });
    const readWord = this.textReader('ruleWord', { reveal });
    const times = this.columnOf('firstSeen');
    const scale = this.orderOf(severity);
    const severitiesOf = severity && this.readSeverities(this.kept.types, severity);
    // The first row of a type stands for it: rows about one vulnerability say the same of it.
    const rankOf = (number: number) =>
      this.isDone ? this.ranks.rankOf(type.counts.first(number)) : 0;
    const hasTimes = times?.counts instanceof TimeCounts && times.counts.hasFewDays;
    return type.counts
      .mostFrequent(type.counts.distinct)
      .map((number) => ({ number, worst: severity && this.worstOf(number, severity) }))
      .sort(
        ({ number: one, worst }, { number: other, worst: otherWorst }) =>
          compareListed(
            scale,
            { word: worst?.word ?? '', count: 0 },
            { word: otherWorst?.word ?? '', count: 0 },
          ) ||
          rankOf(other) - rankOf(one) ||
          type.counts.count(other) - type.counts.count(one),
      )
      .slice(0, maxTopTypes)
      .map(({ number, worst }) => {
        const assets = hasAssets ? this.kept.types.assets(number) : undefined;
        const lastFirstSeen = hasTimes ? this.kept.types.lastFirstSeen(number) : undefined;
        const id = type.counts.text(number);
        const first = type.counts.first(number);
        const rule = firstSentence(readRule?.(first) ?? '');
        const title =
          (isOfIds || isCodeOrCve(id) ? titleOf(first) : undefined) ??
          (readRule && (readName(first) ?? readWord(first)));
        return {
          value: this.distinctValue(type, number, { reveal }),
          ...defined({ about: title ?? (rule === '' || rule === id ? undefined : rule) }),
          ...(worst &&
            severity && {
              severity: {
                ...this.distinctValue(severity, worst.severity, { reveal }),
                count: worst.count,
              },
            }),
          ...(severitiesOf && { severities: severitiesOf(number).shown(reveal) }),
          ...(assets !== undefined && { assets }),
          ...(lastFirstSeen !== undefined && { lastFirstSeen }),
        };
      });
  }

  /**
   * The scorecards that are rated worst, if all are rated; else those with the most rows of the worst severity, of equal
   * ones of the next, and so on: of one that is not rated, nobody knows that it is better.
   */
  private worstScorecards(
    scorecard: CountedValues,
    severity: CountedValues,
    { reveal, rated }: Revealing & { readonly rated: readonly string[] },
  ): NonNullable<Overview['scorecards']> {
    const places = new Map(rated.map((id, place) => [id, place]));
    const placeOf = (number: number) =>
      places.get(scorecard.counts.text(number).toLowerCase()) ?? places.size;
    const severitiesOf = this.readSeverities(this.kept.scorecards, severity);
    const domainOf = this.textReader('parent', { reveal });
    const counted = scorecard.counts
      .mostFrequent(scorecard.counts.distinct)
      .filter((number) => scorecard.counts.count(number) > 0)
      .map((number) => ({ number, place: placeOf(number), ...severitiesOf(number) }));
    const areRated = counted.every(({ place }) => place < places.size);
    const worst = counted
      .sort((one, other) => {
        if (areRated && one.place !== other.place) {
          return one.place - other.place;
        }
        const at = one.counts.findIndex((count, each) => count !== other.counts[each]);
        return at < 0 ? 0 : other.counts[at]! - one.counts[at]!;
      })
      .slice(0, maxTopTypes);
    return {
      column: scorecard.node.id,
      total: scorecard.counts.distinct,
      worst: worst.map(({ number, shown }) => ({
        value: this.distinctValue(scorecard, number, { reveal }),
        ...defined({ domain: domainOf(scorecard.counts.first(number)) }),
        severities: shown(reveal),
      })),
    };
  }

  /** The counts of assets, with the severities of the first ones if these were counted. */
  private assetCounts(
    asset: CountedValues,
    severity: CountedValues | undefined,
    reveal: boolean,
  ): ColumnCounts {
    const counts = this.columnCounts(asset, { reveal });
    if (!severity || !this.splitsAssets) {
      return counts;
    }
    const numbers = new Map(
      asset.counts
        .mostFrequent(maxListed)
        .map((number) => [this.distinctValue(asset, number, { reveal }).key, number]),
    );
    const severitiesOf = this.readSeverities(this.kept.assets, severity);
    const severities = counts.values.slice(0, maxTopTypes).map(({ key }) => {
      const number = numbers.get(key);
      return number === undefined ? [] : severitiesOf(number).shown(reveal);
    });
    return { ...counts, severities };
  }

  /**
   * Reads how many rows of a type have each severity, the worst first: all of them as numbers, and those that occur as
   * values.
   */
  private readSeverities(types: IssueTypeCounts, severity: CountedValues) {
    const scale = this.orderOf(severity);
    const order = shownValues(severity, severity.counts.distinct).sort((one, other) =>
      compareListed(scale, one, other),
    );
    return (type: number) => {
      const known = new Map(types.severities(type).map((each) => [each.severity, each.count]));
      const counts = order.map(({ numbers }) =>
        numbers.reduce((sum, each) => sum + (known.get(each) ?? 0), 0),
      );
      const shown = (reveal: boolean): DistinctValue[] =>
        order.flatMap((each, at) => {
          const count = counts[at] ?? 0;
          return count > 0 ? [{ ...this.shownValue(severity, each, reveal), count }] : [];
        });
      return { counts, shown };
    };
  }

  private shownValue(
    counted: CountedValues,
    { numbers: [first, ...more], count, range }: ShownValue,
    reveal: boolean,
  ): DistinctValue {
    const moreKeys = more.map((number) => this.distinctValue(counted, number, { reveal }).key);
    return {
      ...this.distinctValue(counted, first, { reveal }),
      ...(more.length > 0 && { moreKeys }),
      ...(range && {
        cell: { kind: 'text', text: range.level },
        scores: { lowest: range.lowest, highest: range.highest },
      }),
      count,
    };
  }

  /** A value in the form that a list of distinct values has. */
  private distinctValue(
    counted: CountedValues,
    number: number,
    { reveal }: Revealing,
  ): DistinctValue {
    const { node, counts } = counted;
    const count = counts.count(number);
    const key = `${node.number}:${number}:${reveal}`;
    let value = this.lastRead.get(key);
    if (!value) {
      const nodes = this.isJoined(counted) ? [node, ...this.moreAssets] : [node];
      const valueOf = ({ id }: ShapeNode) => {
        const first = () => counts.first(number);
        const group = { columns: [id], count: 1, first, size: () => count };
        return new GroupReader(this.file, group, reveal).value(0);
      };
      value = nodes.map(valueOf).find(({ cell }) => cell.text !== '') ?? valueOf(node);
      this.lastRead.set(key, value);
    }
    return { ...value, count };
  }

  /** Whether values of further columns are counted with those of a column. */
  private isJoined({ role }: CountedColumn): boolean {
    return role === 'asset' && this.moreAssets.length > 0;
  }

  /** Whether the counts of a column show more than that all its values differ or are the same. */
  private isInformative({ counts }: CountedValues): boolean {
    const { distinct, present } = counts;
    const isRepeating = distinct <= fewValues ? distinct < present : distinct * 2 <= present;
    const hasEmpty = present < this.counted - this.invalid;
    return distinct <= maxListed && isRepeating && (distinct > 1 || hasEmpty);
  }

  /**
   * Whether the most frequent values of a column are worth a chart. They are not if each row has a
   * different value.
   */
  private isCharted({ counts }: CountedValues): boolean {
    const { distinct, present } = counts;
    return distinct > 0 && (distinct <= fewValues || distinct * 2 <= present);
  }
}

function hasValues(counted: CountedColumn): counted is CountedValues {
  return counted.isCounted && counted.counts instanceof ValueCounts;
}

/** Whether all values of a column were counted: it has not become a map since. */
function isUnchanged({ node, wasCollapsed }: CountedColumn): boolean {
  return node.isCollapsed === wasCollapsed;
}

/** Whether a column still has its role, according to the counts so far. */
function hasRole({ node, counts, role, isNamed }: CountedColumn): boolean {
  if (counts instanceof TimeCounts) {
    return counts.count > 0 && counts.hasFewDays;
  }
  if (counts.distinct === 0) {
    return false;
  }
  switch (role) {
    case 'severity':
      return isNamed ? mayBeSeverities(node.name, textsOf(counts)) : areSeverities(textsOf(counts));
    case 'status':
      return isNamed || areAllKnown(statusScale, textsOf(counts));
    default:
      return true;
  }
}

function scaleOfColumn({ node, role, counts }: CountedValues): Scale | undefined {
  if (role === 'status') {
    return statusScale;
  }
  return counts.distinct <= maxSeverities ? findOrder(node.name, textsOf(counts)) : undefined;
}

function textsOf(counts: ValueCounts): string[] {
  return Array.from({ length: counts.distinct }, (_, number) => counts.text(number));
}

/** Whether ways to write a word in a column are one value. */
function haveWords({ role }: CountedColumn): boolean {
  return role === 'severity' || role === 'status';
}

/** At most so many values of a column, the most frequent first. */
function shownValues(counted: CountedValues, most: number): ShownValue[] {
  const { counts, role, node } = counted;
  const areWords = haveWords(counted);
  const haveRanges = role === 'severity' && !node.secret && areScores(node.name, textsOf(counts));
  const byKey = new Map<string | number, ShownValue>();
  for (const number of counts.mostFrequent(most)) {
    const word = counts.text(number);
    const range = haveRanges ? findScoreRange(word) : undefined;
    const key = range?.level ?? (areWords ? wordKey(word) : number);
    const { numbers, count } = byKey.get(key) ?? { numbers: [], count: 0 };
    byKey.set(key, {
      numbers: [...numbers, number] as [number, ...number[]],
      word: byKey.get(key)?.word ?? word,
      count: count + counts.count(number),
      range,
    });
  }
  return [...byKey.values()];
}

/** Adds values of rows that have none, as one value together with an empty text, which is shown alike. */
function withOneEmpty(
  values: readonly DistinctValue[],
  empty: readonly DistinctValue[],
): DistinctValue[] {
  const [first, ...others] = empty;
  if (!first) {
    return [...values];
  }
  const isBlank = ({ cell }: DistinctValue) => cell.text.trim() === '';
  const more = [...others, ...values.filter(isBlank)];
  const moreKeys = more.flatMap(keysOf);
  return [
    ...values.filter((value) => !isBlank(value)),
    {
      ...first,
      ...(more.length > 0 && { moreKeys }),
      count: more.reduce((sum, { count }) => sum + count, first.count),
    },
  ];
}

/** Nulls and missing values as listed values, if there are any. */
function emptyValues(nulls: number, missing: number): DistinctValue[] {
  return [
    { kind: kindNull, count: nulls },
    { kind: kindMissing, count: missing },
  ]
    .filter(({ count }) => count > 0)
    .map(({ kind, count }) => ({
      cell: { kind: kinds[kind]!, text: '' },
      key: formatKey(kind, ''),
      count,
    }));
}
