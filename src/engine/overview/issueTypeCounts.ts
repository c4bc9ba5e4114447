import { threadKernel } from '../threads/kernel';
import type { TimeCounts } from './timeCounts';
import type { ValueCounts } from './valueCounts';

/**
 * The numbers of issue types and assets are below these limits, so that a pair of them fits into 32
 * bits.
 */
export const maxIssueTypes = 4095;
export const maxAssets = 1024 ** 2;
/** Up to so many assets, their severities are counted: in 5 MB if there are at most 16, in 64 MB if there are 256. */
export const maxSplitAssets = 64 * 1024;
/**
 * The most pairs of an issue type and an asset that are distinguished. They take 32 MB if no two
 * are close.
 */
const defaultMaxPairs = 2 * 1024 ** 2;

/** The columns of issues. */
export interface IssueColumns {
  readonly type?: ValueCounts | undefined;
  readonly severity?: ValueCounts | undefined;
  readonly asset?: ValueCounts | undefined;
  readonly times?: TimeCounts | undefined;
}

export type IssueTypesPart = ReturnType<IssueTypeCounts['part']>;

/**
 * Counts the severities, assets and dates of each issue type, in the memory of the kernel. Types,
 * severities and assets are numbers from 0.
 */
export class IssueTypeCounts {
  private readonly kernel = threadKernel();
  /** The address in the kernel; 0 when the memory is freed. */
  private address: number;

  /**
   * @param isPart whether parts are taken.
   * @param maxPairs the most pairs of types and assets; with more pairs, assets are not counted
   *   for any type.
   */
  constructor(isPart: boolean, maxPairs = defaultMaxPairs) {
    this.address = this.kernel.exports.newIssues(maxPairs, isPart ? 1 : 0);
  }

  /** Adds the records that were last added to these columns. */
  add(count: number, { type, severity, asset, times }: IssueColumns): void {
    if (type) {
      this.kernel.exports.addIssues(
        this.address,
        count,
        type.inKernel,
        severity?.inKernel ?? 0,
        asset?.inKernel ?? 0,
        times?.timesInKernel ?? 0,
      );
    }
  }

  /** The counts since the last part. */
  part() {
    const { kernel } = this;
    const { types, severities, newest, severityRoom, pairs, added, addedCount } = this.state();
    const { buffer } = kernel.exports.memory;
    const part = {
      /** By type, `severityRoom` numbers: how many issues have each severity. */
      severities: kernel.copyWords(severities, types * severityRoom),
      severityRoom,
      /** By type; NaN if there is no date. */
      newest: new Float64Array(buffer, newest, types).slice(),
      /** Pairs of a type and an asset that are in no earlier part; `undefined` if there are too many. */
      pairs: pairs >= 0 ? kernel.copyWords(added, addedCount) : undefined,
    };
    // Which pairs there are is kept.
    kernel.exports.clearIssues(this.address);
    return part;
  }

  /**
   * Adds the counts of other rows.
   * @param numbers the numbers of types, severities and assets here, by their numbers in the part;
   *   absent if these rows have none, or if they are no longer counted.
   */
  merge(
    { severities, severityRoom, newest, pairs }: IssueTypesPart,
    numbers: Readonly<Partial<Record<'type' | 'severity' | 'asset', Uint32Array | undefined>>>,
  ): void {
    const { kernel, address } = this;
    const { exports } = kernel;
    const { type, severity, asset } = numbers;
    if (!type) {
      return;
    }
    kernel.withCopies(
      [type, severities, severity ?? new Uint32Array(), newest],
      (typesAt = 0, counts = 0, severitiesAt = 0, newestAt = 0) => {
        const count = newest.length;
        const known = severity ? severitiesAt : 0;
        exports.mergeIssues(address, count, typesAt, counts, severityRoom, known, newestAt);
      },
    );
    if (!pairs) {
      this.dropAssets();
    } else if (asset) {
      kernel.withCopies([pairs, type, asset], (pairsAt = 0, typesAt = 0, assetsAt = 0) => {
        exports.mergePairs(address, pairsAt, pairs.length, typesAt, assetsAt);
      });
    }
  }

  /** The severities of the rows of a type, and how many rows have each. */
  severities(type: number): { severity: number; count: number }[] {
    const { types, severities, severityRoom } = this.state();
    const counts =
      type < types
        ? this.kernel.copyWords(severities + 4 * type * severityRoom, severityRoom)
        : new Uint32Array();
    return [...counts].flatMap((count, severity) => (count > 0 ? [{ severity, count }] : []));
  }

  lastFirstSeen(type: number): number | undefined {
    const { types, newest } = this.state();
    const time = type < types ? this.kernel.doubles[(newest >>> 3) + type]! : NaN;
    return Number.isNaN(time) ? undefined : time;
  }

  /** Distinct assets of a type; `undefined` if there are too many pairs. */
  assets(type: number): number | undefined {
    const { types, assets, pairs } = this.state();
    if (pairs < 0) {
      return undefined;
    }
    return type < types ? this.kernel.words[(assets >>> 2) + type]! : 0;
  }

  /** Stops counting assets. */
  dropAssets(): void {
    this.kernel.exports.dropAssets(this.address);
  }

  release(): void {
    if (this.address !== 0) {
      this.kernel.exports.freeIssues(this.address);
      this.address = 0;
    }
  }

  /** See `readIssues` of the kernel. */
  private state() {
    this.kernel.exports.readIssues(this.address);
    const at = (index: number) => this.kernel.result(index);
    return {
      types: at(0),
      severities: at(1),
      newest: at(2),
      assets: at(3),
      severityRoom: at(4),
      pairs: at(5),
      added: at(6),
      addedCount: at(7),
    };
  }
}
