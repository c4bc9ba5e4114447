import * as fs from 'node:fs';

/** What a run of tests came to. */
export interface Counts {
  readonly passed: number;
  readonly failed: number;
  readonly skipped: number;
}

/** Environment variable with the file a test run writes its {@link Counts} to. */
export const countsVariable = 'SCORECARD_TEST_COUNTS';

/** Counts as an exit code and a file tell them; one failure at least when either tells of trouble. */
export function judge(
  countsFile: string,
  exitCode: number,
): Counts & { readonly problem?: string } {
  if (!fs.existsSync(countsFile)) {
    return {
      ...{ passed: 0, failed: 1, skipped: 0 },
      problem: `ended with exit code ${exitCode} before its tests were done`,
    };
  }
  const counts = JSON.parse(fs.readFileSync(countsFile, 'utf8')) as Counts;
  if (counts.passed + counts.failed === 0) {
    return { ...counts, failed: 1, problem: 'ran no tests' };
  }
  if (exitCode !== 0 && counts.failed === 0) {
    return { ...counts, failed: 1, problem: `ended with exit code ${exitCode} after its tests` };
  }
  return counts;
}

/** The last line of `npm test`. */
export function summary({ passed, failed, skipped }: Counts): string {
  return `${passed} passed, ${failed} failed${skipped > 0 ? `, ${skipped} skipped` : ''}`;
}
