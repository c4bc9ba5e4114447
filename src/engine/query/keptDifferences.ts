import { setImmediate } from 'node:timers/promises';
import { groupBy } from '../../base/groupBy';
import { type SaidSeverity, isMoreSevere, severityLevels } from '../../vocabulary/severity';
import type { SincePrevious } from '../data/comparisonAbout';
import {
  compareRows,
  findingsAtOnce,
  haveSameId,
  isShared,
  type KeptRows,
  severityBits,
  severityOfBits,
} from '../data/keptRows';
import type { KnownFinding } from '../data/known';
import { digestOfDetail, digestOfId } from './findingDigest';

/*
 * How the findings of a file differ from those of another time, by what tells them apart, as a table of both decides.
 */

/** The findings of one time: those that are known are left out. */
export interface Side {
  readonly rows: KeptRows;
  readonly known: KnownDigests;
}

/** Hears of each finding of two times once, by its positions in them. Those with the same id come together. */
export interface DifferenceVisitor {
  pair(before: number, after: number): void;
  added(after: number): void;
  gone(before: number): void;
  /** Called after so many findings that other work may wait. */
  pause?(): Promise<void>;
}

/** A decision about a finding. */
interface Decided {
  readonly low: number;
  readonly detail: number;
  readonly finding: KnownFinding;
}

/** Decisions about findings, by the digests of their ids. */
export class KnownDigests {
  private readonly byHigh = new Map<number, Decided[]>();

  static async of(known: readonly KnownFinding[]): Promise<KnownDigests> {
    const digests = new KnownDigests();
    for (const [at, finding] of known.entries()) {
      digests.add(finding);
      if (at % findingsAtOnce === 0) {
        await setImmediate();
      }
    }
    return digests;
  }

  /**
   * Whether a finding is known, as a table decides: a decision without the line holds only where one finding has the
   * id, and none holds for one that got worse, or when it is over.
   */
  has(rows: KeptRows, at: number): boolean {
    return (
      this.byHigh
        .get(rows.high[at]!)
        ?.some(
          ({ low, detail, finding }) =>
            low === rows.low[at] &&
            finding.isOver !== true &&
            (detail === rows.detail[at] || (finding.isShared !== true && isAlone(rows, at))) &&
            !isMoreSevere(severityOfBits(rows.bits[at]!), finding.severity),
        ) === true
    );
  }

  private add(finding: KnownFinding): void {
    const [high, low] = digestOfId(finding.id);
    const decided = { low, detail: digestOfDetail(finding.detail), finding };
    const same = this.byHigh.get(high);
    if (same) {
      same.push(decided);
    } else {
      this.byHigh.set(high, [decided]);
    }
  }
}

/** Whether no other row of the file has the id, open or not. */
function isAlone(rows: KeptRows, at: number): boolean {
  return (
    (rows.bits[at]! & isShared) === 0 &&
    !haveSameId(rows, at, rows, at - 1) &&
    !haveSameId(rows, at, rows, at + 1)
  );
}

/**
 * Pairs findings with the same id, first those that are equal, then those with the same severity, then those at the same
 * place of the file. What is known is left out, but where it is open at the other time, as it got worse: that is not new.
 * Pauses, as there may be millions.
 */
export async function visitDifferences(
  before: Side,
  after: Side,
  visitor: DifferenceVisitor,
): Promise<void> {
  const ofOpen = withoutKnown(before, after, visitor);
  const [older, newer] = [before.rows, after.rows];
  const [olderCount, newerCount] = [older.high.length, newer.high.length];
  /** Those of one id that are not equal to another one. */
  let gone: number[] = [];
  let added: number[] = [];
  const pairOthers = () => {
    pairUnequal(older, newer, gone, added, ofOpen);
    [gone, added] = [[], []];
  };
  let [one, other] = [0, 0];
  for (let step = 1; one < olderCount || other < newerCount; step += 1) {
    if (step % findingsAtOnce === 0) {
      await (visitor.pause?.() ?? setImmediate());
    }
    const order =
      one === olderCount ? 1 : other === newerCount ? -1 : compareRows(older, one, newer, other);
    const [rows, at] = order <= 0 ? [older, one] : [newer, other];
    const isOfSameId =
      (gone.length === 0 || haveSameId(rows, at, older, gone[0]!)) &&
      (added.length === 0 || haveSameId(rows, at, newer, added[0]!));
    if (!isOfSameId) {
      pairOthers();
    }
    if (order === 0) {
      ofOpen.pair(one, other);
    } else if (order < 0) {
      gone.push(one);
    } else {
      added.push(other);
    }
    one += order <= 0 ? 1 : 0;
    other += order >= 0 ? 1 : 0;
  }
  pairOthers();
}

