import {
  type DifferenceVisitor,
  haveSameId,
  type KeptRows,
  severityBits,
  severityOfBits,
} from '../../engine';
import type { PutPiece } from '../../files/wholeFile';
import type { Findings, KeptFinding } from './keptFindings';

/** Reads the texts of findings by their positions. */
export type ReadTexts = (
  positions: readonly number[],
) => Promise<ReadonlyMap<number, Pick<KeptFinding, 'rule' | 'title' | 'place'>>>;

/** A finding of one side or of both, and its number among those with the same id. */
interface Waiting {
  readonly before?: number;
  readonly after?: number;
  readonly number: number;
}

/** What is written of both sides. */
interface WrittenSide {
  readonly findings: Findings;
  readonly put: PutPiece;
}

/**
 * Writes the findings of both sides as lines of files that are compared by `finding`. Of those that are in both, only the
 * severity differs.
 */
export class SideWriter implements DifferenceVisitor {
  private waiting: Waiting[] = [];
  private last:
    | { readonly rows: KeptRows; readonly at: number; readonly number: number }
    | undefined;

  /** @param readAfter reads the texts that the newer side does not have. */
  constructor(
    private readonly before: WrittenSide,
    private readonly after: WrittenSide,
    private readonly readAfter: ReadTexts | undefined,
  ) {}

  pair(before: number, after: number): void {
    this.waiting.push({ before, after, number: this.numberOf(this.after, after) });
  }

  added(after: number): void {
    this.waiting.push({ after, number: this.numberOf(this.after, after) });
  }

  gone(before: number): void {
    this.waiting.push({ before, number: this.numberOf(this.before, before) });
  }

  /** Writes the rest. */
  async finish(): Promise<void> {
    await this.pause();
    // A file without findings has a line all the same: else it would be no table.
    await Promise.all([this.before, this.after].map(({ put }) => put('\n')));
  }

  /** Writes what has come since. */
  async pause(): Promise<void> {
    const { before, after, waiting } = this;
    this.waiting = [];
    // The texts of others are not shown.
    const shown = waiting.flatMap((each) =>
      each.after !== undefined && this.hasChanged(each) ? each.after : [],
    );
    const read = shown.length > 0 ? await this.readAfter?.(shown) : undefined;
    const ofBefore: string[] = [];
    const ofAfter: string[] = [];
    for (const { before: older, after: newer, number } of waiting) {
      const [side, at] = newer === undefined ? [before, older ?? 0] : [after, newer];
      const texts =
        side.findings.texts?.[at] ?? (newer === undefined ? undefined : read?.get(newer));
      const finding = nameOf(side.findings.rows, at, number);
      if (older !== undefined) {
        ofBefore.push(toLine(finding, before.findings.rows.bits[older], texts));
      }
      if (newer !== undefined) {
        ofAfter.push(toLine(finding, after.findings.rows.bits[newer], texts));
      }
    }
    await before.put(ofBefore.join(''));
    await after.put(ofAfter.join(''));
  }

  private hasChanged({ before: older, after: newer }: Waiting): boolean {
    const bitsOf = ({ findings }: WrittenSide, at: number) =>
      (findings.rows.bits[at] ?? 0) & severityBits;
    return (
      older === undefined ||
      newer === undefined ||
      bitsOf(this.before, older) !== bitsOf(this.after, newer)
    );
  }

  /** Those with the same id come together. */
  private numberOf({ findings: { rows } }: WrittenSide, at: number): number {
    const { last } = this;
    const number = last && haveSameId(last.rows, last.at, rows, at) ? last.number + 1 : 1;
    this.last = { rows, at, number };
    return number;
  }
}

/** Names a finding by the digest of its id, equal ones apart. */
function nameOf({ high, low }: KeptRows, at: number, number: number): string {
  const name = [high, low]
    .map((digits) => (digits[at] ?? 0).toString(16).padStart(8, '0'))
    .join('');
  return number === 1 ? name : `${name} ${number}`;
}

function toLine(
  finding: string,
  bits = 0,
  { rule, title, place }: Pick<KeptFinding, 'rule' | 'title' | 'place'> = {},
): string {
  const severity = severityOfBits(bits);
  return `${JSON.stringify({ finding, severity, rule, title, place })}\n`;
}
