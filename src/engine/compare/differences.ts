import { severityScale } from '../../base/text/orderedWords';
import type { YieldBudget } from '../values/yieldBudget';
import { writeFully } from '../read/bytes/byteSource';
import { beforeMember, type Change, changeMember, fieldsMember, outputName } from './comparison';
import type { Tallies, Tally } from '../values/comparisonAbout';
import type { ComparedFile } from './comparedFile';
import { type ComparisonMode, meaningOf, oldValue } from './meaning';
import { isAlone, type Pairs } from './pairing';
import { snakeCase } from '../values/roles';
import { type Fields, lineMembers } from './recordFields';

/** The number of characters after which lines are written. */
const chunkLength = 1024 ** 2;
/** The maximum number of distinct values of a column that are counted, and of those that are reported. */
const maxCountedValues = 4096;
const maxReportedValues = 50;

type Count = { -readonly [Name in keyof Tally]: Tally[Name] };

/** The differences between two files: counted by severity and issue type, and written as NDJSON if requested. */
export class Differences {
  readonly counts = { new: 0, gone: 0, changed: 0 };
  private readonly counted = [new Map<string, Count>(), new Map<string, Count>()] as const;
  private readonly isComplete = [true, true];
  private lines = '';

  /** @param descriptor the file that they are written to; absent if they are only counted. */
  constructor(
    private readonly before: ComparedFile,
    private readonly after: ComparedFile,
    private readonly comparing: ComparisonMode,
    private readonly descriptor: number | undefined,
  ) {}

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
      if (budget.shouldYield(bytes)) {
        await budget.pause(at / rows.length);
      }
    }
    this.writeLines();
  }

  /**
   * The tallies of columns for which all values were counted: not too many, and none too long. A column must
   * be the same in both files, or be in one only.
   */
  tallies(): { readonly severities?: Tallies; readonly issueTypes?: Tallies } {
    const olderColumns = this.before.countedColumns();
    const newerColumns = this.after.countedColumns();
    const of = (at: 0 | 1): Tallies | undefined => {
      const [older, newer] = [olderColumns[at], newerColumns[at]];
      const column = newer ?? older;
      const isSame = older === undefined || newer === undefined || older === newer;
      if (column === undefined || !isSame || this.isComplete[at] !== true) {
        return undefined;
      }
      const sizeOf = ({ new: isNew, gone, changed }: Tally) => isNew + gone + changed;
      const values = [...this.counted[at].values()]
        .sort((one, other) => sizeOf(other) - sizeOf(one))
        .slice(0, maxReportedValues);
      return { column, values };
    };
    const [severities, issueTypes] = [of(0), of(1)];
    return { ...(severities && { severities }), ...(issueTypes && { issueTypes }) };
  }

  /** @returns the approximate number of bytes processed */
  private addWhole(change: 'new' | 'gone', file: ComparedFile, row: number): number {
    this.count(change, file.countedTexts(row));
    return this.descriptor === undefined ? 256 : this.write(change, [], file.members(row));
  }

  /** Adds a record unless its fields have the same meaning in both files, apart from when it was last seen. */
  private addIfChanged(older: number, newer: number): number {
    const { before, after } = this;
    const [olderFields, newerFields] = [before.fields(older), after.fields(newer)];
    const changed = changedFields(olderFields, newerFields, this.comparing);
    const names = changed.every(saysLastSeen) ? [] : changed;
    if (names.length > 0) {
      this.count('changed', after.countedTexts(newer));
    }
    if (names.length > 0 && this.descriptor !== undefined) {
      const was = before.outputFields(older, olderFields);
      const is = after.outputFields(newer, newerFields);
      const old = names.map((name) => {
        const value = was.get(name);
        const json = value === undefined ? 'null' : oldValue(value, is.get(name));
        return `${JSON.stringify(outputName(name))}:${json}`;
      });
      this.write('changed', names, `${lineMembers(is)},"${beforeMember}":{${old.join()}}`);
    }
    return 1024;
  }

  private count(change: Change, values: readonly (string | null | undefined)[]): void {
    this.counts[change] += 1;
    this.counted.forEach((counted, at) => {
      if (values[at] === null) {
        // A truncated value would be counted with others, and a filter by it would find nothing.
        this.isComplete[at] = false;
        return;
      }
      const value = values[at] ?? '';
      let tally = counted.get(value);
      if (!tally && counted.size < maxCountedValues) {
        tally = { value, new: 0, gone: 0, changed: 0 };
        counted.set(value, tally);
      }
      if (tally) {
        tally[change] += 1;
        const [severity] = values;
        if (at === 1 && severity && isWorse(severity, tally.severity)) {
          tally.severity = severity;
        }
      } else {
        this.isComplete[at] = false;
      }
    });
  }

  /** @param members each after a comma. */
  private write(change: Change, names: readonly string[], members: string): number {
    const changed = JSON.stringify(names.map(outputName));
    // Line breaks between the members of JSON have no meaning; texts in JSON contain none.
    const all = members.replace(/[\r\n]+/g, ' ');
    this.lines += `{"${changeMember}":"${change}","${fieldsMember}":${changed}${all}}\n`;
    if (this.lines.length >= chunkLength) {
      this.writeLines();
    }
    return members.length;
  }

  private writeLines(): void {
    if (this.descriptor !== undefined && this.lines !== '') {
      writeFully(this.descriptor, Buffer.from(this.lines));
      this.lines = '';
    }
  }
}

/** The names of the fields whose meaning differs, in the order of the newer record. */
function changedFields(older: Fields, newer: Fields, comparing: ComparisonMode): string[] {
  const names = [...newer.keys(), ...[...older.keys()].filter((name) => !newer.has(name))];
  return names.filter((name) => {
    const [was, is] = [older.get(name), newer.get(name)];
    return was !== is && meaningOf(was, comparing) !== meaningOf(is, comparing);
  });
}

/** When a problem was last seen differs in each report: that alone is no change. */
function saysLastSeen(name: string): boolean {
  return /(^|_)last_(seen|observed|found|detected|scanned|checked)(_(at|on|date|time|utc))*$/.test(
    snakeCase(name),
  );
}

/** Whether a severity is worse than another; one that is not known is only worse than none. */
function isWorse(severity: string, than: string | undefined): boolean {
  const place = (text: string) => severityScale.positionOf(text) ?? Infinity;
  return than === undefined || place(severity) < place(than);
}
