import { type Kernel, threadKernel } from '../../threads/kernel';
import type { RowExtras } from './listPlan';
import { newWalk, nowhere } from './listSteps';
import { isSuppressed, levelMembers, levelNames, type SarifRules } from './sarifRules';

/** The most bytes of members that are kept of a row, and of an object in it. */
const maxRowBytes = 16 * 1024;
const maxObjectBytes = 4096;

/** The most rows with different members whose additions are remembered. */
const maxKnown = 1000;

/**
 * What rows get after their own members: those of an object in them, such as the first rating of a
 * vulnerability, the level of the rule of a result, and the status of one that is suppressed.
 */
export class RowAdditions {
  private readonly kernel: Kernel = threadKernel();
  private readonly inner: readonly number[];
  private readonly asked: number | undefined;
  private readonly haveSuppressed: boolean;
  /** What rows get, by the members on which it depends: those of most results are the same. */
  private readonly known = new Map<string, Buffer>();

  /** @param rules if rows are results of SARIF. */
  constructor(
    { paths, haveSuppressed = false }: RowExtras,
    private readonly rules: SarifRules | undefined,
  ) {
    this.inner = paths.map(({ steps }) =>
      newWalk([...steps, nowhere], steps.length, maxObjectBytes),
    );
    this.haveSuppressed = haveSuppressed;
    this.asked = rules || haveSuppressed ? this.walkTo(levelNames) : undefined;
  }

  /** Makes a walk add the members of objects in its rows, and ask for others. */
  prepare(walk: number): void {
    const { inner, asked, kernel } = this;
    for (const each of inner) {
      kernel.exports.addInnerWalk(walk, each);
    }
    if (asked !== undefined) {
      kernel.exports.askRows(walk, asked);
    }
  }

  /** Adds other members to the last row of a walk, which asks for them. */
  addTo(walk: number): void {
    const { kernel } = this;
    const [members = 0, bytes = 0, row = 0, rowBytes = 0] = [3, 4, 5, 6].map((at) =>
      kernel.result(at),
    );
    // Without the last comma.
    const text = kernel.bytes.toString('utf8', members, members + Math.max(0, bytes - 1));
    const isClosed =
      this.haveSuppressed && isSuppressed(kernel.bytes.subarray(row, row + rowBytes));
    const added = this.addedTo(text, isClosed);
    kernel.exports.addToRow(walk, kernel.place(added, 0, added.length), added.length);
  }

  private addedTo(members: string, isClosed: boolean): Buffer {
    const key = isClosed ? `closed ${members}` : members;
    let added = this.known.get(key);
    if (!added) {
      const ofRule = this.rules ? levelMembers(members, this.rules) : '';
      added = Buffer.from(isClosed ? `${ofRule}"status":"suppressed",` : ofRule);
      if (this.known.size >= maxKnown) {
        this.known.clear();
      }
      this.known.set(key, added);
    }
    return added;
  }

  dispose(): void {
    for (const walk of [this.asked ?? [], this.inner].flat()) {
      this.kernel.exports.freeWalk(walk);
    }
  }

  /** A walk to plain members with some names. */
  private walkTo(names: readonly string[]): number {
    const { kernel } = this;
    const walk = newWalk([nowhere], 0, maxRowBytes);
    kernel.withTexts(names, (texts, ends, count) => {
      kernel.exports.collectOnly(walk, texts, ends, count);
    });
    return walk;
  }
}
