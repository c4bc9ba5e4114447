import * as fs from 'node:fs';

/**
 * Environment variable with the files that are run, separated by commas; all where it is absent. It
 * reaches the tests inside VS Code, too.
 */
export const filesVariable = 'SCORECARD_TEST_FILES';

/**
 * Every test that is to be run below a folder of bundles, or of the sources that become them: the paths of
 * the bundles, `*.test.js`, below the folder, in the order of their names.
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