/** Hears of what is open at either time. */
function withoutKnown(before: Side, after: Side, visitor: DifferenceVisitor): DifferenceVisitor {
  const isOpen = ({ rows, known }: Side, at: number) => !known.has(rows, at);
  return {
    pair: (one, other) => {
      if (isOpen(before, one) || isOpen(after, other)) {
        visitor.pair(one, other);
      }
    },
    added: (at) => {
      if (isOpen(after, at)) {
        visitor.added(at);
      }
    },
    gone: (at) => {
      if (isOpen(before, at)) {
        visitor.gone(at);
      }
    },
  };
}

/** Pairs those of one id that are not equal. */
function pairUnequal(
  older: KeptRows,
  newer: KeptRows,
  before: readonly number[],
  after: readonly number[],
  visitor: DifferenceVisitor,
): void {
  const keys: readonly ((rows: KeptRows, at: number) => number)[] = [
    ({ bits }, at) => bits[at]! & severityBits,
    ({ detail }, at) => detail[at]!,
    () => 0,
  ];
  let [gone, added] = [before, after];
  for (const keyOf of keys) {
    if (gone.length === 0 || added.length === 0) {
      break;
    }
    const left = groupBy(gone.toReversed(), (at) => keyOf(older, at));
    added = added.filter((at) => {
      const same = left.get(keyOf(newer, at))?.pop();
      if (same !== undefined) {
        visitor.pair(same, at);
      }
      return same === undefined;
    });
    gone = [...left.values()].flat().sort((one, other) => one - other);
  }
  gone.forEach((at) => {
    visitor.gone(at);
  });
  added.forEach((at) => {
    visitor.added(at);
  });
}

export async function countChanges(
  before: Side,
  after: Side,
): Promise<Pick<SincePrevious, 'new' | 'gone' | 'changed' | 'worstNew'>> {
  let [gone, changed] = [0, 0];
  const added = new Uint32Array(severityBits + 1);
  const severityAt = ({ rows: { bits } }: Side, at: number) => bits[at]! & severityBits;
  await visitDifferences(before, after, {
    pair: (one, other) => {
      changed += severityAt(before, one) === severityAt(after, other) ? 0 : 1;
    },
    added: (at) => {
      added[severityAt(after, at)]! += 1;
    },
    gone: () => {
      gone += 1;
    },
  });
  const counts = Array.from(added, (count, bits) => ({ severity: severityOfBits(bits), count }));
  const worst = severityLevels.flatMap((severity) => {
    const count = counts.find((each) => each.severity === severity)?.count ?? 0;
    return count > 0 ? { severity, count } : [];
  })[0];
  return {
    new: added.reduce((sum, count) => sum + count, 0),
    gone,
    changed,
    ...(worst && { worstNew: worst }),
  };
}

/** How many findings are not known, and how many of these have each severity. */
export async function countOpenRows({ rows, known }: Side): Promise<{
  readonly open: number;
  readonly severities: ReadonlyMap<SaidSeverity, number>;
}> {
  const counts = new Uint32Array(severityBits + 1);
  let open = 0;
  for (let at = 0; at < rows.bits.length; at += 1) {
    if (!known.has(rows, at)) {
      open += 1;
      counts[rows.bits[at]! & severityBits]! += 1;
    }
    if (at % findingsAtOnce === 0) {
      await setImmediate();
    }
  }
  const severities = Array.from(counts, (count, bits) => [severityOfBits(bits), count] as const);
  return {
    open,
    severities: new Map(
      severities.flatMap(([severity, count]) => (severity ? [[severity, count]] : [])),
    ),
  };
}
