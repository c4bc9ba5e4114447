import * as fs from 'node:fs';

/** The result of a run of tests. */
export interface Counts {
  readonly passed: number;
  readonly skipped: number;
  /** The titles of each failed test with its error below them, or what else failed. */
  readonly failures: readonly string[];
  /** How long each test took. */
  readonly times: readonly TestTime[];
}

export interface TestTime {
  readonly title: string;
  readonly ms: number;
}

/** Environment variable with the file to which tests inside VS Code, or by Wine, write their {@link Counts}. */
export const countsVariable = 'SCORECARD_TEST_COUNTS';

/**
 * The result of a process that ran tests; has at least one failure if anything went wrong.
 * @param name what ran.
 * @param counts what it reported, if it got that far.
 * @param exitCode undefined while the process continues with other tests.
 */
export function judge(
  name: string,
  counts: Counts | undefined,
  exitCode: number | undefined,
): Counts {
  if (!counts) {
    return failure(`${name} ended with exit code ${exitCode} before its tests were done`);
  }
  if (counts.passed + counts.failures.length === 0) {
    return add(counts, failure(`${name} ran no tests`));
  }
  if (exitCode !== undefined && exitCode !== 0 && counts.failures.length === 0) {
    return add(counts, failure(`${name} ended with exit code ${exitCode} after its tests`));
  }
  return counts;
}

/** The counts in a file; undefined if the file does not exist. */
export function readCounts(file: string): Counts | undefined {
  return fs.existsSync(file) ? (JSON.parse(fs.readFileSync(file, 'utf8')) as Counts) : undefined;
}

export const nothing: Counts = { passed: 0, skipped: 0, failures: [], times: [] };

export function failure(text: string): Counts {
  return { ...nothing, failures: [text] };
}

export function add(first: Counts, second: Counts): Counts {
  return {
    passed: first.passed + second.passed,
    skipped: first.skipped + second.skipped,
    failures: [...first.failures, ...second.failures],
    times: [...first.times, ...second.times],
  };
}

/**
 * The end of `npm test`: every failure once more, because the first mention may be thousands of lines
 * above or cut off; then one line with the counts.
 */
export function summary({ passed, failures, skipped }: Counts): string {
  const counts = `${passed} passed, ${failures.length} failed`;
  return [...failures, counts + (skipped > 0 ? `, ${skipped} skipped` : '')].join('\n\n');
}

/** The slowest tests, one a line, the slowest first. */
export function slowest({ times }: Counts, most = 10): string {
  return [...times]
    .sort((first, second) => second.ms - first.ms)
    .slice(0, most)
    .map(({ title, ms }) => `${(ms / 1000).toFixed(1).padStart(6)} s  ${title}`)
    .join('\n');
}
