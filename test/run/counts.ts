import * as fs from 'node:fs';

/** What a run of tests came to. */
export interface Counts {
  readonly passed: number;
  readonly skipped: number;
  /** Of each test that failed its titles, and below them its error; or what else went wrong. */
  readonly failures: readonly string[];
}

/** Environment variable with the file a test run writes its {@link Counts} to. */
export const countsVariable = 'SCORECARD_TEST_COUNTS';

/**
 * Counts as an exit code and a file tell them; one failure at least when either tells of trouble.
 * @param name what ran.
 */
export function judge(name: string, countsFile: string, exitCode: number): Counts {
  if (!fs.existsSync(countsFile)) {
    return failure(`${name} ended with exit code ${exitCode} before its tests were done`);
  }
  const counts = JSON.parse(fs.readFileSync(countsFile, 'utf8')) as Counts;
  if (counts.passed + counts.failures.length === 0) {
    return add(counts, failure(`${name} ran no tests`));
  }
  if (exitCode !== 0 && counts.failures.length === 0) {
    return add(counts, failure(`${name} ended with exit code ${exitCode} after its tests`));
  }
  return counts;
}

export const nothing: Counts = { passed: 0, skipped: 0, failures: [] };

export function failure(text: string): Counts {
  return { ...nothing, failures: [text] };
}

export function add(first: Counts, second: Counts): Counts {
  return {
    passed: first.passed + second.passed,
    skipped: first.skipped + second.skipped,
    failures: [...first.failures, ...second.failures],
  };
}

/**
 * The end of `npm test`: every failure once more, as what said so at first may be thousands of lines
 * above or cut off; then one line with the counts.
 */
export function summary({ passed, failures, skipped }: Counts): string {
  const counts = `${passed} passed, ${failures.length} failed`;
  return [...failures, counts + (skipped > 0 ? `, ${skipped} skipped` : '')].join('\n\n');
}
