/**
 * Files whose tests collect garbage or start many processes. Both cost many times as much in a process that
 * has loaded a hundred files before: one of them 15 seconds instead of one and a half.
 */
const needFreshProcess: readonly string[] = [
  'api/paging/allFindings.test.js',
  'api/budget/requestQueue.test.js',
  'engine/threads/memory.test.js',
  'service/reports/reports.crashMatrix.test.js',
];

/**
 * Slow files, with their approximate duration in seconds. They start first, so that none is left at the end.
 * `npm test -- --slowest` shows what has grown.
 */
const seconds: Readonly<Partial<Record<string, number>>> = {
  'service/reports/reports.test.js': 60,
  'viewer/compare/reportAnswers.test.js': 45,
  'webview/queries.test.js': 40,
  'viewer/table/reportTable.test.js': 50,
  'demo/demo.test.js': 40,
  'service/account/securityScorecard.test.js': 60,
  'service/collections/collections.test.js': 20,
  'service/findings/findings.test.js': 40,
  'webview/grid.test.js': 20,
  'webview/overview.test.js': 20,
  'service/account/signIn.test.js': 15,
  'webview/accessibility.test.js': 15,
  'links/tools/queryTable.test.js': 15,
};

/** Files of tests: those that need a fresh process, then the slowest ones. */
export function inLongestFirstOrder(files: readonly string[]): string[] {
  const time = (file: string) =>
    needFreshProcess.includes(file) ? Infinity : (seconds[file] ?? 1);
  return [...files].sort((first, second) =>
    time(first) === time(second) ? 0 : time(second) - time(first),
  );
}
