import { defined } from '../../base/defined';
import type { NumberScale } from '../../vocabulary/numberScales';
import type { YieldBudget } from '../threads/yieldBudget';
import type { PutPiece } from '../../files/wholeFile';
import { maskByOthers } from '../values/masking';
import {
  becameMember,
  beforeMember,
  type Change,
  changeMember,
  type Comparison,
  fieldsMember,
  outputName,
} from './comparison';
import type { Tallies } from '../data/comparisonAbout';
import { ClosingColumns, type FoundClosing } from './closingColumns';
import { type ComparedFile, countedRoles, type CountedTexts } from './comparedFile';
import { type ComparisonMode, oldValue, readMeaning, readMembers, withoutMembers } from './meaning';
import { isAlone, type Pairs } from './pairing';
import { type Fields, lineMembers } from './recordFields';
import { mayMean } from '../../vocabulary/meanings';
import { compareListed, type Scale } from '../../vocabulary/scale';
import { severityOrder } from '../../vocabulary/severity';

/** The number of characters after which lines are written. */
const chunkLength = 1024 ** 2;
/** The maximum number of distinct values of a column that are counted, and of those that are reported. */
const maxCountedValues = 4096;
const maxReportedValues = 50;

interface Count {
  readonly value: string;
  readonly domain?: string;
  new: number;
  gone: number;
  changed: number;
  nowClosed: number;
  reopened: number;
  severity?: string;
  severityCount: number;
}

interface ReadRecord {
  readonly file: ComparedFile;
  readonly row: number;
  readonly texts: CountedTexts;
}

/** What became of a finding that has changed: it was open or closed, and is not any more. */
type Became = 'closed' | 'reopened';

/** The roles of the columns with tallies; the first is the severity. */
const talliedRoles = ['severity', 'issueType', 'scorecard'] as const;

/**
 * The differences between two files: counted by severity, issue type and scorecard, and written as NDJSON if
 * requested.
 */
export class Differences {
  readonly counts = { new: 0, gone: 0, changed: 0 };
  private readonly counted = talliedRoles.map(() => new Map<string, Count>());
  private readonly isComplete = talliedRoles.map(() => true);
  /** Changed records that were open, and are closed now. */
  nowClosed = 0;
  /** Those that were closed, and are open now. */
  reopened = 0;
  private readonly closedCounts = { new: 0, gone: 0 };
  private readonly knownCounts = { new: 0, gone: 0 };
  private readonly closing = new ClosingColumns();
  private readonly severityOrder: Scale;
  private lines = '';

  /**
   * @param by how values are compared, and what moves within a file, which is no change.
   * @param put writes them to a file; absent if they are only counted.
   */
  constructor(
    private readonly before: ComparedFile,
    private readonly after: ComparedFile,
    private readonly by: {
      readonly comparing: ComparisonMode;
      readonly moves: ((name: string) => boolean) | undefined;
    },
    private readonly put: PutPiece | undefined,
  ) {
    const name = this.columnOf('severity') ?? '';
    this.severityOrder = severityOrder({ name, scale: this.severityScale });
  }

  async addAll({ rows, partners }: Pairs, budget: YieldBudget): Promise<void> {
    for (let at = 0; at < rows.length; at += 1) {
      const row = rows[at]!;
      const partner = partners[at]!;
      const newer = row - this.before.rows;
      const bytes =
        partner !== isAlone
          ? this.addIfChanged(partner, newer)
          : newer < 0
            ? this.addWhole('gone', this.before, row)
            : this.addWhole('new', this.after, newer);
      if (this.lines.length >= chunkLength) {
        await this.writeLines();
      }
      if (budget.shouldYield(bytes)) {
        await budget.pause(at / rows.length);
      }
    }
    await this.writeLines();
  }

  /** The tallies of columns for which all values were counted: not too many, and none too long. */
  tallies(): Pick<Comparison, 'severities' | 'issueTypes' | 'scorecards'> {
    const [severities, issueTypes, scorecards] = talliedRoles.map((role, at) =>
      this.talliesOf(role, at),
    );
    const areSeveral = scorecards !== undefined && scorecards.values.length > 1;
    return {
      ...(severities && { severities }),
      ...(issueTypes && { issueTypes }),
      ...(severities && areSeveral && { scorecards }),
    };
  }

