import * as fs from 'node:fs';

/**
 * Environment variable with the files that are run, separated by commas; all if it is absent. It also
 * reaches the tests inside VS Code.
 */
export const filesVariable = 'SCORECARD_TEST_FILES';

/**
 * All tests to run below a folder of bundles, or of the sources of bundles: the paths of the bundles,
 * `*.test.js`, relative to the folder and sorted by name.
 * @param names the files that are run; all if it is empty.
 * @throws Error if a named file does not exist, or if there is no test.
 */
export function testFiles(
  folder: string,
  names: readonly string[] = process.env[filesVariable]?.split(',') ?? [],
): string[] {
  const all = fs
    .readdirSync(folder, { recursive: true, encoding: 'utf8' })
    .map((name) => name.replaceAll('\\', '/').replace(/\.ts$/, '.js'))
    .filter((name) => name.endsWith('.test.js'))
    .sort();
  const missing = names.filter((name) => !all.includes(name));
  if (missing.length > 0) {
    throw new Error(`There is no test ${missing.join(', ')} in ${folder}.`);
  }
  if (all.length === 0) {
    throw new Error(`There is no test in ${folder}.`);
  }
  return names.length === 0 ? all : all.filter((name) => names.includes(name));
}
