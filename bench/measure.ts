/** Something that can be timed; resolves when its work is done. */
export type Work = () => Promise<unknown>;

/** The figure of each work; may be `undefined` for work that is absent if its peer is not installed. */
type Figures<Works> = {
  [Name in keyof Works]: Works[Name] extends Work ? number : number | undefined;
};

/**
 * Times several ways to do the same work: one warm-up and `runs` runs of each, alternating, so that other load of
 * the machine affects all of them equally.
 * @returns the median of each, in milliseconds.
 */
export async function medians<Works extends Readonly<Record<string, Work | undefined>>>(
  works: Works,
  runs = 5,
): Promise<Figures<Works>> {
  const present = Object.entries(works).flatMap(([name, work]) =>
    work ? [{ name, work, times: [] as number[] }] : [],
  );
  for (let run = 0; run <= runs; run += 1) {
    // Rotates the order: no work is always first, with cold caches, or always after the same one.
    const first = run % present.length;
    for (const { work, times } of [...present.slice(first), ...present.slice(0, first)]) {
      const milliseconds = await time(work);
      if (run > 0) {
        times.push(milliseconds);
      }
    }
  }
  return Object.fromEntries(
    present.map(({ name, times }) => [name, median(times)]),
  ) as Figures<Works>;
}

/** The duration of a piece of work, in milliseconds. */
export async function time(work: Work): Promise<number> {
  const spent = meter();
  await work();
  return spent().milliseconds;
}

/** The duration of a piece of work in milliseconds: wall-clock time, and CPU time of this whole process. */
export interface Spent {
  readonly milliseconds: number;
  readonly cpuMilliseconds: number;
}

/** Begins to measure; returns a function that returns the time since. */
export function meter(): () => Spent {
  const cpu = process.cpuUsage();
  const start = performance.now();
  return () => {
    const milliseconds = performance.now() - start;
    const { user, system } = process.cpuUsage(cpu);
    return { milliseconds, cpuMilliseconds: (user + system) / 1000 };
  };
}

/** The middle value; of an even number of values the mean of the two in the middle. */
export function median(values: readonly number[]): number {
  const sorted = [...values].sort((first, second) => first - second);
  const middle = (sorted.length - 1) / 2;
  const [low = NaN, high = NaN] = [sorted[Math.floor(middle)], sorted[Math.ceil(middle)]];
  return (low + high) / 2;
}

/** The median; `undefined` if there are no values. */
export function medianIfAny(values: readonly number[]): number | undefined {
  return values.length > 0 ? median(values) : undefined;
}

/** The highest value; `undefined` if there are no values. */
export function highestIfAny(values: readonly number[]): number | undefined {
  return values.length > 0 ? Math.max(...values) : undefined;
}