  /** The new and gone records that are closed or known, if there are any. */
  get closed(): Comparison['closed'] {
    const closing = this.closing.found();
    const { knownCounts: known, closedCounts } = this;
    const areKnown = known.new + known.gone > 0;
    return closing.by.length === 0 && !areKnown
      ? undefined
      : { ...closing, ...closedCounts, ...(areKnown && { known }) };
  }

  private talliesOf(role: (typeof talliedRoles)[number], at: number): Tallies | undefined {
    const column = this.columnOf(role);
    const counted = this.counted[at]!;
    // Where no difference has a value, the file of differences may not even have the column.
    const hasValues = counted.size > Number(counted.has(''));
    if (column === undefined || !hasValues || this.isComplete[at] !== true) {
      return undefined;
    }
    const listed = ({ severityCount, nowClosed, reopened, ...tally }: Count) => ({
      tally: {
        ...tally,
        ...(nowClosed > 0 && { nowClosed }),
        ...(reopened > 0 && { reopened }),
      },
      word: role === 'severity' ? tally.value : (tally.severity ?? ''),
      count: severityCount || tally.new + tally.gone + tally.changed,
    });
    const sorted = Array.from(counted.values(), listed).sort((one, other) =>
      compareListed(this.severityOrder, one, other),
    );
    const values = sorted.slice(0, maxReportedValues).map(({ tally }) => tally);
    const more = sorted.length - values.length;
    const scale = role === 'severity' ? this.severityScale : undefined;
    return { column, ...defined({ scale }), values, ...(more > 0 && { more }) };
  }

  /** That of the numbers in the newer file, or else in the older one. */
  private get severityScale(): NumberScale | undefined {
    return this.after.severityScale ?? this.before.severityScale;
  }

  /** A column by which differences are counted, if it is the same in both files, or in one only. */
  private columnOf(role: (typeof countedRoles)[number]): string | undefined {
    const at = countedRoles.indexOf(role);
    const [older, newer] = [this.before, this.after].map((file) => file.countedColumns()[at]);
    const isSame = older === undefined || newer === undefined || older === newer;
    return isSame ? (newer ?? older) : undefined;
  }

  /** @returns the approximate number of bytes processed */
  private addWhole(change: 'new' | 'gone', file: ComparedFile, row: number): number {
    const texts = file.countedTexts(row);
    this.count(change, { file, row, texts }, file.findClosingValues(texts));
    return this.put ? this.addLine(change, [], file.members(row)) : 256;
  }

  /**
   * Adds a record unless its fields have the same meaning in both files, apart from when it was last seen and the text
   * of its rule.
   */
  private addIfChanged(older: number, newer: number): number {
    const { before, after } = this;
    const [olderFields, newerFields] = [before.fields(older), after.fields(newer)];
    const { comparing, moves } = this.by;
    const changed = changedFields(olderFields, newerFields, comparing);
    // When a problem was last seen differs in each report, and what a rule says in each version of the tool: that alone
    // is no change.
    const hasMoved = (name: string, ignores: (name: string) => boolean) => {
      const [was, is] = [olderFields, newerFields].map((fields) =>
        readMeaning(withoutMembers(fields.get(name) ?? 'null', name, ignores), comparing),
      );
      return was === is;
    };
    const isNone = (name: string) =>
      mayMean('lastSeen', name) ||
      mayMean('ruleText', name) ||
      (moves !== undefined && hasMoved(name, moves));
    const names = changed.every(isNone) ? [] : changed;
    if (names.length > 0) {
      const texts = after.countedTexts(newer);
      const isClosed = after.findClosingValues(texts).length > 0;
      const wasOpen =
        !before.isKnown(older) && before.findClosingValues(before.countedTexts(older)).length === 0;
      const isOpen = !isClosed && !after.isKnown(newer);
      // What is known now is not closed: no file says so.
      const became = wasOpen && isClosed ? 'closed' : !wasOpen && isOpen ? 'reopened' : undefined;
      this.nowClosed += Number(became === 'closed');
      this.reopened += Number(became === 'reopened');
      this.count('changed', { file: after, row: newer, texts, became });
      this.addChanged(names, [older, olderFields], [newer, newerFields], became);
    }
    return 1024;
  }

