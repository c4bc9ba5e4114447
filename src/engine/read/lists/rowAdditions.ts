import { type Kernel, threadKernel } from '../../threads/kernel';
import type { RowExtras } from './listPlan';
import { newWalk, nowhere } from './listSteps';
import type { RowMembers } from './rowMembers';
import type { WrappedRows } from './wrappedRows';

/** The most bytes of members that are kept of a row, and of an object in it. */
const maxRowBytes = 16 * 1024;
const maxObjectBytes = 4096;

/** What rows get while a walk writes them. */
export interface Additions {
  /** Makes a walk add the members of objects in its rows, and ask for others. */
  prepare(walk: number): void;
  /** Adds other members to the last row of a walk, which asks for them. */
  addTo(walk: number): void;
  dispose(): void;
}

/** What rows get after their own members: those of an object in them, such as the first location, and `RowMembers`. */
export class RowAdditions implements Additions {
  private readonly kernel: Kernel = threadKernel();
  private readonly inner: readonly number[];
  private readonly asked: number | undefined;

  constructor(
    { paths }: RowExtras,
    private readonly more: readonly RowMembers[],
    private readonly wrapped?: WrappedRows,
  ) {
    this.inner = paths.map(({ steps }) =>
      newWalk([...steps, nowhere], steps.length, maxObjectBytes),
    );
    this.asked =
      more.length > 0 || wrapped ? askFor(more.flatMap(({ asked }) => asked)) : undefined;
  }

  prepare(walk: number): void {
    const { inner, asked, kernel } = this;
    for (const each of inner) {
      kernel.exports.addInnerWalk(walk, each);
    }
    if (asked !== undefined) {
      kernel.exports.askRows(walk, asked);
    }
  }

  addTo(walk: number): void {
    const { kernel, more } = this;
    const [members = 0, bytes = 0, row = 0, rowBytes = 0, run = 0] = [3, 4, 5, 6, 7].map((at) =>
      kernel.result(at),
    );
    const json = kernel.bytes.subarray(row, row + rowBytes);
    const unwrapped = this.wrapped?.rowOf(json);
    if (unwrapped !== undefined) {
      this.replaceRow(walk, unwrapped, run);
      return;
    }
    // Without the last comma.
    const asked = kernel.bytes.toString('utf8', members, members + Math.max(0, bytes - 1));
    add(kernel, walk, more.map((each) => each.membersOf(run, asked, json)).join(''));
  }

  private replaceRow(walk: number, text: string, run: number): void {
    const { kernel, more } = this;
    const row = Buffer.from(text);
    kernel.exports.replaceRow(walk, kernel.place(row, 0, row.length), row.length);
    const own = text.slice(1, -1);
    add(kernel, walk, more.map((each) => each.membersOf(run, own, row)).join(''));
  }

  dispose(): void {
    for (const walk of [this.asked ?? [], this.inner].flat()) {
      this.kernel.exports.freeWalk(walk);
    }
  }
}

/** The member that a part of a run gets: the number of its run, from 1. */
export const runMember = '#run';

/** Gives each row the number of the run that it is in. */
export class RunNumbers implements Additions {
  private readonly kernel: Kernel = threadKernel();
  private readonly asked = askFor([runMember]);

  prepare(walk: number): void {
    this.kernel.exports.askRows(walk, this.asked);
  }

  addTo(walk: number): void {
    add(this.kernel, walk, `"${runMember}":${this.kernel.result(7)},`);
  }

  dispose(): void {
    this.kernel.exports.freeWalk(this.asked);
  }
}

function add(kernel: Kernel, walk: number, members: string): void {
  const added = Buffer.from(members);
  kernel.exports.addToRow(walk, kernel.place(added, 0, added.length), added.length);
}

/** A walk to plain members with some names. */
function askFor(names: readonly string[]): number {
  const kernel = threadKernel();
  const walk = newWalk([nowhere], 0, maxRowBytes);
  kernel.withTexts(names, (texts, ends, count) => {
    kernel.exports.collectOnly(walk, texts, ends, count);
  });
  return walk;
}
