import * as fs from 'node:fs';

/**
 * Environment variable with the files that are run, separated by commas; all if it is absent. It also
 * reaches the tests inside VS Code.
 */
export const filesVariable = 'SCORECARD_TEST_FILES';

/**
 * All tests to run below a folder of bundles, or of the sources of bundles: the paths of the bundles,
 * `*.test.js`, relative to the folder and sorted by name.
 */
export function testFiles(folder: string): string[] {
  const wanted = process.env[filesVariable]?.split(',');
  const files = fs
    .readdirSync(folder, { recursive: true, encoding: 'utf8' })
    .map((name) => name.replaceAll('\\', '/').replace(/\.ts$/, '.js'))
    .filter((name) => name.endsWith('.test.js') && (wanted?.includes(name) ?? true))
    .sort();
  if (files.length === 0) {
    throw new Error(`There is no test${wanted ? ` ${wanted.join(', ')}` : ''} in ${folder}.`);
  }
  return files;
}