  private addChanged(
    names: readonly string[],
    [older, olderFields]: readonly [row: number, fields: Fields],
    [newer, newerFields]: readonly [row: number, fields: Fields],
    became: Became | undefined,
  ): void {
    const { before, after } = this;
    if (this.put) {
      // What tells of an old value that it is secret may not have changed, and is not repeated.
      const was = maskedFields(before.outputFields(older, olderFields));
      const is = after.outputFields(newer, newerFields);
      const old = names.map((name) => {
        const value = was.get(name);
        const json = value === undefined ? 'null' : oldValue(value, is.get(name));
        return `${JSON.stringify(outputName(name))}:${json}`;
      });
      const says = became === undefined ? '' : `,"${becameMember}":"${became}"`;
      this.addLine('changed', names, `${says}${lineMembers(is)},"${beforeMember}":{${old.join()}}`);
    }
  }

  private count(
    change: Change,
    { file, row, texts, became }: ReadRecord & { readonly became?: Became | undefined },
    closing: readonly FoundClosing[] = [],
  ): void {
    this.counts[change] += 1;
    const isKnown = change !== 'changed' && file.isKnown(row);
    if (change !== 'changed' && (closing.length > 0 || isKnown)) {
      closing.forEach((each) => {
        this.closing.add(change, each);
      });
      this.closedCounts[change] += 1;
      // What a file closes is closed, whatever a user has decided.
      this.knownCounts[change] += Number(closing.length === 0);
      return;
    }
    this.counted.forEach((counted, at) => {
      if (texts[at] === null) {
        // A truncated value would be counted with others, and a filter by it would find nothing.
        this.isComplete[at] = false;
        return;
      }
      const value = texts[at] ?? '';
      // Severities are shown in one way, whatever their case.
      const key = talliedRoles[at] === 'severity' ? value.toLowerCase() : value;
      let tally = counted.get(key);
      if (!tally && counted.size < maxCountedValues) {
        const domain = talliedRoles[at] === 'scorecard' ? file.findDomain(row) : undefined;
        const none = { new: 0, gone: 0, changed: 0, nowClosed: 0, reopened: 0, severityCount: 0 };
        tally = { value, ...none, ...(domain !== undefined && { domain }) };
        counted.set(key, tally);
      }
      if (!tally) {
        this.isComplete[at] = false;
        return;
      }
      tally[change] += 1;
      tally.nowClosed += Number(became === 'closed');
      tally.reopened += Number(became === 'reopened');
      const [severity] = texts;
      if (at > 0 && severity) {
        addSeverity(tally, severity, this.severityOrder);
      }
    });
  }

  /** @param members each after a comma. */
  private addLine(change: Change, names: readonly string[], members: string): number {
    const changed = JSON.stringify(names.map(outputName));
    // Line breaks between the members of JSON have no meaning; texts in JSON contain none.
    const all = members.replace(/[\r\n]+/g, ' ');
    this.lines += `{"${changeMember}":"${change}","${fieldsMember}":${changed}${all}}\n`;
    return members.length;
  }

  private async writeLines(): Promise<void> {
    const { lines } = this;
    this.lines = '';
    await this.put?.(lines);
  }
}

/** The fields of a record, in which values are masked that others tell to be secret. */
function maskedFields(fields: Fields): Fields {
  const members = Array.from(fields, ([name, json]) => `${JSON.stringify(name)}:${json}`);
  return readMembers(Buffer.from(maskByOthers(`{${members.join()}}`))) ?? fields;
}

/** The names of the fields whose meaning differs, in the order of the newer record. */
function changedFields(older: Fields, newer: Fields, comparing: ComparisonMode): string[] {
  const names = [...newer.keys(), ...[...older.keys()].filter((name) => !newer.has(name))];
  return names.filter((name) => {
    const [was, is] = [older.get(name), newer.get(name)];
    return was !== is && readMeaning(was, comparing) !== readMeaning(is, comparing);
  });
}

/** Counts a severity if it is the worst so far; one that is not known is only worse than none. */
function addSeverity(tally: Count, severity: string, order: Scale): void {
  const place = (text: string) => order.positionOf(text) ?? Infinity;
  const { severity: worst } = tally;
  const isSame = severity === worst;
  const difference = isSame ? 0 : worst === undefined ? -1 : place(severity) - place(worst);
  if (difference < 0) {
    tally.severity = severity;
    tally.severityCount = 1;
  } else if (difference === 0) {
    tally.severityCount += 1;
  }
}
