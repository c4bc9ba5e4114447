/**
 * Files that take long, by about how many seconds: they begin first, so that none is left over at the end.
 * `npm test -- --slowest` shows what has grown.
 */
const seconds: Readonly<Partial<Record<string, number>>> = {
  'reports/reports.test.js': 60,
  'compare/reportAnswers.test.js': 45,
  'table/queries.test.js': 40,
  'table/reportTable.test.js': 40,
  'demo/demo.test.js': 25,
  'lists/loadAll.test.js': 25,
  'account/requestBudget.test.js': 20,
  'collections/collections.test.js': 20,
  'findings/findings.test.js': 20,
  'table/grid.test.js': 20,
  'table/overview.test.js': 20,
  'account/signIn.test.js': 15,
  'findings/reading.test.js': 15,
  'table/accessibility.test.js': 15,
};

/** Files of tests, those that take longest first. */
export function inLongestFirstOrder(files: readonly string[]): string[] {
  const time = (file: string) => seconds[file] ?? 1;
  return [...files].sort((first, second) => time(second) - time(first));
}
